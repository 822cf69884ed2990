"""Expresses the iterations of a loop by the iterators of the loops around it, from a table of visits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import gcd

from ppnsim.c.executed.named_variables import Visits
from ppnsim.loops.expressions import Affine

_MOST = 256
"""Most changes of the iterations from one combination of iterators to the next."""


@dataclass(frozen=True, slots=True)
class Around:
    """An enclosing loop: the name of its iterator, and whether the iterator only counts iterations from 0 on."""

    iterator: str
    counts: bool


def counted(visits: Visits, around: Sequence[Around]) -> tuple[Affine, int, int] | None:
    """Return the trip count of a loop as an expression, with its minimum and maximum; None if it is not known.

    Examples
    --------
    >>> stages = {((0, 2),): 1, ((1, 4),): 2, ((2, 8),): 4}
    >>> trips, least, most = counted(stages, [Around("k", counts=True)])
    >>> [trips.value({"k": k}) for k in range(3)], least, most
    ([1, 2, 4], 1, 4)
    """
    points: dict[tuple[int | None, ...], int] = {}
    for steps, count in visits.items():
        if count is None or len(steps) != len(around):
            return None
        point = tuple(
            None if step is None else step[0] if each.counts else step[1]
            for step, each in zip(steps, around, strict=True)
        )
        if points.setdefault(point, count) != count:
            return None
    if not points:
        return None
    counts = points.values()
    points, kept = _relevant(points, len(around))
    if any(at is None for point in points for at in point):
        return None
    known = [(tuple(at for at in point if at is not None), count) for point, count in points.items()]
    found = _expression(known, [around[k] for k in kept])
    return None if found is None else (found, min(counts), max(counts))


def _relevant(
    points: dict[tuple[int | None, ...], int], width: int
) -> tuple[dict[tuple[int | None, ...], int], list[int]]:
    """Return the counts by the iterators on which they depend, and the indices of these iterators."""
    kept = list(range(width))
    for at in range(width):
        fewer, found = [each for each in kept if each != at], dict[tuple[int | None, ...], int]()
        if all(found.setdefault(tuple(point[k] for k in fewer), n) == n for point, n in points.items()):
            kept = fewer
    return {tuple(point[k] for k in kept): n for point, n in points.items()}, kept


def _expression(points: Sequence[tuple[tuple[int, ...], int]], around: Sequence[Around]) -> Affine | None:
    """Return an expression with given values at some points: a step function with a step at each change."""
    place, size = Affine.of(0), 1
    spans: list[tuple[int, int, int]] = []
    for at, each in enumerate(around):
        values = sorted({point[at] for point, _ in points})
        stride = gcd(*(value - values[0] for value in values)) or 1
        count = (values[-1] - values[0]) // stride + 1
        spans.append((values[0], stride, count))
        place = place * count + (Affine.of(each.iterator) - values[0]) // stride
        size *= count
    known: dict[int, int] = {}
    for point, n in points:
        here = 0
        for value, (first, stride, count) in zip(point, spans, strict=True):
            here = here * count + (value - first) // stride
        known[here] = n
    (_, before), *later = sorted(known.items())
    found = Affine.of(before)
    if sum(a[1] != b[1] for a, b in pairwise(sorted(known.items()))) > _MOST:
        return None
    for here, n in later:
        if n != before:
            found, before = found + (place + (size - here)) // size * (n - before), n
    return found
