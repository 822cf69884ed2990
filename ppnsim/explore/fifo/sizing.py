"""The smallest FIFOs: deadlock-free, without loss, for a target, and the whole trade-off of memory against time.

Where deeper FIFOs never hurt (elastic and frozen processes, no shared resource) the answers are exact: `cuts`
proposes the cheapest depths that nothing known forbids; if they fail, `bounds` says what that failure proves; and
so on until they work. Other networks are enumerated by cost, and only what was enumerated is certified.

Source: that only some FIFOs are to blame for a failure, and which, are the storage dependencies of Stuijk, Geilen and
Basten 2008, section 7; the search is another one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ppnsim.explore.fifo.answers import CIRCLE, FIXED, STANDS, Answers, Gap, goals_of
from ppnsim.explore.fifo.cost import Cost, MemoryTable, cost_of
from ppnsim.explore.fifo.enumeration import enumerate_all
from ppnsim.explore.fifo.lanes import Core
from ppnsim.explore.fifo.objectives import Objective, Time, objective_called
from ppnsim.explore.fifo.other_styles import styles_that_finish
from ppnsim.explore.fifo.problem import Full, Problem, Report, worst
from ppnsim.explore.fifo.search import Bounds, GuidedSearch
from ppnsim.explore.fifo.stop import Stop
from ppnsim.explore.fifo.variables import Limit, variables_of
from ppnsim.kernel_cache import interpreter
from ppnsim.model.checks import check_schedule
from ppnsim.model.network import Network, Process
from ppnsim.notebook import ShownInNotebooks

_BUDGET, _BUDGET_ENUMERATED = 1_000_000, 50_000
_PER_PASSING = 2e-6  # seconds in Python
_CUT_SHORT = 5_000  # passings after which many a run repeats itself


def problem_of(
    networks: Sequence[Network],
    *,
    cost: Cost | str = "tokens",
    objective: Objective | str = "finish",
    limits: Mapping[str, Limit] | None = None,
    groups: Sequence[Sequence[str]] = (),
    budget: int | None = None,
) -> Problem:
    """Return the problem of sizing the FIFOs of a network, or of several scenarios at once.

    Parameters
    ----------
    networks : scenarios with the same channel names; their declared depths do not matter.
    cost : ``tokens``, ``bits``, ``fpga``, or a function of depth and width that never falls with depth.
    objective : what counts as time, or its name.
    limits, groups : see `variables_of`.
    budget : vectors that may be run; None = a million where the search is guided, 50 000 where all are enumerated.
    """
    aim = objective_called(objective) if isinstance(objective, str) else objective
    networks = [_without_starts(network).checked() for network in networks]
    price = cost_of(cost) if isinstance(cost, str) else cost
    if isinstance(price, MemoryTable):
        for width in sorted({channel.width for network in networks for channel in network.channels}):
            price.check(width)
    variables = variables_of(networks, limits or {}, groups)
    cores = [Core.of(each, variables) if aim.name == "finish" else Core(each) for each in networks]
    problem = Problem(
        networks=networks, cores=cores, stopwatches=[aim.stopwatch(each.network) for each in cores], cost=price,
        variables=variables, objective=aim, budget=0,
    )  # fmt: skip
    problem.budget = budget or (_BUDGET if problem.monotone else _BUDGET_ENUMERATED)
    return problem


def _without_starts(network: Network) -> Network:
    """Return a network of which nobody counts the starts of scheduled processes.

    They have no effect on time, and may be many more than the accesses: a matrix product starts n^3 firings between n^2
    of them. That these are steps of their runs is checked first.
    """
    if all(each.schedule is None for each in network.processes):
        return network
    for each in network.processes:
        check_schedule(each)
    processes = [
        each
        if each.schedule is None
        else Process.scheduled(name=each.name, steps=each.schedule.steps, runs=each.schedule.runs)
        for each in network.processes
    ]
    return network.replace(processes=processes)


Grown = Callable[["FifoSizing"], None]


@dataclass(kw_only=True, eq=False)
class FifoSizing(ShownInNotebooks):
    """A search for the smallest FIFOs; its answers grow while it runs, so that an interrupt loses nothing.

    Attributes
    ----------
    problem : from `problem_of`.
    target : finish or period to reach, in cycles.
    start : vectors that are probably good, from an earlier search.
    with_front : whether the whole trade-off is wanted.
    stop : when to be content with less than the smallest.
    bounds : called with a question, and the costs between which its answer lies, whenever they get closer.
    grown : called with this search whenever its front has a new point.
    answers : what has been found.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> sizing = FifoSizing(problem=problem_of([fork_join(firings=20)]), target=40)
    >>> found = sizing.run().found
    >>> [(question, sized.vector, sized.time) for question, sized in found.items()]
    [('deadlock_free', (1, 1, 1, 1), 92), ('target', (2, 10, 2, 2), 40), ('lossless', (2, 13, 2, 2), 37)]
    """

    problem: Problem
    target: Time | None = None
    start: Sequence[Full] = ()
    with_front: bool = True
    stop: Stop = field(default_factory=Stop)
    bounds: Bounds | None = None
    grown: Grown | None = None
    answers: Answers = field(default_factory=Answers)

    def run(self, report: Report | None = None) -> Answers:
        """Search; ``report`` is called with vectors run and the budget of them.

        A `KeyboardInterrupt` passes through; the answers are then what was found until it, and say what is missing.
        """
        problem, answers = self.problem, self.answers
        problem.report = report
        if (grown := self.grown) is not None:
            answers.grown = lambda: grown(self)
        try:
            return self._run()
        except KeyboardInterrupt:
            questions = ["deadlock_free", *(["target"] if self.target is not None else []), "lossless"]
            noted = {gap.question for gap in answers.gaps} | set(answers.found)
            for question in [*questions, *(["front"] if self.with_front else [])]:
                if question not in noted:
                    answers.gaps.append(Gap(question=question, not_searched="interrupted before it began"))
            raise
        finally:
            answers.grown = None

    def _run(self) -> Answers:
        problem, answers = self.problem, self.answers
        # Where each FIFO is good for a run at least: what is too much for Python in all is compiled at once.
        passings = sum(min(core.network.passings, _CUT_SHORT) for core in problem.cores)
        interpreter.takes(_PER_PASSING * len(problem.choices) * passings)
        if self.stop.seconds is not None:
            problem.ends = time.monotonic() + self.stop.seconds, f"the {self.stop.seconds:g} seconds are spent"
        answers.unbounded = problem.unbounded
        if worst(answers.unbounded) is None:
            answers.gaps.append(Gap(question="deadlock_free", not_searched=_no_depth(problem)))
            return answers
        goals = goals_of(answers.unbounded, self.target)
        if problem.monotone:
            GuidedSearch(problem, answers, self.stop, self.bounds).run(goals, self.start, with_front=self.with_front)
        else:
            enumerate_all(problem, answers, goals, with_front=self.with_front)
        return answers


def _no_depth(problem: Problem) -> str:
    """Return why no depths keep a network from a deadlock, and in which styles there are some."""
    if worst(problem.never_full) is not None:
        return FIXED
    tried = [styles_that_finish(network.never_full()) for network in problem.networks]
    styles = [style for style in tried[0][0] if all(style in others for others, _ in tried)]
    if styles:
        in_styles = f"in style {' or '.join(styles)} it finishes, with FIFOs that never fill (checked by running it)"
        return f"{STANDS}; {in_styles}: --style {styles[0]} finds their depths"
    elastic = all(each.style == "elastic" for net in problem.networks for each in net.processes)
    return CIRCLE if elastic or any(runs for _, runs in tried) else f"{STANDS} (ppnsim run says where)"
