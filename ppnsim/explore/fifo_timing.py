"""How fast a network is at given depths: the finish of its run, or its period in the steady state."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ppnsim.analysis.cycle_ratio import SteadyState, steady_states
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

    def full(self, _depths: Depths) -> list[str] | None:
        """Return None: which FIFOs are to blame is found by trying."""
        return None


class PeriodTiming:
    """Times a network by its period, in cycles per graph iteration, however many firings it declares.

    With unbounded FIFOs parts of a network may go at different speeds, and no repetition of the whole is ever seen in a
    run; the largest cycle ratio, where there is one, tells the period of the slowest. Depths that are all bounded are
    run, which is faster.

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

    def time(self, depths: Depths) -> Fraction | None:
        """Return the period of the slowest process, None if the network deadlocks or never repeats.

        Raises
        ------
        InputError
            If something in an elastic or frozen network never repeats.
        """
        if not self._has_ratio or None not in depths.values():
            return self._evaluator.period(depths)
        periods = [state.period for state in self._states(depths)]
        known = [period for period in periods if period is not None]
        return max(known) if len(known) == len(periods) else None

    def full(self, depths: Depths) -> list[str] | None:
        """Return the channels whose depth binds on a critical cycle, None if that is not known."""
        if not self._has_ratio:
            return None
        states = self._states(depths)
        stuck = [state for state in states if state.period is None]
        slowest = stuck[0] if stuck else max(states, key=lambda state: state.period or 0)
        return [bind.part for bind in slowest.critical.binds if bind.kind == "depth"]

    def _states(self, depths: Depths) -> tuple[SteadyState, ...]:
        return steady_states(self._network.with_depths(depths))
