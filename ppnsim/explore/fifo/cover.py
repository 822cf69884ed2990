"""The cheapest depths that obey a set of cuts: an integer program, solved by HiGHS.

Source: covering by cuts as in implicit hitting sets (Moreno-Centeno and Karp 2013).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, gcd, inf

from highspy import HighsModelStatus, HighsVarType

from ppnsim.explore.fifo.cuts import Cut, Reach
from ppnsim.explore.fifo.problem import Full, OutOfBudget, Problem, with_depth
from ppnsim.explore.fifo.solver import quiet_solver

_SMALL = 1e-6


@dataclass(frozen=True, slots=True)
class Proposal:
    """The cheapest vector found that obeys the cuts, and a cost that no vector which obeys them is below."""

    vector: Full
    lower: int


class Cover:
    """An integer program with a column per variable, and one per reach of the cuts that it has.

    Examples
    --------
    >>> from ppnsim.explore.fifo.cuts import Reach, Cut
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> from ppnsim.model.builders import chain
    >>> cover = Cover(problem_of([chain(firings=9)]), (9, 9))
    >>> cover.add([Cut(((Reach(0, 1, 0), 1), (Reach(1, 1, 0), 3)), 8, None)])
    >>> cover.cheapest().lower
    4
    """

    def __init__(self, problem: Problem, most: Full) -> None:
        self.problem, self.most = problem, most
        self.highs = quiet_solver()
        self.highs.setOptionValue("mip_rel_gap", 0.0)
        self.highs.setOptionValue("mip_feasibility_tolerance", 1e-9)
        self.cuts: dict[Cut, None] = {}
        self.occurs = [0] * len(problem.low)
        self._reaches: dict[Reach, int] = {}
        self._by_family: dict[tuple[int, int], list[Reach]] = {}
        self._base, self._step = 0, 0
        self._levels: dict[int, list[int]] = {}
        slopes = [problem.slope(index) for index in range(len(problem.low))]
        for index, low in enumerate(problem.low):
            self._add_variable(index, low, slopes[index])
        for index, low in enumerate(problem.low):
            if slopes[index] is None:
                self._add_levels(index, low)
        self.highs.setOptionValue("mip_abs_gap", max(1, self._step) * (1 - 1e-4))

    def add(self, cuts: Sequence[Cut]) -> None:
        """Add cuts that are not there yet."""
        for cut in cuts:
            if cut not in self.cuts:
                self.cuts[cut] = None
                for reach, _ in cut.terms:
                    self.occurs[reach.variable] += 1
                columns = [self._reach(reach) for reach, _ in cut.terms]
                shifts = sum(count * reach.at(self.problem.low[reach.variable]) for reach, count in cut.terms)
                self._row(float(cut.least - shifts), inf, columns, [float(count) for _, count in cut.terms])

    def cheapest(self, seconds: float | None = None) -> Proposal | None:
        """Return the cheapest vector that obeys the cuts, None if none does.

        Raises
        ------
        OutOfBudget
            If the time is over before any vector is found.
        """
        self.highs.setOptionValue("time_limit", inf if seconds is None else self.highs.getRunTime() + max(seconds, 0.0))
        self.highs.run()
        status, info = self.highs.getModelStatus(), self.highs.getInfo()
        if status == HighsModelStatus.kInfeasible:
            return None
        if status == HighsModelStatus.kTimeLimit and info.primal_solution_status != 2:
            raise OutOfBudget("the seconds are spent")
        if status not in (HighsModelStatus.kOptimal, HighsModelStatus.kTimeLimit, HighsModelStatus.kModelEmpty):
            raise OutOfBudget(f"HiGHS stops with {self.highs.modelStatusToString(status)}")
        values = self.highs.getSolution().col_value
        vector = tuple(low + round(values[index]) for index, low in enumerate(self.problem.low))
        return Proposal(self._filled(vector), self._whole(info.mip_dual_bound))

    def smallest(self) -> Full:
        """Return the smallest vector that is as deep as each entry has to be whatever the others are."""
        return self._obeying(self.problem.low, [cut for cut in self.cuts if len(cut.terms) == 1])

    def hinted(self, hints: Sequence[Mapping[int, int]]) -> Full:
        """Return a vector that is as deep as hints say, and obeys all cuts."""
        smallest = enumerate(self.smallest())
        deep = tuple(max([depth, *(hint.get(index, 0) for hint in hints)]) for index, depth in smallest)
        return self._obeying(deep, self.cuts)

    def _obeying(self, vector: Full, cuts: Iterable[Cut]) -> Full:
        for cut in cuts:
            vector = self.raised(vector, cut)
        return vector

    def raised(self, vector: Full, cut: Cut) -> Full:
        """Return a vector that obeys a cut, by steps that cost least for what they add."""
        while not cut.holds(vector):
            ways = []
            for reach, count in cut.terms:
                index, depth = reach.variable, reach.next_step(vector[reach.variable])
                if depth <= self.most[index]:
                    price = self.problem.cost_at(index, depth) - self.problem.cost_at(index, vector[index])
                    ways.append((price / count / (1 + self.occurs[index]), index, depth))
            assert ways, "with the largest depths it holds"
            _, index, depth = min(ways)
            vector = with_depth(vector, index, depth)
        return vector

    def _whole(self, bound: float) -> int:
        """Return the smallest cost that is possible at or above a bound."""
        step = max(1, self._step)
        return self._base + step * max(0, ceil(max(bound, 0) / step - _SMALL))

    def _add_variable(self, index: int, low: int, slope: int | None) -> None:
        self._base += self.problem.cost_at(index, low)
        self._column(float(slope or 0), float(self.most[index] - low))
        self._step = gcd(self._step, slope or 0)

    def _add_levels(self, index: int, low: int) -> None:
        """Add the steps of a price that is not linear: a column each, which is 1 if the depth is beyond that step."""
        levels = self._levels[index] = self.problem.levels(index, self.most[index])
        columns, widths = [index], [1.0]
        for before, after in pairwise(levels):
            rise = self.problem.cost_at(index, after) - self.problem.cost_at(index, before)
            columns.append(self._column(float(rise), 1.0))
            widths.append(-float(after - before))
            self._step = gcd(self._step, rise)
        self._row(-inf, float(levels[0] - low), columns, widths)
        for before, after in pairwise(columns[1:]):
            self._row(0.0, inf, [before, after], [1.0, -1.0])

    def _filled(self, vector: Full) -> Full:
        """Return the deepest vector of the same price."""
        filled = list(vector)
        for index, levels in self._levels.items():
            filled[index] = next(level for level in levels if level >= vector[index])
        return tuple(filled)

    def _column(self, cost: float, most: float) -> int:
        column = self.highs.getNumCol()
        self.highs.addCol(cost, 0.0, most, 0, [], [])
        self.highs.changeColIntegrality(column, HighsVarType.kInteger)
        return column

    def _row(self, least: float, most: float, columns: Sequence[int], factors: Sequence[float]) -> None:
        merged: dict[int, float] = {}
        for column, factor in zip(columns, factors, strict=True):
            merged[column] = merged.get(column, 0.0) + factor
        self.highs.addRow(least, most, len(merged), list(merged), list(merged.values()))

    def _reach(self, reach: Reach) -> int:
        """Return the column of a reach, counted from its value at the smallest depth."""
        if reach.tokens == 1:
            return reach.variable
        if reach not in self._reaches:
            low, most = self.problem.low[reach.variable], self.most[reach.variable]
            column = self._reaches[reach] = self._column(0.0, float(reach.at(most) - reach.at(low)))
            first, only = reach.next_step(low) - low, reach.at(most) - reach.at(low) <= 1
            if only:
                self._row(0.0, inf, [reach.variable, column], [1.0, -float(first)])
            else:
                # Its n-th step is at first + (n - 1) tokens.
                self._row(float(first - reach.tokens), inf, [reach.variable, column], [1.0, -float(reach.tokens)])
                if first < reach.tokens:
                    self._row(0.0, inf, [reach.variable, column], [1.0, -float(first)])
            self._relate(reach)
        return self._reaches[reach]

    def _relate(self, reach: Reach) -> None:
        """Say in which order the reaches of one variable grow, and that each step takes the tokens between them."""
        family = self._by_family.setdefault((reach.variable, reach.tokens), [])
        family.append(reach)
        low, most = self.problem.low[reach.variable], self.most[reach.variable]
        family.sort(key=lambda each: each.next_step(low))
        if len(family) == 1:
            return
        place = family.index(reach)
        columns = [self._reaches[each] for each in family]
        for before, after in pairwise(columns[max(0, place - 1) : place + 2]):
            self._row(0.0, inf, [before, after], [1.0, -1.0])
        steps = [each.next_step(low) - low for each in family]
        gaps = [steps[0], *(after - before for before, after in pairwise(steps))]
        self._row(0.0, inf, [reach.variable, *columns], [1.0, *(-float(gap) for gap in gaps)])
        if any(each.at(most) - each.at(low) > 1 for each in family):
            self._row(-inf, 1.0, [columns[0], columns[-1]], [1.0, -1.0])
