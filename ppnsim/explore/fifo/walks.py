"""From a walk back through one run to cuts: what would have to be deeper, whatever the other depths are.

A circle on the walk is a circle in every iteration. Where it is gone around L times, S iterations further each time,

    head of its first moment + L * its cycles + tail of its last moment

is a lower bound on the finish. The largest S with which that is too late says how many iterations the slots on the
circle have to reach back. Where no circle is too slow, the walk itself is the reason; circles that it does not need to
be late are left out of it. A way that exists only for these depths gives no more than: one of them has to grow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.explore.fifo.cuts import WHOLE, Cut, Reach, cut_of, deeper_than
from ppnsim.explore.fifo.lifting import Circle, Lifting
from ppnsim.explore.fifo.moments import Moments
from ppnsim.explore.fifo.objectives import Time
from ppnsim.explore.fifo.slot_hops import Hop, Hops, WalkHops
from ppnsim.explore.fifo.tracing import WayBack

_MOST_LAPS = 2000  # of a walk, that are tried to be left out


@dataclass(frozen=True, slots=True)
class Lap:
    """Hops from a state back to it: ``hops`` are on the circle itself, [first, last) with all that is inside it."""

    first: int
    last: int
    hops: tuple[int, ...]


class WalkCuts:
    """Makes cuts from the walks through the moments of one scenario; see `Hops` for the parameters."""

    def __init__(
        self, moments: Moments, variable_of: list[int | None], low: tuple[int, ...], scenario: int = 0
    ) -> None:
        self.moments, self._low, self._scenario = moments, low, scenario
        self.hops = Hops(moments, variable_of, low)
        self._lifting = Lifting(moments)
        self._frozen = any(process.style != "elastic" for process in moments.network.processes)

    def cuts(self, walk: WayBack, limit: int | float) -> list[Cut]:
        """Return what a walk proves about runs that end by ``limit``; nothing if it has no slots."""
        hops = self.hops.of(walk)
        if walk.circle is not None or walk.moment[-1] < 0:
            return self._of_deadlock(walk, hops)
        if not hops.slots:
            return []
        laps = list(_laps(self.moments.state[walk.moment].tolist()))
        found = [cut for circle in self._circles(walk, laps, hops) for cut in self.of_circle(circle, limit)]
        if not found and not self.moments.missing:
            found = self._of_walk(walk, laps, hops, limit)
        return found

    def _circles(self, walk: WayBack, laps: Sequence[Lap], hops: WalkHops) -> Iterator[Circle]:
        """Yield the different circles with slots."""
        seen = set()
        weight = walk.cycle[:-1] - walk.cycle[1:]
        shift = -np.diff(self.moments.iteration[walk.moment])
        states, slots = self.moments.state[walk.moment].tolist(), set(hops.slots)
        for lap in laps:
            if slots.isdisjoint(lap.hops):
                continue
            key = tuple([states[hop] for hop in lap.hops])
            if key not in seen:
                seen.add(key)
                at = np.array(lap.hops)
                between = {number: hops[hop] for number, hop in enumerate(lap.hops) if hop in hops}
                yield Circle(walk.moment[at], weight[at], shift[at], between)

    def of_circle(self, circle: Circle, limit: int | float) -> list[Cut]:
        """Return what a circle of waits proves about runs that end by ``limit``."""
        best = self._lifting.most(circle, limit)
        if best is None:
            return []
        most, finish = best
        return cut_of(circle.reaches, most + 1 - circle.rest, finish, self._scenario, self._low)

    def _of_walk(self, walk: WayBack, laps: Sequence[Lap], hops: WalkHops, limit: int | float) -> list[Cut]:
        weight = walk.cycle[:-1] - walk.cycle[1:]
        shift = -np.diff(self.moments.iteration[walk.moment])
        finish = int(walk.cycle[0] + self.moments.end[walk.moment[0]])
        kept = np.ones(len(weight), dtype=np.bool_)
        by_pace = sorted(laps[:_MOST_LAPS], key=lambda lap: _pace(walk, lap, shift))
        left = finish
        for lap in by_pace:
            inside = slice(lap.first, lap.last)
            less = int(weight[inside][kept[inside]].sum())
            if left - less > limit:
                left -= less
                kept[inside] = False
        terms = Counter(reach for hop in hops.slots if kept[hop] and (reach := hops[hop].reach) is not None)
        # Elastic processes wait for no later iteration, so a walk that begins in the run is in it.
        ends = hops if self._frozen else {hop: hops[hop] for hop in hops.slots}
        least = _least(ends, kept, shift, int(self.moments.iteration[walk.moment[-1]]))
        cuts = [] if least is None else cut_of(terms, least, left, self._scenario, self._low)
        return cuts or [_one_grows(hops, finish, self._scenario)]

    def _of_deadlock(self, walk: WayBack, hops: WalkHops) -> list[Cut]:
        if walk.moment[-1] < 0:
            last = hops[len(walk.slot) - 1]
            assert last.reach is not None
            return [Cut(((deeper_than(last.reach.variable, last.until), 1),), 1, None, self._scenario)]
        circle = {hop: hops[hop] for hop in hops if hop >= (walk.circle or 0)}
        slots = [hop for hop in circle.values() if hop.reach is not None]
        if not slots:
            return []
        if slots[0].reach.tokens == WHOLE or not _fits(list(circle.values())):  # type: ignore[union-attr]
            return [_one_grows(circle, None, self._scenario)]
        terms = Counter[Reach](hop.reach for hop in slots if hop.reach is not None)
        least = 1 + sum(hop.back - 1 for hop in slots)
        return cut_of(terms, least, None, self._scenario, self._low)


def _laps(states: list[int]) -> Iterator[Lap]:
    """Yield the ways from a state back to it, inner ones first."""
    place: dict[int, int] = {}
    path: list[int] = []
    for hop, state in enumerate(states):
        if state in place:
            start = place[state]
            yield Lap(path[start], hop, tuple(path[start:]))
            for gone in path[start:]:
                del place[states[gone]]
            del path[start:]
        place[state] = len(path)
        path.append(hop)


def _pace(walk: WayBack, lap: Lap, shift: Int64Array) -> tuple[float, int]:
    back = int(shift[lap.first : lap.last].sum())
    cycles = int(walk.cycle[lap.first] - walk.cycle[lap.last])
    return (cycles / back if back > 0 else float("inf"), lap.last - lap.first)


def _least(hops: Mapping[int, Hop], kept: np.ndarray, shift: Int64Array, root: int) -> int | None:
    """Return the least sum of reaches with which a walk without the hops not kept begins before the run.

    None if the walk does not exist with all depths that it would forbid: an end of it would not be in the run.
    """
    slots = [hop for number, hop in hops.items() if kept[number] and hop.reach is not None]
    lowest = sum(hop.least for hop in slots)
    gone = np.concatenate([[0], np.cumsum(np.where(kept, 0, shift))])
    back = least = 0
    bound = root + int(gone[-1]) + sum(hop.back for hop in slots)
    for number, hop in hops.items():
        if not kept[number]:
            continue
        moved = int(gone[number])
        for end, ahead in zip(hop.ends, (0, 1), strict=True):
            if ahead:
                back, least = back + hop.back, least + hop.least
            if end.iteration + moved + back - least > end.last:
                return None
            bound = min(bound, end.iteration + moved + back + lowest - least)
    if bound < sum(hop.back for hop in slots):
        return None
    return bound + 1 - len(slots)


def _fits(circle: Sequence[Hop]) -> bool:
    """Return whether a circle that waits for itself fits into the run with all smaller depths, too."""
    back, least = sum(hop.back for hop in circle), sum(hop.least for hop in circle)
    before = lowest = 0
    begin, end = 0, 2**62
    for hop in circle:
        for place, ahead in zip(hop.ends, (0, 1), strict=True):
            if ahead:
                before, lowest = before + hop.back, lowest + hop.least
            later, sooner = (back - before) - (least - lowest), lowest - before
            begin = max(begin, later - place.iteration)
            end = min(end, place.last - place.iteration + sooner)
    return begin <= end


def _one_grows(hops: Mapping[int, Hop], beyond: Time | None, scenario: int) -> Cut:
    until: dict[int, int] = {}
    for hop in hops.values():
        if hop.reach is not None:
            variable = hop.reach.variable
            until[variable] = min(until.get(variable, hop.until), hop.until)
    return Cut(tuple((deeper_than(each, depth), 1) for each, depth in sorted(until.items())), 1, beyond, scenario)
