"""From pairs of firings to the tokens of a channel."""

from __future__ import annotations

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.tokens import Listed, Runs, Tokens

_FEW_RUNS = 8


def tokens_of(pairs: Int64Array) -> Tokens:
    """Return ``(consumer firing, producer firing)`` pairs as tokens: as runs if these are much shorter, else as a list.

    Examples
    --------
    >>> tokens_of(np.array([[0, 0], [1, 2], [2, 4]]))
    Runs(writes=((0, 2, 3),), reads=((0, 1, 3),))
    """
    by_token = pairs[np.lexsort((pairs[:, 0], pairs[:, 1]))]
    writers, number = np.unique(pairs[:, 1], return_inverse=True)
    if len(writers) == len(pairs):
        few = max(_FEW_RUNS, len(pairs) // 4)
        runs = [_runs(by_token[:, side], few) for side in (1, 0)]
        if runs[0] and runs[1] and len(runs[0]) + len(runs[1]) <= few:
            return Runs(tuple(runs[0]), tuple(runs[1]))
    return Listed(tuple(writers.tolist()), tuple(zip(pairs[:, 0].tolist(), number.tolist(), strict=True)))


def _runs(values: Int64Array, most: int) -> list[tuple[int, int, int]]:
    """Return values as ``(first, step, count)`` runs, None if there are more than ``most`` runs."""
    runs: list[tuple[int, int, int]] = []
    steps = np.diff(values)
    changes = np.flatnonzero(np.diff(steps)) + 1
    at = 0
    while at < len(values) and len(runs) <= most:
        if at == len(values) - 1 or steps[at] < 0:
            end, step = at, 0
        else:
            later = int(np.searchsorted(changes, at, side="right"))
            end, step = (int(changes[later]) if later < len(changes) else len(steps)), int(steps[at])
        runs.append((int(values[at]), step, end - at + 1))
        at = end + 1
    return runs if len(runs) <= most else []
