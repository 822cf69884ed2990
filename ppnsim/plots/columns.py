"""Long runs in a bounded number of picture columns: what each column of cycles holds on average and at its extremes."""

from __future__ import annotations

import numpy as np

from ppnsim.arrays import Float64Array, Int64Array
from ppnsim.errors import InputError
from ppnsim.model.cycles import CycleClasses
from ppnsim.model.metrics import Curve
from ppnsim.model.timeline import Timeline

MOST = 2000  # about the dots across a projector


def view_of(timeline: Timeline, window: tuple[int, int] | None) -> tuple[int, int]:
    """Return the cycles ``[first, last)`` to be shown: all of them, or those of the window that there are.

    Raises
    ------
    InputError
        If the window shows none.
    """
    until = max(timeline.stopped, 1)
    first, last = window or (0, until)
    shown = max(first, 0), min(last, until)
    if shown[0] >= shown[1]:
        raise InputError(f"window = ({first}, {last}) shows none of the cycles 0..{until - 1}")
    return shown


def edges_of(first: int, last: int, most: int = MOST) -> Int64Array:
    """Return the edges of equal columns over cycles ``[first, last)``, whole cycles each, the last one maybe narrower.

    Examples
    --------
    >>> edges_of(0, 10, most=4).tolist(), edges_of(100, 108, most=4).tolist()
    ([0, 3, 6, 9, 10], [100, 102, 104, 106, 108])
    """
    width = -(-(last - first) // most)
    return np.append(np.arange(first, last, width, dtype=np.int64), last)


def spent(classes: CycleClasses, edges: Int64Array) -> Int64Array:
    """Return how many of each column's cycles are of each class, shape ``(columns, labels)``.

    Rows add up to the widths, or to 0 where a run that never did anything has no cycles.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> from ppnsim.model.cycles import cycle_classes
    >>> spent(cycle_classes(run(predictor()).timeline, "source"), np.array([24, 29, 83])).tolist()
    [[1, 0, 4, 0, 0, 0], [0, 54, 0, 0, 0, 0]]
    """
    return np.diff(classes.within((int(edges[0]), int(edges[-1]))).before(edges), axis=0)


def mean_of(curve: Curve, edges: Int64Array) -> Float64Array:
    """Return the mean of a curve over each column.

    Examples
    --------
    >>> mean_of((np.array([0, 3]), np.array([2, 6])), np.array([0, 2, 4])).tolist()
    [2.0, 4.0]
    """
    cycles, values = curve
    piece = np.searchsorted(cycles, edges, side="right") - 1
    area = np.diff(cycles) * values[:-1]
    whole = np.add.reduceat(np.append(area, 0), piece)[:-1] * (piece[:-1] < piece[1:])
    partly: Int64Array = (edges - cycles[piece]) * values[piece]
    return (whole + np.diff(partly)) / np.diff(edges)


def extremes_of(curve: Curve, edges: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return the smallest and the largest value of a curve in each column.

    Examples
    --------
    >>> [values.tolist() for values in extremes_of((np.array([0, 3]), np.array([2, 6])), np.array([0, 2, 4]))]
    [[2, 2], [2, 6]]
    """
    cycles, values = curve
    # The pieces of a column begin with the one that holds at its left edge; the next column may begin with its last.
    first, behind = np.searchsorted(cycles, edges[:-1], side="right") - 1, np.searchsorted(cycles, edges[1:])
    places, padded = np.stack([first, behind], axis=1).ravel(), np.append(values, 0)
    return np.minimum.reduceat(padded, places)[::2], np.maximum.reduceat(padded, places)[::2]
