"""Cuts for the period: a circle of so many cycles has to span enough iterations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, inf

from ppnsim.analysis import cycle_ratio
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.errors import InputError
from ppnsim.explore.fifo.cuts import Cut, Reach, cut_of
from ppnsim.explore.fifo.lifting import Circle
from ppnsim.explore.fifo.moments import Moments
from ppnsim.explore.fifo.problem import Full, Goal, Problem
from ppnsim.explore.fifo.slot_hops import Hops
from ppnsim.explore.fifo.steady_depths import SteadyDepths

_ITERATIONS = 12  # of a run whose middle shows the waits of one


class PeriodReader:
    """Reads cuts off the critical circles of one scenario."""

    reads = True

    def __init__(self, problem: Problem, scenario: int) -> None:
        self._problem, self._scenario = problem, scenario
        self._network = problem.networks[scenario]
        self._number = {name: index for index, variable in enumerate(problem.variables) for name in variable.channels}

    def cuts(self, vector: Full, goal: Goal) -> list[Cut]:
        """Return what the critical circles with these depths prove; nothing where no steady state is known."""
        depths = self._problem.depths(vector)
        try:
            states = cycle_ratio.steady_states(self._network.with_depths(depths))
        except InputError:
            return []
        return [cut for state in states if not goal.met((state.period,)) for cut in self._of_state(state, vector, goal)]

    def _of_state(self, state: cycle_ratio.SteadyState, vector: Full, goal: Goal) -> list[Cut]:
        circle = state.critical
        reaches = Counter(Reach(self._number[name], tokens, ahead) for name, ahead, tokens in circle.slots)
        rest = circle.iterations - sum(count * reach.at(vector[reach.variable]) for reach, count in reaches.items())
        return self._cuts(circle.cycles, rest, reaches, goal)

    def _cuts(self, cycles: int, rest: int, reaches: Counter[Reach], goal: Goal) -> list[Cut]:
        """Return that a circle of so many cycles spans enough iterations, ``rest`` of them not by slots."""
        limit = goal.limits[0]
        if not limit:
            return []  # no number of slots lets a circle that takes time pass in none
        if limit == inf:
            need = 1
        else:
            least = Fraction(cycles) / Fraction(limit)
            need = max(1, floor(least) + 1 if goal.strict else ceil(least))
        beyond = Fraction(cycles, need - 1) if need > 1 else None
        return cut_of(reaches, need - rest, beyond, self._scenario, self._problem.low)

    def guess(self, goal: Goal, most: Full) -> tuple[list[int], list[Cut]] | None:
        """Return depths for the period of a goal, and cuts of the circles that force them; None if there are none."""
        program, limit = self._program, goal.limits[0]
        if program is None or limit in (0, inf):
            return None
        problem = self._problem
        found = program.depths(float(limit), problem.low, most, problem.prices())
        if found is None:
            return None
        return found[0], list(self._of_circles(found[1], goal))

    def _of_circles(self, circles: list[Circle], goal: Goal) -> Iterator[Cut]:
        for circle in circles:
            yield from self._cuts(int(circle.weight.sum()), circle.rest, circle.reaches, goal)

    @cached_property
    def _program(self) -> SteadyDepths | None:
        repetition = Repetition.of(self._network)
        if repetition is None or repetition.iterations < 1:
            return None
        shown = repetition.shortened(repetition.iterations - _ITERATIONS)
        try:
            moments = Moments(shown)
        except InputError:
            return None
        variable_of = [self._number.get(channel.name) for channel in moments.network.channels]
        return SteadyDepths.of(moments, Hops(moments, variable_of, self._problem.low))
