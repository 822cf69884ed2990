"""The points of iteration domains in execution order: the loops run over numpy arrays, a whole level at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from ppnsim.affine.expressions import Affine, All, Compare, Condition, Not, Quotient
from ppnsim.affine.program import Loop
from ppnsim.errors import InputError
from ppnsim.model.sequence import Int64Array

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
    columns: dict[str, Int64Array] = {}
    count = 1
    for part in around:
        if isinstance(part, Loop):
            start, trips = _trips(part, columns, count)
            row = np.repeat(np.arange(count, dtype=np.int64), trips)
            within = np.arange(len(row), dtype=np.int64) - np.repeat(np.cumsum(trips) - trips, trips)
            columns = {name: column[row] for name, column in columns.items()}
            columns[part.iterator] = start[row] + part.step * within
            count = len(row)
        else:
            there = _holds(part, columns, count)
            columns = {name: column[there] for name, column in columns.items()}
            count = int(there.sum())
    points = np.zeros((count, len(columns)), dtype=np.int64)
    for k, column in enumerate(columns.values()):
        points[:, k] = column
    return points


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


def _trips(loop: Loop, columns: Mapping[str, Int64Array], count: int) -> tuple[Int64Array, Int64Array]:
    """Return where a loop starts and how often it runs, for each point around it."""
    first = [_values(bound, columns, count) for bound in loop.first]
    last = [_values(bound, columns, count) for bound in loop.last]
    inner, outer = (np.maximum, np.minimum) if loop.step > 0 else (np.minimum, np.maximum)
    start, end = reduce(inner, first), reduce(outer, last)
    return start, np.maximum((end - start) // loop.step + 1, 0)


def _holds(condition: Condition, columns: Mapping[str, Int64Array], count: int) -> NDArray[np.bool_]:
    if isinstance(condition, Compare):
        values = _values(condition.left, columns, count)
        return values == 0 if condition.relation == "=" else values >= 0
    if isinstance(condition, Not):
        return ~_holds(condition.part, columns, count)
    whole = isinstance(condition, All)
    result = np.full(count, whole, dtype=np.bool_)
    for part in condition.parts:
        result = result & _holds(part, columns, count) if whole else result | _holds(part, columns, count)
    return result


def _values(expression: Affine, columns: Mapping[str, Int64Array], count: int) -> Int64Array:
    total = np.full(count, expression.constant, dtype=np.int64)
    for atom, factor in expression.terms:
        if isinstance(atom, str):
            if atom not in columns:
                raise InputError(f"'{atom}' is neither a loop's iterator nor a parameter with a value")
            total += factor * columns[atom]
        else:
            inner = _values(atom.of, columns, count)
            total += factor * (inner // atom.by if isinstance(atom, Quotient) else inner % atom.by)
    return total
