"""Networks that repeat: firings per graph iteration, fewer iterations, and listed tokens as rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import lcm

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.model.latency import Distribution
from ppnsim.model.network import Channel, Network
from ppnsim.model.repetition import repetition_vector
from ppnsim.model.tokens import Rates


@dataclass(frozen=True, slots=True, eq=False)
class Repetition:
    """A network whose firings are whole graph iterations and a rest.

    Attributes
    ----------
    network : the network, with rates for all its tokens.
    firings : of each process, per graph iteration; whole cycles of its rates.
    iterations : that all its processes can make.
    """

    network: Network
    firings: Mapping[str, int]
    iterations: int

    @classmethod
    def of(cls, network: Network) -> Repetition | None:
        """Return the repetition of a network; None if it has a latency per firing, or tokens that do not repeat."""
        if any(isinstance(process.latency, tuple | Distribution) for process in network.processes):
            return None
        network = with_cyclic_rates(network)
        if any(not isinstance(channel.tokens, Rates) for channel in network.channels):
            return None
        phases = dict.fromkeys((process.name for process in network.processes), 1)
        for channel in network.channels:
            assert isinstance(channel.tokens, Rates)
            phases[channel.source] = lcm(phases[channel.source], len(channel.tokens.produce))
            phases[channel.target] = lcm(phases[channel.target], len(channel.tokens.consume))
        try:
            firings = repetition_vector(phases, network.channels)
        except InputError:  # rates that do not balance pile up tokens, which is legal and never repeats
            return None
        iterations = min(process.firings // firings[process.name] for process in network.processes)
        return cls(network, firings, iterations)

    def shortened(self, iterations: int) -> Network:
        """Return the network with ``iterations`` fewer (more, if negative) graph iterations."""
        processes = [
            replace(process, firings=process.firings - iterations * self.firings[process.name])
            for process in self.network.processes
        ]
        return self.network.replace(processes=processes)


def with_cyclic_rates(network: Network) -> Network:
    """Return the network with rates for every channel whose listed tokens say the same; cycles are not changed.

    Those are channels in order and without multiplicity, all of whose tokens are read, where counts per firing come
    round with a period that divides the firings: one outer iteration of a loop nest. Others stay as they are.

    Examples
    --------
    >>> from ppnsim.model.network import Process
    >>> from ppnsim.model.tokens import Runs
    >>> every_fourth = Channel(name="c", source="a", target="b", tokens=Runs(((3, 4, 5),), ((0, 1, 5),)))
    >>> network = Network(processes=[Process(name="a", firings=20), Process(name="b", firings=5)],
    ...                   channels=[every_fourth])
    >>> with_cyclic_rates(network).channel("c").tokens
    Rates(produce=(0, 0, 0, 1), consume=(1,))
    """
    if all(isinstance(channel.tokens, Rates) for channel in network.channels):
        return network
    channels = [_cyclic(network, channel) for channel in network.channels]
    return network.replace(channels=channels)


def _cyclic(network: Network, channel: Channel) -> Channel:
    counts = network.counts[channel.name]
    if isinstance(channel.tokens, Rates) or counts.kind != "IOM-" or counts.reads is None:
        return channel
    if not np.array_equal(counts.reads[:, 1], np.arange(counts.initial + counts.written)):
        return channel
    produced = np.diff(counts.put.first(network.process(channel.source).firings), prepend=0)
    consumed = np.bincount(counts.reads[:, 0], minlength=network.process(channel.target).firings)
    produce, consume = _round(produced), _round(consumed)
    return channel if produce is None or consume is None else replace(channel, tokens=Rates(produce, consume))


def _round(counts: Int64Array) -> tuple[int, ...] | None:
    """Return the shortest part of which ``counts`` are several repetitions (or the only one), None if there is none."""
    number = len(counts)
    small = [d for d in range(1, int(number**0.5) + 1) if number % d == 0]
    for period in sorted({*small, *(number // d for d in small)}):
        if (period < number or number == 1) and np.array_equal(counts[period:], counts[: number - period]):
            return tuple(counts[:period].tolist())
    return None
