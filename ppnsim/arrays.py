"""Arrays of numbers as the whole package types them: times are int64 cycles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


def read_only(values: Int64Array) -> Int64Array:
    """Return ``values`` as an int64 array that nobody can write to."""
    array = np.ascontiguousarray(values, dtype=np.int64)
    array.flags.writeable = False
    return array


def distinct(values: Int64Array) -> Int64Array:
    """Return the different values, ascending. numpy's own `unique` hashes, and is slow where values are regular.

    Examples
    --------
    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ascending: Int64Array = np.sort(values, axis=None, kind="stable")  # merges rows that ascend already
    if len(ascending):
        ascending = ascending[np.append(True, ascending[1:] > ascending[:-1])]
    return ascending


def ascending(values: Int64Array) -> Int64Array:
    """Return the values in ascending order: themselves, not a copy, if that is how they stand.

    Examples
    --------
    >>> ascending(np.array([3, 1, 3])).tolist()
    [1, 3, 3]
    """
    return values if bool((values[1:] >= values[:-1]).all()) else np.sort(values)
