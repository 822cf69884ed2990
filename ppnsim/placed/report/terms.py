"""Which term binds in a run across nodes: how much each process, port and FIFO was taken, and who waited for it.

Everything is counted in the run. A process is taken by its initiation interval, a link's port by its messages, a
memory's bus by its bursts; a channel that both of its ends wait for binds by itself (N3.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Literal

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.messages.model.loggp import MessageCosts
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.timeline import NEVER
from ppnsim.placed.model.links import Link
from ppnsim.placed.model.memory_ports import MemoryPort
from ppnsim.placed.run.record import PlacedRun

Kind = Literal["process", "overhead", "gap", "bytes", "bus", "credits", "outstanding", "banks", "waiting"]
_ALL_THE_TIME = 0.95  # from which share on something that is taken sets the pace
_SOME_OF_IT = 0.1  # from which share on waiting for a channel is worth naming


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessUse:
    """Shares of the time from a process's first start to its last: taken by its ``ii``, and waiting by channel."""

    taken: float
    blocked: dict[str, float]
    starved: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkUse:
    """Shares of the time from the first message of a direction to when its port was free of the last."""

    source: str
    taken: float
    overhead: float
    gap: float
    bytes: float

    @property
    def largest(self) -> Kind:
        """Return what takes most of the port: o, g or G."""
        parts: tuple[Kind, ...] = ("gap", "bytes", "overhead")
        return max(parts, key=lambda name: float(getattr(self, name)))


@dataclass(frozen=True, slots=True, kw_only=True)
class PortUse:
    """A memory port: mean latency of its requests (ps), mean number under way, and their latency with nobody else."""

    latency: float
    unloaded: float
    under_way: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """What sets the pace: the term, whose it is, and in what share of the time."""

    kind: Kind
    name: str
    share: float


def process_use(run: PlacedRun, process: str) -> ProcessUse:
    """Return what a process did from its first start to its last.

    Examples
    --------
    >>> from ppnsim.placed.run.network import run_placed
    >>> from ppnsim.model.builders import chain
    >>> from ppnsim.placed.model.placement import one_node
    >>> use = process_use(run_placed(one_node(chain(firings=21, depth=1))), "p0")
    >>> round(use.taken, 2), round(use.blocked["c0"], 2)
    (0.54, 0.46)
    """
    start = run.passed[process][0]
    start = start[start != NEVER]
    if not start.size or start[-1] == start[0]:
        return ProcessUse(taken=0.0, blocked={}, starved={})
    window = int(start[-1] - start[0])
    classes = cycle_classes(run.timeline(process), process)
    before = classes.before(np.array([start[0], start[-1]], dtype=np.int64))
    waited: dict[str, dict[str, float]] = {"blocked": {}, "starved": {}}
    for (kind, cause), cycles in zip(classes.labels, (before[1] - before[0]).tolist(), strict=True):
        if kind in waited and cause is not None and cycles:
            waited[kind][cause] = cycles / window
    stops = run.placement.running.stops.get(process)
    if stops is None:
        taken = (len(start) - 1) * run.placement.network.process(process).ii / window
    else:
        taken = int(stops.places[len(start) - 1]) / window  # steps made; the others it stood still
    return ProcessUse(taken=min(taken, 1.0), **waited)


def link_use(run: PlacedRun, link: Link, source: str) -> LinkUse:
    """Return what took the sending port of one direction: nothing if it carried nothing."""
    mine, costs = run.sent(link, source), MessageCosts(link)
    window = mine[-1].started + costs[mine[-1].size].interval - mine[0].started if mine else 0
    if not window:
        return LinkUse(source=source, taken=0.0, overhead=0.0, gap=0.0, bytes=0.0)
    gap = len(mine) * ceil(link.gap)
    size = sum(costs[message.size].port_in for message in mine) - gap
    taken = sum(costs[message.size].interval for message in mine)
    # Where o is longer than g + (s - 1) G, the rest of it is what keeps the next message back.
    return LinkUse(
        source=source, taken=taken / window, overhead=(taken - gap - size) / window, gap=gap / window,
        bytes=size / window,
    )  # fmt: skip


def port_use(run: PlacedRun, port: MemoryPort) -> PortUse | None:
    """Return how long the requests of a memory port took, None if none was completed."""
    dram = next(memory.dram for memory in run.placement.memories if memory.name == port.memory)
    asked, _, done = run.asked[port.name]
    completed = done != NEVER
    if not completed.any():
        return None
    clock = float(dram.clock_ns) * 1000
    took = done[completed] * clock - asked[completed]
    delays, timing = dram.delays, dram.timing
    # The longest that a request takes when it is alone: its bank is open at another row (M8.1).
    alone = delays.read_done + 1 + timing.trcd_read + timing.trp
    window = max(float(done.max() * clock - asked[0]), 1.0)
    return PortUse(
        latency=float(took.mean()), unloaded=(1 if port.write else alone) * clock, under_way=float(took.sum()) / window,
    )  # fmt: skip


def bus_use(run: PlacedRun, memory: str) -> float:
    """Return the share of the time in which the data buses of a memory were taken by the requests of all ports."""
    dram = next(each.dram for each in run.placement.memories if each.name == memory)
    done: list[Int64Array] = [run.asked[p.name].done for p in run.placement.ports if p.memory == memory]
    clocks = np.concatenate([each[each != NEVER] for each in done]) if done else np.zeros(0, dtype=np.int64)
    if len(clocks) < 2 or clocks.max() == clocks.min():
        return 0.0
    return float(len(clocks) * dram.burst / dram.channels / (clocks.max() - clocks.min() + dram.burst))


def round_trip(run: PlacedRun, channel: str) -> float | None:
    """Return the mean time from writing a token to having its slot back, at the writer (ps); None if none came back."""
    ends = run.placement.network.channel(channel)
    network = run.placement.network
    step = run.passed[ends.source][network.steps[ends.source].port["out", channel]]
    writers = network.counts[channel].writing_firings(network.process(ends.source).firings)
    back = run.writable[channel][ends.initial :]
    written = step[writers[: len(back)]]
    known = written != NEVER
    if not known.any():
        return None
    return float((back[: len(written)][known] - written[known]).mean() * run.period(ends.source))


def binding(run: PlacedRun) -> Binding | None:
    """Return what sets the pace of a finished run, None in a deadlock or where nothing waits for anything."""
    if run.finish is None:
        return None
    uses = {process.name: process_use(run, process.name) for process in run.placement.network.processes}
    taken = [Binding(kind="process", name=name, share=use.taken) for name, use in uses.items()]
    for link in run.placement.links:
        for end in link.ends:
            found = link_use(run, link, end)
            taken.append(Binding(kind=found.largest, name=link.name, share=found.taken))
    taken += [Binding(kind="bus", name=m.name, share=bus_use(run, m.name)) for m in run.placement.memories]
    most = max(taken, key=lambda each: each.share)
    if most.share >= _ALL_THE_TIME:
        return most
    waited = _round_trips(run, uses)
    most = max(waited, key=lambda each: each.share, default=most)
    if waited and most.share >= _SOME_OF_IT:
        return most
    waiting = [
        Binding(kind="waiting", name=channel, share=share)
        for use in uses.values() for channel, share in (use.starved | use.blocked).items()
    ]  # fmt: skip
    return max(waiting, key=lambda each: each.share, default=None)


def _round_trips(run: PlacedRun, uses: dict[str, ProcessUse]) -> list[Binding]:
    """Return the channels whose slots are under way: both of their ends wait for them, or the only one there is."""
    found = []
    for channel in run.placement.network.channels:
        if run.placement.crosses(channel):
            blocked = uses[channel.source].blocked.get(channel.name, 0.0)
            starved = uses[channel.target].starved.get(channel.name, 0.0)
            found.append(Binding(kind="credits", name=channel.name, share=min(blocked, starved)))
    for port in run.placement.ports:
        use = uses[port.process]
        share = (use.blocked if port.write else use.starved).get(port.name, 0.0)
        measured = port_use(run, port)
        kind: Kind = "banks" if measured is not None and measured.latency > 1.5 * measured.unloaded else "outstanding"
        found.append(Binding(kind=kind, name=port.name, share=share))
    return found
