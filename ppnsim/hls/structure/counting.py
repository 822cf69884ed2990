"""Exact execution counts of loops: visits and iterations, also with bounds that use outer iterators (R5.9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.c.pragmas.trips import Count
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, Condition, condition_iterators
from ppnsim.loops.points import holding, iterations_at, trips_at
from ppnsim.loops.program import Loop

DATA_MARK = "@"
"""Marks the names of numbers that stand for conditions on data."""
MOST_POINTS = 50_000_000
"""Most visits of outer loops that are enumerated."""
_COUNTABLE = 2.0**62


def constant_trips(loop: Loop) -> int | None:
    """Return the trip count of a loop with constant bounds, else None; an annotated trip count is not constant.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> constant_trips(Loop(iterator="i", first=(Affine.of(1),), last=(Affine.of(10),), step=3))
    4
    >>> down = Loop(iterator="i", first=(Affine.of(9), Affine.of(7)), last=(Affine.of(0), Affine.of(2)), step=-1)
    >>> constant_trips(down)
    6
    """
    first, last = ([bound.constant for bound in bounds if not bound.terms] for bounds in (loop.first, loop.last))
    if loop.assumed or len(first) < len(loop.first) or len(last) < len(loop.last):
        return None
    start, end = (max(first), min(last)) if loop.step > 0 else (min(first), max(last))
    return max(0, (end - start) // loop.step + 1)


def steady_trips(loop: Loop) -> int | None:
    """Return the trip count of a loop if it is constant, also if the first value of the iterator is not.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> steady_trips(Loop(iterator="j", first=(Affine.of("i"),), last=(Affine.of("i") + 7,), step=2))
    4
    """
    if loop.assumed or len(loop.first) > 1 or len(loop.last) > 1:
        return constant_trips(loop)
    way = loop.last[0] - loop.first[0]
    return max(0, way.constant // loop.step + 1) if way.is_constant else None


def with_trips(loop: Loop, count: int) -> Loop:
    """Return a loop with this trip count; a loop with several lower bounds must have constant bounds.

    Examples
    --------
    >>> down = Loop(iterator="i", first=(Affine.of(9), Affine.of(7)), last=(Affine.of(0),), step=-1)
    >>> [str(last) for last in with_trips(down, 3).last]
    ['5']
    """
    first, *others = loop.first
    if others:
        first = Affine.of((max if loop.step > 0 else min)(bound.constant for bound in loop.first))
    return replace(loop, last=(first + loop.step * (count - 1),), unlimited=False)


def trips(
    around: Sequence[Loop | Condition], loops: Sequence[Loop], count: Count = "usual"
) -> tuple[Int64Array, Int64Array]:  # fmt: skip
    """Return for each group of visits the iterations of the flattened ``loops`` in one visit, and the visits.

    Only iterators that later bounds or conditions use are enumerated; the other loops multiply. ``count``: with
    ``least`` or ``most``, every visit counts as the shortest or longest one; with a condition, each counts as it is.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> i = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(3),))
    >>> j = Loop(iterator="j", first=(Affine.of(0),), last=(Affine.of("i"),))
    >>> [each.tolist() for each in trips([i], [j])]
    [[1, 2, 3, 4], [1, 1, 1, 1]]
    >>> [each.tolist() for each in trips([i], [j], "most")]
    [[4], [4]]
    """
    parts = [*around, *loops]
    even = count != "usual" and all(isinstance(part, Loop) for part in parts)
    counts = [1, 1]  # of all loops around, and of the flattened loops
    columns: dict[str, Int64Array] = {}
    weight = visits = np.ones(1, dtype=np.int64)
    group = np.zeros(1, dtype=np.int64)
    for number, part in enumerate(parts):
        if number == len(around):
            group, visits, weight = np.arange(len(weight), dtype=np.int64), weight, np.ones(len(weight), np.int64)
        if not isinstance(part, Loop):
            there = holding(part, columns, len(weight))
            columns = {name: column[there] for name, column in columns.items()}
            weight, group = weight[there], group[there]
            continue
        start, runs = trips_at(part, columns, len(weight))
        if even and len(runs):
            counts[number >= len(around)] *= int(runs.max() if count == "most" else runs.min())
        if not any(used(later, part.iterator) for later in parts[number + 1 :]):
            _check_total(weight, runs, part)
            weight = weight * runs
            continue
        if int(runs.sum()) > MOST_POINTS:
            words = f"the loops around it run more than {MOST_POINTS} times with different bounds"
            raise InputError(words, where=str(part.position))
        row, iterator = iterations_at(part, start, runs)
        columns = {name: column[row] for name, column in columns.items()} | {part.iterator: iterator}
        weight, group = weight[row], group[row]
    if even:
        return np.array([counts[1]], dtype=np.int64), np.array([counts[0]], dtype=np.int64)
    if not loops:
        return np.ones(len(weight), dtype=np.int64), weight
    result = np.zeros(len(visits), dtype=np.int64)
    np.add.at(result, group, weight)
    _check_total(result, visits, loops[0])
    return result, visits


def _check_total(runs: Int64Array, times: Int64Array, loop: Loop) -> None:
    """Raise `InputError` if there are too many executions to count."""
    if float(np.dot(runs.astype(np.float64), times.astype(np.float64))) >= _COUNTABLE:
        words = "runs more than 2^62 times in all, which is more than can be counted"
        raise InputError(words, where=str(loop.position))


def visits(around: Sequence[Loop | Condition], count: Count = "usual") -> int:
    """Return how often the body of these loops and conditions executes."""
    return int(trips(around, (), count)[1].sum())


def used(part: Loop | Condition, name: str) -> bool:
    """Return whether a loop's bounds or a condition use an iterator."""
    if isinstance(part, Loop):
        return any(name in bound.iterators() for bound in (*part.first, *part.last))
    return name in condition_iterators(part)


@lru_cache(maxsize=4096)  # each pass over an unrolled body calls it
def is_data(condition: Condition) -> bool:
    """Return whether a condition depends on data."""
    return any(DATA_MARK in name for name in condition_iterators(condition))


def signed_digits(number: int) -> int:
    """Return the least number of powers of two whose sum and difference make a number n: where n and 3n differ.

    Examples
    --------
    >>> [signed_digits(n) for n in (64, 240, 190, 400)]
    [1, 2, 3, 3]
    """
    return (number ^ 3 * number).bit_count()
