"""What a failure proves about depths: a cut is an inequality that every vector of depths in time obeys.

A circle of waits that goes through slots moves on by S iterations each time around, and S grows with the depths on it:
the slot edge of a channel with ``tokens`` tokens per iteration reaches ``floor((depth + ahead) / tokens) + 1``
iterations back, where ``ahead`` depends on the two firings that it joins. So a circle that needs S >= s says

    sum over its slot edges of floor((depth + ahead) / tokens)  >=  least

With one token per iteration these are sums of depths. A walk that does not repeat says that *one* of its channels has
to be deeper than in the run it was read from, which has the same form: floor((depth + ahead) / tokens) is then 0 or 1.

Source: the cuts are those of logic-based Benders decomposition (Hooker and Ottosson 2003), rounded (Chvatal 1973).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor, inf

from ppnsim.explore.fifo.objectives import Time
from ppnsim.explore.fifo.problem import Full, Goal, Problem, Vector

WHOLE = 2**40  # tokens that no depth reaches


@dataclass(frozen=True, slots=True, order=True)
class Reach:
    """``floor((depth + ahead) / tokens)`` of a variable: iterations that one of its slot edges reaches back, less one.

    Examples
    --------
    >>> [Reach(0, 4, -1).at(depth) for depth in (1, 4, 5)], Reach(0, 4, -1).next_step(1)
    ([0, 0, 1], 5)
    """

    variable: int
    tokens: int
    ahead: int

    def at(self, depth: int) -> int:
        """Return its value at a depth."""
        return (depth + self.ahead) // self.tokens

    def next_step(self, depth: int) -> int:
        """Return the smallest larger depth at which it is larger."""
        return (self.at(depth) + 1) * self.tokens - self.ahead


def of_choices(cut: Cut, problem: Problem) -> Cut:
    """Return what a cut says of the depths that are a choice: fixed ones are numbers."""
    free = tuple(term for term in cut.terms if not problem.variables[term[0].variable].fixed)
    known = cut.value(problem.low) - replace(cut, terms=free).value(problem.low)
    return replace(cut, terms=free, least=cut.least - known)


def deeper_than(variable: int, depth: int) -> Reach:
    """Return the reach that is 1 if the variable is deeper than ``depth``, else 0."""
    return Reach(variable, WHOLE, WHOLE - depth - 1)


@dataclass(frozen=True, slots=True)
class Cut:
    """``sum of count * reach >= least`` over ``terms``; a vector that breaks it takes at least ``beyond``.

    ``beyond`` is a time of scenario ``scenario``, None for a deadlock. ``why`` names what is on the circle or walk.
    """

    terms: tuple[tuple[Reach, int], ...]
    least: int
    beyond: Time | None
    scenario: int = 0

    def value(self, vector: Full) -> int:
        """Return the left side at a vector."""
        return sum(count * reach.at(vector[reach.variable]) for reach, count in self.terms)

    def holds(self, vector: Full) -> bool:
        """Return whether a vector obeys it."""
        return self.value(vector) >= self.least

    def concerns(self, goal: Goal) -> bool:
        """Return whether a vector that breaks it misses a goal."""
        limit = goal.limits[self.scenario]
        return self.beyond is None or self.beyond > limit or (goal.strict and self.beyond == limit)


def cut_of(terms: Mapping[Reach, int], least: int, beyond: Time | None, scenario: int, low: Sequence[int]) -> list[Cut]:
    """Return the inequality, and what rounding makes of it if that says something else.

    Divided by a number and rounded up on both sides it stays true, as depths are whole and at least ``low``.

    Examples
    --------
    >>> a, b = Reach(0, 1, 0), Reach(1, 1, 0)
    >>> [(cut.terms[0][1], cut.least) for cut in cut_of({a: 7, b: 7}, 50, None, 0, (1, 1))]
    [(1, 8)]
    """
    ordered = sorted((reach, count) for reach, count in terms.items() if count)
    base = sum(count * reach.at(low[reach.variable]) for reach, count in ordered)
    cuts = []
    counts = sorted({count for _, count in ordered}, reverse=True)
    for divisor in counts[:3]:
        rounded = tuple((reach, -(-count // divisor)) for reach, count in ordered)
        lowest = sum(count * reach.at(low[reach.variable]) for reach, count in rounded)
        cuts.append(Cut(rounded, lowest - (-(least - base) // divisor), beyond, scenario))
    if len(counts) > 1 and counts[-1] != 1:
        cuts.append(Cut(tuple(ordered), least, beyond, scenario))
    return list(dict.fromkeys(cuts))


def cost_cut(problem: Problem, least: int, goal: Goal) -> list[Cut]:
    """Return that vectors which reach a goal of one scenario cost at least so much; nothing if tokens have no prices.

    Examples
    --------
    >>> from ppnsim.explore.fifo.problem import Goal
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> from ppnsim.model.builders import chain
    >>> [cut] = cost_cut(problem_of([chain(firings=9)], cost="bits"), 192, Goal(limits=(30,)))
    >>> [count for _, count in cut.terms], cut.least, cut.beyond
    ([1, 1], 6, 31)
    """
    slopes = [problem.slope(index) for index in range(len(problem.low))]
    if None in slopes:
        return []
    prices = {Reach(index, 1, 0): slope for index, slope in enumerate(slopes) if slope}
    known = problem.cost_of(problem.low) - sum(slope * problem.low[reach.variable] for reach, slope in prices.items())
    (limit,) = goal.limits
    beyond = None if limit == inf else floor(limit) + (not goal.strict)
    return cut_of(prices, least - known, beyond, 0, problem.low)


def cut_below(vector: Vector, beyond: Time | None, scenario: int = 0) -> Cut:
    """Return that one entry has to be deeper than in a vector that fails; None = as deep as allowed.

    Examples
    --------
    >>> cut = cut_below((3, None, 2), None)
    >>> cut.holds((3, 9, 2)), cut.holds((4, 1, 1))
    (False, True)
    """
    finite = [(index, depth) for index, depth in enumerate(vector) if depth is not None]
    return Cut(tuple((deeper_than(index, depth), 1) for index, depth in finite), 1, beyond, scenario)
