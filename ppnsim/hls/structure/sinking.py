"""Loop sinking: the code around an inner loop moves into it, so that an imperfect nest becomes one pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.locations import GuardedStatement, iterators
from ppnsim.hls.structure.trees import Pipeline, Tree
from ppnsim.loops.expressions import Affine, Compare, Condition
from ppnsim.loops.program import Access, Loop


def sunk(inner: Pipeline, body: tuple[Tree, ...], outer: Loop) -> Pipeline:
    """Return a loop with the code around it among its steps, under conditions for the first and last iteration (R10.4).

    The loop has constant trip counts above 0. If the code after the loop writes only locations that the code before it
    sets, or that the ``outer`` loop moves, no later iteration reads them, and the code stands after the steps.
    """
    if len(body) == 1:
        return inner  # code after the steps of the inner nest stays after the steps
    ends: tuple[list[Condition], list[Condition]] = ([], [])
    for loop in inner.loops:
        start = (max if loop.step > 0 else min)(bound.constant for bound in loop.first)
        last = start + loop.step * ((constant_trips(loop) or 1) - 1)
        for conditions, value in zip(ends, (start, last), strict=True):
            conditions.append(Compare(Affine.of(loop.iterator) - value, "="))
    before, after = beside(inner, body)
    first, last_ = (
        tuple(replace(step, conditions=(*under, *step.conditions)) for step in steps)
        for under, steps in zip(ends, (before, after), strict=True)
    )
    steps = (*first, *inner.steps)
    if _starts_anew(before, steps, after, outer):
        return replace(inner, steps=steps, after=(*inner.after, *last_))
    return replace(inner, steps=(*steps, *inner.after, *last_), after=())


def _starts_anew(
    before: Sequence[GuardedStatement], steps: Sequence[GuardedStatement], last: Sequence[GuardedStatement],
    outer: Loop,
) -> bool:  # fmt: skip
    """Return whether the code after a loop writes locations that are set before the loop, and otherwise unread ones.

    A read of another element of the array may take the value of an earlier iteration: `a[i - 1]`. An element that the
    ``outer`` loop moves, and that is the only one accessed of its array, is a new element in each iteration.
    """
    loaded, (read, written) = _accessed(steps)[0], _accessed((*steps, *last))
    anew, every = _set_anew(before) | (_set_anew(last) - loaded), read | written
    written = _accessed(last)[1]
    alone = {each for each in written if not any(other.array == each.array for other in every - {each})}
    anew |= {each for each in alone if outer.iterator in iterators(each) and not each.random}
    others = {access.array for access in read - anew}
    return others.isdisjoint(each.array for each in written) and not _known(anew).isdisjoint(_known(written))


def _accessed(steps: Sequence[GuardedStatement]) -> tuple[set[Access], set[Access]]:
    """Return the locations that some statements read, and those that they write."""
    read, written = set[Access](), set[Access]()
    for step in steps:
        read.update(step.statement.reads)
        written.update(step.statement.writes)
    return read, written


def _known(accesses: set[Access]) -> set[str]:
    """Return the arrays and variables of some accesses."""
    return {access.array for access in accesses}


def _set_anew(before: Sequence[GuardedStatement]) -> set[Access]:
    """Return the locations that code surely sets before it reads them."""
    anew, known = set[Access](), set[Access]()
    for step in before:
        known |= set(step.statement.reads)
        sure = (each for each in step.statement.writes if not each.random and not step.conditions)
        anew |= set(sure) - known
    return anew


def beside(nest: Tree, body: tuple[Tree, ...]) -> tuple[tuple[GuardedStatement, ...], tuple[GuardedStatement, ...]]:
    """Return the statements before and after a loop."""
    place = body.index(nest)
    before, after = (
        tuple(tree for tree in part if isinstance(tree, GuardedStatement)) for part in (body[:place], body[place + 1 :])
    )
    return before, after
