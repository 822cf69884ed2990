"""Differences between rounds of loops around tasks: trip counts, statements, and whether code runs (R7.4)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from ppnsim.errors import InputError
from ppnsim.hls.region.model import Part, TaskChoice, TaskCode, TaskLoop
from ppnsim.loops.expressions import condition_iterators
from ppnsim.loops.points import iterations_at, trips_at
from ppnsim.loops.program import Execution, Guard, Loop, Node

Values = dict[str, int]
"""The values of the iterators of the loops around a part."""


def rounds_of(part: TaskLoop, at: Values) -> list[int]:
    """Return the values of the iterator of a loop around tasks, in order.

    Raises
    ------
    InputError
        If its bounds are not known.
    """
    columns = {name: np.array([value], dtype=np.int64) for name, value in at.items()}
    try:
        return [int(each) for each in iterations_at(part.loop, *trips_at(part.loop, columns, 1))[1]]
    except InputError as reason:
        raise InputError(str(reason), where=str(part.position)) from None


def varying(part: Part) -> frozenset[str]:
    """Return the iterators on which the time of a part depends: those in bounds and conditions."""
    if isinstance(part, TaskCode):
        return frozenset(_used(part.body))
    inside = frozenset[str]().union(*map(varying, part.parts))
    if isinstance(part, TaskChoice):
        return inside | condition_iterators(part.condition)
    if isinstance(part, TaskLoop):
        return inside | {name for bound in (*part.loop.first, *part.loop.last) for name in bound.iterators()}
    return inside


def _used(body: Sequence[Node]) -> Iterator[str]:
    for node in body:
        if isinstance(node, Loop):
            yield from (name for bound in (*node.first, *node.last) for name in bound.iterators())
            yield from _used(node.body)
        elif isinstance(node, Guard):
            yield from condition_iterators(node.condition)
            yield from _used((*node.body, *node.otherwise))


def shape(body: Sequence[Node]) -> Hashable:
    """Return a key that is equal for code with the same statements, loops and conditions."""
    return tuple(_shape(node) for node in body)


def _shape(node: Node) -> Hashable:
    if isinstance(node, Execution):
        return node.statement.name
    if isinstance(node, Guard):
        return node.condition, shape(node.body), shape(node.otherwise)
    return node.iterator, node.first, node.last, node.step, shape(node.body)
