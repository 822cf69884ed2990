"""Which task waits for which without data between them: stages, and rounds of loops that wait for all tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ppnsim.hls.region.leaves import Leaf, first_leaves, last_leaves
from ppnsim.hls.region.model import Part, TaskLoop, TaskStages


@dataclass(frozen=True, slots=True)
class TaskOrder:
    """Pairs of tasks of which the second waits for the first, in each run of the part at a place of their trails.

    Attributes
    ----------
    initial : runs of the second that wait for none.
    """

    pairs: list[tuple[Leaf, Leaf]]
    place: int
    initial: int = 0


def orders_of(leaves: Sequence[Leaf]) -> Iterator[TaskOrder]:
    """Yield the order of stages, and of rounds of loops that wait for all tasks."""
    for leaf, place, (part, number) in _parts(leaves):
        if isinstance(part, TaskStages) and number:
            before = next(each for each in leaves if (part, number - 1) in each.trail)
            firsts = first_leaves(leaves, place, leaf)
            yield TaskOrder([(one, other) for one in last_leaves(leaves, place, before) for other in firsts], place)
        elif isinstance(part, TaskLoop) and not part.overlaps:
            yield TaskOrder(_apart(last_leaves(leaves, place, leaf), first_leaves(leaves, place, leaf)), place, 1)


def _apart(some: Sequence[Leaf], others: Sequence[Leaf]) -> list[tuple[Leaf, Leaf]]:
    return [(one, other) for one in some for other in others if one is not other]


def _parts(leaves: Sequence[Leaf]) -> Iterator[tuple[Leaf, int, tuple[Part, int]]]:
    """Yield each part around tasks once, with its first task and its place."""
    done: set[tuple[Part, int]] = set()
    for leaf in leaves:
        for place, at in enumerate(leaf.trail):
            if at not in done:
                done.add(at)
                yield leaf, place, at
