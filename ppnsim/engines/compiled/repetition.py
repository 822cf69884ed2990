"""Networks that repeat: firings per graph iteration, fewer iterations, and listed tokens as rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import lcm

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.model.latency import Distribution
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.repetition import rates_of, repetition_vector
from ppnsim.model.scheduled_tokens import is_scheduled
from ppnsim.model.tokens import Rates

_PER_FIRING = (tuple, Distribution)  # kinds of latencies
_ONE = Rates()


@dataclass(frozen=True, slots=True, eq=False)
class Repetition:
    """A network whose firings are whole graph iterations and a rest.

    Attributes
    ----------
    network : the network, with rates for all its tokens.
    rates : of each channel; per passing, at a scheduled process.
    firings : of each process, per graph iteration; whole cycles of its rates. Passings, of a scheduled process.
    iterations : that all its processes can make.
    """

    network: Network
    rates: Mapping[str, Rates]
    firings: Mapping[str, int]
    iterations: int

    @classmethod
    def of(cls, network: Network) -> Repetition | None:
        """Return the repetition of a network; None if it has a latency per firing, or tokens that do not repeat."""
        if any(isinstance(process.latency, _PER_FIRING) for process in network.processes):
            return None
        if any(stops.schedule.runs == 1 for stops in network.stops.values()):
            return None  # one run is all of it
        if moves_single_tokens(network):
            rates = dict.fromkeys([channel.name for channel in network.channels], _ONE)
            firings = dict.fromkeys([process.name for process in network.processes], 1)
            return cls(network, rates, firings, min(process.firings for process in network.processes))
        network = with_cyclic_rates(network)
        phases = {process.name: _phases(network, process.name) for process in network.processes}
        rates = {}
        for channel in network.channels:
            if (found := rates_of(network, channel)) is None:
                return None
            rates[channel.name] = found
            phases[channel.source] = lcm(phases[channel.source], len(found.produce))
            phases[channel.target] = lcm(phases[channel.target], len(found.consume))
        # A channel that no token ever goes through holds nobody up.
        used = [
            channel for channel in network.channels if any(rates[channel.name].produce + rates[channel.name].consume)
        ]
        try:
            firings = repetition_vector(phases, used, rates)
        except InputError:  # rates that do not balance pile up tokens, which is legal and never repeats
            return None
        iterations = min(network.passings_of(name) // count for name, count in firings.items())
        return cls(network, rates, firings, iterations)

    def shortened(self, iterations: int) -> Network:
        """Return the network with ``iterations`` fewer (more, if negative) graph iterations."""
        processes = [
            self._fewer(process, iterations * self.firings[process.name]) for process in self.network.processes
        ]
        return self.network.replace(processes=processes)

    def limits(self, network: Network, iterations: int) -> dict[str, tuple[int, int]]:
        """Return between which passings each process of ``network``, which has fewer iterations, repeats: nearly all.

        The first one has none before it, and behind the last one comes the end.
        """
        del iterations
        return {process.name: (1, network.passings_of(process.name) - 1) for process in network.processes}

    def fewer_tokens(self, channel: str, iterations: int) -> int:
        """Return the tokens that a channel holds less at the most with so many iterations fewer: none."""
        del channel, iterations
        return 0

    def only(self, iterations: int) -> Network:
        """Return the network with so many graph iterations, and no firings beyond them."""
        network = self.network
        processes = [
            self._fewer(process, network.passings_of(process.name) - iterations * self.firings[process.name])
            for process in network.processes
        ]
        return network.replace(processes=processes)

    def _fewer(self, process: Process, passings: int) -> Process:
        if process.schedule is None:
            return replace(process, firings=process.firings - passings)
        fewer = passings // len(self.network.stops[process.name].at)
        schedule = replace(process.schedule, runs=process.schedule.runs - fewer)
        return replace(process, schedule=schedule, firings=schedule.firings)


def moves_single_tokens(network: Network) -> bool:
    """Return whether each firing writes and reads one token of each of its channels."""
    return not network.stops and all(channel.tokens == _ONE for channel in network.channels)


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


def _phases(network: Network, process: str) -> int:
    """Return the passings after which a process does the same again, its channels aside."""
    stops = network.stops.get(process)
    return 1 if stops is None else len(stops.at)


def _cyclic(network: Network, channel: Channel) -> Channel:
    counts = network.counts[channel.name]
    if isinstance(channel.tokens, Rates) or is_scheduled(channel) or counts.kind != "IOM-" or counts.reads is None:
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
