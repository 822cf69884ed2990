"""Depths in the text of a TOML file: what its author wrote, comments and order included, stays as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.formats.decode import decode_toml
from ppnsim.formats.network import read
from ppnsim.model.network import Network

_KEY = r"(?:{name}|\"{name}\"|'{name}')"
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
    lines: list[str] | None = text.split("\n")
    for name, depth in depths.items():
        lines = lines and _with_depth(lines, _KEY.format(name=re.escape(name)), depth)
    if not lines:
        return None
    changed = "\n".join(lines)
    try:
        same = read(decode_toml(changed), path) == network.with_depths(depths)
    except InputError:
        return None
    return changed if same else None


def _with_depth(lines: list[str], key: str, depth: int) -> list[str] | None:
    """Return the lines with the depth of one channel, a table or in a line of its own; None if there is none."""
    header = re.compile(rf"\s*\[\s*channel\s*\.\s*{key}\s*\]")
    inline = re.compile(rf"(\s*(?:channel\s*\.\s*)?{key}\s*=\s*\{{)(.*)(\}}[^{{}}]*)")
    for at, line in enumerate(lines):
        if found := inline.fullmatch(line):
            inside, count = _DEPTH.subn(rf"\g<1>{depth}", found[2])
            inside = inside if count else f"{found[2].rstrip()}, depth = {depth}{' ' if found[2].endswith(' ') else ''}"
            return [*lines[:at], f"{found[1]}{inside}{found[3]}", *lines[at + 1 :]]
        if header.match(line):
            return _in_table(lines, at + 1, depth)
    return None


def _in_table(lines: list[str], begin: int, depth: int) -> list[str]:
    """Return the lines with the depth in the table whose first key is in line ``begin``: in its place, or last."""
    end = next((at for at in range(begin, len(lines)) if lines[at].lstrip().startswith("[")), len(lines))
    last = begin
    for at in range(begin, end):
        if re.match(r"\s*depth\s*=", lines[at]):
            return [*lines[:at], _DEPTH.sub(rf"\g<1>{depth}", lines[at], count=1), *lines[at + 1 :]]
        if lines[at].strip() and not lines[at].lstrip().startswith("#"):
            last = at + 1
    return [*lines[:last], f"depth = {depth}", *lines[last:]]
