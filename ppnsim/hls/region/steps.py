"""Compact lists of steps: shifting, repeating and sorting."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

import numpy as np

from ppnsim.arrays import distinct as different
from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.model.step_lists import Entry, Nest, StepList

Entries = tuple[Entry, ...]
MOST_STEPS = 1 << 27
"""Most steps that are sorted one by one: their numbers take some GB."""


def later(entries: Entries, by: int) -> Entries:
    """Return all steps moved to later by a number of steps.

    Examples
    --------
    >>> later((1, (2, 3, 4), Nest(2, 9, (0,))), 10)
    (11, (12, 3, 4), Nest(times=2, every=9, of=(10,)))
    """
    return tuple(_later(entry, by) for entry in entries) if by else entries


def _later(entry: Entry, by: int) -> Entry:
    if isinstance(entry, Nest):
        return Nest(entry.times, entry.every, later(entry.of, by))
    return entry + by if isinstance(entry, int) else (entry[0] + by, *entry[1:])


def repeated(entries: Entries, times: int, every: int) -> Entries:
    """Return steps that are repeated, each repetition a number of steps after the previous one.

    Examples
    --------
    >>> repeated((3,), 5, 7), repeated((1, 2), 5, 7)
    (((3, 7, 5),), (Nest(times=5, every=7, of=(1, 2)),))
    """
    if times == 1 or not entries:
        return entries if times else ()
    if len(entries) == 1 and isinstance(entries[0], int):
        return ((entries[0], every, times),)
    return (Nest(times, every, entries),)


def in_order(entries: Entries, *, distinct: bool = False) -> Entries:
    """Return the same steps in ascending order, ``distinct`` without repetitions; sorted lists stay compact.

    Raises
    ------
    NoNetwork
        If more than `MOST_STEPS` steps are not in order.

    Examples
    --------
    >>> in_order(((5, 1, 2), 3, (9, 2, 100)))
    (3, (5, 1, 2), (9, 2, 100))
    """
    if _ascends(entries, distinct=distinct):
        return entries
    found: list[Entry] = []
    for together in _overlapping(entries):
        if _ascends(together, distinct=distinct):
            found += together
            continue
        steps = StepList(together)
        if steps.count > MOST_STEPS:
            words = f"iterations and accesses of a task come at {steps.count:,} steps that overlap"
            raise NoNetwork(f"{words}: only {MOST_STEPS:,} are put in order; lower trip counts need fewer")
        values = steps.expand()
        found += StepList.of(different(values) if distinct else np.sort(values, kind="stable")).entries
    return tuple(found)


def _overlapping(entries: Entries) -> Iterator[Entries]:
    """Yield the entries in order of their first steps, with overlapping entries together."""
    together: list[Entry] = []
    last = -1
    for (begin, end), entry in sorted(((_range(entry), entry) for entry in entries), key=itemgetter(0)):
        if together and begin > last:
            yield tuple(together)
            together.clear()
        together.append(entry)
        last = max(last, end)
    if together:
        yield tuple(together)


def _range(entry: Entry) -> tuple[int, int]:
    """Return the least and the largest step of an entry, sorted or not."""
    if isinstance(entry, int):
        return entry, entry
    if isinstance(entry, Nest):
        ranges = list(map(_range, entry.of))
        return min(begin for begin, _ in ranges), max(end for _, end in ranges) + entry.every * (entry.times - 1)
    return entry[0], entry[0] + entry[1] * (entry[2] - 1)


def _ascends(entries: Entries, *, distinct: bool) -> bool:
    gap = 1 if distinct else 0
    before: int | None = None
    for entry in entries:
        if isinstance(entry, Nest):
            first, last = ends_of(entry.of)
            fine = _ascends(entry.of, distinct=distinct) and (entry.times < 2 or first + entry.every >= last + gap)
        else:
            first, fine = (entry, True) if isinstance(entry, int) else (entry[0], entry[2] < 2 or entry[1] >= gap)
        if not fine or (before is not None and first < before + gap):
            return False
        before = ends_of((entry,))[1]
    return True


def ends_of(entries: Entries) -> tuple[int, int]:
    """Return the first and the last step of a sorted list that is not empty.

    Examples
    --------
    >>> ends_of(((2, 3, 4), Nest(2, 20, (20, 21))))
    (2, 41)
    """
    first, last = entries[0], entries[-1]
    while isinstance(first, Nest):
        first = first.of[0]
    begin = first if isinstance(first, int) else first[0]
    if isinstance(last, Nest):
        return begin, ends_of(last.of)[1] + last.every * (last.times - 1)
    return begin, last if isinstance(last, int) else last[0] + last[1] * (last[2] - 1)
