"""All vectors in the order of their cost: the only possible proof where a deeper FIFO may hurt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush

from ppnsim.explore.fifo.answers import Answers, Gap, out_of_reach, sized
from ppnsim.explore.fifo.bounds import enough, reductions
from ppnsim.explore.fifo.problem import Full, Goal, OutOfBudget, Problem, with_depth, worst

_SHARE = 10  # one part in so many of the budget is kept for finding something at all


def by_cost(problem: Problem) -> Iterator[tuple[int, Full]]:
    """Yield every vector within the limits with its cost, cheapest first.

    Without upper limits there is no end: depths beyond the number of tokens of a channel are also yielded.

    Examples
    --------
    >>> from itertools import islice
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> from ppnsim.model.builders import chain
    >>> list(islice(by_cost(problem_of([chain(firings=9)])), 5))
    [(2, (1, 1)), (3, (1, 2)), (3, (2, 1)), (4, (1, 3)), (4, (2, 2))]
    """
    heap: list[tuple[int, Full, int]] = [(problem.cost_of(problem.low), problem.low, 0)]
    while heap:
        cost, vector, first = heappop(heap)
        yield cost, vector
        # Raising only from the last entry raised on gives each vector once.
        for index in range(first, len(vector)):
            depth, high = vector[index] + 1, problem.variables[index].high
            if high is None or depth <= high:
                extra = problem.cost_at(index, depth) - problem.cost_at(index, depth - 1)
                heappush(heap, (cost + extra, with_depth(vector, index, depth), index))


def enumerate_all(problem: Problem, answers: Answers, goals: Mapping[str, Goal], *, with_front: bool) -> None:
    """Answer the questions by running all vectors, cheapest first, until every question has its answer.

    The front then has all points up to the cost of the last answer: with ``lossless`` among the questions, up to
    there. If the budget is spent before, what is found by lowering deep FIFOs stands in, not certified; after an
    interrupt the deep FIFOs themselves.
    """
    open_ = dict(goals)
    total, problem.budget = problem.budget, problem.budget - problem.budget // _SHARE
    reached = problem.cost_of(problem.low)
    why = "every vector within the limits was run, and none does"
    try:
        for question, goal in goals.items():
            if (deep := enough(problem, goal)) is not None:
                answers.found[question] = sized(problem, deep, certified=False, with_less=False)
        for cost, vector in by_cost(problem):
            reached = cost
            values = problem.values(vector)
            time = worst(values)
            if with_front and time is not None and (not answers.front or time < answers.front[-1].time):
                answers.extend_front(sized(problem, vector, certified=True, with_less=False))
            for question, goal in list(open_.items()):
                if goal.met(values):
                    del open_[question]
                    answers.found[question] = sized(problem, vector, certified=True)
            if not open_:
                return
    except OutOfBudget as spent:
        spent_is = f"the budget of {total} vectors ended" if problem.evaluated >= problem.budget else str(spent)
        why = f"deeper FIFOs may hurt here, so all are run; {spent_is} at this cost"
    except KeyboardInterrupt:
        for question in [*open_, *(["front"] if with_front else [])]:
            _note(answers, question, reached, "interrupted")
        raise
    problem.budget = total
    for question, goal in open_.items():
        _fall_back(problem, answers, question, goal, reached, why)
    if with_front:
        _note(answers, "front", reached, why)


def _note(answers: Answers, question: str, reached: int, why: str) -> None:
    """Note between which costs the answer lies."""
    upper = answers.found[question].cost if question in answers.found else None
    answers.gaps.append(Gap(question=question, lower=reached, upper=upper, not_searched=why))


def _fall_back(problem: Problem, answers: Answers, question: str, goal: Goal, reached: int, why: str) -> None:
    """Answer a question with sufficient depths, lowered one by one, and bound the cost of the smallest ones."""
    try:
        deep = enough(problem, goal)
        if deep is not None:
            for vector in reductions(problem, deep, goal):
                answers.found[question] = sized(problem, vector, certified=False, with_less=False)
            answers.found[question] = sized(problem, vector, certified=False)
        elif not goal.met(problem.values(problem.top)):
            answers.gaps.append(out_of_reach(problem, question))
            return
    except OutOfBudget:
        pass
    except KeyboardInterrupt:
        _note(answers, question, reached, "interrupted")
        raise
    _note(answers, question, reached, why)
