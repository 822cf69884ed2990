"""One graph iteration of a network as a marked graph: who waits for whom, how long, and how many iterations back.

Its nodes are the moments in which firings of one iteration pass their steps; what always passes together is one node.
Tokens and slots are counted on into the past, as if the network had always been running.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppnsim.analysis.firing_waits import Kind, Waits, own_waits
from ppnsim.analysis.howard import Edges
from ppnsim.analysis.movers import movers
from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.repetition import rates_of

_LARGEST = 1_000_000  # passings of one iteration


@dataclass(frozen=True, slots=True, eq=False)
class SteadyGraph:
    """The edges, and for each of them why its target waits: a `Kind` and the process or channel that it belongs to.

    ``start[p]`` is the node of the first start of process p in an iteration. An edge that waits for a slot spans
    ``floor((depth + ahead) / tokens) + 1`` iterations of firings: ``tokens`` pass its channel in an iteration, and
    ``ahead`` is how many leave the channel before the read less how many have come in with the write.
    """

    edges: Edges
    kind: Int64Array
    part: tuple[str, ...]
    belongs: Int64Array
    start: Mapping[str, int]
    ahead: Int64Array
    tokens: Int64Array

    def reason(self, edge: int) -> tuple[Kind, str]:
        """Return the kind of an edge, and the name of the process or channel."""
        return Kind(int(self.kind[edge])), self.part[int(self.belongs[edge])]


def phases_of(network: Network) -> dict[str, int]:
    """Return after how many firings each process does the same again: its rates and latencies come round.

    Raises
    ------
    InputError
        If something of the network never comes round, or does not obey maxima of sums.
    """
    phases = {process.name: _phases_of_latency(network, process) for process in network.processes}
    for channel in network.channels:
        rates = rates_of(network, channel)
        if rates is None:
            words = "its tokens are listed firing by firing; only rates repeat without end"
            raise InputError(f"no steady state: {words}", where=channel.where)
        for name, cycle in ((channel.source, rates.produce), (channel.target, rates.consume)):
            phases[name] = int(np.lcm(phases[name], len(cycle)))
    return phases


def _phases_of_latency(network: Network, process: Process) -> int:
    if process.resource is not None:
        words = f"it shares resource '{process.resource}', whose order of grants is not a maximum of sums"
    elif process.style == "flushable":
        words = "it is flushable, and its stalls are not a maximum of sums"
    elif process.name in network.stops:
        return len(network.stops[process.name].at)
    elif not network.steps[process.name].varies:
        return 1
    else:
        # Seen twice at least: any list of n numbers repeats after n.
        latencies = network.steps[process.name].latencies
        for period in range(1, len(latencies) // 2 + 1):
            if (latencies[period:] == latencies[:-period]).all():
                return period
        words = "its latency differs from firing to firing and does not repeat"
    raise InputError(f"no steady state: {words}", where=process.where)


def steady_graph(
    network: Network, phases: Mapping[str, int], firings: Mapping[str, int], members: Sequence[str]
) -> SteadyGraph:
    """Return the graph of one iteration of ``members``, processes that channels connect, with that many firings each.

    Raises
    ------
    InputError
        If an iteration is too long to be unrolled.
    """
    passings = sum(firings[name] * network.steps[name].count for name in members)
    if passings > _LARGEST:
        words = f"one graph iteration of '{members[0]}' and what it is connected to has {passings} pipeline steps"
        words += (
            f"; at most {_LARGEST} are unrolled (`ppnsim estimate` has period and depths of large ones from the graph)"
        )
        raise InputError(f"no steady state: {words}")
    rows = Rows(network, phases, firings)
    for name in members:
        rows.add_process(network.process(name))
    for channel in network.channels:
        if channel.source in rows.nodes:
            rows.add_channel(channel)
    return rows.graph()


class Rows:
    """The graph while it grows, as columns of edges.

    ``firings`` of each process are unrolled, which take it ``units``: distances are in these, and 1 each where
    ``firings`` are an iteration of the whole graph. See `movers` for what reaches ``farthest``; distances
    that are ``large`` are whole numbers of Python.
    """

    def __init__(
        self, network: Network, phases: Mapping[str, int], firings: Mapping[str, int],
        units: Mapping[str, int] | None = None, *, farthest: bool = False, large: bool = False,
    ) -> None:  # fmt: skip
        self.network, self.phases, self.firings, self.farthest = network, phases, firings, farthest
        self.units = units or dict.fromkeys(firings, 1)
        self.dtype: Any = object if large else np.int64
        self.nodes: dict[str, Int64Array] = {}  # node in which firing n passes step k, shape (steps, firings)
        self.shift: dict[str, Int64Array] = {}  # iterations by which that node's is later than the firing's
        self.count = 0
        self.columns: list[tuple[Int64Array, Int64Array, Int64Array, NDArray[Any], Int64Array, int, str, int]] = []

    def add_process(self, process: Process) -> None:
        """Add the nodes of a process and the waits in its own pipeline."""
        name, steps = process.name, self.network.steps[process.name]
        count, period = self.firings[name], self.phases[name]
        firing = np.arange(count, dtype=np.int64)
        offsets = steps.offsets[:, :period] if steps.varies else steps.offsets[:, None]
        offset = offsets[:, firing % offsets.shape[1]]
        if process.style == "frozen":
            length, place = count * process.ii, firing * process.ii + offset
            if (stops := steps.stops) is not None:
                # An iteration may have more runs than are declared.
                place = stops.first(count)[None]
                length = count // len(stops.at) * stops.schedule.steps
            residue, node = np.unique(place % length, return_inverse=True)
            shift = place // length
        else:
            residue, node = np.unique(firing * (steps.deepest + 1) + offset, return_inverse=True)
            shift = np.zeros_like(offset)
        self.nodes[name], self.shift[name] = self.count + node.reshape(offset.shape), shift
        if process.style == "frozen":
            ring = self.count + np.arange(len(residue), dtype=np.int64)
            wraps = np.append(np.zeros(len(residue) - 1, dtype=np.int64), 1)
            apart = np.roll(residue, -1) - residue + wraps * length
            self.columns.append(
                (
                    ring,
                    np.roll(ring, -1),
                    apart,
                    wraps.astype(self.dtype) * self.units[name],
                    np.zeros_like(ring),
                    Kind.STEP,
                    name,
                    1,
                )
            )
        else:
            for waits in own_waits(process, offsets, steps.capacity, firing):
                self.add(name, name, waits, name)
        self.count += len(residue)

    def add_channel(self, channel: Channel) -> None:
        """Add the tokens that the consumer waits for and the slots that the producer waits for."""
        source, target, name = channel.source, channel.target, channel.name
        rates = rates_of(self.network, channel)
        assert rates is not None
        put, taken = _running(rates.produce, self.firings[source]), _running(rates.consume, self.firings[target])
        port_out = self.network.steps[source].port["out", name]
        port_in = self.network.steps[target].port["in", name]
        reads = np.flatnonzero(np.diff(taken, prepend=0))
        index = taken[reads] - 1 - channel.initial
        which, written, back = movers(
            index, put, int(taken[-1]), self.units[source], self.dtype, farthest=self.farthest
        )
        tokens = Waits(
            kind=Kind.TOKEN, source_step=port_out, source_firing=written,
            target_step=port_in, target_firing=reads[which], weight=self.network.forward(name),
        )  # fmt: skip
        self.add(source, target, tokens, name, back)
        if channel.depth is not None:
            writes = np.flatnonzero(np.diff(put, prepend=0))
            slot = channel.initial + put[writes] - channel.depth - 1
            which, read, back = movers(
                slot, taken, int(put[-1]), self.units[target], self.dtype, farthest=self.farthest
            )
            slots = Waits(
                kind=Kind.SLOT, source_step=port_in, source_firing=read,
                target_step=port_out, target_firing=writes[which], weight=self.network.release(name),
            )  # fmt: skip
            left = np.concatenate([[0], taken[:-1]])[read]
            self.add(target, source, slots, name, back, left - channel.initial - put[writes[which]], int(put[-1]))

    def add(
        self, source: str, target: str, waits: Waits, part: str, back: NDArray[Any] | None = None,
        ahead: Int64Array | None = None, tokens: int = 1,
    ) -> None:  # fmt: skip
        """Add waits of one process for another as edges, that reach ``back`` so many units if sources do not tell."""
        iteration, phase = np.divmod(waits.source_firing, self.firings[source])
        distance = (
            self.shift[target][waits.target_step, waits.target_firing].astype(self.dtype) * self.units[target]
            - self.shift[source][waits.source_step, phase].astype(self.dtype) * self.units[source]
            + (-iteration.astype(self.dtype) * self.units[source] if back is None else back)
        )  # fmt: skip
        weight = np.broadcast_to(np.asarray(waits.weight, dtype=np.int64), distance.shape)
        self.columns.append(
            (
                self.nodes[source][waits.source_step, phase],
                self.nodes[target][waits.target_step, waits.target_firing],
                weight, distance, np.zeros(len(weight), dtype=np.int64) if ahead is None else ahead, waits.kind, part,
                tokens,
            )
        )  # fmt: skip

    def graph(self) -> SteadyGraph:
        """Return what has been added."""
        source, target, weight, distance, ahead = (
            np.concatenate([column[place] for column in self.columns]) for place in range(5)
        )
        lengths = [len(column[0]) for column in self.columns]
        part = tuple(dict.fromkeys(column[6] for column in self.columns))
        number = {name: index for index, name in enumerate(part)}
        return SteadyGraph(
            edges=Edges(self.count, source, target, weight, distance),
            kind=np.repeat([int(column[5]) for column in self.columns], lengths),
            part=part,
            belongs=np.repeat([number[column[6]] for column in self.columns], lengths),
            start={name: int(nodes[0, 0]) for name, nodes in self.nodes.items()},
            ahead=ahead,
            tokens=np.repeat([column[7] for column in self.columns], lengths),
        )


def _running(rates: tuple[int, ...], firings: int) -> Int64Array:
    """Return how many tokens firings 0 .. n move together."""
    return np.cumsum(np.resize(np.array(rates, dtype=np.int64), firings))
