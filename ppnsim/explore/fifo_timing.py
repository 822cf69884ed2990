"""How fast a network is at given depths: the finish of its run, or its period in the steady state."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import networkx as nx

from ppnsim.analysis.cycle_ratio import steady_states
from ppnsim.engines.evaluate import Evaluator
from ppnsim.explore.deadlock_fix import is_monotone
from ppnsim.model.network import Network

Depths = Mapping[str, int | None]


class FinishTiming:
    """Times a network by the finish of its run."""

    def __init__(self, network: Network) -> None:
        self._evaluator = Evaluator(network)

    def time(self, depths: Depths) -> int | None:
        """Return the finish in cycles, None after a deadlock."""
        return self._evaluator.finish(depths)


class PeriodTiming:
    """Times a network by its period, in cycles per graph iteration, however many firings it declares.

    With unbounded FIFOs parts of a network may go at different speeds, and no repetition of the whole is ever seen in a
    run; the largest cycle ratio then tells the period of the slowest. Where everything waits for everything in the end,
    for tokens or for slots, it is run, which is faster.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> timing = PeriodTiming(chain(firings=50, ii=(1, 3, 1)))
    >>> timing.time({"c0": 1, "c1": None}), timing.time({"c0": 1, "c1": 1})
    (Fraction(3, 1), Fraction(3, 1))
    """

    def __init__(self, network: Network) -> None:
        self._network = network.checked()
        self._evaluator = Evaluator(network)
        self._has_ratio = is_monotone(network)
        self._together: dict[frozenset[str], bool] = {}

    def time(self, depths: Depths) -> Fraction | None:
        """Return the period of the slowest process, None if the network deadlocks or never repeats.

        Raises
        ------
        InputError
            If something in an elastic or frozen network never repeats.
        """
        if not self._has_ratio or self._hangs_together(frozenset(name for name in depths if depths[name] is not None)):
            return self._evaluator.period(depths)
        periods = [state.period for state in steady_states(self._network.with_depths(depths))]
        known = [period for period in periods if period is not None]
        return max(known) if len(known) == len(periods) else None

    def _hangs_together(self, bounded: frozenset[str]) -> bool:
        """Return whether every process waits for every other one, by way of tokens and of the slots of these channels."""
        if bounded not in self._together:
            waits = nx.DiGraph([(channel.source, channel.target) for channel in self._network.channels])
            waits.add_nodes_from(process.name for process in self._network.processes)
            waits.add_edges_from((c.target, c.source) for c in self._network.channels if c.name in bounded)
            self._together[bounded] = nx.is_strongly_connected(waits)
        return self._together[bounded]
