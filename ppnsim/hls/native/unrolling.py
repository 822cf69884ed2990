"""Unrolled loops of executed tasks: a copy of the body for each value of the iterator."""

from __future__ import annotations

from ppnsim.c.syntax import SyntaxNode
from ppnsim.errors import InputError
from ppnsim.hls.library.types import Format
from ppnsim.hls.native.heads import values_of
from ppnsim.hls.native.instrument import body_of
from ppnsim.hls.native.places import extent_of
from ppnsim.hls.native.region import NativeRegion
from ppnsim.hls.native.straight import StraightLine
from ppnsim.hls.native.values import format_of


def unroll(region: NativeRegion, loop: SyntaxNode, line: StraightLine) -> None:
    """Add a loop to straight-line code, with a copy of its body for each value of the iterator.

    Raises
    ------
    InputError
        If the source does not give the values as constants.
    """
    iterator, values = values_of(region, loop)
    line.source.unrolled.add(region.places.loops[extent_of(loop)])
    opened = line.opened
    for copy, value in enumerate(values):
        line.values.known[iterator] = line.operators.constant(str(value), format_of(iterator.type))
        line.path.append(copy)
        line.run(body_of(loop))
        line.path.pop()
    if line.opened != opened:
        words = "a loop that is not pipelined in one that is unrolled; pipeline or unroll the loops in it as well"
        raise InputError(words, where=str(loop.position))


def unroll_by(region: NativeRegion, loop: SyntaxNode, factor: int, line: StraightLine) -> None:
    """Add the body and the step of a loop that is unrolled by a factor: copies side by side (R11.7).

    Raises
    ------
    InputError
        As `unroll`.
    """
    iterator, values = values_of(region, loop)
    of = format_of(iterator.type)
    first = line.values.read(iterator)
    for copy in range(factor + 1):
        by = line.operators.constant(str(abs(copy * values.step)), of)
        place = str(loop.position)
        value = first if not copy else _added(line, first, by, of, place, down=values.step < 0)
        line.values.known[iterator] = value
        if copy < factor:
            line.path.append(copy)
            line.run(body_of(loop))
            line.path.pop()


def _added(line: StraightLine, first: int, by: int, of: Format, where: str, *, down: bool) -> int:
    return line.operators.op("add", of, (first, by), where, negative=1 if down else -1)
