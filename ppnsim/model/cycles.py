"""Where every cycle of a process went: starting, done, draining, ii, blocked, starved or resource (T6.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array, distinct
from ppnsim.model.access_waits import read_waits, write_waits
from ppnsim.model.between import AccessCycles
from ppnsim.model.metrics import moves
from ppnsim.model.schedule import Stops
from ppnsim.model.timeline import NEVER, Timeline
from ppnsim.model.waits import due_cycles, frozen_steps, ii_over, readable_from, writable_from

Label = tuple[str, str | None]
_PLAIN = ("starting", "done", "draining", "ii")
_DENSE = 2  # cycles for each end of an interval up to which painting every cycle is faster than sorting the ends


@dataclass(frozen=True, slots=True, eq=False)
class CycleClasses:
    """The class of every cycle of ``[0, stopped)``, as segments of cycles of one class.

    Segment i is ``[edges[i], edges[i + 1])`` (int64) and has code ``codes[i]`` (int16), which indexes ``labels``. These
    are ``(class, cause)``: the cause is the channel of blocked and starved cycles, the name of a resource, else None.
    """

    edges: Int64Array
    codes: NDArray[np.int16]
    labels: tuple[Label, ...]

    def before(self, cycles: Int64Array) -> Int64Array:
        """Return how many cycles before each of ``cycles`` are of each class, shape ``(cycles, labels)``."""
        segment = np.clip(np.searchsorted(self.edges, cycles, side="right") - 1, 0, max(len(self.codes) - 1, 0))
        counted = np.zeros((len(cycles), len(self.labels)), dtype=np.int64)
        if len(self.codes):
            order, labels = np.argsort(segment), len(self.labels)
            # All classes at once: each segment belongs to the first of the cycles that lies behind it.
            behind = np.diff(segment[order], prepend=0, append=len(self.codes))
            key = np.repeat(np.arange(len(cycles) + 1, dtype=np.int64) * labels, behind) + self.codes
            whole = np.bincount(key, weights=np.diff(self.edges), minlength=(len(cycles) + 1) * labels)
            counted[order] = np.cumsum(whole.reshape(-1, labels), axis=0)[:-1]
            within = np.minimum(cycles, self.edges[-1]) - self.edges[segment]
            counted[np.arange(len(cycles)), self.codes[segment]] += within
        return counted

    def within(self, view: tuple[int, int]) -> CycleClasses:
        """Return the segments of the cycles ``[first, last)`` in view, the first and the last one cut there.

        Examples
        --------
        >>> classes = CycleClasses(np.array([0, 5, 7, 9]), np.array([0, 1, 2], dtype=np.int16), (("done", None),) * 3)
        >>> classes.within((6, 8)).edges.tolist(), classes.within((6, 8)).codes.tolist()
        ([6, 7, 8], [1, 2])
        """
        first = max(int(np.searchsorted(self.edges, view[0], side="right")) - 1, 0)
        last = int(np.searchsorted(self.edges, view[1]))
        edges = np.clip(self.edges[first : last + 1], *view)
        return CycleClasses(edges, self.codes[first:last], self.labels)

    def counts(self, more: Int64Array | int = 0) -> dict[str, Any]:
        """Return cycles by class: ``starting, done, draining, ii``, and by cause in ``blocked, starved, resource``.

        The numbers add up to the finish, and to ``more`` cycles by label if given. Causes that cost no cycle are left
        out.
        """
        number = (self.before(self.edges[-1:])[0] + more).tolist()
        result: dict[str, Any] = dict.fromkeys(_PLAIN, 0) | {"blocked": {}, "starved": {}, "resource": {}}
        for (name, cause), cycles in zip(self.labels, number, strict=True):
            if cause is None:
                result[name] = cycles
            elif cycles:
                result[name][cause] = cycles
        return result


def cycle_classes(timeline: Timeline, process: str) -> CycleClasses:
    """Return the class of every cycle of a process: the first that applies, in the order of T6.2.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> cycle_classes(run(predictor()).timeline, "sink").counts()["starved"]
    {'transformer->sink': 63}
    """
    declared = timeline.network.process(process)
    canvas = _Canvas(timeline, process)
    if (stops := timeline.network.stops.get(process)) is not None:
        _paint_scheduled(canvas, stops)
        return canvas.classes()
    if declared.resource is not None:
        _paint_resource(canvas)
    _paint_starved(canvas)
    _paint_ii(canvas)
    start = timeline.start(process)
    if start[-1] != NEVER:
        canvas.paint(("draining", None), int(start[-1]), timeline.stopped)
    _paint_blocked(canvas)
    end = timeline.end(process)
    if not (end == NEVER).any():
        canvas.paint(("done", None), int(end.max()), timeline.stopped)
    started = start[start != NEVER]
    canvas.paint(("starting", None), started, started + 1)
    return canvas.classes()


def waiting_cycles(timeline: Timeline, process: str) -> CycleClasses:
    """Return the blocked and starved cycles of a scheduled process, all others as ``ii``; it takes far less.

    While it waits it neither moves nor starts, so that these cycles are those of `cycle_classes`.
    """
    canvas = _Canvas(timeline, process)
    _paint_waits(canvas)
    return canvas.classes()


class _Canvas:
    """Cycles to be painted from the last class in order to the first, so that the first that applies is on top."""

    def __init__(self, timeline: Timeline, process: str) -> None:
        network = timeline.network
        self.timeline, self.process = timeline, process
        self.inputs = [channel.name for channel in network.inputs(process)]
        self.outputs = [channel.name for channel in network.outputs(process)]
        labels: list[Label] = [(name, None) for name in _PLAIN]
        labels += [("blocked", name) for name in self.outputs] + [("starved", name) for name in self.inputs]
        resource = network.process(process).resource
        self.labels = (*labels, *([("resource", resource)] if resource is not None else []))
        self.coats: list[tuple[int, Int64Array, Int64Array]] = []
        self.steps = network.steps[process]

    @cached_property
    def due(self) -> Int64Array:
        """The cycle from which the process let each firing pass each step."""
        return due_cycles(self.timeline, self.process)

    @cached_property
    def start_before(self) -> Int64Array:
        """The start before each firing, 0 for the first one."""
        start = self.timeline.passed[self.process][0]
        return np.concatenate([[0], np.where(start == NEVER, self.timeline.stopped, start)[:-1]])

    def write_waits(self, channel: str) -> tuple[Int64Array, Int64Array]:
        """Return when the stops of a scheduled process were due, and when the slots that they fill were free."""
        if isinstance(passed := self.timeline.passed, AccessCycles):
            return write_waits(self.timeline, passed, channel)
        return self.due[0], writable_from(self.timeline, channel)

    def read_waits(self, channel: str) -> tuple[Int64Array, Int64Array]:
        """Return when the stops of a scheduled process were due, and when the tokens that they read were there."""
        if isinstance(passed := self.timeline.passed, AccessCycles):
            return read_waits(self.timeline, passed, channel)
        return self.due[0], readable_from(self.timeline, channel)

    def paint(self, label: Label, first: Int64Array | int, last: Int64Array | int) -> None:
        """Give every cycle of the intervals ``[first, last)`` this label."""
        begin, end = (np.atleast_1d(each) for each in np.broadcast_arrays(first, last))
        some = np.flatnonzero((begin < end) & (begin < self.timeline.stopped))
        self.coats.append((self.labels.index(label), begin[some], np.minimum(end[some], self.timeline.stopped)))

    def classes(self) -> CycleClasses:
        """Return what is on top in every cycle."""
        cuts = [cut for _, begin, end in self.coats for cut in (begin, end)]
        if self.timeline.stopped <= _DENSE * sum(map(len, cuts)):
            return self._cycle_by_cycle()
        edges = distinct(np.concatenate([[0, self.timeline.stopped], *cuts]))
        codes = np.full(len(edges) - 1, _PLAIN.index("ii"), dtype=np.int16)
        for code, begin, end in self.coats:
            change = np.bincount(np.searchsorted(edges, begin), minlength=len(edges))
            change -= np.bincount(np.searchsorted(edges, end), minlength=len(edges))
            codes[np.cumsum(change)[:-1] > 0] = code
        told = np.diff(codes, prepend=-1) != 0
        return CycleClasses(np.append(edges[:-1][told], edges[-1]), codes[told], self.labels)

    def _cycle_by_cycle(self) -> CycleClasses:
        """Return the same where many intervals lie in few cycles: nothing is sorted or looked up."""
        stopped = self.timeline.stopped
        codes = np.full(stopped, _PLAIN.index("ii"), dtype=np.int16)
        for code, begin, end in self.coats:
            if len(begin) == 1:
                codes[begin[0] : end[0]] = code
            elif int((end - begin).max(initial=0)) == 1:
                codes[begin] = code
            elif len(begin):
                change = np.bincount(begin, minlength=stopped + 1)
                change -= np.bincount(end, minlength=stopped + 1)
                codes[np.cumsum(change[:-1]) > 0] = code
        told = np.flatnonzero(codes[1:] != codes[:-1]) + 1
        told = np.concatenate([np.arange(min(stopped, 1)), told])
        return CycleClasses(np.append(told, stopped), codes[told], self.labels)

    def at_start(self, port: tuple[str, str]) -> NDArray[np.bool_]:
        """Return for which firings a port acts at offset 0."""
        return np.equal(self.steps.offsets_of(self.steps.port[port], len(self.start_before)), 0)


def _paint_waits(canvas: _Canvas) -> None:
    """A scheduled process stands still for the first declared channel that is not ready (T6.4)."""
    timeline, process = canvas.timeline, canvas.process
    for channel in reversed(timeline.network.channels):
        # From one channel on to itself, its read is looked at first.
        if channel.source == process:
            canvas.paint(("blocked", channel.name), *canvas.write_waits(channel.name))
        if channel.target == process:
            canvas.paint(("starved", channel.name), *canvas.read_waits(channel.name))


def _paint_scheduled(canvas: _Canvas, stops: Stops) -> None:
    """A scheduled process waits, or moves (T6.4)."""
    timeline, process = canvas.timeline, canvas.process
    _paint_waits(canvas)
    begin, end = moves(timeline, process, stops)
    canvas.paint(("ii", None), begin, end)
    start = timeline.start(process)
    if start[-1] != NEVER:
        canvas.paint(("draining", None), np.maximum(begin, start[-1]), np.maximum(end, start[-1]))
    if (last := timeline.last_end(process)) != NEVER:
        canvas.paint(("done", None), last, timeline.stopped)
    started = start[start != NEVER]
    canvas.paint(("starting", None), started, started + 1)


def _paint_starved(canvas: _Canvas) -> None:
    """An input that is due, or that the next firing needs, is not there."""
    for name in reversed(canvas.inputs):
        since = np.where(canvas.at_start(("in", name)), canvas.start_before, canvas.due[canvas.steps.port["in", name]])
        canvas.paint(("starved", name), since, readable_from(canvas.timeline, name))


def _paint_blocked(canvas: _Canvas) -> None:
    """A due write or a start has no slot; or an elastic pipeline is full and its oldest firing's write has none."""
    declared = canvas.timeline.network.process(canvas.process)
    capacity = canvas.steps.capacity
    for name in reversed(canvas.outputs):
        free = writable_from(canvas.timeline, name)
        canvas.paint(("blocked", name), canvas.due[canvas.steps.port["out", name]], free)
        if declared.style == "elastic" and capacity is not None and declared.firings > capacity:
            full = ii_over(canvas.timeline, canvas.process)[capacity:]
            canvas.paint(("blocked", name), full, free[: len(full)])


def _paint_ii(canvas: _Canvas) -> None:
    """Too few unheld cycles since the last start, or a frozen step without a start."""
    declared = canvas.timeline.network.process(canvas.process)
    if declared.style == "frozen":
        step, cycle = frozen_steps(canvas.timeline, canvas.process)
        canvas.paint(("ii", None), cycle, cycle + np.diff(step, append=step[-1] + 1))
    else:
        canvas.paint(("ii", None), canvas.start_before[1:], ii_over(canvas.timeline, canvas.process)[1:])


def _paint_resource(canvas: _Canvas) -> None:
    """Everything that the next start needs is there, except a unit of the resource."""
    label = ("resource", canvas.timeline.network.process(canvas.process).resource)
    possible = canvas.due[0].copy()
    for name in canvas.inputs:
        np.maximum(possible, readable_from(canvas.timeline, name), out=possible, where=canvas.at_start(("in", name)))
    for name in canvas.outputs:
        np.maximum(possible, writable_from(canvas.timeline, name), out=possible, where=canvas.at_start(("out", name)))
    start = canvas.timeline.start(canvas.process)
    canvas.paint(label, possible, np.where(start == NEVER, canvas.timeline.stopped, start))
