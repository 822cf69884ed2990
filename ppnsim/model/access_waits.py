"""When each access of scheduled processes was due, and when its token or slot was there: as much work as accesses.

`model.waits` has the same for all stops of a process, of which starts of firings are often a hundred times as many.
"""

from __future__ import annotations

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.timeline import Timeline

Waits = tuple[Int64Array, Int64Array]
"""The cycles from which accesses were due, and those from which they could happen."""


def read_waits(timeline: Timeline, channel: str) -> Waits:
    """Return when each read of a written token was due, and when its token was there, of `AccessCycles`."""
    ends = timeline.network.channel(channel)
    there = timeline.token_writes(channel) + timeline.network.forward(channel)
    steps = timeline.network.accesses_of(channel, "in")[ends.initial :]
    return _due(timeline, ends.target, steps), there[: len(steps)]


def write_waits(timeline: Timeline, channel: str) -> Waits:
    """Return when each write that needs a slot of an earlier token was due, and when that was free."""
    ends = timeline.network.channel(channel)
    steps = timeline.network.accesses_of(channel, "out")
    if ends.depth is None:
        return steps[:0], steps[:0]
    steps, free = steps[max(0, ends.depth - ends.initial) :], timeline.releases(channel)
    free = free[max(0, ends.initial - ends.depth) :][: len(steps)]
    return _due(timeline, ends.source, steps[: len(free)]), free


def _due(timeline: Timeline, process: str, steps: Int64Array) -> Int64Array:
    """Return the cycle after that of the step before each of the steps; the first step of all is due at 0."""
    return np.where(steps > 0, timeline.step_cycles(process, np.maximum(steps - 1, 0)) + 1, 0)
