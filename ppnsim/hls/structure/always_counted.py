"""Loops under conditions on iterators: synthesis reports count them in every iteration around them (R5.14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ppnsim.hls.structure.counting import constant_trips, is_data
from ppnsim.hls.structure.known_conditions import decided
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.program import Loop

Around = tuple[Loop | Condition, ...]


def always_run(trees: Sequence[Tree]) -> tuple[Tree, ...]:
    """Return trees whose loops run in every iteration around them, whether or not a condition on iterators holds.

    A condition with loops on both of its ways stays: only one of the two ways counts.
    """
    found = set(_conditions(trees))
    both = {each for each in found if _opposite(each) in found}
    return tuple(_without(tree, both) for tree in trees)


def _without(tree: Tree, kept: set[Condition]) -> Tree:
    if isinstance(tree, Serial):
        body = tuple(_without(each, kept) for each in tree.body)
        return replace(tree, body=body, around=_loops(tree.around, kept))
    return replace(tree, around=_loops(tree.around, kept)) if isinstance(tree, Pipeline) else tree


def _loops(around: Around, kept: set[Condition]) -> Around:
    values = {}
    for each in around:
        if isinstance(each, Loop) and (count := constant_trips(each)):
            start = (max if each.step > 0 else min)(bound.constant for bound in each.first)
            values[each.iterator] = start, each.step, count
    return tuple(
        each for each in around
        if isinstance(each, Loop) or each in kept or is_data(each) or decided(each, values) is not None
    )  # fmt: skip


def _conditions(trees: Sequence[Tree]) -> Iterator[Condition]:
    for tree in trees:
        if isinstance(tree, Serial | Pipeline):
            yield from (each for each in tree.around if not isinstance(each, Loop))
        if isinstance(tree, Serial):
            yield from _conditions(tree.body)


def _opposite(condition: Condition) -> Condition:
    return condition.part if isinstance(condition, Not) else Not(condition)
