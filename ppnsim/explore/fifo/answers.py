"""The answers that a search for FIFO depths has found so far, and the questions that are open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ppnsim.explore.fifo.cuts import Cut
from ppnsim.explore.fifo.objectives import Time
from ppnsim.explore.fifo.problem import Full, Goal, Problem, Values, alive, with_depth, worst

_LESS = 3_000_000  # firings, of all runs with one token less somewhere: about five seconds
CIRCLE = "no depth helps: the data itself goes round in a circle (ppnsim run looks for initial tokens that break it)"
STANDS = "no depth helps: with these pipeline styles the network stands still at every depth"
FIXED = "no depth that is a choice helps: a fixed FIFO is too shallow (--limit NAME=LOW:HIGH makes it a choice)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sized:
    """Depths with their cost and time.

    Attributes
    ----------
    vector : a depth per variable.
    cost : of all FIFOs.
    time : finish or period in cycles, of the slowest scenario.
    times : of each scenario.
    certified : whether nothing cheaper does the same, proven by an exhausted search.
    one_less : by number of a variable, the time with one token less there, found by running it (None = deadlock);
        absent where the depth may not be lower, and for networks so large that it takes long.
    forced : inequalities that hold with nothing to spare, each proven by runs: why it is not cheaper.
    """

    vector: Full
    cost: int
    time: Time
    times: Values
    certified: bool
    one_less: Mapping[int, Time | None] = field(default_factory=dict)
    forced: tuple[Cut, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """What is not known about one question.

    ``lower`` and ``upper`` are costs between which the answer lies (None = not known); ``not_searched`` says why.
    """

    question: str
    lower: int | None = None
    upper: int | None = None
    not_searched: str


OUT_OF_REACH = "out of reach"
"""How the gap of a goal begins that the deepest FIFOs allowed do not reach."""


@dataclass(kw_only=True)
class Answers:
    """The answers of a search, by question: ``deadlock_free``, ``target``, ``lossless``; and the front.

    Attributes
    ----------
    unbounded : time of each scenario with FIFOs without any limit.
    found : by question; those without answer are in ``gaps``, or were not asked.
    front : no vector is both cheaper and faster than one of these; cheapest first.
    gaps : what is not known.
    grown : called when the front has a new point.
    """

    unbounded: Values = ()
    found: dict[str, Sized] = field(default_factory=dict)
    front: list[Sized] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    grown: Callable[[], None] | None = field(default=None, repr=False, compare=False)

    def extend_front(self, sized: Sized) -> None:
        """Add the next point of the front, which is faster than all before and not cheaper."""
        if self.front and self.front[-1].cost == sized.cost:
            self.front.pop()
        self.front.append(sized)
        if self.grown is not None:
            self.grown()


def goals_of(unbounded: Values, target: Time | None) -> dict[str, Goal]:
    """Return what each question asks for, the one that is reached first coming first."""
    goals = {"deadlock_free": alive(unbounded)}
    if target is not None:
        goals["target"] = Goal(limits=(target,) * len(unbounded))
    return goals | {"lossless": Goal(limits=tuple(time for time in unbounded if time is not None))}


def sized(
    problem: Problem, vector: Full, *, certified: bool, with_less: bool = True, forced: tuple[Cut, ...] = ()
) -> Sized:
    """Return a vector that runs with its cost and time, and what one token less in each FIFO does to it."""
    values = problem.values(vector)
    time = worst(values)
    assert time is not None
    less = {}
    with_less = with_less and len(vector) * sum(network.passings for network in problem.networks) <= _LESS
    for index, depth in enumerate(vector) if with_less else ():
        if depth > problem.low[index]:
            less[index] = worst(problem.values(with_depth(vector, index, depth - 1)))
    return Sized(
        vector=vector,
        cost=problem.cost_of(vector),
        time=time,
        times=values,
        certified=certified,
        one_less=less,
        forced=forced,
    )


def leave_open(
    problem: Problem, answers: Answers, question: str, goal: Goal, known: Iterable[Full], *, lower: int, why: str
) -> None:
    """Answer a question, if it has no answer yet, with the cheapest depths known to reach its goal; nothing is run.

    Noted is between which costs the answer lies: ``lower`` is proven, ``why`` says what ended the search.
    """
    if question in answers.found or any(gap.question == question for gap in answers.gaps):
        return
    reached = [(problem.cost_of(each), each) for each in known if (times := problem.known(each)) and goal.met(times)]
    if not reached and (deepest := problem.as_top()) is not None and goal.met(problem.values(deepest)):
        reached.append((problem.cost_of(deepest), deepest))
    upper, vector = min(reached, default=(None, None))
    met = upper is not None and upper <= lower  # both bounds may have come together just before the end
    if vector is not None:
        answers.found[question] = sized(problem, vector, certified=met, with_less=False)
    if not met:
        answers.gaps.append(Gap(question=question, lower=lower, upper=upper, not_searched=why))


def out_of_reach(problem: Problem, question: str) -> Gap:
    """Return the gap of a goal that even the deepest FIFOs allowed do not reach."""
    time = worst(problem.values(problem.top))
    limited = any(problem.variables[index].high is not None for index in problem.choices)
    where = "with the largest depths allowed" if limited else "with unbounded FIFOs"
    reached = "the network deadlocks" if time is None else f"the {problem.objective.name} is {time} cycles"
    return Gap(question=question, not_searched=f"{OUT_OF_REACH}: {where} {reached}")
