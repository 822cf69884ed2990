"""Depths in the text of a TOML file: what its author wrote, comments and order included, stays as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.formats.decode import decode_toml
from ppnsim.formats.network import read
from ppnsim.model.network import Network

_KEY = r"""(?:(?P<bare>[^\s"'=.\[\]{}#]+)|"(?P<double>[^"]*)"|'(?P<single>[^']*)')"""
_HEADER = re.compile(rf"\s*\[\s*channel\s*\.\s*{_KEY}\s*\]")
_INLINE = re.compile(rf"(?P<left>\s*(?:channel\s*\.\s*)?{_KEY}\s*=\s*\{{)(?P<inside>.*)(?P<right>\}}[^{{}}]*)")
_DEPTH = re.compile(r"(\bdepth\s*=\s*)(?:\d+|\"unbounded\"|'unbounded')")


def with_depths_in_text(text: str, path: Path, network: Network, depths: Mapping[str, int]) -> str | None:
    r"""Return the text of a network's file with other depths, None where its channels are written in another way.

    The result is read again: it holds ``network`` with these depths, and nothing else.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> text = "[process]\na = {firings = 2}\nb = {firings = 2}\n[channel.c]  # small\nfrom = 'a'\nto = 'b'"
    >>> network = read(decode_toml(text), Path("net.toml"))
    >>> print(with_depths_in_text(text, Path("net.toml"), network, {"c": 5}))
    [process]
    a = {firings = 2}
    b = {firings = 2}
    [channel.c]  # small
    from = 'a'
    to = 'b'
    depth = 5
    """
    lines = _with_depths(text.split("\n"), depths)
    if lines is None:
        return None
    changed = "\n".join(lines)
    try:
        same = read(decode_toml(changed), path) == network.with_depths(depths)
    except InputError:
        return None
    return changed if same else None


def _with_depths(lines: list[str], depths: Mapping[str, int]) -> list[str] | None:
    """Return the lines with the depth of each channel, a table or in a line of its own; None if one has neither."""
    left, changed, at = dict(depths), list[str](), 0
    while at < len(lines):
        line, at = lines[at], at + 1
        inline = _INLINE.fullmatch(line)
        found = inline or _HEADER.match(line)
        name = next((each for each in found.group("bare", "double", "single") if each is not None), "") if found else ""
        depth = left.pop(name, None)
        if depth is None:
            changed.append(line)
        elif inline is not None:
            changed.append(f"{inline['left']}{_in_line(inline['inside'], depth)}{inline['right']}")
        else:
            end = next((end for end in range(at, len(lines)) if lines[end].lstrip().startswith("[")), len(lines))
            changed += [line, *_in_table(lines[at:end], depth)]
            at = end
    return None if left else changed


def _in_line(inside: str, depth: int) -> str:
    """Return what stands between braces with the depth: in its place, or last."""
    changed, count = _DEPTH.subn(rf"\g<1>{depth}", inside)
    return changed if count else f"{inside.rstrip()}, depth = {depth}{' ' if inside.endswith(' ') else ''}"


def _in_table(lines: list[str], depth: int) -> list[str]:
    """Return the lines of a table with the depth: in its place, or after its last key."""
    last = 0
    for at, line in enumerate(lines):
        if re.match(r"\s*depth\s*=", line):
            return [*lines[:at], _DEPTH.sub(rf"\g<1>{depth}", line, count=1), *lines[at + 1 :]]
        if line.strip() and not line.lstrip().startswith("#"):
            last = at + 1
    return [*lines[:last], f"depth = {depth}", *lines[last:]]
