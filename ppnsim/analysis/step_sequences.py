"""The steps of processes as sequences of firings, and what each firing waits for, without a node for each firing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ppnsim.analysis.firing_waits import own_waits
from ppnsim.arrays import Int64Array
from ppnsim.model.network import Network
from ppnsim.model.repetition import rates_of


@dataclass(frozen=True, slots=True, eq=False)
class ChannelWait:
    """Firings of sequence ``target`` wait for tokens (or slots) that those of ``source`` move: ``put``, by phase.

    They take ``taken`` of them; ``initial`` are there when both begin. ``cycles`` pass in between.
    """

    source: int
    target: int
    put: Int64Array
    taken: Int64Array
    initial: int
    cycles: int

    def needs(self, firings: int) -> int:
        """Return how many firings of the source the next target waits for that takes something after so many firings.

        Negative numbers are of firings before the first one.
        """
        cycle, phase = divmod(firings, len(self.taken))
        while not self.taken[phase % len(self.taken)]:
            phase += 1
        more, phase = divmod(phase, len(self.taken))
        taken = (cycle + more) * int(self.taken.sum()) + int(self.taken[: phase + 1].sum())
        rounds, left = divmod(taken - self.initial - 1, int(self.put.sum()))
        return rounds * len(self.put) + int(np.searchsorted(np.cumsum(self.put), left, side="right")) + 1


@dataclass(frozen=True, slots=True, eq=False)
class StepSequences:
    """Sequences by number: ``phases`` of each, its ``firings`` in an iteration, and what they wait for.

    ``own[s][k]`` are the (sequence, firings back, cycles) that phase k of sequence s waits for in its own pipeline.
    """

    phases: tuple[int, ...]
    firings: tuple[int, ...]
    own: tuple[tuple[tuple[tuple[int, int, int], ...], ...], ...]
    channels: tuple[ChannelWait, ...]

    @property
    def waits(self) -> int:
        """Waits of an iteration."""
        own = sum(self.firings[s] // count * sum(map(len, self.own[s])) for s, count in enumerate(self.phases))
        return own + sum(self.firings[wait.target] for wait in self.channels)

    def among(self, chosen: Sequence[int]) -> StepSequences:
        """Return these sequences, numbered anew, with their waits for one another."""
        number = {sequence: index for index, sequence in enumerate(chosen)}
        return StepSequences(
            phases=tuple(self.phases[s] for s in chosen),
            firings=tuple(self.firings[s] for s in chosen),
            own=tuple(
                tuple(tuple((number[u], back, w) for u, back, w in waits if u in number) for waits in self.own[s])
                for s in chosen
            ),
            channels=tuple(
                ChannelWait(number[c.source], number[c.target], c.put, c.taken, c.initial, c.cycles)
                for c in self.channels
                if c.source in number and c.target in number
            ),
        )

    def strong_parts(self) -> list[StepSequences]:
        """Return the sequences that wait for each other, one part for each."""
        import networkx as nx  # takes a while

        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(len(self.phases)))
        graph.add_edges_from((c.source, c.target) for c in self.channels)
        graph.add_edges_from((u, s) for s, phases in enumerate(self.own) for waits in phases for u, _, _ in waits)
        return [self.among(sorted(part)) for part in nx.strongly_connected_components(graph)]


def step_sequences(
    network: Network, phases: Mapping[str, int], passings: Mapping[str, int], members: Sequence[str]
) -> StepSequences | None:
    """Return the sequences of elastic processes; None for others, or where steps fall together only in some phases."""
    number: dict[tuple[str, int], int] = {}
    counts, firings = list[int](), list[int]()
    own: list[list[set[tuple[int, int, int]]]] = []
    for name in members:
        process, steps = network.process(name), network.steps[name]
        offsets = steps.offsets[:, : phases[name]] if steps.varies else steps.offsets[:, None]
        first = (offsets[:, None] == offsets[None]).argmax(axis=1)
        if process.style != "elastic" or name in network.stops or (first != first[:, :1]).any():
            return None
        for step in range(steps.count):
            if first[step, 0] == step:
                number[name, step] = len(counts)
                counts.append(phases[name])
                firings.append(passings[name])
                own.append([set[tuple[int, int, int]]() for _ in range(phases[name])])
            else:
                number[name, step] = number[name, int(first[step, 0])]
        for waits in own_waits(process, offsets, steps.capacity, np.arange(phases[name])):
            columns = np.broadcast_arrays(
                waits.source_step, waits.source_firing, waits.target_step, waits.target_firing, waits.weight
            )
            for source, before, target, firing, weight in zip(*(each.tolist() for each in columns), strict=True):
                own[number[name, target]][firing].add((number[name, source], firing - before, weight))
    channels: list[ChannelWait] = []
    for channel in network.channels:
        if (channel.source, 0) in number:
            channels += _channel_waits(network, channel.name, number, phases)
    by_phase = tuple(tuple(tuple(sorted(phase)) for phase in each) for each in own)
    return StepSequences(tuple(counts), tuple(firings), by_phase, tuple(channels))


def _channel_waits(
    network: Network, name: str, number: Mapping[tuple[str, int], int], phases: Mapping[str, int]
) -> list[ChannelWait]:
    """Return the waits for the tokens of a channel and, if it is bounded, for its slots."""
    channel = network.channel(name)
    rates, source, target = rates_of(network, channel), channel.source, channel.target
    assert rates is not None
    put = np.resize(np.array(rates.produce, dtype=np.int64), phases[source])
    taken = np.resize(np.array(rates.consume, dtype=np.int64), phases[target])
    writer = number[source, network.steps[source].port["out", name]]
    reader = number[target, network.steps[target].port["in", name]]
    waits = [ChannelWait(writer, reader, put, taken, channel.initial, network.forward(name))]
    if channel.depth is not None:
        room = channel.depth - channel.initial
        waits.append(ChannelWait(reader, writer, taken, put, room, network.release(name)))
    return waits
