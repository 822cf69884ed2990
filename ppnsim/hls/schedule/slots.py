"""A reservation table for ports and units: how much of each is taken in each state, modulo an interval (R3.2, R3.6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ppnsim.hls.graph.exclusive import Sharing, Ways

Full = dict[int, int]
"""For each full slot, the slot at which to continue the search for one that is not full."""


class NoSlot(Exception):
    """Raised if no slot of an interval has a free port in every memory that an access may use."""


class PortSlots:
    """The reserved slots of ports and units, by their names, while nodes are placed.

    Examples
    --------
    >>> slots = PortSlots()
    >>> [slots.take(("a",), 0, 1, 4), slots.take(("a", "b"), 0, 1, 4), slots.take(("b",), 1, 1, 4)]
    [0, 1, 2]
    >>> [slots.share(("c",), 0, 1, 4, frozenset((way,))) for way in (1, -1, 1)]
    [0, 0, 1]
    """

    def __init__(self) -> None:
        self._taken: defaultdict[str, tuple[dict[int, int], Full]] = defaultdict(lambda: ({}, {}))
        self._beside: defaultdict[tuple[str, int], Sharing] = defaultdict(Sharing)
        self._crowded: defaultdict[tuple[tuple[str, ...], Ways], Full] = defaultdict(dict)

    def take(self, names: Sequence[str], state: int, most: float, period: int) -> int:
        """Return the first state from this one on, modulo ``period``, with room for all names, and reserve it."""
        slot = state % period
        tables = [self._taken[name][1] for name in names]
        if len(tables) == 1 and slot not in tables[0]:  # the usual case
            self._add(names[0], slot, most, period)
            return state
        for full in tables:
            if len(full) >= period:  # accesses that could share are in other states (R3.6)
                raise NoSlot(names[0])
        place = _beyond(tables[0], slot)
        passed, free = (place - slot) % period, len(tables) == 1
        while not free:  # until all names have a free port in one slot
            free = True
            for full in tables:
                found = _beyond(full, place)
                free, passed, place = free and found == place, passed + (found - place) % period, found
            if passed >= period:
                raise NoSlot(names[0])
        for name in names:
            self._add(name, place, most, period)
        return state + (place - slot) % period

    def share(self, names: Sequence[str], state: int, most: float, period: int, ways: Ways) -> int:
        """Return a state as `take` does, for an access in a branch: exclusive accesses share a port (R3.6).

        Both accesses are in the same state: in another state another iteration is active, which may take the other way.
        """
        tables = [(name, self._taken[name][1]) for name in names]
        crowded = self._crowded[tuple(names), ways]
        at = _beyond(crowded, state)
        while at < state + period:
            place = at % period
            if all(place not in full or self._shares(name, at, ways) for name, full in tables):
                break
            crowded[at] = at + 1  # what shares a full slot only grows
            at = _beyond(crowded, at)
        else:
            raise NoSlot(names[0])
        for name in names:
            if self._beside[name, at].add(ways):
                self._add(name, at % period, most, period)
        return at

    def _shares(self, name: str, at: int, ways: Ways) -> bool:
        """Return whether an access shares a port with other accesses in a state."""
        beside = self._beside.get((name, at))
        return beside is not None and beside.fits(ways) is not None

    def _add(self, name: str, place: int, most: float, period: int) -> None:
        used, full = self._taken[name]
        used[place] = used.get(place, 0) + 1
        if used[place] >= most:
            full[place] = (place + 1) % period


def _beyond(full: Full, slot: int) -> int:
    """Return the first slot from this one on that is not full; the search remembers the full slots that it skips."""
    if slot not in full:
        return slot
    end = slot
    while end in full:
        end = full[end]
    while slot != end:
        full[slot], slot = end, full[slot]
    return end
