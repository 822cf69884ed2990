"""Networks that repeat: how many firings make a graph iteration, and the same network with fewer iterations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import lcm

from ppnsim.errors import InputError
from ppnsim.model.cyclic import with_cyclic_rates
from ppnsim.model.latency import Distribution
from ppnsim.model.network import Network
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
