"""The anti and output dependences of a loop program: what must wait where values share their storage.

A process network gives every value a place of its own and needs none of them; a control flow architecture, and C
source, keep a value where the program says, and there it must not be overwritten too early.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppnsim.affine.points import iterators_of, scheduled_points, sort_keys, values
from ppnsim.affine.program import Access, LoopProgram, Statement
from ppnsim.errors import InputError
from ppnsim.model.sequence import Int64Array, read_only


@dataclass(frozen=True, kw_only=True, eq=False)
class Ordering:
    """Two accesses to one element of which the later one writes and must wait for the earlier one.

    Attributes
    ----------
    kind : ``anti`` (a read, then the next write) or ``output`` (a write, then the next write).
    earlier, later : names of the statements.
    access : number of the earlier access, in ``earlier.reads`` for anti, in ``earlier.writes`` for output.
    write : number of the later access in ``later.writes``.
    array : what both access.
    pairs : ``(later firing, earlier firing)`` in order of the later one, shape ``(pairs, 2)``; never empty.
    """

    kind: Literal["anti", "output"]
    earlier: str
    later: str
    access: int
    write: int
    array: str
    pairs: Int64Array


def ordering_dependences(program: LoopProgram) -> list[Ordering]:
    """Return the anti and output dependences of a program by later statement, write, kind, earlier statement, access.

    Each write waits for the write to its element just before it in program order, and for all reads since then; that
    it comes after everything older follows. A firing reads before it writes: what it does to one element by itself is
    left out, so that no firing waits for itself, and so are random accesses (`check_hazards`).

    Raises
    ------
    InputError
        If an array is not declared or a subscript uses a name that no loop gives a value.

    Examples
    --------
    >>> from ppnsim.affine.expressions import Affine
    >>> from ppnsim.affine.program import Array, Execution, Loop
    >>> i = Affine.of("i")
    >>> copy = Statement(name="s", reads=(Access("a", (i + 1,)),), writes=(Access("a", (i,)),))
    >>> loop = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(2),), body=(Execution(copy),))
    >>> program = LoopProgram(name="shift", arrays=(Array(name="a", shape=(4,)),), body=(loop,))
    >>> [(each.kind, each.pairs.tolist()) for each in ordering_dependences(program)]
    [('anti', [[1, 0], [2, 1]])]

    Source: WAR and WAW hazards, van Teijlingen 2014, section 5.4 and appendix E.
    """
    tables = _tables(program)
    found: list[tuple[tuple[int, int, str, int, int], Ordering]] = []
    names = [statement.name for statement in program.statements()]
    for array, table in tables.items():
        for key, pairs in _waits(table).items():
            kind: Literal["anti", "output"] = "output" if key[2] else "anti"
            later, write, _, earlier, access = key
            ordering = Ordering(
                kind=kind, earlier=names[earlier], later=names[later], access=access, write=write, array=array,
                pairs=read_only(pairs),
            )  # fmt: skip
            found.append(((later, write, kind, earlier, access), ordering))
    return [ordering for _, ordering in sorted(found, key=lambda entry: entry[0])]


def check_hazards(program: LoopProgram, varies: bool = False) -> None:
    """Refuse hazards where what must wait is not known (random accesses), or not when it would write.

    ``varies``: a statement has a latency per execution.
    """
    written = {access.array for statement in program.statements() for access in statement.writes}
    for statement in program.statements():
        for access in (*statement.reads, *statement.writes):
            if access.random and access.array in written:
                problem = f"hazards with {access}: which element it is is not known, so nor is what it must wait for"
                raise InputError(problem, where=f"{statement.position}: statement '{statement.name}'")
        if statement.process:
            raise InputError("hazards and merged processes do not go together", where=f"process '{statement.process}'")
    if varies:
        raise InputError("hazards need one latency per statement, not one per execution")


@dataclass(frozen=True, slots=True)
class _Table:
    """The accesses to one array by element and program order; a column per attribute, a row per access and firing."""

    element: Int64Array
    statement: Int64Array
    number: Int64Array
    writes: Int64Array
    firing: Int64Array


def _tables(program: LoopProgram) -> dict[str, _Table]:
    """Return the table of each array that is written and accessed by some firing."""
    placed = list(program.placed())
    points, times = scheduled_points(program)
    rank = {array.name: len(array.shape) for array in program.arrays}
    rows: dict[str, list[Int64Array]] = {array.name: [] for array in program.arrays}
    for place, (statement, around, _) in enumerate(placed):
        count = len(points[place])
        columns = dict(zip(iterators_of(around), points[place].T, strict=True))
        for number, access, is_write in _accesses(statement):
            if access.array not in rank or len(access.subscripts) != rank[access.array]:
                where = f"statement '{statement.name}', {access}"
                raise InputError("the array is not declared with this number of dimensions", where=where)
            subscripts = [values(subscript, columns, count) for subscript in access.subscripts]
            # A firing reads first, then writes one access after the other.
            phase = number + 1 if is_write else 0
            constant = [np.full(count, value) for value in (phase, place, number, is_write)]
            firing = np.arange(count, dtype=np.int64)
            rows[access.array].append(np.stack([*subscripts, times[place], *constant, firing], axis=1))
    tables = {array: np.concatenate(parts) for array, parts in rows.items() if parts}
    return {array: _sorted(table, rank[array]) for array, table in tables.items() if table[:, -2].any()}


def _sorted(rows: Int64Array, rank: int) -> _Table:
    element = sort_keys([rows[:, k] for k in range(rank)], len(rows))
    time, phase, statement, number, writes, firing = rows[:, rank:].T
    order = np.lexsort((phase, time, element))
    return _Table(*(column[order] for column in (element, statement, number, writes, firing)))


def _waits(table: _Table) -> dict[tuple[int, int, int, int, int], Int64Array]:
    """Return (later, earlier) firings by later statement, write, whether the earlier one writes, earlier, access."""
    count = len(table.element)
    write_rows = np.where(table.writes == 1, np.arange(count), count)
    following = np.append(np.minimum.accumulate(write_rows[::-1])[::-1][1:], count)
    earlier = np.flatnonzero(following < count)
    later = following[earlier]
    itself = (table.statement[earlier] == table.statement[later]) & (table.firing[earlier] == table.firing[later])
    waits = (table.element[earlier] == table.element[later]) & ~itself
    earlier, later = earlier[waits], later[waits]
    sides = table.statement[later], table.number[later], table.writes[earlier], table.statement[earlier]
    keys = np.stack([*sides, table.number[earlier]], axis=1)
    pairs = np.stack([table.firing[later], table.firing[earlier]], axis=1)
    found = {}
    for key in np.unique(keys, axis=0):
        these = pairs[(keys == key).all(axis=1)]
        found[tuple(key.tolist())] = these[np.lexsort((these[:, 1], these[:, 0]))]
    return found


def _accesses(statement: Statement) -> Iterator[tuple[int, Access, bool]]:
    sides = (statement.reads, False), (statement.writes, True)
    for accesses, is_write in sides:
        yield from ((number, access, is_write) for number, access in enumerate(accesses) if not access.random)
