"""How far the slots of a circle have to reach back for a finite run to end in time, wherever the circle is entered."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.explore.fifo.cuts import Reach
from ppnsim.explore.fifo.moments import Moments
from ppnsim.explore.fifo.slot_hops import Hop

_NONE = -(2**60)
_ENTRIES = 8  # moments of a circle at which it is entered and left


@dataclass(frozen=True, slots=True, eq=False)
class Circle:
    """A circle of waits against the direction of time, from moment to moment, with its waits by number of the hop.

    ``weight`` and ``shift`` are the cycles and the iterations that each hop goes back, int64.
    """

    moment: Int64Array
    weight: Int64Array
    shift: Int64Array
    hops: dict[int, Hop]

    @property
    def reaches(self) -> Counter[Reach]:
        """The reaches of its slots."""
        return Counter(hop.reach for hop in self.hops.values() if hop.reach is not None)

    @property
    def back(self) -> int:
        """Iterations around it, in the run that it was read from."""
        return int(self.shift.sum())

    @property
    def rest(self) -> int:
        """Iterations around it if all reaches were 0."""
        return self.back - sum(hop.back - 1 for hop in self.hops.values() if hop.reach is not None)


class Lifting:
    """Bounds the finish by circles, with the heads and tails of one network."""

    def __init__(self, moments: Moments) -> None:
        self.moments = moments
        self._order = np.lexsort((moments.iteration, moments.state))
        states = moments.state[self._order]
        self._first = np.searchsorted(states, np.arange(int(states[-1]) + 2))

    def most(self, circle: Circle, limit: int | float) -> tuple[int, int] | None:
        """Return the most iterations around a circle with which a run ends after ``limit``, and when; None if none."""
        entries = range(0, len(circle.moment), -(-len(circle.moment) // _ENTRIES))
        found = [best for entry in entries if (best := self._most(circle, entry, limit)) is not None]
        return max(found, default=None)

    def _most(self, circle: Circle, entry: int, limit: int | float) -> tuple[int, int] | None:
        heads, tails = self._heads_and_tails(int(circle.moment[entry]))
        first, last = self._room(circle, entry, len(heads))
        cycles = int(circle.weight.sum())

        def finish(back: int) -> int:
            return self._finish(heads, tails, first, last, cycles, back)

        most = max(1, circle.back)
        value = finish(most)
        if value <= limit:
            return None
        step = 1
        while (later := finish(most + step)) > limit:
            most, value, step = most + step, later, 2 * step
        while step > 1:
            step //= 2
            if (later := finish(most + step)) > limit:
                most, value = most + step, later
        return most, value

    def _finish(self, heads: Int64Array, tails: Int64Array, first: int, last: int, cycles: int, back: int) -> int:
        """Return the latest end that going around proves, between iterations ``first`` and ``last`` of the run kept."""
        missing = self.moments.missing
        begin = np.arange(first, last + 1 if not missing else (first + last) // 2, dtype=np.int64)
        most = (last + missing - begin) // back
        best = _NONE
        for laps in [most] if missing else [most, *(np.minimum(most, few) for few in (1, 2, 3))]:
            end = begin + laps * back - missing
            good = (laps > 0) & (end >= first)
            if good.any():
                there = heads[begin[good]] + laps[good] * cycles + tails[end[good]]
                best = max(best, int(there.max()))
        return best

    def _heads_and_tails(self, moment: int) -> tuple[Int64Array, Int64Array]:
        """Return both by iteration, for the moments in the state of one of them."""
        state = int(self.moments.state[moment])
        mine = self._order[self._first[state] : self._first[state + 1]]
        iteration = self.moments.iteration[mine]
        heads, tails = (np.full(int(iteration[-1]) + 1, _NONE, dtype=np.int64) for _ in range(2))
        heads[iteration], tails[iteration] = self.moments.head[mine], np.maximum(self.moments.tail[mine], _NONE)
        return heads, tails

    def _room(self, circle: Circle, entry: int, iterations: int) -> tuple[int, int]:
        """Return the first and last iteration at which the circle may be entered and left, whatever the depths.

        Where a wait lies in front of or behind the moments that it joins, all its ends have to be in the run.
        """
        least = circle.shift.copy()
        for number, hop in circle.hops.items():
            least[number] += hop.least - hop.back
        lowest = int(least.sum())
        before = np.cumsum(np.roll(least, -entry)) - np.roll(least, -entry)
        first, last = 0, iterations - 1
        for number, hop in circle.hops.items():
            lower = int(before[(number - entry) % len(least)])
            here = int(self.moments.iteration[circle.moment[number]])
            there = here - int(circle.shift[number])
            for end, place, passed in zip(hop.ends, (here, there), (lower, lower + int(least[number])), strict=True):
                offset = end.iteration - place
                first = max(first, passed - lowest - offset)
                last = min(last, end.last + passed - offset)
        return first, last
