"""Recognises sequences of integers that count up or down periodically."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Cycle(NamedTuple):
    """The n-th number is ``start + step * ((n + shift) // every % length)``; length 0 means that it never repeats."""

    start: int
    step: int = 0
    shift: int = 0
    every: int = 1
    length: int = 0

    def at(self, place: int) -> int:
        """Return the number at a place of the sequence."""
        turn = (place + self.shift) // self.every
        return self.start + self.step * (turn % self.length if self.length else turn)


def cycle_of(numbers: Sequence[int | None], period: int) -> Cycle | None:
    """Return the cycle that generates some numbers, None if there is none.

    Parameters
    ----------
    numbers : None where any number is possible; the sequence may end with such places.
    period : the number of values after which they repeat; 0: these are all values.

    Examples
    --------
    >>> cycle_of([2, 3, 0, 1], 4)
    Cycle(start=0, step=1, shift=2, every=1, length=4)
    >>> cycle_of([5, 5, 4, 4, 3, 3, 2, 2], 0)
    Cycle(start=5, step=-1, shift=0, every=2, length=0)
    >>> cycle_of([None, 7, None, 7], 0), cycle_of([0, 1, 3, 0], 4)
    (Cycle(start=7, step=0, shift=0, every=1, length=0), None)
    """
    known = [each for each in numbers if each is not None]
    if known and all(each == known[0] for each in known):
        return Cycle(known[0])
    if len(known) < len(numbers) or len(known) < period:
        return None
    longer = known[:period] * 3 if period else known
    found = _fitted(longer)
    if found is None or (period and (not found.length or period % (found.every * found.length))):
        return None
    return found if all(found.at(place) == each for place, each in enumerate(longer)) else None


def _fitted(numbers: Sequence[int]) -> Cycle | None:
    """Return the only cycle that can generate the first numbers."""
    ends = [place for place in range(1, len(numbers)) if numbers[place] != numbers[place - 1]]
    starts = [0, *ends]
    every = max(after - before for before, after in zip(starts, [*ends, len(numbers)], strict=True))
    shift = -ends[0] % every
    turns = [numbers[start] for start in starts]
    steps = [after - before for before, after in pairwise(turns)]
    step = Counter(steps).most_common(1)[0][0]
    wrap = next((place for place, each in enumerate(steps, 1) if each != step), None)
    if wrap is None:
        return Cycle(turns[0], step, shift, every)
    length, rest = divmod(turns[wrap - 1] - turns[wrap], step)
    if rest or length < 0:
        return None
    return Cycle(turns[wrap], step, shift + -wrap % (length + 1) * every, every, length + 1)
