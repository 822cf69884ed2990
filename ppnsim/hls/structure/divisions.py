"""The memories of a partitioned array that code accesses, dimension by dimension (R6.1, R7.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.hls.structure.bank_ports import banks_along, spans_of
from ppnsim.hls.structure.partitions import Partition, along_dims
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Array, Loop, LoopProgram, Node, Position
from ppnsim.loops.work import spend

Places = tuple[frozenset[int] | None, ...]
"""The numbers of the memories along each division; None stands for all of them."""


def divisions_of(array: Array, partition: Partition | None) -> list[Partition]:
    """Return the division of an array into memories along each dimension; words (``array_reshape``) divide nothing."""
    if partition is not None and partition.registers:
        return [whole(array, dim) for dim in range(1, len(array.shape) + 1)]
    return [each for each in along_dims(partition) if not each.words]


def whole(array: Array, dim: int) -> Partition:
    """Return the division of an array along a dimension into one memory for each index."""
    return Partition("complete", dim, array.shape[dim - 1], array.shape[dim - 1])


def accessed(
    array: Array, divisions: Sequence[Partition], body: Sequence[Node]
) -> Iterator[tuple[Places, bool, Position]]:
    """Yield each access to an array: its memories along each division (None: all), whether it writes, its position."""
    program = LoopProgram(name="", arrays=(), body=tuple(body))
    placed = list(program.placed())
    spend(len(placed))
    for statement, around, _ in placed:
        both = (statement.reads, False), (statement.writes, True)
        touching = [(each, write) for accesses, write in both for each in accesses if each.array == array.name]
        spans = spans_of(each for each in around if isinstance(each, Loop) and not each.assumed) if touching else {}
        for access, write in touching:
            yield memories_of(access, divisions, spans), write, statement.position
    for loop in all_loops(body):
        if any(access.array == array.name for access in loop.reads):
            yield (None,) * len(divisions), False, loop.position


def memories_of(access: Access, divisions: Sequence[Partition], spans: Mapping[str, range]) -> Places:
    """Return the memories along each division that an access may use, None for all."""
    return tuple(
        _along(access.subscripts[each.dim - 1], each, spans) if each.dim <= len(access.subscripts) else None
        for each in divisions
    )


def _along(subscript: Affine, division: Partition, spans: Mapping[str, range]) -> frozenset[int] | None:
    if banks := banks_along(subscript, division, spans):
        return banks
    if division.kind == "cyclic" and all(factor % division.factor == 0 for _, factor in subscript.terms):
        return frozenset({subscript.constant % division.factor})
    return None
