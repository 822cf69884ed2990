"""Long runs in a bounded number of picture columns: what each column of cycles holds on average and at its extremes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ppnsim.arrays import Float64Array, Int64Array, ascending
from ppnsim.errors import InputError
from ppnsim.model.cycles import CycleClasses
from ppnsim.model.metrics import Curve, Events, curve
from ppnsim.model.timeline import NEVER, Timeline

MOST = 2000  # about the dots across a projector
_SEEN = 200  # starts of each process, to find what repeats
_BLOCK = 100_000  # begins and ends that are counted at a time: their counts stay in the processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """What a curve is in each column of a picture: its mean, its smallest and its largest value there."""

    mean: Float64Array
    fewest: Int64Array
    most: Int64Array


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


def edges_of(first: int, last: int, most: int = MOST, multiple: int = 1) -> Int64Array:
    """Return the edges of equal columns over cycles ``[first, last)``, whole cycles each, the last one maybe narrower.

    Several cycles are a ``multiple`` of cycles.

    Examples
    --------
    >>> edges_of(0, 10, most=4).tolist(), edges_of(100, 108, most=4).tolist()
    ([0, 3, 6, 9, 10], [100, 102, 104, 106, 108])
    """
    width = -(-(last - first) // most)
    if width > 1:
        width += -width % multiple
    return np.append(np.arange(first, last, width, dtype=np.int64), last)


def edges_in_step(timeline: Timeline, view: tuple[int, int], most: int = MOST) -> Int64Array:
    """Return the edges of the columns of a run: several cycles each are a multiple of its `beat`, where that fits.

    Otherwise what repeats every 2 cycles would have 1 or 2 of its firings in columns of 3 cycles, by turns.

    Examples
    --------
    >>> from ppnsim import run
    >>> from ppnsim.model.builders import chain
    >>> timeline = run(chain(firings=2000, ii=3)).timeline
    >>> beat(timeline, (0, 6000)), np.unique(np.diff(edges_in_step(timeline, (0, 6000)))).tolist()
    (3, [3])
    """
    first, last = view
    return edges_of(first, last, most, beat(timeline, view) or 1 if last - first > most else 1)


def beat(timeline: Timeline, view: tuple[int, int]) -> int:
    """Return the cycles after which the processes that repeat do the same again amid a view; 0 if these are too many.

    What takes longer than four columns is not looked for: it is seen in the picture.
    """
    first, last = view
    cycles, most = 1, 4 * (last - first) // MOST
    for process in timeline.network.processes:
        starts = timeline.start(process.name)
        starts = starts[starts != NEVER]
        begin = int(np.searchsorted(starts, (first + last) // 2))
        own = _beat_of(np.diff(starts[begin : begin + _SEEN]))
        cycles = math.lcm(cycles, own)
        if cycles > most:
            return 0
    return cycles


def _beat_of(between: Int64Array) -> int:
    """Return the sum of the shortest part that repeats in the cycles from each start to the next; 1 if none does."""
    for length in range(1, len(between) // 3 + 1):
        if (between[length:] == between[:-length]).all():
            return max(int(between[:length].sum()), 1)
    return 1


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


def counted(begins: Sequence[Events], ends: Sequence[Events], edges: Int64Array, *, base: int = 0) -> Columns:
    """Return how many of the intervals between ``begins`` and ``ends`` hold, plus ``base``, in each column.

    The whole curve is never in memory, as the many intervals of a long run are gone through block by block.

    Examples
    --------
    >>> columns = counted([Events(np.array([0, 1]))], [Events(np.array([3, 4]))], np.array([0, 2, 4]))
    >>> columns.mean.tolist(), columns.fewest.tolist(), columns.most.tolist()
    ([1.5, 1.5], [1, 1], [2, 2])
    """
    sides = [[replace(each, cycles=ascending(each.cycles)) for each in side] for side in (begins, ends)]
    blocks = 1 + sum(len(each) for side in sides for each in side) // _BLOCK
    parts = np.unique(np.linspace(0, len(edges) - 1, blocks + 1).astype(np.int64)).tolist()
    pieces = []
    for first, last in pairwise(parts):
        own = edges[first : last + 1] - edges[first]
        (began, begin), (ended, end) = (_within(side, int(edges[first]), int(edges[last])) for side in sides)
        piece = curve(begin, end, base=base + began - ended, until=int(own[-1]))
        pieces.append((mean_of(piece, own), *extremes_of(piece, own)))
    return Columns(*map(np.concatenate, zip(*pieces, strict=True)))


def _within(events: Sequence[Events], first: int, last: int) -> tuple[int, Int64Array]:
    """Return `Events.within` of all of them together."""
    found = [each.within(first, last) for each in events]
    own = [cycles for _, cycles in found]
    return sum(before for before, _ in found), own[0] if len(own) == 1 else np.concatenate(own)


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
