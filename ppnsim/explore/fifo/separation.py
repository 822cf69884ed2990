"""Why a vector of depths fails, as cuts: read off a critical path, off a critical circle, or found by trying."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import ceil, floor, inf

from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.errors import InputError
from ppnsim.explore.fifo.bounds import deepened, largest_failing
from ppnsim.explore.fifo.cuts import WHOLE, Cut, cut_below
from ppnsim.explore.fifo.moments import Moments
from ppnsim.explore.fifo.problem import Full, Goal, Problem, Vector, with_depth
from ppnsim.explore.fifo.series_cuts import SeriesCuts, can_be_bounded
from ppnsim.explore.fifo.steady_cuts import PeriodReader
from ppnsim.explore.fifo.steady_depths import SteadyDepths
from ppnsim.explore.fifo.walks import WalkCuts

FEW = 40  # variables that are tried one by one
# A weak cut has so few terms, each of which grows in at most one so many-th of an iteration's tokens.
_TERMS, _PART = 4, 32


class Separation:
    """Finds cuts that a vector which fails does not obey.

    Examples
    --------
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> from ppnsim.model.builders import fork_join
    >>> problem = problem_of([fork_join(firings=20)])
    >>> [(cut.least, cut.beyond) for cut in Separation(problem).cuts((1, 1, 1, 1), Goal(limits=(37,)))]
    [(1, 56), (13, 38)]
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.tried = 0  # vectors for which only trying told

    def cuts(self, vector: Full, goal: Goal) -> list[Cut]:
        """Return cuts that ``vector``, which misses the goal, does not obey."""
        values = self.problem.values(vector)
        for scenario, reader in enumerate(self._readers):
            single = Goal(limits=(goal.limits[scenario],), strict=goal.strict)
            if reader is not None and not single.met((values[scenario],)):
                found = [cut for cut in reader.cuts(vector, single) if not cut.holds(vector)]
                if found:
                    blamed = sorted({reach.variable for reach, _ in found[0].terms})
                    return found + (self._tried(vector, goal, blamed) if _is_weak(found[0], vector) else [])
        self.tried += 1
        return self._tried(vector, goal)

    def of_one_less(self, vector: Full, goal: Goal) -> list[Cut]:
        """Return the cuts of each vector with one token less that misses a goal which ``vector`` reaches."""
        cuts = []
        for index, depth in enumerate(vector):
            less = with_depth(vector, index, depth - 1)
            if depth > self.problem.low[index] and not goal.met(self.problem.values(less)):
                cuts += self.cuts(less, goal)
        return cuts

    def _tried(self, vector: Full, goal: Goal, blamed: Sequence[int] = ()) -> list[Cut]:
        """Return that one entry has to be deeper than in the deepest vector that fails as well, found by running."""
        return self._of_failing(largest_failing(self.problem, vector, goal, blamed), goal)

    @property
    def only_tries(self) -> bool:
        """Whether no run of any scenario can be read."""
        return not any(reader is not None and reader.reads for reader in self._readers)

    @property
    def can_sum(self) -> bool:
        """Whether there is one scenario, and runs of it with FIFOs bounded together are known, and not too long."""
        return len(self._series) == 1 and self._series[0] is not None

    def alone(self, goal: Goal) -> list[Cut]:
        """Return how deep each variable has to be whatever the others are, found by running."""
        cuts = []
        for index, depth in enumerate(self.problem.low):
            vector = with_depth(self.problem.top, index, depth)
            if not goal.met(self.problem.values(vector)):
                cuts += self._of_failing(deepened(self.problem, goal, vector, index), goal)
        return cuts

    def _of_failing(self, failing: Vector, goal: Goal) -> list[Cut]:
        late = self.problem.values(failing)
        for scenario, (value, limit) in enumerate(zip(late, goal.limits, strict=True)):
            single = Goal(limits=(limit,), strict=goal.strict)
            if not single.met((value,)):
                series = self._series[scenario]
                return [
                    cut_below(failing, value, scenario),
                    *(series.cuts(failing, single) if series is not None else []),
                ]
        return []

    def guess(self, goal: Goal, most: Full) -> tuple[Full, list[Cut]] | None:
        """Return depths that a steady state in time needs, and cuts from the circles that force them.

        None where nothing repeats. The depths need not suffice for the beginning and the end of a run.
        """
        vector, cuts = self.problem.low, list[Cut]()
        for scenario, reader in enumerate(self._readers):
            single = Goal(limits=(goal.limits[scenario],), strict=goal.strict)
            found = reader.guess(single, most) if reader is not None else None
            if found is None:
                return None
            vector = tuple(map(max, vector, found[0]))
            cuts += found[1]
        return vector, cuts

    @property
    def hints(self) -> list[dict[int, int]]:
        """Depths of a few variables, by number, that may be the cheapest ones; more are added as cuts are found."""
        return [hint for series in self._series if series is not None for hint in series.cheapest]

    @cached_property
    def _readers(self) -> list[_FinishReader | PeriodReader | None]:
        scenarios = range(len(self.problem.networks))
        if self.problem.objective.name == "period":
            return [PeriodReader(self.problem, scenario) for scenario in scenarios]
        if self.problem.objective.name == "finish":
            return [_FinishReader(self.problem, scenario) for scenario in scenarios]
        return [None for _ in scenarios]

    @cached_property
    def _series(self) -> list[SeriesCuts | None]:
        may = self.problem.objective.name == "finish" and self.problem.monotone
        return [
            SeriesCuts(self.problem, scenario) if may and can_be_bounded(core.network) else None
            for scenario, core in enumerate(self.problem.cores)
        ]


def _is_weak(cut: Cut, vector: Full) -> bool:
    """Return whether a cut asks for so little that the same slots would be to blame again and again.

    Of the firings of one iteration a circle passes two, and a token more lets it pass the next ones.
    """
    steps = [(reach.next_step(vector[reach.variable]) - vector[reach.variable], reach.tokens) for reach, _ in cut.terms]
    return len(steps) <= _TERMS and all(_PART * step <= tokens < WHOLE for step, tokens in steps)


class _FinishReader:
    """Reads cuts off critical paths of finite runs."""

    def __init__(self, problem: Problem, scenario: int) -> None:
        self._problem, self._scenario = problem, scenario
        self._cuts: WalkCuts | None = None
        self._core = core = problem.cores[scenario]
        repetition = Repetition.of(core.network)
        if (repetition is None or repetition.iterations < 2) and len(problem.low) <= FEW:
            return  # a walk that does not repeat says only that something on it has to grow: trying says more
        try:
            moments = Moments(core.network)
        except InputError:  # too large to be held, and it does not repeat
            return
        number = {
            name: index for index, each in enumerate(problem.variables) for name in {*each.channels} - core.unbounded
        }
        variable_of = [number.get(channel.name) for channel in moments.network.channels]
        self._cuts = WalkCuts(moments, variable_of, problem.low, scenario)
        self._finish = int((moments.head + moments.end).max())

    @property
    def reads(self) -> bool:
        return self._cuts is not None

    @cached_property
    def _potentials(self) -> SteadyDepths | None:
        return None if self._cuts is None else SteadyDepths.of(self._cuts.moments, self._cuts.hops)

    @cached_property
    def _period(self) -> float | None:
        return None if self._potentials is None else self._potentials.period()

    def guess(self, goal: Goal, most: Full) -> tuple[list[int], list[Cut]] | None:
        problem, potentials, limit = self._problem, self._potentials, goal.limits[0]
        if potentials is None or self._period is None or limit == inf:
            return None
        assert self._cuts is not None
        moments = self._cuts.moments
        iterations = int(moments.iteration.max()) + 1
        spare = float(limit - self._finish - round(moments.missing * self._period)) / (iterations + moments.missing)
        found = potentials.depths(self._period + max(spare, 0.0), problem.low, most, problem.prices())
        if found is None:
            return None
        return found[0], [cut for circle in found[1] for cut in self._cuts.of_circle(circle, floor(limit))]

    def cuts(self, vector: Full, goal: Goal) -> list[Cut]:
        if self._cuts is None:
            return []
        limit: float = inf
        if goal.limits[0] != inf:
            limit = ceil(goal.limits[0]) - 1 if goal.strict else floor(goal.limits[0])
        walk = self._cuts.moments.trace(self._core.depths(self._problem.depths(vector)))
        return self._cuts.cuts(walk, limit)
