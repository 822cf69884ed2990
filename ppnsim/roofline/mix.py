"""What a loop program computes and moves: operations by operator, results, and bytes of each argument.

Operations count that are "algorithmically useful" (Siracusa et al. 2021, 4.2.1): those of statements, as often as the
statements execute. Loop counters, affine addresses and affine conditions do not count: they are known at compile time
once loops are unrolled. Where data decides between two sides, both sides count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ppnsim.boards.board import RESOURCES
from ppnsim.errors import InputError
from ppnsim.hls.graph.builder import statement_graph
from ppnsim.hls.library.library import Library
from ppnsim.hls.library.types import Format
from ppnsim.hls.structure.counting import visits
from ppnsim.loops.expressions import Condition, condition_iterators
from ppnsim.loops.program import Access, Array, Loop, LoopProgram, Position, Statement
from ppnsim.roofline.accelerator import OperatorUse


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """Operators with their occurrences, and the bytes that each array argument moves if nothing is cached.

    ``irregular`` are the arguments whose subscripts are data, with the bytes of an element.
    """

    operators: tuple[OperatorUse, ...]
    bytes: Mapping[str, int]
    irregular: Mapping[str, int]


def operator_mix(program: LoopProgram, library: Library, *, floating_only: bool = False) -> Mix:
    """Return the mix of a program on a device.

    Equal operations within a statement are one. ``floating_only`` lets only floating-point operators count for the
    metric (GFlop/s).

    Raises
    ------
    InputError
        If the device has no operator for an operation.
    """
    arrays = {array.name: array for array in program.arrays}
    counts: Counter[tuple[str, Format]] = Counter()
    moved: Counter[str] = Counter()
    irregular: dict[str, int] = {}
    for statement, around, _ in placed(program):
        times = visits(around)
        for node in statement_graph(statement, library, arrays).nodes:
            if node.kind == "op" and node.wide is not None:
                counts[node.name, node.wide] += times
        for access in off_chip(statement, arrays):
            moved[access.array] += times * element_bytes(arrays[access.array])
            if access.random:
                irregular[access.array] = element_bytes(arrays[access.array])
    uses: dict[str, OperatorUse] = {}
    for name, format_ in sorted(+counts, key=lambda key: (key[0], key[1].family, key[1].bits)):  # that execute
        found = library.operator(name, format_)
        title = f"{name} {format_.family}{'' if format_.real else format_.bits}"
        before = uses[title].count if title in uses else 0
        uses[title] = OperatorUse(
            name=title, count=before + counts[name, format_], cost={kind: getattr(found, kind) for kind in RESOURCES},
            counted=format_.real or not floating_only,
        )  # fmt: skip
    return Mix(operators=tuple(uses.values()), bytes=dict(sorted(moved.items())), irregular=irregular)


def placed(program: LoopProgram) -> Iterator[tuple[Statement, tuple[Loop | Condition, ...], tuple[int, ...]]]:
    """Yield the statements with what is around them and their places, without the conditions that data decides."""
    for statement, around, place in program.placed():
        known = {part.iterator for part in around if isinstance(part, Loop)}
        kept = (part for part in around if isinstance(part, Loop) or condition_iterators(part) <= known)
        yield statement, tuple(kept), place


def off_chip(statement: Statement, arrays: Mapping[str, Array]) -> list[Access]:
    """Return the accesses of a statement to arguments that are arrays: each element read once and written once."""
    reads, writes = list(dict.fromkeys(statement.reads)), list(dict.fromkeys(statement.writes))
    return [each for each in (*reads, *writes) if arrays[each.array].role == "parameter" and arrays[each.array].shape]


def element_bytes(array: Array) -> int:
    """Return the bytes of an element."""
    return -(-array.bits // 8)


def results_of(program: LoopProgram, marks: Sequence[tuple[str, int, int]]) -> int | None:
    """Return o_res: executions of the statements after the marks, times the results of each; None without marks.

    Parameters
    ----------
    marks : file and line of each ``#pragma ppnsim result(N)``, and N.

    Raises
    ------
    InputError
        If no statement comes after a mark.
    """
    if not marks:
        return None
    found = [(statement.position, around) for statement, around, _ in placed(program)]
    total = 0
    for file, line, each in marks:
        after = [position.line for position, _ in found if position.file == file and position.line > line]
        if not after:
            raise InputError("#pragma ppnsim result stands before no statement", where=f"{file}:{line}:1")
        # A line may hold several statements: the first of them is the one that makes the result.
        column = min(p.column for p, _ in found if p.file == file and p.line == min(after))
        first = Position(file, min(after), column)
        total += each * sum(visits(around) for position, around in found if position == first)
    return total
