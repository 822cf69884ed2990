"""Streams of blocks: what the members of the stand-in for the vendor's ``hls::stream_of_blocks`` are called (R7.7)."""

from __future__ import annotations

import re
from dataclasses import replace

from ppnsim.c.syntax import CType

HELD, FULL, BLOCK = "ppnsim_held", "ppnsim_full", "ppnsim_block"
"""Tokens of the blocks that are held and of those that are full, and the elements of the block that a lock names."""
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
    """Return the type of a member with the depth of the stream of blocks that it is in; functions leave it open.

    Examples
    --------
    >>> held = CType("stream", "hls::stream<bool, 2>", 8, size=2)
    >>> as_declared(held, "hls::stream_of_blocks<int[16], 3>").size, as_declared(held, "pair").size
    (3, 2)
    """
    found = _BLOCKS.fullmatch(owner)
    return replace(of, size=int(found[1])) if found and found[1] and of.kind == "stream" else of


def blocks_of(name: str) -> str | None:
    """Return the stream of blocks that a FIFO of it belongs to, None for other FIFOs.

    Examples
    --------
    >>> blocks_of("s_ppnsim_held"), blocks_of("rows_ppnsim_full[2]"), blocks_of("s")
    ('s', 'rows', None)
    """
    found = re.fullmatch(rf"(.*)[_.](?:{HELD}|{FULL})(?:\[.*)?", name)
    return None if found is None else found[1]
