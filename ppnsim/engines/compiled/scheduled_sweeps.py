"""Networks whose processes are all scheduled, process by process: each with all its passings at once.

The cycles of passings are the least that keep every gap and every wait. Where tasks hand on their data and seldom wait
for room, one sweep over the processes in the order of the network finds them, without a kernel to compile.
"""

from __future__ import annotations

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.scheduled_walk import LENGTH, NEVER_THERE, ScheduledWalk

SWEEPS = 6
"""Sweeps that are tried; those that wait for room add one for each time that a wait goes back in the order."""

Waits = tuple[slice, Int64Array, Int64Array, Int64Array]
"""Of a process: its passings, the places among these that wait, the passings they wait for, and the weights."""


def swept(walk: ScheduledWalk) -> bool:
    """Evaluate all passings; return False, with nothing evaluated, if some cycles still change in the last sweep.

    Every sweep raises cycles to what the waits ask for. They begin below the least ones and never pass them, so that
    they are these when a sweep changes nothing. Tasks that deadlock rise for ever.
    """
    if (walk.wanted >= NEVER_THERE).any():
        return False
    bounds = [slice(*ends) for ends in zip(walk.first[:-1].tolist(), walk.first[1:].tolist(), strict=True)]
    steps = np.concatenate([np.cumsum(walk.gaps[each]) - walk.gaps[each][:1] for each in bounds])
    waits = [_waits(walk, each) for each in bounds]
    held = np.zeros(len(steps), dtype=np.int64)  # cycles in which a process has stood still up to a passing
    if not any(_settled(held, steps, waits) for _ in range(SWEEPS)):
        return False
    walk.cycles[:] = steps + held
    walk.done[:] = walk.first[1:]
    walk.control[LENGTH] = 0
    return True


def _waits(walk: ScheduledWalk, passings: slice) -> Waits:
    begin = walk.begin[passings.start : passings.stop + 1]
    accesses = slice(int(begin[0]), int(begin[-1]))
    return passings, np.repeat(np.arange(len(begin) - 1), np.diff(begin)), walk.wanted[accesses], walk.weights[accesses]


def _settled(held: Int64Array, steps: Int64Array, waits: list[Waits]) -> bool:
    """Raise cycles by a sweep over all processes; return whether none of them changed."""
    settled = True
    for passings, places, wanted, weights in waits:
        mine = held[passings]
        asked = steps[wanted] + held[wanted] + weights - steps[passings][places]
        late = asked > mine[places]
        if late.any():
            np.maximum.at(mine, places[late], asked[late])
            np.maximum.accumulate(mine, out=mine)
            settled = False
    return settled
