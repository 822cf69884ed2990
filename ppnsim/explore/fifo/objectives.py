"""What counts as time when FIFOs are sized: the finish of a run, or the period of the steady state.

A new objective is a class here that `OBJECTIVES` lists, and a value of ``ppnsim size --objective``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Protocol

from ppnsim.analysis import cycle_ratio
from ppnsim.engines.compiled.engine import unsupported
from ppnsim.engines.compiled.trials import Trials
from ppnsim.engines.evaluate import Evaluator
from ppnsim.errors import InputError, did_you_mean
from ppnsim.model.network import Network, is_monotone

Depths = Mapping[str, int | None]  # by channel, in tokens; None = unbounded
Time = int | Fraction  # in cycles

_FIRST_ITERATIONS = 32
_MOST_ITERATIONS = 128  # that are run before the graph alone is asked, which does not depend on how long it takes
_MOST_WITHOUT_GRAPH = 1 << 14


class Stopwatch(Protocol):
    """What times one network again and again."""

    def time(self, depths: Depths) -> Time | None:
        """Return the time with these depths of all channels, None for a deadlock."""


class Objective(ABC):
    """What counts as time.

    Attributes
    ----------
    name : of the objective, of its key in JSON, and in tables.
    unit : of the time.
    sooner_if_full : whether a time is found sooner where FIFOs can get full, so that no depth is tried that cannot pay.
    """

    name: ClassVar[str]
    unit: ClassVar[str] = "cycles"
    sooner_if_full: ClassVar[bool] = False

    @abstractmethod
    def stopwatch(self, network: Network) -> Stopwatch:
        """Return what times a network."""

    def as_json(self, time: Time | None) -> dict[str, Any]:
        """Return the keys that stand for a time in JSON; null for a deadlock."""
        return {self.name: None if time is None else plain_number(time)}


class FinishObjective(Objective):
    """The finish of the run."""

    name = "finish"

    def stopwatch(self, network: Network) -> Stopwatch:
        """Return what runs a network to its end."""
        return FinishStopwatch(network)


class PeriodObjective(Objective):
    """The period of the steady state, a fraction, in JSON as a number and exactly."""

    name = "period"
    unit = "cycles per iteration"
    sooner_if_full = True

    def stopwatch(self, network: Network) -> Stopwatch:
        """Return what finds the period of a network."""
        return PeriodStopwatch(network)

    def as_json(self, time: Time | None) -> dict[str, Any]:
        """Return ``period`` and ``period_exact``."""
        return {**super().as_json(time), "period_exact": None if time is None else str(time)}


OBJECTIVES: dict[str, Objective] = {each.name: each for each in (FinishObjective(), PeriodObjective())}


def objective_called(name: str) -> Objective:
    """Return the objective of this name.

    Examples
    --------
    >>> objective_called("period").as_json(Fraction(13, 2))
    {'period': 6.5, 'period_exact': '13/2'}
    >>> objective_called("speed")
    Traceback (most recent call last):
    ppnsim.errors.InputError: objective = 'speed' is none of finish, period (known: finish, period)
    """
    if name not in OBJECTIVES:
        known = ", ".join(OBJECTIVES)
        raise InputError(f"objective = '{name}' is none of {known}{did_you_mean(name, OBJECTIVES)}")
    return OBJECTIVES[name]


def plain_number(time: Time) -> int | float:
    """Return a time as JSON writes it: whole if it is."""
    return int(time) if Fraction(time).denominator == 1 else float(time)


class FinishStopwatch:
    """Times a network by the finish of its run."""

    def __init__(self, network: Network) -> None:
        self._evaluator = Evaluator(network)

    def time(self, depths: Depths) -> int | None:
        """Return the finish in cycles, None after a deadlock."""
        return self._evaluator.finish(depths)


class PeriodStopwatch:
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
    >>> stopwatch = PeriodStopwatch(chain(firings=50, ii=(1, 3, 1)))
    >>> stopwatch.time({"c0": 1, "c1": None}), stopwatch.time({"c0": 1, "c1": 1})
    (Fraction(3, 1), Fraction(3, 1))
    """

    def __init__(self, network: Network) -> None:
        self._network = network.checked()
        if reason := unsupported(self._network):
            raise InputError(f"{reason}: the period of such networks is not known (use the finish)")
        self._has_ratio = is_monotone(network)
        varies = any(steps.varies for steps in self._network.steps.values())
        self._trials = None if varies else Trials(self._network)

    def time(self, depths: Depths) -> Fraction | None:
        """Return the period of the slowest process, None if the network deadlocks."""
        trials, iterations, tried = self._trials, _FIRST_ITERATIONS, 0
        most = _MOST_ITERATIONS if self._has_ratio else _MOST_WITHOUT_GRAPH
        while trials is not None and trials.repetition and iterations <= most and trials.may_try(iterations):
            tapes, ended, found = trials.try_out(depths, iterations)
            if found is not None:
                return found[0].period
            if not ended and not tapes.some_process_started_all():
                return None
            tried, iterations = iterations, 2 * iterations
        if not self._has_ratio:
            raise InputError(f"no period shows in {tried} graph iterations (use the finish)", where=self._network.name)
        periods = [state.period for state in cycle_ratio.steady_states(self._network.with_depths(depths))]
        known = [period for period in periods if period is not None]
        return max(known) if len(known) == len(periods) else None
