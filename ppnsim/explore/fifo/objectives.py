"""How fast a network is at given depths: the finish of its run, or its period in the steady state."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ppnsim.analysis.cycle_ratio import steady_states
from ppnsim.engines.compiled.engine import unsupported
from ppnsim.engines.compiled.trials import Trials
from ppnsim.engines.evaluate import Evaluator
from ppnsim.errors import InputError
from ppnsim.model.monotone import is_monotone
from ppnsim.model.network import Network

Depths = Mapping[str, int | None]

_FIRST_ITERATIONS = 32
_MOST_ITERATIONS = 128  # that are run before the graph alone is asked, which does not depend on how long it takes
_MOST_WITHOUT_GRAPH = 1 << 14


class FinishTiming:
    """Times a network by the finish of its run."""

    def __init__(self, network: Network) -> None:
        self._evaluator = Evaluator(network)

    def time(self, depths: Depths) -> int | None:
        """Return the finish in cycles, None after a deadlock."""
        return self._evaluator.finish(depths)


class PeriodTiming:
    """Times a network by its period, in cycles per graph iteration, however many firings it declares.

    A run that soon repeats itself is the fastest way to know. It does not where a long transient goes before, nor
    where unbounded FIFOs let parts go at different speeds: there the largest cycle ratio of the graph tells.

    Raises
    ------
    InputError
        If a process shares a resource, or something in an elastic or frozen network never repeats.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> timing = PeriodTiming(chain(firings=50, ii=(1, 3, 1)))
    >>> timing.time({"c0": 1, "c1": None}), timing.time({"c0": 1, "c1": 1})
    (Fraction(3, 1), Fraction(3, 1))
    """

    def __init__(self, network: Network) -> None:
        self._network = network.checked()
        if reason := unsupported(self._network):
            raise InputError(f"{reason}: no period is known of such networks (use the finish)")
        self._has_ratio = is_monotone(network)
        varies = any(steps.varies for steps in self._network.steps.values())
        self._trials = None if varies else Trials(self._network)

    def time(self, depths: Depths) -> Fraction | None:
        """Return the period of the slowest process, None if the network deadlocks."""
        trials, iterations = self._trials, _FIRST_ITERATIONS
        most = _MOST_ITERATIONS if self._has_ratio else _MOST_WITHOUT_GRAPH
        while trials is not None and trials.repetition is not None and iterations <= most:
            tapes, ended, found = trials.try_out(depths, iterations)
            if found is not None:
                return found[0].period
            if not ended and not tapes.some_process_started_all():
                return None
            iterations *= 2
        if not self._has_ratio:
            raise InputError(f"no period shows in {most} graph iterations (use the finish)", where=self._network.name)
        periods = [state.period for state in steady_states(self._network.with_depths(depths))]
        known = [period for period in periods if period is not None]
        return max(known) if len(known) == len(periods) else None
