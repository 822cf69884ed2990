"""Figures of a timeline: parallelism, occupancy, utilisation (T6.1) and the thesis's profiles.

Curves are change points: ``(cycles, values)`` where ``values[i]`` holds from ``cycles[i]`` to ``cycles[i + 1]`` and the
last one to ``timeline.stopped``; all int64.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.timeline import NEVER, Timeline

Curve = tuple[Int64Array, Int64Array]


@dataclass(frozen=True, slots=True)
class Parallelism:
    """Average and maximum degree of parallelism; the average is None where the run has no finish.

    Source: van Teijlingen 2014, definitions 4.3 and 4.4.
    """

    average: float | None
    maximum: int


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


def parallelism(timeline: Timeline) -> Parallelism:
    """Return average and maximum degree of parallelism: execute cycles per cycle, and most executes at once.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> parallelism(run(predictor()).timeline)
    Parallelism(average=2.0602409638554215, maximum=5)
    """
    _, at_once = parallelism_profile(timeline)
    average = None
    if timeline.complete:
        busy = sum(int((last - first).sum()) for first, last in _all_executes(timeline))
        average = busy / timeline.finish if timeline.finish else 0.0
    return Parallelism(average, int(at_once.max()))


def parallelism_profile(timeline: Timeline) -> Curve:
    """Return how many firings execute over time."""
    begins, ends = (np.concatenate(side) for side in zip(*_all_executes(timeline), strict=True))
    return curve(begins, ends, until=timeline.stopped)


def executes(timeline: Timeline, process: str) -> tuple[Int64Array, Int64Array]:
    """Return the first execute cycle of every firing of a process that started, and the cycle after its last one."""
    begin = timeline.execute(process)
    latencies = np.broadcast_to(timeline.network.steps[process].latencies, begin.shape)
    started = begin != NEVER
    return begin[started], (begin + latencies)[started]


def occupancy(timeline: Timeline, channel: str) -> Curve:
    """Return how many tokens the channel holds over time: initial + written - released."""
    writes = timeline.token_writes(channel)
    return curve(
        writes[writes != NEVER],
        timeline.releases(channel),
        base=timeline.network.channel(channel).initial,
        until=timeline.stopped + 1,  # a write of latency 0 may come in the very cycle of the finish
    )


def max_occupancy(timeline: Timeline, channel: str) -> int:
    """Return the smallest depth that would have let the same run happen: the most tokens held at a time (T6.3).

    A token that is written and released in one cycle counts, because its slot was needed.
    """
    network, ends = timeline.network, timeline.network.channel(channel)
    count, level = network.counts[channel].put_by(network.process(ends.source).firings)
    cycles = timeline.passed[ends.source][network.steps[ends.source].port["out", channel]]
    writes = (count > 0) & (cycles != NEVER)
    released = np.searchsorted(timeline.releases(channel), cycles[writes], side="right")
    # Tokens cannot make room for themselves: only those that were there before this write can have been released.
    held = level[writes] - np.minimum(released, level[writes] - count[writes])
    return max(ends.initial, int(held.max(initial=0)))


def utilisation(timeline: Timeline, process: str) -> float | None:
    """Return the pipeline utilisation of a process (`utilisation_of`), None where ii is 0 or nothing started."""
    start = timeline.start(process)
    start = start[start != NEVER]
    ii = timeline.network.process(process).ii
    return utilisation_of(len(start), int(start[0]), int(start[-1]), ii) if len(start) else None


def utilisation_of(firings: int, first: int, last: int, ii: int) -> float | None:
    """Return firings / ((last - first) / ii + 1) for starts from cycle ``first`` to ``last``, None where ii is 0.

    Examples
    --------
    >>> utilisation_of(16, first=10, last=73, ii=1)
    0.25

    Source: van Teijlingen 2014, tables 6.1 and 6.2.
    """
    return firings / ((last - first) / ii + 1) if ii else None


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


def curve(begins: Int64Array, ends: Int64Array, *, until: int, base: int = 0) -> Curve:
    """Return the number of intervals ``[begin, end)`` that hold over ``[0, until)``, plus ``base``.

    Examples
    --------
    >>> [part.tolist() for part in curve(np.array([0, 1]), np.array([3, 4]), until=5)]
    [[0, 1, 3, 4], [1, 2, 1, 0]]
    """
    cycles = np.concatenate([[0], begins, ends]).astype(np.int64)
    change = np.concatenate([[base], np.ones(len(begins)), -np.ones(len(ends))]).astype(np.int64)
    at, index = np.unique(cycles, return_inverse=True)
    values = np.cumsum(np.bincount(index, weights=change, minlength=len(at)).astype(np.int64))
    # Points between which nothing changes, and those beyond the end, say nothing.
    told = (np.diff(values, prepend=values[0] - 1) != 0) & (at < max(until, 1))
    return at[told], values[told]


def _all_executes(timeline: Timeline) -> list[tuple[Int64Array, Int64Array]]:
    return [executes(timeline, process.name) for process in timeline.network.processes]


def _active(begins: Int64Array, ends: Int64Array, cycles: int) -> Int64Array:
    """Return how many of the intervals ``[begin, end)`` hold in each of the first ``cycles`` cycles."""
    change = np.bincount(np.minimum(begins, cycles), minlength=cycles + 1)
    change = change - np.bincount(np.minimum(ends, cycles), minlength=cycles + 1)
    return np.cumsum(change)[:cycles]
