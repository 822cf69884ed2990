"""The anti and output dependences of a loop program: the order of accesses that share storage.

A process network stores every value in a place of its own and has no such dependences. A control flow architecture and
C source store a value where the program says; there, a later write must not overwrite it too early.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppnsim.arrays import Int64Array, read_only
from ppnsim.errors import InputError
from ppnsim.loops.access_table import AccessTable, access_tables
from ppnsim.loops.program import LoopProgram


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

    Each write waits for the previous write to its element in program order and for all reads since then. It follows
    that the write comes after all older accesses. No firing waits for itself, because a firing reads before it writes.
    Random accesses are left out (`check_hazards`).

    Raises
    ------
    InputError
        If an array is not declared or a subscript uses a name that no loop gives a value.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Access, Array, Execution, Loop, Statement
    >>> i = Affine.of("i")
    >>> copy = Statement(name="s", reads=(Access("a", (i + 1,)),), writes=(Access("a", (i,)),))
    >>> loop = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(2),), body=(Execution(copy),))
    >>> program = LoopProgram(name="shift", arrays=(Array(name="a", shape=(4,)),), body=(loop,))
    >>> [(each.kind, each.pairs.tolist()) for each in ordering_dependences(program)]
    [('anti', [[1, 0], [2, 1]])]

    Source: WAR and WAW hazards, van Teijlingen 2014, section 5.4 and appendix E.
    """
    found = []
    names = [statement.name for statement in program.statements()]
    number = {name: place for place, name in enumerate(names)}
    for array, table in access_tables(program).items():
        for (later, write, writes, earlier, access), pairs in _waits(table).items():
            ordering = Ordering(
                kind="output" if writes else "anti", earlier=names[earlier], later=names[later], access=access,
                write=write, array=array, pairs=read_only(pairs),
            )  # fmt: skip
            found.append(ordering)
    return sorted(found, key=lambda o: (number[o.later], o.write, o.kind, number[o.earlier], o.access))


def check_hazards(program: LoopProgram, varies: bool = False) -> None:
    """Refuse a program whose hazards are not known: accesses are random, or the time of a write varies.

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


def _waits(table: AccessTable) -> dict[tuple[int, int, int, int, int], Int64Array]:
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
