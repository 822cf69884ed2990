"""Depths in the text of a TOML file: what its author wrote, comments and order included, stays as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.formats.decode import decode_toml
from ppnsim.formats.network import read
from ppnsim.formats.toml_outline import outline
from ppnsim.model.network import Network

_KEY = r"""(?:(?P<bare>[^\s"'=.\[\]{}#]+)|"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)')"""
_HEADER = re.compile(rf"^[ \t]*\[[ \t]*channel[ \t]*\.[ \t]*{_KEY}[ \t]*\][ \t\r]*$", re.M)
_INLINE = re.compile(rf"^[ \t]*(?:channel[ \t]*\.[ \t]*)?{_KEY}[ \t]*=[ \t]*\{{(?P<inside>.*)\}}[ \t\r]*$", re.M)
_TABLE = re.compile(r"^[ \t]*\[", re.M)
_DEPTH = r"""(?:\bdepth|"depth"|'depth')[ \t]*=[ \t]*"""
_IN_LINE = re.compile(rf"{_DEPTH}(?P<value>[^\s,{{}}]+)")
_IN_TABLE = re.compile(rf"^[ \t]*{_DEPTH}(?P<value>\S+)", re.M)


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
    changed = _with_depths(text, depths)
    if changed is None:
        return None
    try:
        same = read(decode_toml(changed), path) == network.with_depths(depths)
    except InputError:
        return None
    return changed if same else None


def _with_depths(text: str, depths: Mapping[str, int]) -> str | None:
    """Return the text with the depth of each channel, a table or in a line of its own; None if one has neither."""
    seen, left, changes = outline(text), dict(depths), list[tuple[int, int, str]]()
    for found in (*_HEADER.finditer(seen), *_INLINE.finditer(seen)):
        name = next((each for each in found.group("bare", "double", "single") if each is not None), "")
        if (depth := left.pop(name, None)) is not None:
            in_braces = found.re is _INLINE
            changes.append(_in_braces(seen, found, depth) if in_braces else _in_table(seen, found.end(), depth))
    for begin, end, words in sorted(changes, reverse=True):
        text = text[:begin] + words + text[end:]
    return None if left else text


def _in_braces(seen: str, found: re.Match[str], depth: int) -> tuple[int, int, str]:
    """Return where a depth goes between braces, up to where, and what is written: in its place, or last."""
    begin, end = found.span("inside")
    if value := _IN_LINE.search(seen, begin, end):
        return *value.span("value"), str(depth)
    last = begin + len(seen[begin:end].rstrip())
    return last, last, f", depth = {depth}"


def _in_table(seen: str, begin: int, depth: int) -> tuple[int, int, str]:
    """Return the same of the table whose header ends at ``begin``: in its place, or in a line after its last key."""
    following = _TABLE.search(seen, begin)
    end = following.start() if following else len(seen)
    if value := _IN_TABLE.search(seen, begin, end):
        return *value.span("value"), str(depth)
    line = seen.find("\n", begin + len(seen[begin:end].rstrip()))
    last = len(seen) if line < 0 else line
    if "\r\n" not in seen:
        return last, last, f"\ndepth = {depth}"
    last -= seen[:last].endswith("\r")
    return last, last, f"\r\ndepth = {depth}"
