"""Which passings of a finished run wait for which: the edges of its `EventGraph`, rule by rule (T2, T3, T5)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppnsim.analysis.firing_waits import Kind, Waits, own_waits
from ppnsim.analysis.path.event_graph import EventGraph
from ppnsim.arrays import Int64Array, distinct
from ppnsim.errors import InputError
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.timeline import Timeline
from ppnsim.model.waits import held_before

_LARGEST = 8_000_000  # passings of all processes: about 3 GB


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
    network = timeline.network
    check_size(network)
    edges = _Edges(timeline)
    for number, process in enumerate(network.processes):
        edges.inside(number, process)
    for number, channel in enumerate(network.channels):
        edges.tokens(number, channel)
        edges.slots(number, channel)
    for number, resource in enumerate(network.resources):
        edges.units(number, resource)
    return edges.graph()


def check_size(network: Network) -> None:
    """Raise `InputError` if a run of the network is too large to be held as a graph."""
    if is_too_large(network):
        words = f"a run passes {_passings(network)} pipeline steps; at most {_LARGEST} can be explained"
        raise InputError(f"{words}, unless it repeats itself (run fewer firings)")


def is_too_large(network: Network) -> bool:
    """Return whether a run of the network is too large to be held as a graph."""
    return _passings(network) > _LARGEST


def _passings(network: Network) -> int:
    return sum(network.passings_of(each.name) * network.steps[each.name].count for each in network.processes)


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
        self.columns: list[tuple[NDArray[Any], ...]] = []

    def add(self, source: str, target: str, waits: Waits, part: int) -> None:
        """Add what firings of one process wait for in another; an edge from before the first firing is not a wait."""
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
            moments = distinct(self.moment[name])
            place = distinct(_place(self.timeline, process))
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
        need = self.network.counts[channel.name].need.first(self.network.passings_of(channel.target))
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
        counts = self.network.counts[channel.name]
        count, level = counts.put_by(self.network.passings_of(channel.source))
        slot = level - channel.depth - 1
        writes = np.flatnonzero((count > 0) & (slot >= 0))
        freed = counts.freed.first(self.network.passings_of(channel.target))
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
            timeline=self.timeline, moment=self.moment, first=np.array(self.first),
            cycle=np.concatenate(self.cycles), source=source, target=target, weight=weight, kind=kind, part=part,
            source_firing=source_firing, target_firing=target_firing, source_step=step,
        )  # fmt: skip


def _place(timeline: Timeline, process: Process) -> Int64Array:
    """Return a number per passing, shape ``(steps, firings)``; what passes together has the same one."""
    name, steps = process.name, timeline.network.steps[process.name]
    if process.style == "frozen":
        return steps.places(process.firings, process.ii)
    firing = np.arange(process.firings, dtype=np.int64)
    offset = np.stack([steps.offsets_of(step, process.firings) for step in range(steps.count)])
    if process.style == "elastic":
        return firing * (steps.deepest + 1) + offset
    rows = timeline.passed[name]
    beat = rows - held_before(timeline.holds[name], rows, stopped=timeline.stopped)
    place: Int64Array = 2 * beat + (offset == 0)  # a start comes after what is due in its beat
    return place


def _each(value: int | Int64Array, chosen: Int64Array) -> Int64Array:
    if isinstance(value, int):
        return np.full(len(chosen), value, dtype=np.int64)
    return value[chosen]
