"""The smallest depths, from declared ones on, with which a deadlocked network runs: one question of `search` alone."""

from __future__ import annotations

import time
from collections.abc import Mapping, Set
from dataclasses import replace

from ppnsim.explore.fifo.answers import Answers
from ppnsim.explore.fifo.bounds import enough, reductions
from ppnsim.explore.fifo.problem import Full, Goal, OutOfBudget, Problem, alive, worst
from ppnsim.explore.fifo.search import GuidedSearch
from ppnsim.explore.fifo.sizing import problem_of
from ppnsim.explore.fifo.variables import Limit
from ppnsim.model.network import Network

_SECONDS = 60.0
"""Of the search, where a run repeats itself late or never."""


def live_depths(
    network: Network, declared: Mapping[str, int], blamed: Set[str], vectors: int
) -> tuple[dict[str, int] | None, int]:
    """Return depths that nothing cheaper can replace, None if they are not found or not proven, and the runs it took.

    Parameters
    ----------
    network : monotone, and deadlocks.
    declared : the depth of every channel that may be deepened; channels of a group share one, as a pragma gives it.
    blamed : the channels that are full in the deadlock; they are deepened first.
    vectors : the most that may be run.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> depths = {"short_in": 3, "short_out": 3, "long_in": 2, "long_out": 2}
    >>> live_depths(fork_join(firings=20, style="frozen"), depths, {"short_in", "short_out"}, 99)[0]
    {'short_in': 6, 'short_out': 6, 'long_in': 2, 'long_out': 2}
    """
    limits: dict[str, Limit] = {each.name: None for each in network.channels if each.depth is None}
    problem = problem_of([network], limits=limits | {name: (depth, None) for name, depth in declared.items()})
    problem.budget, problem.ends = vectors, (time.monotonic() + _SECONDS, f"the {_SECONDS:g} seconds are spent")
    answers = Answers()
    try:
        unlimited = problem.unbounded
        if worst(unlimited) is not None:
            goal = alive(unlimited)
            problem, start = _limited(problem, goal, blamed)
            GuidedSearch(problem, answers).run({"deadlock_free": goal}, [start], with_front=False)
    except OutOfBudget:
        pass
    found = answers.found.get("deadlock_free")
    return problem.chosen(found.vector) if found is not None and found.certified else None, problem.evaluated


def _limited(problem: Problem, goal: Goal, blamed: Set[str]) -> tuple[Problem, Full]:
    """Return a problem without the depths that cost more than some that reach the goal, and those.

    Its runs soon repeat, or stand still. A FIFO that fills by a token in each line does neither, where the others are
    deep. So those of the first deadlock are deepened alone, if that is enough.
    """
    low = problem.low
    chosen = [index for index in problem.choices if blamed & set(problem.variables[index].channels)]
    vector: Full | None
    if goal.met(problem.values(tuple(None if index in chosen else depth for index, depth in enumerate(low)))):
        by, vector = 1, low
        while not goal.met(problem.values(vector)):
            by *= 2
            vector = tuple(depth * by if index in chosen else depth for index, depth in enumerate(low))
    else:
        vector = enough(problem, goal)
    if vector is None:
        raise OutOfBudget("no depth up to 2**40 tokens is enough")
    *_, vector = reductions(problem, vector, goal)
    spare = problem.cost_of(vector) - problem.cost_of(low)
    variables = (
        each if each.fixed else replace(each, high=each.low + spare // len(each.channels)) for each in problem.variables
    )
    return replace(problem, variables=tuple(variables), _values={}), vector
