"""Which firings move the tokens that are waited for, where the ends of a channel do not come round together."""

from __future__ import annotations

from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array


def movers(
    index: Int64Array, running: Int64Array, other: int, units: int, dtype: Any, *, farthest: bool
) -> tuple[Int64Array, Int64Array, NDArray[Any]]:
    """Return who may move tokens: which token it is, the firing, and how many units before the wait its round begins.

    With g the largest common divisor of what both ends move in a round, they come to stand any multiple of g apart. A
    firing may move the token at some of these distances: the nearest of them binds most, the ``farthest`` least.

    Parameters
    ----------
    index : of the tokens (or slots), counted from the first one that is moved.
    running : tokens that the firings of a round have moved, each with those before it.
    other : tokens that the other end moves in a round.
    units : that such a round takes; ``dtype`` is that of numbers of them, int64 or whole numbers of Python.

    Examples
    --------
    >>> [part.tolist() for part in movers(np.array([0, 5]), np.array([2, 4]), 4, 1, np.int64, farthest=False)]
    [[0, 1], [0, 0], [0, -1]]
    >>> [part.tolist() for part in movers(np.array([0]), np.array([2, 4]), 6, 6, np.int64, farthest=False)]
    [[0, 0], [0, 1], [0, 3]]
    """
    total = int(running[-1])
    common = gcd(total, other)
    each = units * common // total
    if farthest or len(running) <= total // common:
        before = np.concatenate([[0], running[:-1]])
        nearest, beyond = ((index[:, None] - moved) // common for moved in (before, running))
        which, firing = np.nonzero(nearest > beyond)
        apart = (beyond + 1 if farthest else nearest)[which, firing]
        return which, firing, -apart.astype(dtype) * each
    # Few distances: at each of them, the firing that moves the token.
    ways = total // common
    lowest, within = np.divmod(index, common)
    places = (within[:, None] + np.arange(0, total, common)).ravel()
    which, apart = np.repeat(np.arange(len(index)), ways), (lowest[:, None] - np.arange(ways)).ravel()
    return which, np.searchsorted(running, places, side="right"), -apart.astype(dtype) * each
