"""The way back from the end of a run, or around the circle of its deadlock, from wait to wait."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array

NO_SLOT = -1
UNKNOWN = -1  # the cycle of a moment that never comes


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """What writes wait for: entry i is the write of ``firing[i]`` into channel ``channel[i]``, int64 arrays.

    ``level[i]`` tokens have come in with it. Entries are grouped by moment, ``first`` is where each group begins.
    """

    first: Int64Array
    channel: Int64Array
    firing: Int64Array
    level: Int64Array


@dataclass(frozen=True, slots=True, eq=False)
class Reads:
    """Where tokens leave channels: ``freed`` by firings 0 .. m of all channels one behind the other, from ``base`` on.

    ``moment`` is that of each of these firings, ``release`` the cycles after it, by channel.
    """

    base: Int64Array
    freed: Int64Array
    moment: Int64Array
    release: Int64Array


@dataclass(frozen=True, slots=True, eq=False)
class WayBack:
    """A way back through waits: hop h leads from ``moment[h]`` back to ``moment[h + 1]``.

    ``slot[h]`` is the entry of `Slots` if it waits for a slot, else `NO_SLOT`; ``by[h]`` the firing that frees it, and
    for other waits the number of the wait. ``cycle`` is that of each moment. A walk from a deadlock ends where it has
    been before, at hop ``circle``, or with a slot that never comes free (moment -1).
    """

    moment: Int64Array
    cycle: Int64Array
    slot: Int64Array
    by: Int64Array
    circle: int | None = None


def walk_back(
    start: int, cycle: Int64Array, first: Int64Array, source: Int64Array, weight: Int64Array, slot_first: Int64Array,
    slot_channel: Int64Array, slot_level: Int64Array, depth: Int64Array, base: Int64Array, freed: Int64Array,
    reader_moment: Int64Array, release: Int64Array, moment: Int64Array, slot: Int64Array, by: Int64Array,
    seen: NDArray[np.bool_],
) -> int:  # fmt: skip
    """Follow tight waits, or unknown ones from an unknown moment, and return the number of hops.

    After a deadlock the last moment is one of those before it, or -1 where a slot never comes free. Of ``seen``, which
    has room for all moments then, nothing is set.
    """
    stalled = cycle[start] < 0
    at, hops = start, 0
    moment[0] = at
    while stalled or cycle[at] > 0:
        if stalled:
            if seen[at]:
                return hops
            seen[at] = True
        found, entry_found, who = -2, -1, -1
        for edge in range(first[at], first[at + 1]):
            before = source[edge]
            if (cycle[before] < 0) if stalled else (cycle[before] + weight[edge] == cycle[at]):
                found, who = before, edge
                break
        if found == -2:
            for entry in range(slot_first[at], slot_first[at + 1]):
                channel = slot_channel[entry]
                wanted = slot_level[entry] - depth[channel] - 1
                if wanted < 0:
                    continue
                low, high = base[channel], base[channel + 1]
                while low < high:
                    middle = (low + high) // 2
                    if freed[middle] > wanted:
                        high = middle
                    else:
                        low = middle + 1
                if low == base[channel + 1]:
                    before = -1
                    good = stalled
                else:
                    before = reader_moment[low]
                    good = cycle[before] < 0 if stalled else cycle[before] + release[channel] == cycle[at]
                if good:
                    found, entry_found, who = before, entry, low - base[channel]
                    break
        if found == -2:
            return hops
        slot[hops], by[hops] = entry_found, who
        hops += 1
        moment[hops] = found
        if found < 0:
            return hops
        at = found
    return hops
