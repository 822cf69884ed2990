"""The question that FIFO sizing answers: which depths may be chosen, what they cost, and how fast the network then is.

A *vector* has one entry per variable, a depth in tokens or None = as deep as allowed (mostly: unbounded). A variable is
a channel, or a group of channels that share a depth; `variables.variables_of` makes them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import TypeVar

from ppnsim.explore.fifo.cost import Cost, LinearCost
from ppnsim.explore.fifo.lanes import Core
from ppnsim.explore.fifo.objectives import Objective, Stopwatch, Time
from ppnsim.explore.fifo.variables import DepthVariable
from ppnsim.model.network import Network, is_monotone

Vector = tuple[int | None, ...]
Full = tuple[int, ...]  # a vector without None
Values = tuple[Time | None, ...]  # per scenario; None = deadlock
Report = Callable[[int, int], None]
_Depth = TypeVar("_Depth", bound=int | None)

_REPORTS = 64  # evaluations between two reports


class OutOfBudget(Exception):
    """The search ends without a proof; the message names the budget that is spent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The latest time that each scenario may take; ``strict`` = it has to be earlier than that."""

    limits: tuple[Time | float, ...]
    strict: bool = False

    @classmethod
    def of(cls, values: Values) -> Goal:
        """Return the goal to be as fast as scenarios that all finish."""
        return cls(limits=tuple(value for value in values if value is not None))

    def met(self, values: Values) -> bool:
        """Return whether a vector with these values reaches the goal."""
        if self.strict:
            return all(value is not None and value < limit for value, limit in zip(values, self.limits, strict=True))
        return all(value is not None and value <= limit for value, limit in zip(values, self.limits, strict=True))


@dataclass(kw_only=True, eq=False)
class Problem:
    """Evaluates vectors, each one once.

    Attributes
    ----------
    networks : the scenarios; they have the same channel names.
    cores : what is run of each of them.
    stopwatches : of each core.
    variables : depths to choose, and those that are fixed; channels of no variable stay unbounded.
    cost : of a FIFO.
    objective : what counts as time.
    budget : vectors that may be evaluated.
    ends : the time (of ``time.monotonic``) from which nothing is evaluated any more, None = never; and what is said
        then.
    evaluated : vectors that were.
    ceilings : the depth that None stands for, by variable; None = unbounded.
    """

    networks: Sequence[Network]
    cores: Sequence[Core]
    stopwatches: Sequence[Stopwatch]
    variables: tuple[DepthVariable, ...]
    cost: Cost
    objective: Objective
    budget: int
    ends: tuple[float, str] | None = None
    report: Report | None = None
    evaluated: int = 0
    ceilings: list[int | None] = field(init=False)
    _values: dict[Vector, Values] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ceilings = [variable.high for variable in self.variables]
        self.choices = [index for index, variable in enumerate(self.variables) if not variable.fixed]

    @property
    def monotone(self) -> bool:
        """Whether deeper FIFOs can never hurt, in any scenario."""
        return all(is_monotone(network) for network in self.networks)

    @cached_property
    def low(self) -> Full:
        """The smallest vector."""
        return tuple(variable.low for variable in self.variables)

    @property
    def top(self) -> Vector:
        """The vector with everything as deep as allowed."""
        return (None,) * len(self.variables)

    def values(self, vector: Vector) -> Values:
        """Return the time of each scenario with these depths.

        Raises
        ------
        OutOfBudget
            If it is not known and may not be found any more.
        """
        if vector not in self._values:
            if self.evaluated >= self.budget:
                raise OutOfBudget(f"the budget of {self.budget} vectors is spent")
            self.seconds_left()
            self.evaluated += 1
            if self.report is not None and self.evaluated % _REPORTS == 0:
                self.report(self.evaluated, self.budget)
            self._values[vector] = self._timed(vector)
        return self._values[vector]

    def known(self, vector: Vector) -> Values | None:
        """Return the times with these depths if they were run, else None."""
        return self._values.get(vector)

    def seconds_left(self, needed: float = 0.0) -> float | None:
        """Return the seconds that are left, None if there is no limit.

        Raises
        ------
        OutOfBudget
            If there are no more than what comes next is known to need.
        """
        if self.ends is None:
            return None
        end, words = self.ends
        if (left := end - time.monotonic()) <= needed:
            raise OutOfBudget(words)
        return left

    @cached_property
    def unbounded(self) -> Values:
        """The time of each scenario with unbounded FIFOs, also where variables have limits."""
        return self._timed((None,) * len(self.variables), limited=False)

    @property
    def never_full(self) -> Values:
        """The time of each scenario with FIFOs that never fill, fixed ones included."""
        depths = dict.fromkeys(channel.name for channel in self.networks[0].channels)
        return tuple(each.time(core.depths(depths)) for each, core in zip(self.stopwatches, self.cores, strict=True))

    def _timed(self, vector: Vector, *, limited: bool = True) -> Values:
        depths = self.depths(vector, limited=limited)
        return tuple(each.time(core.depths(depths)) for each, core in zip(self.stopwatches, self.cores, strict=True))

    def depths(self, vector: Vector, *, limited: bool = True) -> dict[str, int | None]:
        """Return the depth of every channel, None = unbounded."""
        depths: dict[str, int | None] = {channel.name: None for channel in self.networks[0].channels}
        for variable, depth, ceiling in zip(self.variables, vector, self.ceilings, strict=True):
            chosen = ceiling if depth is None and (limited or variable.fixed) else depth
            depths.update(dict.fromkeys(variable.channels, chosen))
        return depths

    def chosen(self, vector: Full) -> dict[str, int]:
        """Return the depth of every channel that was a choice."""
        return {name: vector[index] for index in self.choices for name in self.variables[index].channels}

    def largest(self) -> tuple[int, ...]:
        """Return the depth of every variable beyond which no depth makes a difference, or none is allowed."""
        found = []
        for variable, ceiling in zip(self.variables, self.ceilings, strict=True):
            counts = [network.counts[name] for network in self.networks for name in variable.channels]
            enough = max(variable.low, *(each.initial + each.written for each in counts))
            if ceiling is not None:
                enough = ceiling if self.objective.sooner_if_full else min(enough, ceiling)
            found.append(enough)
        return tuple(found)

    def as_top(self) -> Full | None:
        """Return depths as fast as the deepest allowed, without a run; None if the time of those is not known.

        In the steady state others may be faster.
        """
        values = self.known(self.top)
        if values is None and all(self.variables[index].high is None for index in self.choices):
            values = self.unbounded  # the same
        if self.objective.sooner_if_full or values is None:
            return None
        vector = self.largest()
        self._values.setdefault(vector, values)
        return vector

    def cost_at(self, index: int, depth: int) -> int:
        """Return what a variable costs at a depth: all its channels, each as wide as in its widest scenario."""
        variable = self.variables[index]
        return 0 if variable.fixed else sum(self.cost(depth, self.width(name)) for name in variable.channels)

    def slope(self, index: int) -> int | None:
        """Return what every token of a variable costs, None if that depends on the depth."""
        if not isinstance(self.cost, LinearCost):
            return 0 if self.variables[index].fixed else None
        return self.cost_at(index, 2) - self.cost_at(index, 1)

    def prices(self) -> list[float]:
        """Return about what a token of each variable costs: its bits, where that depends on the depth."""
        bits = [sum(map(self.width, variable.channels)) for variable in self.variables]
        return [float(self.slope(index) or bits[index]) for index in range(len(bits))]

    def levels(self, index: int, most: int) -> list[int]:
        """Return the depths, from the lowest one to ``most``, beyond which the next token has a price."""
        found, depth = [], self.variables[index].low
        while depth <= most:
            price, beyond = self.cost_at(index, depth), depth + 1
            while beyond <= most and self.cost_at(index, beyond) == price:
                beyond += beyond - depth
            low, beyond = depth, min(beyond, most + 1)
            while beyond - low > 1:
                middle = (low + beyond) // 2
                low, beyond = (middle, beyond) if self.cost_at(index, middle) == price else (low, middle)
            found.append(low)
            depth = low + 1
        return found

    def cost_of(self, vector: Full) -> int:
        """Return what all FIFOs of a vector cost."""
        return sum(self.cost_at(index, depth) for index, depth in enumerate(vector))

    def lower_ceilings(self, enough: Full) -> None:
        """Let None stand for a depth from which on a vector costs more than ``enough``, which is as fast as any.

        No cheapest vector of any time is deeper there. A steady state comes sooner in FIFOs that can get full.
        """
        spare = self.cost_of(enough) - self.cost_of(self.low)
        for index, variable in enumerate(self.variables):
            if variable.high is None:
                most = spare + self.cost_at(index, variable.low)
                low, beyond = enough[index], enough[index] + 1
                while self.cost_at(index, beyond) <= most:
                    low, beyond = beyond, 2 * beyond
                while beyond - low > 1:
                    middle = (low + beyond) // 2
                    low, beyond = (middle, beyond) if self.cost_at(index, middle) <= most else (low, middle)
                self.ceilings[index] = low

    def width(self, channel: str) -> int:
        """Return the bits of a token."""
        return max(network.channel(channel).width for network in self.networks)


def with_depth(vector: tuple[_Depth, ...], index: int, depth: _Depth) -> tuple[_Depth, ...]:
    """Return a vector with another depth of one variable."""
    return (*vector[:index], depth, *vector[index + 1 :])


def worst(values: Values) -> Time | None:
    """Return the latest of some times; a deadlock is later than anything.

    Examples
    --------
    >>> worst((3, 5)), worst((3, None))
    (5, None)
    """
    known = [value for value in values if value is not None]
    return max(known) if len(known) == len(values) else None


def alive(values: Values) -> Goal:
    """Return the goal that no scenario deadlocks."""
    return Goal(limits=(inf,) * len(values))
