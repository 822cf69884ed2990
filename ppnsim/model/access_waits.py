"""When each access of scheduled processes was due, and when its token or slot was there: as much work as accesses.

`model.waits` has the same for all stops of a process, of which starts of firings are often a hundred times as many.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.between import AccessCycles
from ppnsim.model.elements import Channel
from ppnsim.model.timeline import Timeline

Waits = tuple[Int64Array, Int64Array]
"""The cycles from which accesses were due, and those from which they could happen."""


@dataclass(frozen=True, slots=True)
class Stalls:
    """The cycles in which a scheduled process stands still, by the channel that it waits for."""

    blocked: dict[str, int] = field(default_factory=dict)
    starved: dict[str, int] = field(default_factory=dict)


def stalls(timeline: Timeline, cycles: AccessCycles) -> Mapping[str, Stalls]:
    """Return the stalls of each process: it stands still for the first declared channel that is not ready (T6.4).

    It waits at one place at a time, and there from when it was due on. A channel holds it up from where those before
    it, in order, have come.
    """
    network = timeline.network
    found = {name: Stalls() for name in cycles.places}
    waited = {name: cycles.due(name) for name in cycles.places}
    for channel in network.channels:
        # From one channel on to itself, its read is looked at first, but that is none of `AccessCycles`.
        sides = (
            (channel.source, found[channel.source].blocked, _rooms(timeline, cycles, channel)),
            (channel.target, found[channel.target].starved, _tokens(timeline, cycles, channel)),
        )
        for process, table, (at, there) in sides:
            last = np.append(at[1:] != at[:-1], True)[: len(at)]  # of the accesses of one step it is the latest
            at, there = at[last], there[last]
            until = waited[process]
            begin = until[at]
            late = there > begin
            if late.any():
                table[channel.name] = int((there - begin)[late].sum())
                until[at[late]] = there[late]
    return found


def read_waits(timeline: Timeline, cycles: AccessCycles, channel: str) -> Waits:
    """Return when each read of a written token was due, and when its token was there."""
    ends = timeline.network.channel(channel)
    at, there = _tokens(timeline, cycles, ends)
    return cycles.due(ends.target)[at], there


def write_waits(timeline: Timeline, cycles: AccessCycles, channel: str) -> Waits:
    """Return when each write that needs a slot of an earlier token was due, and when that was free."""
    ends = timeline.network.channel(channel)
    at, there = _rooms(timeline, cycles, ends)
    return cycles.due(ends.source)[at], there


def _tokens(timeline: Timeline, cycles: AccessCycles, channel: Channel) -> Waits:
    """Return the places of the reads of written tokens, and when these were there."""
    there = timeline.token_writes(channel.name) + timeline.network.forward(channel.name)
    at = cycles.accesses["in", channel.name][channel.initial :]
    return at, there[: len(at)]


def _rooms(timeline: Timeline, cycles: AccessCycles, channel: Channel) -> Waits:
    """Return the places of the writes that need a slot of an earlier token, and when that was free."""
    at = cycles.accesses["out", channel.name]
    if channel.depth is None:
        return at[:0], at[:0]
    at, free = at[max(0, channel.depth - channel.initial) :], timeline.releases(channel.name)
    free = free[max(0, channel.initial - channel.depth) :][: len(at)]
    return at[: len(free)], free
