"""What all formats write: states, spans and levels over time, whichever kind of run they come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.export.window import Window
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.metrics import occupancy
from ppnsim.model.timeline import NEVER, Timeline


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class States:
    """One state at a time: ``words[codes[i]]`` holds over ticks ``[edges[i], edges[i + 1])``."""

    name: str
    edges: Int64Array
    codes: Int64Array
    words: tuple[str, ...]

    def within(self, window: Window) -> Iterator[tuple[int, int, str]]:
        """Yield ``(first, last + 1, state)`` of the ticks in the window, in order."""
        begin = max(int(np.searchsorted(self.edges, window.first, side="right")) - 1, 0)
        end = min(int(np.searchsorted(self.edges, window.last, side="left")), len(self.codes))
        for place in range(begin, end):
            first, last = int(self.edges[place]), int(self.edges[place + 1])
            yield max(first, window.first), min(last, window.last), self.words[int(self.codes[place])]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spans:
    """Stretches ``[begin, end)`` that may overlap, by ``begin``; `NEVER` ends one that goes on for good.

    ``number`` is the firing of each; ``words`` what each is, None where the number says it all.
    """

    name: str
    begin: Int64Array
    end: Int64Array
    number: Int64Array
    words: Sequence[str] | None = None

    def within(self, window: Window, *, stopped: int) -> Iterator[tuple[int, int, int]]:
        """Yield ``(begin, end, place)`` of those that touch the window, whole; unended ones end at ``stopped``."""
        until = np.where(self.end == NEVER, stopped, self.end)
        touching = (self.begin < window.last) & (np.maximum(until, self.begin + 1) > window.first)
        for place in np.flatnonzero(touching).tolist():
            yield int(self.begin[place]), int(until[place]), place

    def begun(self, window: Window) -> Iterator[tuple[int, int]]:
        """Yield ``(tick, place)``: the last one before the window, at its beginning, then those that begin in it."""
        first, last = np.searchsorted(self.begin, [window.first, window.last]).tolist()
        for place in range(max(first - 1, 0), last):
            yield max(int(self.begin[place]), window.first), place


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Levels:
    """A number over time: ``values[i]`` from tick ``ticks[i]`` on."""

    name: str
    ticks: Int64Array
    values: Int64Array

    def within(self, window: Window) -> Iterator[tuple[int, int]]:
        """Yield ``(tick, value)``: the value at the beginning of the window, then every change in it."""
        place = max(int(np.searchsorted(self.ticks, window.first, side="right")) - 1, 0)
        end = int(np.searchsorted(self.ticks, window.last, side="left"))
        for tick, value in zip(self.ticks[place:end].tolist(), self.values[place:end].tolist(), strict=True):
            yield max(tick, window.first), value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arrows:
    """Reads of tokens: written at ``begin`` by a firing of ``source``, read at ``end`` by a firing of ``target``.

    Numbers are `NEVER` where the process is scheduled: its accesses belong to its steps, not to a firing.
    """

    name: str
    source: str
    target: str
    begin: Int64Array
    end: Int64Array
    source_number: Int64Array
    target_number: Int64Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace:
    """A run as tracks. A tick takes ``tick_ns`` nanoseconds; nothing happens from tick ``stopped`` on."""

    name: str
    tick_ns: float
    stopped: int
    tick: str = "cycle"
    states: tuple[States, ...] = ()
    spans: tuple[Spans, ...] = ()
    levels: tuple[Levels, ...] = ()
    arrows: tuple[Arrows, ...] = ()

    @property
    def parts(self) -> list[str]:
        """The names of what has states or spans, in order."""
        return list(dict.fromkeys([*(each.name for each in self.states), *(each.name for each in self.spans)]))


def trace_of(timeline: Timeline) -> Trace:
    """Return the trace of a network's run: classes and firings of its processes, tokens held by its channels.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> trace = trace_of(run(predictor()).timeline)
    >>> list(trace.states[2].within(Window(14, 20)))
    [(14, 15, 'starved:transformer->sink'), (15, 16, 'starting'), (16, 20, 'starved:transformer->sink')]
    """
    network = timeline.network
    names = [process.name for process in network.processes]
    return Trace(
        name=network.name, tick_ns=network.clock_ns, stopped=timeline.stopped,
        states=tuple(_states(timeline, name) for name in names),
        spans=tuple(_firings(timeline, name) for name in names),
        levels=tuple(_tokens(timeline, channel.name) for channel in network.channels),
        arrows=tuple(_arrows(timeline, channel.name) for channel in network.channels),
    )  # fmt: skip


def _states(timeline: Timeline, process: str) -> States:
    classes = cycle_classes(timeline, process)
    words = tuple(kind if cause is None else f"{kind}:{cause}" for kind, cause in classes.labels)
    return States(name=process, edges=classes.edges, codes=classes.codes.astype(np.int64), words=words)


def _firings(timeline: Timeline, process: str) -> Spans:
    start, end = timeline.start(process), timeline.end(process)
    started = np.flatnonzero(start != NEVER)
    return Spans(name=process, begin=start[started], end=end[started], number=started)


def _tokens(timeline: Timeline, channel: str) -> Levels:
    cycles, tokens = occupancy(timeline, channel)
    return Levels(name=channel, ticks=cycles, values=tokens)


def _arrows(timeline: Timeline, channel: str) -> Arrows:
    ends, counts = timeline.network.channel(channel), timeline.network.counts[channel]
    pairs = timeline.reading_pairs(channel)
    writes, writers = timeline.token_writes(channel), timeline.writers(channel)
    read = timeline.token_reads(channel)
    token = pairs[:, 1] - counts.initial
    shown = np.flatnonzero((token >= 0) & (read != NEVER))
    token = token[shown]
    stops, none = timeline.network.stops, np.full(len(shown), NEVER, dtype=np.int64)
    return Arrows(
        name=channel, source=ends.source, target=ends.target, begin=writes[token], end=read[shown],
        source_number=none if ends.source in stops else writers[token],
        target_number=none if ends.target in stops else pairs[shown, 0],
    )  # fmt: skip
