"""All accesses of a program to each of its arrays, in program order, and the last write before every read.

Sorting the accesses executes the program with tags. The table uses no polyhedra, so it checks what isl finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.loops.points import iterators_of, scheduled_points, sort_keys, values
from ppnsim.loops.program import Access, LoopProgram, Statement

Ends = tuple[int, int, int, int]  # producer, consumer, argument, write: numbers in textual order


@dataclass(frozen=True, slots=True)
class AccessTable:
    """The accesses to one array by element and program order; a column per attribute, a row per access and firing.

    ``number`` is that of the access among the reads (``writes`` 0) or writes (1) of its statement.
    """

    element: Int64Array
    statement: Int64Array
    number: Int64Array
    writes: Int64Array
    firing: Int64Array


def access_tables(program: LoopProgram) -> dict[str, AccessTable]:
    """Return the table of each array that is accessed; random accesses are left out.

    Raises
    ------
    InputError
        If an array is not declared, or a subscript uses a name that no loop gives a value.
    """
    points, times = scheduled_points(program)
    rank = {array.name: len(array.shape) for array in program.arrays}
    parts: dict[str, list[list[Int64Array]]] = {array.name: [] for array in program.arrays}
    for place, (statement, around, _) in enumerate(program.placed()):
        count = len(points[place])
        columns = dict(zip(iterators_of(around), points[place].T, strict=True))
        for number, access, is_write in _accesses(statement):
            where = f"statement '{statement.name}', {'write' if is_write else 'read'} {number} of {access}"
            if access.array not in rank:
                raise InputError("the array is not declared, so that nothing is known of it", where=where)
            if len(access.subscripts) != rank[access.array]:
                counts = f"{len(access.subscripts)} subscripts for {rank[access.array]} dimensions"
                raise InputError(f"{counts} (one subscript per dimension)", where=where)
            try:
                subscripts = [values(subscript, columns, count) for subscript in access.subscripts]
            except InputError as reason:
                raise InputError(str(reason), where=where) from None
            # A firing makes all reads first, then its writes one by one.
            phase = number + 1 if is_write else 0
            constant = [np.full(count, value) for value in (phase, place, number, is_write)]
            firing = np.arange(count, dtype=np.int64)
            parts[access.array].append([*subscripts, times[place], *constant, firing])
    return {
        array: _sorted([np.concatenate(column) for column in zip(*parts[array], strict=True)], rank[array])
        for array in parts
        if parts[array]
    }


def last_writes(program: LoopProgram) -> tuple[dict[Ends, Int64Array], set[tuple[int, int]]]:
    """Return the write whose value each read gets, and the (statement, argument) that have none in some firing.

    The writes are ``(consumer firing, producer firing)`` in order of the consumer's firing, shape ``(reads, 2)``.
    """
    found: dict[Ends, Int64Array] = {}
    unwritten: set[tuple[int, int]] = set()
    for table in access_tables(program).values():
        rows = np.arange(len(table.element))
        last = np.maximum.accumulate(np.where(table.writes == 1, rows, -1))
        reads = np.flatnonzero(table.writes == 0)
        writers = last[reads]
        got = (writers >= 0) & (table.element[writers] == table.element[reads])
        width = int(table.number.max(initial=0)) + 1
        lacking = np.bincount(table.statement[reads[~got]] * width + table.number[reads[~got]])
        unwritten |= {divmod(code, width) for code in np.flatnonzero(lacking).tolist()}
        reads, writers = reads[got], writers[got]
        ends = [table.statement[writers], table.statement[reads], table.number[reads], table.number[writers]]
        pairs = np.stack([table.firing[reads], table.firing[writers]], axis=1)
        found |= _grouped(ends, pairs)
    return found, unwritten


def _grouped(ends: list[Int64Array], pairs: Int64Array) -> dict[Ends, Int64Array]:
    keys = sort_keys(ends, len(pairs))
    order = np.lexsort((pairs[:, 0], keys))
    cuts = np.flatnonzero(np.diff(keys[order])) + 1
    grouped: dict[Ends, Int64Array] = {}
    for rows in np.split(order, cuts) if len(order) else []:
        producer, consumer, argument, write = (int(column[rows[0]]) for column in ends)
        grouped[producer, consumer, argument, write] = pairs[rows]
    return grouped


def _sorted(columns: list[Int64Array], rank: int) -> AccessTable:
    time, phase, statement, number, writes, firing = columns[rank:]
    element = sort_keys(columns[:rank], len(time))
    order = np.lexsort((phase, time, element))
    return AccessTable(*(column[order] for column in (element, statement, number, writes, firing)))


def _accesses(statement: Statement) -> Iterator[tuple[int, Access, bool]]:
    for is_write, accesses in ((False, statement.reads), (True, statement.writes)):
        yield from ((number, access, is_write) for number, access in enumerate(accesses) if not access.random)
