"""Differences between rounds of loops around tasks: trip counts, statements, and whether code runs (R7.4)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.hls.region.model import Part, TaskChoice, TaskCode, TaskLoop
from ppnsim.loops.expressions import condition_iterators
from ppnsim.loops.points import holding, iterations_at, trips_at
from ppnsim.loops.program import Execution, Guard, Loop, Node

Values = dict[str, int]
"""The values of the iterators of the loops around a part."""
MOST_POINTS = 4096
"""Most points of the loops of a task at which conditions are compared; with more, their constants must be equal."""


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


def shape(body: Sequence[Node], pipelined: Callable[[Loop], bool] = lambda _: False) -> Hashable:
    """Return a key that is equal for code with the same statements and loops whose conditions hold at the same points.

    Within a loop that a directive pipelines, whose rounds take the same cycles, only whether they hold at all counts.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from ppnsim.loops.expressions import Affine, Compare
    >>> near, far, first = (Guard(Compare(Affine.of("j") * by + at), ()) for by, at in ((1, 0), (1, 7), (-1, 0)))
    >>> three = Loop(iterator="j", first=(Affine.of(0),), last=(Affine.of(2),))
    >>> keys = [shape([replace(three, body=(guard,))]) for guard in (near, far, first)]
    >>> keys[0] == keys[1], keys[1] == keys[2]
    (True, False)
    """
    return _Points({}, 1, pipelined).shape(body)


@dataclass(frozen=True, slots=True)
class _Points:
    """The values of iterators at all points of the loops around some code; ``known`` may leave outer loops out."""

    known: Mapping[str, Int64Array]
    count: int
    pipelined: Callable[[Loop], bool]
    pipeline: bool = False

    def shape(self, body: Sequence[Node]) -> Hashable:
        """Return the key of code that runs at these points."""
        return tuple(self.node(node) for node in body)

    def node(self, node: Node) -> Hashable:
        if isinstance(node, Execution):
            return node.statement.name
        if isinstance(node, Guard):
            return self.held(node), self.shape(node.body), self.shape(node.otherwise)
        return node.iterator, node.first, node.last, node.step, self.within(node).shape(node.body)

    def held(self, guard: Guard) -> Hashable:
        """Return what tells the conditions of two rounds apart."""
        if not condition_iterators(guard.condition) <= self.known.keys():
            return guard.condition
        there = holding(guard.condition, self.known, self.count)
        some, everywhere = bool(there.any()), bool(there.all())
        if self.pipeline:
            return some, everywhere and bool(guard.otherwise)
        return some if some == everywhere else there.tobytes()

    def within(self, loop: Loop) -> _Points:
        """Return the points in a loop; if they are unknown or too many, the loop's iterator has no values."""
        pipeline = self.pipeline or self.pipelined(loop)
        try:
            start, trips = trips_at(loop, self.known, self.count)
        except InputError:  # data bounds it, or an iterator without values
            return _Points({}, 1, self.pipelined, pipeline)
        if not 0 < (count := int(trips.sum())) <= MOST_POINTS:
            return _Points({}, 1, self.pipelined, pipeline)
        row, iterator = iterations_at(loop, start, trips)
        known = {name: column[row] for name, column in self.known.items()} | {loop.iterator: iterator}
        return _Points(known, count, self.pipelined, pipeline)
