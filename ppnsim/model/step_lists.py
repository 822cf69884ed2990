"""Long regular lists of pipeline steps or tokens, kept short: single values, runs, and nests of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from ppnsim.arrays import Int64Array, read_only
from ppnsim.errors import InputError

Stretch = tuple[int, int, int]
"""``(first, step, count)``: count values first, first + step, ..."""

LARGEST = 400_000_000  # values that a list may stand for: 3 GB


@dataclass(frozen=True, slots=True)
class Nest:
    """The values of ``of``, ``times`` times, each time ``every`` higher: a loop around a list."""

    times: int
    every: int
    of: tuple[Entry, ...]


Entry = int | Stretch | Nest


@dataclass(frozen=True)
class StepList:
    """Whole numbers in order, in few words; equal lists may be written differently, and are not equal then.

    Examples
    --------
    >>> StepList((7, (0, 2, 3), Nest(2, 10, (0, 1)))).expand().tolist()
    [7, 0, 2, 4, 0, 1, 10, 11]
    >>> StepList.of([0, 3, 6, 9, 10]).entries
    ((0, 3, 4), 10)
    """

    entries: tuple[Entry, ...]

    @classmethod
    def of(cls, values: Iterable[int] | Int64Array) -> StepList:
        """Return the list of these values: evenly spaced ones as runs, and rows of equal runs as nests."""
        given = np.asarray(values if isinstance(values, np.ndarray) else list(values), dtype=np.int64)
        gaps = np.diff(given)
        ends = np.append(np.flatnonzero(np.diff(gaps)) + 1, len(gaps)).tolist()  # the last value of each spacing
        entries: list[Entry] = []
        first, numbers, steps = 0, given.tolist(), gaps.tolist()
        for last in ends if len(given) else ():
            if last - first >= 2 and steps[first] >= 0:
                entries.append((numbers[first], steps[first], last - first + 1))
                first = last + 1
            else:
                entries += numbers[first:last]
                first = max(first, last)
        return cls(_nested([*entries, *numbers[first:]]))

    def __len__(self) -> int:
        return self.count

    @cached_property
    def count(self) -> int:
        """How many values there are."""
        return sum(map(_count, self.entries))

    @property
    def even(self) -> tuple[int, int, int] | None:
        """First, step and count of two and more values that all stand in one ascending run; None of others."""
        (only,) = self.entries if len(self.entries) == 1 else (None,)
        return only if isinstance(only, tuple) and only[1] > 0 and only[2] > 1 else None

    def expand(self) -> Int64Array:
        """Return all values, int64, read-only."""
        return self._values

    @cached_property
    def _values(self) -> Int64Array:
        return read_only(_expand(self.entries))

    def ascending_ends(self) -> tuple[int, int] | None:
        """Return the first and the last value of a checked list that is seen to ascend without looking at each value.

        Examples
        --------
        >>> StepList((7, (8, 2, 3), Nest(2, 10, (20, 21)))).ascending_ends()
        (7, 31)
        """
        return _ascending(self.entries)

    def check(self, what: str) -> None:
        """Check the numbers of all entries; ``what`` names the list.

        Raises
        ------
        InputError
            If a number is not whole or negative, or the list stands for too many values.
        """
        _check(self.entries, what)
        if self.count > LARGEST:
            raise InputError(f"{what} stands for {self.count} values (at most {LARGEST})")


def _nested(entries: list[Entry]) -> tuple[Entry, ...]:
    """Return entries with three and more runs alike, at equal distances, as nests."""
    found: list[Entry] = []
    at = 0
    while at < len(entries):
        alike = _alike(entries, at)
        if alike > 2:
            (first, *_), (second, *_) = cast("list[Stretch]", entries[at : at + 2])
            found.append(Nest(alike, second - first, (entries[at],)))
        else:
            found += entries[at : at + alike]
        at += alike
    return tuple(found)


def _alike(entries: list[Entry], at: int) -> int:
    """Return how many entries from one on are runs alike, each as far from the one before as the second is."""
    count, every, before = 0, -1, None
    while at + count < len(entries) and isinstance(run := entries[at + count], tuple):
        if before is not None:
            gap = run[0] - before[0]
            if run[1:] != before[1:] or gap < 0 or every not in (-1, gap):
                break
            every = gap
        count, before = count + 1, run
    return max(count, 1)


def _count(entry: Entry) -> int:
    if isinstance(entry, Nest):
        return entry.times * sum(map(_count, entry.of))
    return 1 if isinstance(entry, int) else entry[2]


def _ascending(entries: tuple[Entry, ...]) -> tuple[int, int] | None:
    """Return the least and the largest of values that ascend, None if they do not or there are none."""
    first, last = -1, -1
    for entry in entries:
        if isinstance(entry, Nest):
            inner = _ascending(entry.of) if entry.times else None
            if inner is None or (entry.times > 1 and inner[0] + entry.every < inner[1]):
                return None
            begin, end = inner[0], inner[1] + entry.every * (entry.times - 1)
        elif isinstance(entry, int):
            begin, end = entry, entry
        elif entry[2]:
            begin, end = entry[0], entry[0] + entry[1] * (entry[2] - 1)
        else:
            return None
        if begin < last:
            return None
        first, last = begin if first < 0 else first, end
    return None if first < 0 else (first, last)


def _expand(entries: tuple[Entry, ...]) -> Int64Array:
    parts, singles = list[Int64Array](), list[int]()
    for entry in entries:
        if isinstance(entry, int):
            singles.append(entry)
            continue
        if singles:
            parts.append(np.array(singles, dtype=np.int64))
            singles = []
        if isinstance(entry, Nest):
            later = entry.every * np.arange(entry.times, dtype=np.int64)
            parts.append((_expand(entry.of) + later[:, None]).ravel())
        else:
            first, step, count = entry
            parts.append(first + step * np.arange(count, dtype=np.int64))
    if singles or not parts:
        parts.append(np.array(singles, dtype=np.int64))
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _check(entries: tuple[Entry, ...], what: str) -> None:
    for entry in entries:
        if isinstance(entry, Nest):
            numbers: tuple[object, ...] = (entry.times, entry.every)
            words = f"{{times = {entry.times}, every = {entry.every}}}"
            _check(entry.of, what)
        else:
            numbers = entry if isinstance(entry, tuple) else (entry,)
            words = str(list(numbers)) if isinstance(entry, tuple) else str(entry)
            if len(numbers) not in (1, 3):
                raise InputError(f"{what}: run {words} must be [first, step, count]")
        if not all(isinstance(number, int) and not isinstance(number, bool) and number >= 0 for number in numbers):
            raise InputError(f"{what}: {words} must be whole numbers from 0 on")
