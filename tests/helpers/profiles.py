"""The thesis's profiles of a timeline: the operations that are active in each cycle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.metrics import executes
from ppnsim.model.timeline import NEVER, Timeline


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """Read, execute and write operations that are active in each cycle, int64, shape ``(stopped,)``.

    Source: van Teijlingen 2014, section 4.6.
    """

    read: Int64Array
    execute: Int64Array
    write: Int64Array

    @property
    def flat(self) -> Int64Array:
        """Operations of all three kinds per cycle (thesis, equation 4.1)."""
        return self.read + self.execute + self.write

    def unused_slots(self) -> dict[str, int]:
        """Return the cycles without a read, execute or write between the first and the last operation of the process.

        A stage that does nothing at all has no slots to use.
        """
        active = np.flatnonzero(self.flat)
        if not len(active):
            return {"read": 0, "execute": 0, "write": 0}
        span = slice(active[0], active[-1] + 1)
        stages = {"read": self.read, "execute": self.execute, "write": self.write}
        return {name: int(np.count_nonzero(row[span] == 0)) if row.any() else 0 for name, row in stages.items()}


def profile(timeline: Timeline, process: str) -> Profile:
    """Return the statement execution profile of one process."""
    steps = timeline.network.steps[process]
    start, write = timeline.start(process), timeline.write(process)
    begin, end = executes(timeline, process)
    start, write = start[start != NEVER], write[write != NEVER]
    return Profile(
        _active(start, start + steps.read, timeline.stopped),
        _active(begin, end, timeline.stopped),
        _active(write, write + steps.write, timeline.stopped),
    )


def global_profile(timeline: Timeline) -> Profile:
    """Return the sum of all processes' profiles (thesis, equations 4.2 and 4.3)."""
    profiles = [profile(timeline, process.name) for process in timeline.network.processes]
    return Profile(
        np.sum([each.read for each in profiles], axis=0),
        np.sum([each.execute for each in profiles], axis=0),
        np.sum([each.write for each in profiles], axis=0),
    )


def _active(begins: Int64Array, ends: Int64Array, cycles: int) -> Int64Array:
    """Return how many of the intervals ``[begin, end)`` hold in each of the first ``cycles`` cycles."""
    change = np.bincount(np.minimum(begins, cycles), minlength=cycles + 1)
    change = change - np.bincount(np.minimum(ends, cycles), minlength=cycles + 1)
    return np.cumsum(change)[:cycles]
