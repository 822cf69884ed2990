"""The cheapest of all vectors in time where a run only says whether it is: by boxes, each of which runs make smaller.

A box holds the vectors between a smallest and a deepest one. If its deepest one is late, it holds no answer; each entry
of its smallest one rises to where it alone, with all others deepest, is in time. What is left is halved, and the box
that may be cheapest is next, so that the first smallest vector that is in time is the cheapest of all.

Source: branch and bound with probing of bounds (Savelsbergh 1994), over a monotone test instead of a linear program.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np

from ppnsim.explore.fifo.problem import Full, with_depth

InTime = Callable[[Full], bool]


class BoxSearch:
    """A search for the cheapest vector between two others.

    Parameters
    ----------
    low, high : the smallest and the deepest vector.
    cost : of an entry at a depth, which never falls with it.
    in_time : whether a vector is, which stays so for all deeper ones.
    runs : vectors that may be tried.
    near : of ``beyond``, what may be left above `lower` once the first box is tight; where more is, it is left at that.

    Attributes
    ----------
    lower : a cost that no vector in time is below.

    Examples
    --------
    >>> def in_time(vector):
    ...     return min(vector) * sum(vector) > 9
    >>> search = BoxSearch((1, 1), (9, 9), lambda entry, depth: (3, 2)[entry] * depth, in_time)
    >>> search.cheapest(beyond=40), search.lower
    ((2, 3), 12)
    """

    def __init__(
        self,
        low: Full,
        high: Full,
        cost: Callable[[int, int], int],
        in_time: InTime,
        *,
        runs: int = 1_000_000,
        near: float = 1.0,
    ) -> None:
        self._ends, self._cost, self._in_time, self._left, self._near = (low, high), cost, in_time, runs, near
        # Smallest vectors known to be in time, deepest ones known to be late.
        self._met, self._late = (np.empty((0, len(low)), dtype=np.int64) for _ in range(2))
        self.lower = self._cost_of(low)

    def cheapest(self, beyond: int) -> Full | None:
        """Return the cheapest vector in time, None if none costs less than ``beyond``, or if that is not found out."""
        boxes = [(self.lower, 0, *self._ends)]
        number = 0
        while boxes and self._left > 0:
            self.lower, _, low, high = heapq.heappop(boxes)
            box = self._tight(low, high, beyond)
            if box is None:
                continue
            low, high = box
            cost = self._cost_of(low)
            if number == 0 and beyond - cost > self._near * beyond:
                self.lower = cost
                return None
            if boxes and cost > boxes[0][0]:
                halves = [box]
            elif self._is_met(low):
                self.lower = cost
                return low
            else:
                halves = self._halves(low, high)
            for half in halves:
                number += 1
                heapq.heappush(boxes, (self._cost_of(half[0]), number, *half))
        self.lower = boxes[0][0] if boxes else beyond
        return None

    def _is_met(self, vector: Full) -> bool:
        """Return whether a vector is in time, which follows from smaller ones that are, or deeper ones that are not."""
        if (self._met <= vector).all(axis=1).any():
            return True
        if (self._late >= vector).all(axis=1).any():
            return False
        self._left -= 1
        if self._in_time(vector):
            self._met = np.vstack([self._met[~(self._met >= vector).all(axis=1)], vector])
            return True
        self._late = np.vstack([self._late[~(self._late <= vector).all(axis=1)], vector])
        return False

    def _cost_of(self, vector: Full) -> int:
        return sum(self._cost(entry, depth) for entry, depth in enumerate(vector))

    def _halves(self, low: Full, high: Full) -> list[tuple[Full, Full]]:
        """Return a box in two halves, across where it is dearest."""
        wide = [self._cost(entry, high[entry]) - self._cost(entry, low[entry]) for entry in range(len(low))]
        entry = max(range(len(low)), key=lambda each: (wide[each], high[each] - low[each]))
        middle = (low[entry] + high[entry]) // 2
        return [(low, with_depth(high, entry, middle)), (with_depth(low, entry, middle + 1), high)]

    def _tight(self, low: Full, high: Full, beyond: int) -> tuple[Full, Full] | None:
        """Return the box of all vectors in time of a box that cost less than ``beyond``, None if there is none."""
        while True:
            before = low
            for entry in range(len(low)):
                spare = beyond - 1 - self._cost_of(low)
                if spare < 0:
                    return None
                high = tuple(self._deepest(each, spare, *ends) for each, ends in enumerate(zip(low, high, strict=True)))
                if not self._is_met(high):
                    return None
                low = with_depth(low, entry, self._least(entry, low[entry], high))
            if low == before:
                return low, high

    def _deepest(self, entry: int, spare: int, low: int, high: int) -> int:
        """Return how deep an entry may be for what it costs at ``low`` and some more."""
        most = self._cost(entry, low) + spare
        if self._cost(entry, high) <= most:
            return high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._cost(entry, middle) <= most else (low, middle)
        return low

    def _least(self, entry: int, low: int, high: Full) -> int:
        """Return how deep an entry has to be if all others are deepest, with which a run is in time."""
        if self._is_met(with_depth(high, entry, low)):
            return low
        late, step = low, 1
        while late + step < high[entry] and not self._is_met(with_depth(high, entry, late + step)):
            late += step
            step *= 2
        works = min(late + step, high[entry])
        while works - late > 1:
            middle = (late + works) // 2
            late, works = (late, middle) if self._is_met(with_depth(high, entry, middle)) else (middle, works)
        return works
