"""From one vector that fails to as many as possible: what a failure proves about other depths.

A failing vector is deepened as far as it goes on failing. What is left says which FIFOs are to blame (those on every
critical path, or in the circle of a deadlock), and how deep one of them has to be at least.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.explore.fifo.problem import Full, Goal, Problem, Vector, with_depth

_DEEPEST = 2**40  # tokens; a FIFO that needs more is not built


def largest_failing(problem: Problem, vector: Vector, goal: Goal, blamed: Sequence[int] = ()) -> Vector:
    """Return a vector, at least as deep everywhere, that still fails and would not with any entry one deeper.

    Parameters
    ----------
    vector : fails the goal, which can be reached.
    blamed : variables that are probably to blame, which saves evaluations if true.

    Examples
    --------
    >>> from ppnsim.explore.fifo.problem import Goal
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> from ppnsim.model.builders import fork_join
    >>> problem = problem_of([fork_join(firings=20)])  # short_in, short_out, long_in, long_out
    >>> largest_failing(problem, (1, 1, 1, 1), Goal(limits=(37,)))
    (None, None, None, 1)
    """
    finite = [index for index, depth in enumerate(vector) if depth is not None]
    others = [index for index in finite if index not in blamed]
    vector = _dropped(problem, goal, vector, others)
    vector = _dropped(problem, goal, vector, [index for index in finite if index in blamed])
    for index, depth in enumerate(vector):
        if depth is not None:
            vector = deepened(problem, goal, vector, index)
    return vector


def _dropped(problem: Problem, goal: Goal, vector: Vector, indices: Sequence[int]) -> Vector:
    """Make entries as deep as allowed, as many as leave it failing: all at once, else by halves."""
    if not indices:
        return vector
    deeper = tuple(None if index in indices else depth for index, depth in enumerate(vector))
    if not goal.met(problem.values(deeper)):
        return deeper
    if len(indices) == 1:
        return vector
    half = len(indices) // 2
    return _dropped(problem, goal, _dropped(problem, goal, vector, indices[:half]), indices[half:])


def deepened(problem: Problem, goal: Goal, vector: Vector, index: int) -> Vector:
    """Raise an entry as far as the vector fails; as deep as allowed, it would not."""
    high = problem.ceilings[index]
    limit = _DEEPEST if high is None else high
    low = vector[index]
    assert low is not None
    step = 1
    while low + step < limit and not goal.met(problem.values(with_depth(vector, index, low + step))):
        low += step
        step *= 2
    works = min(low + step, limit)
    while works - low > 1:
        middle = (low + works) // 2
        if goal.met(problem.values(with_depth(vector, index, middle))):
            works = middle
        else:
            low = middle
    return with_depth(vector, index, low)


def reductions(problem: Problem, vector: Full, goal: Goal) -> Iterator[Full]:
    """Yield ``vector``, which reaches the goal, and ever smaller ones that also do.

    Entries are lowered one after the other, dearest first. Where deeper FIFOs never hurt, no entry
    of the last vector can be lowered alone. Most can go down to the least, which is tried first.
    """
    yield vector
    dear = sorted(range(len(vector)), key=lambda index: (-problem.cost_at(index, vector[index]), index))
    for index in dear:
        low, high = problem.low[index] - 1, vector[index]
        tried = problem.low[index]
        while high - low > 1:
            if goal.met(problem.values(with_depth(vector, index, tried))):
                high = tried
            else:
                low = tried
            tried = (low + high) // 2
        if high < vector[index]:
            vector = with_depth(vector, index, high)
            yield vector


def fewest(problem: Problem, vector: Full, goal: Goal) -> Full:
    """Return depths that reach the goal at no higher cost with fewer tokens, where some depths cost the same.

    Of a FIFO in memory blocks, all depths that fit its blocks cost the same. With any other cost,
    ``vector`` is returned.
    """
    above = ((index, depth) for index, depth in enumerate(vector) if depth > problem.low[index])
    if any(problem.cost_at(index, depth - 1) == problem.cost_at(index, depth) for index, depth in above):
        *_, vector = reductions(problem, vector, goal)
    return vector


def enough(problem: Problem, goal: Goal, start: Full | None = None) -> Full | None:
    """Return depths that reach the goal, found by doubling all of ``start``; None if even 2**40 tokens do not."""
    vector = start or problem.low
    while not goal.met(problem.values(vector)):
        deeper = tuple(
            depth * 2 if variable.high is None else min(depth * 2, variable.high)
            for depth, variable in zip(vector, problem.variables, strict=True)
        )
        if deeper == vector or max(deeper) > _DEEPEST:
            return None
        vector = deeper
    return vector
