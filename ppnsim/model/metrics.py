"""Figures of a timeline: parallelism, occupancy and utilisation (T6.1).

Curves are change points: ``(cycles, values)`` where ``values[i]`` holds from ``cycles[i]`` to ``cycles[i + 1]`` and the
last one to ``timeline.stopped``; all int64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array, ascending
from ppnsim.model.between import AccessCycles
from ppnsim.model.schedule import Stops
from ppnsim.model.timeline import NEVER, Timeline

Curve = tuple[Int64Array, Int64Array]
_DENSE = 4  # cycles for each change up to which counting them all is faster than sorting the changes


@dataclass(frozen=True, slots=True)
class Parallelism:
    """Average and maximum degree of parallelism; the average is None where the run has no finish.

    Source: van Teijlingen 2014, definitions 4.3 and 4.4.
    """

    average: float | None
    maximum: int


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """Cycles in which something happens: each of ``cycles``, and ``later`` by a number that is the same for all."""

    cycles: Int64Array
    later: int = 0

    def __len__(self) -> int:
        return len(self.cycles)

    def within(self, first: int, last: int) -> tuple[int, Int64Array]:
        """Return how many of ascending events come before ``first``, and those of ``[first, last)``, from there on.

        Examples
        --------
        >>> before, own = Events(np.array([1, 4, 5, 9])).within(4, 9)
        >>> before, own.tolist()
        (1, [0, 1])
        """
        begin, end = np.searchsorted(self.cycles, (first - self.later, last - self.later)).tolist()
        return begin, self.cycles[begin:end] - (first - self.later)


def parallelism(timeline: Timeline, profile: Curve | None = None) -> Parallelism:
    """Return average and maximum degree of parallelism: execute cycles per cycle, and most executes at once.

    ``profile`` is that of `parallelism_profile`, if it is known already.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> parallelism(run(predictor()).timeline)
    Parallelism(average=2.0602409638554215, maximum=5)
    """
    cycles, at_once = profile or parallelism_profile(timeline)
    average = None
    if timeline.complete:
        busy = int((np.diff(cycles, append=timeline.finish) * at_once).sum())
        average = busy / timeline.finish if timeline.finish else 0.0
    return Parallelism(average, int(at_once.max()))


def parallelism_profile(timeline: Timeline) -> Curve:
    """Return how many firings execute over time."""
    each = [executes(timeline, process.name) for process in timeline.network.processes]
    if _is_dense(timeline.stopped, *(side for pair in each for side in pair)):
        return _counted_by_cycle(each, max(timeline.stopped, 1), base=0)
    begins, ends = (np.concatenate(side) for side in zip(*each, strict=True))
    return curve(begins, ends, until=timeline.stopped)


def executes(timeline: Timeline, process: str) -> tuple[Int64Array, Int64Array]:
    """Return the first execute cycle of every firing of a process that started, and the cycle after its last one."""
    begin, end = executions(timeline, process)
    return begin.cycles + begin.later, end.cycles + end.later


def executions(timeline: Timeline, process: str) -> tuple[Events, Events]:
    """Return the same as `executes`: where a whole pipeline is alike in all firings, without a copy of its cycles."""
    if (stops := timeline.network.stops.get(process)) is not None:
        begin, end = moves(timeline, process, stops)
        return Events(begin), Events(end)
    steps, start = timeline.network.steps[process], timeline.start(process)
    started = slice(None) if timeline.complete else start != NEVER
    if len(steps.latencies) == 1:
        return Events(start[started], steps.read), Events(start[started], steps.read + int(steps.latencies[0]))
    return Events(start[started], steps.read), Events((start + steps.latencies)[started], steps.read)


def moves(timeline: Timeline, process: str, stops: Stops) -> tuple[Int64Array, Int64Array]:
    """Return when a scheduled process moves: first cycles, and the cycles after; in between each cycle is a step."""
    at = timeline.passed[process][0]
    happened = at != NEVER
    steps = np.append(stops.gaps[1:], 1)  # from each stop up to the next one, a step in each cycle
    return at[happened], np.minimum(at + steps, max(timeline.stopped, 1))[happened]


def touching(timeline: Timeline, process: str, window: tuple[int, int]) -> Int64Array:
    """Return the firings that touch the cycles ``[first, last)``; one that never ended lasts to the end of the run."""
    start, end = timeline.start(process), timeline.end(process)
    lasts = (end > window[0]) | (start >= window[0]) | (end == NEVER)
    return np.flatnonzero(lasts & (start != NEVER) & (start < window[1]))


def occupancy(timeline: Timeline, channel: str, window: tuple[int, int] | None = None) -> Curve:
    """Return how many tokens the channel holds over time: initial + written - released.

    With a ``window`` of cycles ``[first, last)`` the curve begins with what the channel holds in its first cycle, and
    ends before its last one.
    """
    writes, releases = slots_taken(timeline, channel)
    base = timeline.network.channel(channel).initial
    first, last = window or (0, timeline.stopped + 1)  # a write of latency 0 may come in the very cycle of the finish
    if window is not None:
        (before, writes), (gone, releases) = (Events(each).within(first, last) for each in (writes, releases))
        base += before - gone
    cycles, tokens = curve(writes, releases, base=base, until=last - first)
    return cycles + first, tokens


def slots_taken(timeline: Timeline, channel: str) -> tuple[Int64Array, Int64Array]:
    """Return when slots of a channel are taken, and when they are free again; each side ascends."""
    writes = timeline.token_writes(channel)
    return ascending(writes if timeline.complete else writes[writes != NEVER]), timeline.releases(channel)


def max_occupancy(timeline: Timeline, channel: str) -> int:
    """Return the smallest depth that would have let the same run happen: the most tokens held at a time (T6.3).

    A token that is written and released in one cycle counts, because its slot was needed, and so do those that wait in
    this cycle for the others that are read with them.
    """
    return max(timeline.network.channel(channel).initial, most_after_writes(timeline, channel))


def most_after_writes(timeline: Timeline, channel: str, before: int | None = None) -> int:
    """Return the most tokens held after a write, of those before cycle ``before`` if it is given; 0 without one."""
    network, ends = timeline.network, timeline.network.channel(channel)
    lag = network.forward(channel) + network.release(channel)
    if lag and isinstance(timeline.passed, AccessCycles):  # of what one step writes, the last write holds most
        cycles = timeline.token_writes(channel)
        count = np.ones(len(cycles), dtype=np.int64)
        level = np.arange(1, len(cycles) + 1, dtype=np.int64) + ends.initial
    else:
        count, level = network.counts[channel].put_by(network.passings_of(ends.source))
        cycles = timeline.passed[ends.source][network.steps[ends.source].port["out", channel]]
    writes = (count > 0) & (cycles != NEVER)
    if before is not None:
        writes &= cycles < before
    if not writes.all():
        count, level, cycles = count[writes], level[writes], cycles[writes]
    releases, until = timeline.releases(channel), timeline.stopped + 1
    if until <= _DENSE * (len(releases) + len(cycles)):
        released = np.cumsum(np.bincount(np.minimum(releases, until), minlength=until + 1))[cycles]
    else:
        released = np.searchsorted(releases, cycles, side="right")
    # Tokens cannot make room for themselves: only those that were there before this write can have been released.
    there = level - count
    if not lag:
        there = _freed_by(timeline, channel, there - ends.initial)
    held = level - np.minimum(released, there)
    return int(held.max(initial=0))


def _freed_by(timeline: Timeline, channel: str, written: Int64Array) -> Int64Array:
    """Return how many tokens firings of the consumer can have freed that need none but the first ``written`` ones."""
    network = timeline.network
    counts, firings = network.counts[channel], network.passings_of(network.channel(channel).target)
    needed = np.maximum.accumulate(counts.need.first(firings))
    freed = np.concatenate(([0], np.cumsum(counts.freed.each(firings))))
    found: Int64Array = freed[np.searchsorted(needed, written, side="left")]
    return found


def utilisation_of(firings: int, first: int, last: int, ii: float) -> float | None:
    """Return firings / ((last - first) / ii + 1) for starts from cycle ``first`` to ``last``, None where ii is 0.

    Examples
    --------
    >>> utilisation_of(16, first=10, last=73, ii=1)
    0.25

    Source: van Teijlingen 2014, tables 6.1 and 6.2.
    """
    return firings / ((last - first) / ii + 1) if ii else None


def curve(begins: Int64Array, ends: Int64Array, *, until: int, base: int = 0) -> Curve:
    """Return the number of intervals ``[begin, end)`` that hold over ``[0, until)``, plus ``base``.

    Examples
    --------
    >>> [part.tolist() for part in curve(np.array([0, 1]), np.array([3, 4]), until=5)]
    [[0, 1, 3, 4], [1, 2, 1, 0]]
    """
    if _is_dense(until, begins, ends):
        return _counted_by_cycle([(begins, ends)], max(until, 1), base)
    cycles = np.concatenate([[0], begins, ends]).astype(np.int64)
    change = np.concatenate([[base], np.ones(len(begins)), -np.ones(len(ends))]).astype(np.int64)
    at, index = np.unique(cycles, return_inverse=True)
    values = np.cumsum(np.bincount(index, weights=change, minlength=len(at)).astype(np.int64))
    # Points between which nothing changes, and those beyond the end, say nothing.
    told = (np.diff(values, prepend=values[0] - 1) != 0) & (at < max(until, 1))
    return at[told], values[told]


def _is_dense(until: int, *events: Int64Array) -> bool:
    return until <= _DENSE * sum(map(len, events))


def _counted_by_cycle(intervals: Sequence[tuple[Int64Array, Int64Array]], until: int, base: int) -> Curve:
    """Return the same as `curve` for many changes in few cycles: nothing is sorted."""
    # The arrays of a long run are large: each one less is a tenth of the time.
    change = np.zeros(until, dtype=np.int64)
    for begins, ends in intervals:
        change += _by_cycle(begins, until)
        change -= _by_cycle(ends, until)
    told = np.flatnonzero(change)
    if not len(told) or told[0]:
        told = np.concatenate([[0], told])
    change[0] += base
    return told, np.cumsum(change, out=change)[told]


def _by_cycle(events: Int64Array, until: int) -> Int64Array:
    """Return how many events each of the cycles ``[0, until)`` has."""
    if len(events) and int(events.max()) >= until:
        events = events[events < until]
    return np.bincount(events, minlength=until)
