"""The points of iteration domains in order of execution, computed with numpy level by level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not, Quotient
from ppnsim.loops.program import Loop, LoopProgram

_LARGEST_KEY = 2**62


def iteration_points(around: Sequence[Loop | Condition]) -> Int64Array:
    """Return the iteration vectors of a statement in execution order, shape (firings, loops).

    Parameters
    ----------
    around : loops and conditions around it, outermost first.

    Raises
    ------
    InputError
        If a bound or a condition uses a name that no loop around it gives a value.

    Examples
    --------
    >>> i = Affine.of("i")
    >>> outer = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(2),))
    >>> inner = Loop(iterator="j", first=(i,), last=(Affine.of(0),), step=-1)
    >>> iteration_points([outer, Compare(i - 1), inner]).tolist()
    [[1, 1], [1, 0], [2, 2], [2, 1], [2, 0]]
    """
    columns, count = _expanded(around)
    points = np.zeros((count, len(columns)), dtype=np.int64)
    for k, column in enumerate(columns.values()):
        points[:, k] = column
    return points


def executions(around: Sequence[Loop | Condition]) -> int:
    """Return how many iteration vectors a statement has; those of an innermost loop are not made one by one.

    Examples
    --------
    >>> rows = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(999),))
    >>> executions([rows, Loop(iterator="j", first=(Affine.of("i"),), last=(Affine.of(10**9),))])
    999999501500
    """
    if not (around and isinstance(around[-1], Loop)):
        return _expanded(around)[1]
    return int(trips_at(around[-1], *_expanded(around[:-1]))[1].sum())


def _expanded(around: Sequence[Loop | Condition]) -> tuple[dict[str, Int64Array], int]:
    """Return the values of each iterator at all iteration vectors, and their number."""
    columns: dict[str, Int64Array] = {}
    count = 1
    for part in around:
        if isinstance(part, Loop):
            row, iterator = iterations_at(part, *trips_at(part, columns, count))
            columns = {name: column[row] for name, column in columns.items()} | {part.iterator: iterator}
            count = len(row)
        else:
            there = holding(part, columns, count)
            columns = {name: column[there] for name, column in columns.items()}
            count = int(there.sum())
    return columns, count


def sort_keys(columns: Sequence[Int64Array], count: int) -> Int64Array:
    """Return a number per row whose order is the lexicographic order of the rows, equal for equal rows.

    Examples
    --------
    >>> sort_keys([np.array([1, 0, 1]), np.array([-1, 5, -2])], 3).argsort().tolist()
    [1, 2, 0]
    """
    keys, largest = np.zeros(count, dtype=np.int64), 0
    for column in columns if count else ():
        low, high = int(column.min()), int(column.max())
        span = high - low + 1
        if (largest + 1) * span > _LARGEST_KEY:
            keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
            largest = count - 1
        keys = keys * span + (column - low)
        largest = (largest + 1) * span - 1
    return keys


def scheduled_points(program: LoopProgram) -> tuple[list[Int64Array], list[Int64Array]]:
    """Return for each statement its iteration vectors and, for each of them, its time in program order.

    No two executions of a program have the same time; only the order of times counts.
    """
    placed = list(program.placed())
    points = [iteration_points(around) for _, around, _ in placed]
    depth = max((len(place) for _, _, place in placed), default=0)
    ends = np.cumsum([0, *(len(each) for each in points)])
    columns = [np.zeros(ends[-1], dtype=np.int64) for _ in range(2 * depth - 1)]
    for number, (_, around, place) in enumerate(placed):
        here = slice(ends[number], ends[number + 1])
        for column, times in zip(columns, _schedule(place, steps_of(around), points[number]), strict=False):
            column[here] = times
    keys = sort_keys(columns, int(ends[-1]))
    return points, [keys[start:end] for start, end in pairwise(ends)]


def steps_of(around: Sequence[Loop | Condition]) -> list[int]:
    """Return the strides of the loops around a statement, outermost first."""
    return [part.step for part in around if isinstance(part, Loop)]


def iterators_of(around: Sequence[Loop | Condition]) -> list[str]:
    """Return the iterators of the loops around a statement, outermost first."""
    return [part.iterator for part in around if isinstance(part, Loop)]


def _schedule(place: tuple[int, ...], steps: list[int], points: Int64Array) -> Iterator[Int64Array | int]:
    for k, step in enumerate(steps):
        yield place[k]
        yield -points[:, k] if step < 0 else points[:, k]
    yield place[-1]


def trips_at(loop: Loop, columns: Mapping[str, Int64Array], count: int) -> tuple[Int64Array, Int64Array]:
    """Return where a loop starts and how often it runs, for each point around it."""
    first = [values(bound, columns, count) for bound in loop.first]
    last = [values(bound, columns, count) for bound in loop.last]
    inner, outer = (np.maximum, np.minimum) if loop.step > 0 else (np.minimum, np.maximum)
    start, end = reduce(inner, first), reduce(outer, last)
    return start, np.maximum((end - start) // loop.step + 1, 0)


def iterations_at(loop: Loop, start: Int64Array, trips: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return for each iteration of a loop the row of the point around it, and the value of the iterator."""
    row = np.repeat(np.arange(len(trips), dtype=np.int64), trips)
    within = np.arange(len(row), dtype=np.int64) - np.repeat(np.cumsum(trips) - trips, trips)
    return row, start[row] + loop.step * within


def holding(condition: Condition, columns: Mapping[str, Int64Array], count: int) -> NDArray[np.bool_]:
    """Return where a condition holds, at ``count`` points whose iterators have the values in ``columns``."""
    if isinstance(condition, Compare):
        left = values(condition.left, columns, count)
        return left == 0 if condition.relation == "=" else left >= 0
    if isinstance(condition, Not):
        return ~holding(condition.part, columns, count)
    whole = isinstance(condition, All)
    result = np.full(count, whole, dtype=np.bool_)
    for part in condition.parts:
        result = result & holding(part, columns, count) if whole else result | holding(part, columns, count)
    return result


def values(expression: Affine, columns: Mapping[str, Int64Array], count: int) -> Int64Array:
    """Return an expression at ``count`` points whose iterators have the values in ``columns``."""
    total = np.full(count, expression.constant, dtype=np.int64)
    for atom, factor in expression.terms:
        if isinstance(atom, str):
            if atom not in columns:
                raise InputError(f"'{atom}' is neither a loop's iterator nor a parameter with a value")
            total += factor * columns[atom]
        else:
            inner = values(atom.of, columns, count)
            total += factor * (inner // atom.by if isinstance(atom, Quotient) else inner % atom.by)
    return total
