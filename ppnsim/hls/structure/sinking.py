"""Code around a loop, taken into the loop: how a nest that is not perfect becomes one pipeline."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.trees import Pipeline, Tree
from ppnsim.loops.expressions import Affine, Compare, Condition


def sunk(inner: Pipeline, body: tuple[Tree, ...]) -> tuple[GuardedStatement, ...]:
    """Return the steps of a loop with the code around it: in its first iteration, and in its last one (R10.4).

    The trip counts of the loop are numbers above 0.
    """
    ends: tuple[list[Condition], list[Condition]] = ([], [])
    for loop in inner.loops:
        start = (max if loop.step > 0 else min)(bound.constant for bound in loop.first)
        last = start + loop.step * ((constant_trips(loop) or 1) - 1)
        for conditions, value in zip(ends, (start, last), strict=True):
            conditions.append(Compare(Affine.of(loop.iterator) - value, "="))
    first, last_ = (
        tuple(replace(step, conditions=(*under, *step.conditions)) for step in steps)
        for under, steps in zip(ends, beside(inner, body), strict=True)
    )
    return (*first, *inner.steps, *last_)


def beside(nest: Tree, body: tuple[Tree, ...]) -> tuple[tuple[GuardedStatement, ...], tuple[GuardedStatement, ...]]:
    """Return the statements before and after a loop."""
    place = body.index(nest)
    before, after = (
        tuple(tree for tree in part if isinstance(tree, GuardedStatement)) for part in (body[:place], body[place + 1 :])
    )
    return before, after
