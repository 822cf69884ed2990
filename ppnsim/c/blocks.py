"""Names the members of ppnsim's stand-in for the vendor's ``hls::stream_of_blocks`` (R7.7)."""

from __future__ import annotations

import re
from dataclasses import replace

from ppnsim.c.syntax import CType

HELD, FULL, BLOCK = "ppnsim_held", "ppnsim_full", "ppnsim_block"
"""The streams of held and of full blocks, and the elements of the block to which a lock gives access."""
OF_BLOCKS = (HELD, FULL, BLOCK)
_MEMBERS = re.compile(f"[_.](?:{HELD}|{FULL}|{BLOCK})")
_BLOCKS = re.compile(r"(?:const )?hls::stream_of_blocks<.*?(?:, (\d+))?>")


def is_blocks(spelling: str) -> bool:
    """Return whether a type is a stream of blocks.

    Examples
    --------
    >>> is_blocks("hls::stream_of_blocks<int[16], 3>"), is_blocks("hls::stream<int>")
    (True, False)
    """
    return _BLOCKS.fullmatch(spelling) is not None


def as_declared(of: CType, owner: str) -> CType:
    """Return the type of a member, with the depth of its stream of blocks, which function parameters leave open.

    Examples
    --------
    >>> held = CType("stream", "hls::stream<bool, 2>", 8, size=2)
    >>> as_declared(held, "hls::stream_of_blocks<int[16], 3>").size, as_declared(held, "pair").size
    (3, 2)
    """
    found = _BLOCKS.fullmatch(owner)
    return replace(of, size=int(found[1])) if found and found[1] and of.kind == "stream" else of


def in_words(text: str) -> str:
    """Return words in which the name of a stream of blocks replaces the names of its members.

    Examples
    --------
    >>> in_words("ports of s_ppnsim_block")
    'ports of s'
    """
    return _MEMBERS.sub("", text)
