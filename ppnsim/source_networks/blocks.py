"""Depths of streams of blocks in a source: the second argument of their type, which no pragma says."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ppnsim.source_networks.model import SourceNetwork, SourceStream

_TYPE = rb"stream_of_blocks\s*<\s*(?P<of>[^;(){}]+?)\s*(?:,\s*(?P<depth>\d+)\s*)?>\s*[&*]?\s*"


def in_the_type(text: bytes, file: str, stream: SourceStream, depth: int) -> list[tuple[tuple[int, int], bytes]]:
    """Return the bytes of a declaration to replace, with the new depth; nothing where other types would not fit then.

    That is so where a macro or a constant is the depth, and where a function says a depth for what it takes.
    """
    declared = stream.declared
    if declared is None or declared.position.file != file:
        return []
    own = re.compile(_TYPE + rb"\b" + stream.variable.partition(".")[0].encode() + rb"\b")
    match = own.search(text, *declared.extent)
    others = (each for each in re.finditer(_TYPE + rb"\w", text) if match is None or each.start() != match.start())
    if match is None or _has_depth(match["of"]) or any(each["depth"] or _has_depth(each["of"]) for each in others):
        return []
    if match["depth"]:
        return [(match.span("depth"), str(depth).encode())]
    return [((match.end("of"), match.end("of")), f", {depth}".encode())]


def _has_depth(arguments: bytes) -> bool:
    """Return whether some arguments of a type are two: a comma is in no brackets."""
    open_ = 0
    for byte in arguments.decode(errors="replace"):
        open_ += (byte in "<([") - (byte in ">)]")
        if byte == "," and not open_:
            return True
    return False


def not_written(text: bytes, source: SourceNetwork, depths: Mapping[str, int | None]) -> str:
    """Return in a sentence which depths of streams of blocks a copy of the source does not get, "" for none."""
    names = []
    for stream in (each for each in source.streams if each.blocks):
        given = [depth for name in stream.channels if (depth := depths.get(name)) is not None]
        if given and not in_the_type(text, source.file, stream, max(given)):
            names.append(f"{stream.variable} = {max(given)}")
    words = "a stream of blocks has its depth as second argument of its type, there and where functions take it"
    return f"not written: {', '.join(names)} ({words})" if names else ""
