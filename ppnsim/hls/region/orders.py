"""Which task waits for which without data between them: stages, rounds, and tasks that start at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ppnsim.hls.region.leaves import Leaf, first_leaves, last_leaves
from ppnsim.hls.region.model import Part, TaskLoop, TaskStages
from ppnsim.hls.region.rhythms import Rhythm, asks_outside


@dataclass(frozen=True, slots=True)
class TaskOrder:
    """Pairs of tasks of which the second waits for the first, in each run of the part at a place of their trails.

    Attributes
    ----------
    initial : runs of the second that wait for none.
    ready : the first has to be able to start again, not to have ended.
    """

    pairs: list[tuple[Leaf, Leaf]]
    place: int
    initial: int = 0
    ready: bool = False

    def told(self) -> list[str]:
        """Return a sentence about tasks that start at once."""
        if not (self.ready and self.pairs):
            return []
        names = ", ".join(dict.fromkeys(one.name for one, _ in self.pairs))
        words = "start a round when all of them may start again, as each needs what its region has from outside"
        return [f"tasks {names} {words} (rule R5.26 in ppnsim/hls/RULES.md)"]


def orders_of(leaves: Sequence[Leaf], rhythms: Mapping[Leaf, Rhythm], *, at_once: bool) -> Iterator[TaskOrder]:
    """Yield the order of stages, of rounds of loops that wait for all tasks, and of tasks that start at once.

    ``at_once``: where a task starts again while it ends, the tasks that need what their region has from outside start
    when all of them can start again (R5.26).
    """
    for leaf, place, (part, number) in _parts(leaves):
        if isinstance(part, TaskStages) and number:
            before = next(each for each in leaves if (part, number - 1) in each.trail)
            firsts = first_leaves(leaves, place, leaf)
            yield TaskOrder([(one, other) for one in last_leaves(leaves, place, before) for other in firsts], place)
        elif isinstance(part, TaskLoop) and not part.overlaps:
            yield TaskOrder(_apart(last_leaves(leaves, place, leaf), first_leaves(leaves, place, leaf)), place, 1)
        elif isinstance(part, TaskLoop) and at_once:
            inside = [each for each in leaves if (part, 0) in each.trail]
            asking = [each for each in inside if asks_outside(each, inside)]
            if any(rhythms[each].rewinds for each in inside):
                yield TaskOrder(_apart(asking, asking), place, 1, ready=True)


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
