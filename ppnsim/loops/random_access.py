"""Dependences of accesses whose subscripts are data: an access waits for every write that it may need."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.loops.access_table import Ends
from ppnsim.loops.points import scheduled_points
from ppnsim.loops.program import Access, LoopProgram, Statement

_MOST_PAIRS = 2**24  # of one read argument and one write access: 256 MB


def random_pairs(program: LoopProgram) -> Iterator[tuple[Ends, Int64Array]]:
    """Yield the ends of each dependence that a random access has, with its pairs.

    A random read waits for everything that has been written to its array before it in program order, and every other
    read waits for all random writes to its array before it: no value that it may get is left out. Pairs are (consumer
    firing, producer firing) in order of the reader, then of the writer, shape ``(reads, 2)``.

    Raises
    ------
    InputError
        If there are too many pairs for a network.
    """
    statements = program.statements()
    if not any(access.random for s in statements for access in (*s.reads, *s.writes)):
        return
    _, times = scheduled_points(program)
    for consumer, reader in enumerate(statements):
        for argument, read in enumerate(reader.reads):
            for producer, write, access in _writes(statements, read.array):
                if (read.random or access.random) and len(times[consumer]) and len(times[producer]):
                    before = np.searchsorted(times[producer], times[consumer])
                    if not before.any():
                        continue
                    _check(int(before.sum()), reader, read)
                    pairs = np.stack([np.repeat(np.arange(len(before)), before), _up_to(before)], axis=1)
                    yield (producer, consumer, argument, write), pairs


def _writes(statements: list[Statement], array: str) -> Iterator[tuple[int, int, Access]]:
    for producer, statement in enumerate(statements):
        for number, access in enumerate(statement.writes):
            if access.array == array:
                yield producer, number, access


def _up_to(counts: Int64Array) -> Int64Array:
    """Return 0 .. n - 1 for each count n, concatenated."""
    return np.arange(counts.sum(), dtype=np.int64) - np.repeat(np.cumsum(counts) - counts, counts)


def _check(pairs: int, reader: Statement, read: Access) -> None:
    if pairs > _MOST_PAIRS:
        problem = f"{read} may want {pairs} values in all, too many for a network (at most {_MOST_PAIRS}); "
        advice = "estimates do not need it (profile --no-channels)"
        raise InputError(problem + advice, where=f"{reader.position}: statement '{reader.name}'")
