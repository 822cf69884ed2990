"""A finished run as a graph of moments: which passing could not come before which, and by how many cycles.

A moment is what passes together: a step of a firing of an elastic process (steps at one offset are one), a pipeline
step of a frozen one, a start or everything due in one beat of a flushable one. An edge is a rule of `TIMING.md`:
``cycle(target) >= cycle(source) + weight``. It is tight if that holds with equality; the tight ones say why.

Elastic and frozen processes are described by their edges completely. For a flushable process and a shared resource the
graph holds what follows from this run: a due access that was held moves the beats after it, a unit is free when its
holder gives it back. That explains a run exactly, but does not say what another run would do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ppnsim.analysis.firing_waits import Kind, Waits, own_waits
from ppnsim.errors import InputError
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.sequence import Int64Array
from ppnsim.model.timeline import Timeline
from ppnsim.model.waits import held_before

_LARGEST = 8_000_000  # passings of all processes: about 3 GB


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EventGraph:
    """Moments and the edges between them; all arrays are int64.

    Attributes
    ----------
    timeline : of the run.
    moment : per process, the moment in which firing n passes step k, shape ``(steps, firings)``.
    first : of each process, its first moment; the others follow.
    cycle : of each moment.
    source, target, weight : of each edge.
    kind, part : of each edge; the part is the number of a process, channel or resource, as the kind says.
    source_firing, target_firing : of each edge.
    source_step : of each edge inside a process.
    """

    timeline: Timeline
    moment: Mapping[str, Int64Array]
    first: Int64Array
    cycle: Int64Array
    source: Int64Array
    target: Int64Array
    weight: Int64Array
    kind: NDArray[np.int8]
    part: NDArray[np.int32]
    source_firing: Int64Array
    target_firing: Int64Array
    source_step: Int64Array

    def process_of(self, moment: int) -> str:
        """Return the process that a moment belongs to."""
        return self.timeline.network.processes[int(np.searchsorted(self.first, moment, side="right")) - 1].name

    @property
    def tight(self) -> NDArray[np.bool_]:
        """Which edges hold with equality."""
        equal: NDArray[np.bool_] = self.cycle[self.source] + self.weight == self.cycle[self.target]
        return equal


def event_graph(timeline: Timeline) -> EventGraph:
    """Return the graph of a run that finished.

    Raises
    ------
    InputError
        If the run is too large to be held as a graph.

    Examples
    --------
    >>> from ppnsim import chain, run
    >>> graph = event_graph(run(chain(firings=3, length=1, latency=2)).timeline)
    >>> graph.cycle[graph.moment["p0"]].tolist()
    [[0, 1, 2], [2, 3, 4]]
    """
    passings = sum(rows.size for rows in timeline.passed.values())
    if passings > _LARGEST:
        words = f"the run passes {passings} pipeline steps; at most {_LARGEST} can be explained (run fewer firings)"
        raise InputError(words)
    network = timeline.network
    edges = _Edges(timeline)
    for number, process in enumerate(network.processes):
        edges.inside(number, process)
    for number, channel in enumerate(network.channels):
        edges.tokens(number, channel)
        edges.slots(number, channel)
    for number, resource in enumerate(network.resources):
        edges.units(number, resource)
    return edges.graph()


class _Edges:
    def __init__(self, timeline: Timeline) -> None:
        self.timeline, self.network = timeline, timeline.network
        self.moment: dict[str, Int64Array] = {}
        self.cycles: list[Int64Array] = []
        self.first, count = [], 0
        for process in self.network.processes:
            rows = timeline.passed[process.name]
            _, index, node = np.unique(_place(timeline, process), return_index=True, return_inverse=True)
            self.first.append(count)
            self.moment[process.name] = count + node.reshape(rows.shape)
            self.cycles.append(rows.ravel()[index])
            count += len(index)
        self.columns: list[tuple[Int64Array, ...]] = []

    def add(self, source: str, target: str, waits: Waits, part: int) -> None:
        """Add what firings of one process wait for in another; what would be before the first firing is no wait."""
        real = np.flatnonzero(waits.source_firing >= 0)
        step, after = (_each(value, real) for value in (waits.source_step, waits.target_step))
        before, firing = waits.source_firing[real], waits.target_firing[real]
        self.columns.append(
            (
                self.moment[source][step, before], self.moment[target][after, firing], _each(waits.weight, real),
                np.full(len(real), waits.kind, dtype=np.int8), np.full(len(real), part, dtype=np.int32),
                before, firing, step,
            )
        )  # fmt: skip

    def inside(self, number: int, process: Process) -> None:
        """Add what a process waits for in its own pipeline."""
        name, steps = process.name, self.network.steps[process.name]
        if process.style == "frozen":
            moments = np.unique(self.moment[name])
            place = np.unique(_place(self.timeline, process))
            nothing = np.zeros(len(moments) - 1, dtype=np.int64)
            kind = np.full(len(nothing), Kind.STEP, dtype=np.int8)
            part = np.full(len(nothing), number, dtype=np.int32)
            self.columns.append((moments[:-1], moments[1:], np.diff(place), kind, part, nothing, nothing, nothing))
            return
        offsets = steps.offsets if steps.varies else steps.offsets[:, None]
        firing = np.arange(process.firings, dtype=np.int64)
        capacity = steps.capacity if process.style == "elastic" else None
        for waits in own_waits(process, offsets, capacity, firing):
            self.add(name, name, waits, number)
        if process.style == "flushable":
            self._held(number, name)

    def _held(self, number: int, name: str) -> None:
        """Add the end of the hold before each moment of a flushable process: it may not have moved before."""
        ends = self.timeline.holds[name][:, 1]
        rows, offsets = self.timeline.passed[name], self.network.steps[name].offsets
        due = np.broadcast_to(offsets if offsets.ndim == 2 else offsets[:, None], rows.shape) > 0
        cycles, index = np.unique(rows[due], return_index=True)  # starts are not held: theirs come after the due ones
        release = self.moment[name][due][index[np.searchsorted(cycles, ends)]]
        moments, index = np.unique(self.moment[name], return_index=True)
        when = rows.ravel()[index]
        last = np.searchsorted(ends, when, side="right") - 1
        last -= (last >= 0) & (release[last] == moments) if len(ends) else 0
        later = np.flatnonzero(last >= 0)
        source = release[last[later]]
        weight = when[later] - ends[last[later]]
        nothing = np.zeros(len(later), dtype=np.int64)
        kind = np.full(len(later), Kind.HOLD, dtype=np.int8)
        part = np.full(len(later), number, dtype=np.int32)
        self.columns.append((source, moments[later], weight, kind, part, nothing, nothing, nothing))

    def tokens(self, number: int, channel: Channel) -> None:
        """Add the write of the last token that each firing of the consumer reads."""
        need = self.network.flows[channel.name].need.first(self.network.process(channel.target).firings)
        reads = np.flatnonzero(need >= 0)
        waits = Waits(
            kind=Kind.TOKEN, source_step=self.network.steps[channel.source].port["out", channel.name],
            source_firing=self.timeline.writers(channel.name)[need[reads]],
            target_step=self.network.steps[channel.target].port["in", channel.name], target_firing=reads,
            weight=self.network.forward(channel.name),
        )  # fmt: skip
        self.add(channel.source, channel.target, waits, number)

    def slots(self, number: int, channel: Channel) -> None:
        """Add the release of the last slot that each firing of the producer fills."""
        if channel.depth is None:
            return
        flow = self.network.flows[channel.name]
        count, level = flow.put_by(self.network.process(channel.source).firings)
        slot = level - channel.depth - 1
        writes = np.flatnonzero((count > 0) & (slot >= 0))
        freed = flow.freed.first(self.network.process(channel.target).firings)
        waits = Waits(
            kind=Kind.SLOT, source_step=self.network.steps[channel.target].port["in", channel.name],
            source_firing=np.searchsorted(freed, slot[writes], side="right"),
            target_step=self.network.steps[channel.source].port["out", channel.name], target_firing=writes,
            weight=self.network.release(channel.name),
        )  # fmt: skip
        self.add(channel.target, channel.source, waits, number)

    def units(self, number: int, resource: str) -> None:
        """Add, for each start in whose cycle a unit comes free, the start of a firing that held it.

        A start that waits for nothing but a unit comes as soon as a holding that was in its way has ended.
        """
        users = [process for process in self.network.processes if process.resource == resource and process.ii]
        steps = self.network.steps
        given_back = [self.timeline.start(each.name) + steps[each.name].read + each.ii for each in users]
        for process in users:
            wanted = self.timeline.start(process.name) + steps[process.name].read
            found = np.zeros(process.firings, dtype=np.bool_)
            for holder, free in zip(users, given_back, strict=True):
                at = np.minimum(np.searchsorted(free, wanted), len(free) - 1)
                begun = self.timeline.start(holder.name)[at]
                mine = ~found & (free[at] == wanted) & (begun < self.timeline.start(process.name))
                waits = Waits(
                    kind=Kind.RESOURCE, source_step=0, source_firing=at[mine], target_step=0,
                    target_firing=np.flatnonzero(mine), weight=(wanted - steps[process.name].read - begun)[mine],
                )  # fmt: skip
                self.add(holder.name, process.name, waits, number)
                found |= mine

    def graph(self) -> EventGraph:
        """Return what has been added."""
        source, target, weight, kind, part, source_firing, target_firing, step = (
            np.concatenate([column[place] for column in self.columns]) for place in range(8)
        )
        return EventGraph(
            timeline=self.timeline, moment=self.moment, first=np.array(self.first), cycle=np.concatenate(self.cycles), source=source,
            target=target, weight=weight, kind=kind, part=part, source_firing=source_firing,
            target_firing=target_firing, source_step=step,
        )  # fmt: skip


def _place(timeline: Timeline, process: Process) -> Int64Array:
    """Return a number per passing, shape ``(steps, firings)``; what passes together has the same one."""
    name, steps = process.name, timeline.network.steps[process.name]
    firing = np.arange(process.firings, dtype=np.int64)
    offset = np.stack([steps.offsets_of(step, process.firings) for step in range(steps.count)])
    if process.style == "frozen":
        return firing * process.ii + offset
    if process.style == "elastic":
        return firing * (steps.deepest + 1) + offset
    rows = timeline.passed[name]
    beat = rows - held_before(timeline.holds[name], rows, stopped=timeline.stopped)
    return 2 * beat + (offset == 0)


def _each(value: int | Int64Array, chosen: Int64Array) -> Int64Array:
    return np.full(len(chosen), value) if isinstance(value, int) else value[chosen]


def names_of(network: Network, kind: Kind) -> Iterable[str]:
    """Return the names that the parts of edges of this kind number."""
    if kind == Kind.RESOURCE:
        return tuple(network.resources)
    return tuple(part.name for part in (network.channels if kind in (Kind.TOKEN, Kind.SLOT) else network.processes))
