"""The processes of a kernel with regions: tasks that contain no region, with their places, reads and writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.hls.region.model import Part, TaskChoice, TaskCode, TaskLoop, TaskRegion, TaskStages
from ppnsim.hls.region.parts import position_of
from ppnsim.hls.region.reads_and_writes import accesses_in, moved_by
from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.hls.region.round_loops import with_rounds
from ppnsim.hls.region.settled_conditions import straightened
from ppnsim.hls.structure.counting import used
from ppnsim.hls.structure.unrolling import substituted
from ppnsim.loops.program import Guard, Loop, LoopProgram, Node, Position

Trail = tuple[tuple[Part, int], ...]
"""The parts around a task, outermost first, each with the index of its part that contains the task."""


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """A task without a region inside.

    Attributes
    ----------
    body : its code; the iterators of the loops around it have their first values.
    trail : the parts around it.
    around : trip counts of the loops around it, by the length of the trail at the loop.
    reads, writes : arrays, scalars and FIFOs, with the place of the first access.
    endless : it runs again as long as tokens come.
    pipelined : its runs are the iterations of the one loop in its body.
    moved : arrays of which it accesses other elements in each round of a loop around it.
    """

    name: str
    position: Position
    body: tuple[Node, ...]
    trail: Trail
    around: Mapping[int, int]
    reads: Mapping[str, Position]
    writes: Mapping[str, Position]
    endless: bool = False
    pipelined: bool = False
    moved: frozenset[str] = frozenset()

    def again(self, rounds: int) -> Leaf:
        """Return the task with its code repeated: one run after the other, or as iterations of its pipelined loop."""
        if self.pipelined:
            return replace(self, body=with_rounds(self.body, rounds))
        return replace(self, around={**self.around, len(self.trail): rounds}) if rounds > 1 else self

    def times(self, below: int = 0, above: int | None = None) -> int:
        """Return the number of its runs in one run of the part at a place of its trail."""
        return prod(trips for at, trips in self.around.items() if below <= at and (above is None or at < above))


def leaves_of(part: Part, streams: frozenset[str], buses: frozenset[str] = frozenset()) -> list[Leaf]:
    """Return all tasks in program order, with unique names.

    Parameters
    ----------
    streams : the FIFOs.
    buses : the arrays on buses.

    Raises
    ------
    InputError
        If a task's behaviour depends on an iterator of a loop around it, or a condition decides whether it runs.
    """
    found: list[Leaf] = []
    taken: dict[str, int] = {}
    for code, trail, name in _walk(part, (), ""):
        body, around, rounds = list(code.body), {}, set[str]()
        for place, (each, _) in enumerate(trail):
            if isinstance(each, TaskChoice):
                words = "a condition decides whether a dataflow region runs, which is no process network"
                raise NoNetwork(f"{words}; put it into the tasks", where=str(each.position))
            if isinstance(each, TaskLoop):
                around[place] = each.trips
                rounds.add(each.loop.iterator)
                body = straightened(body, each.loop.iterator, streams | buses)
                _check_same(body, each.loop.iterator, code.name, streams)
                body = substituted(body, each.loop.iterator, each.loop.first[0])
        taken[name] = taken.get(name, 0) + 1
        unique = name if taken[name] == 1 else f"{name}_{taken[name]}"
        reads, writes = accesses_in(code.body)
        leaf = Leaf(
            unique, code.position, tuple(body), trail, around, reads, writes, code.endless, code.pipelined,
            moved_by(code.body, rounds),
        )  # fmt: skip
        found.append(leaf)
    return found


def _walk(part: Part, trail: Trail, prefix: str) -> Iterator[tuple[TaskCode, Trail, str]]:
    """Yield each task with its trail and its name, which begins with the names of the tasks around it."""
    if isinstance(part, TaskCode):
        yield part, trail, prefix + part.name
        return
    around = any(isinstance(each, TaskRegion | TaskStages) for each, _ in trail)
    for number, inner in enumerate(part.parts):
        inside = f"{prefix}{part.name}." if around and isinstance(part, TaskRegion) else prefix
        yield from _walk(inner, (*trail, (part, number)), inside)


def _check_same(body: Sequence[Node], iterator: str, name: str, streams: frozenset[str]) -> None:
    """Refuse a task whose runs differ: a process has one schedule for all runs."""
    if varying := next((each for each in all_loops(body) if used(each, iterator)), None):
        words = f"how long task '{name}' runs depends on '{iterator}', the iterator of the region"
        raise NoNetwork(words, where=str(varying.position))
    for guard in _guards(body):
        if used(guard.condition, iterator):
            words = f"what task '{name}' does depends on '{iterator}', the iterator of the region"
            raise NoNetwork(words, where=str(position_of(guard)))
    for statement in LoopProgram(name="", arrays=(), body=tuple(body)).statements():
        for access in (*statement.reads, *statement.writes):
            if access.array in streams and any(iterator in each.iterators() for each in access.subscripts):
                words = f"which FIFO of '{access.array}' task '{name}' accesses depends on '{iterator}'"
                raise NoNetwork(f"{words}, the iterator of the region", where=str(statement.position))


def _guards(body: Sequence[Node]) -> Iterator[Guard]:
    for node in body:
        if isinstance(node, Guard):
            yield node
            yield from _guards((*node.body, *node.otherwise))
        elif isinstance(node, Loop):
            yield from _guards(node.body)


def common_part(one: Leaf, other: Leaf) -> int:
    """Return the place of the innermost part around both tasks in their trails."""
    places = zip(one.trail, other.trail, strict=False)
    return next(place for place, (mine, its) in enumerate(places) if mine[1] != its[1])


def in_region(one: Leaf, other: Leaf) -> bool:
    """Return whether two tasks run at the same time."""
    return one is not other and isinstance(one.trail[common_part(one, other)][0], TaskRegion)


def stands_before(one: Leaf, other: Leaf) -> bool:
    """Return whether a task comes before another one in the source."""
    place = common_part(one, other)
    return one.trail[place][1] < other.trail[place][1]


def first_leaves(leaves: Sequence[Leaf], place: int, like: Leaf) -> list[Leaf]:
    """Return the tasks whose starts begin the part after ``place`` in the trail of ``like``."""
    return _ends(leaves, place, like, first=True)


def last_leaves(leaves: Sequence[Leaf], place: int, like: Leaf) -> list[Leaf]:
    """Return the tasks whose ends finish the part after ``place`` in the trail of ``like``."""
    return _ends(leaves, place, like, first=False)


def _ends(leaves: Sequence[Leaf], place: int, like: Leaf, *, first: bool) -> list[Leaf]:
    numbers = [number for _, number in like.trail[: place + 1]]
    inside = [leaf for leaf in leaves if [number for _, number in leaf.trail[: place + 1]] == numbers]

    def is_end(leaf: Leaf) -> bool:
        stages = ((part, number) for part, number in leaf.trail[place + 1 :] if isinstance(part, TaskStages))
        return all(number == (0 if first else len(part.parts) - 1) for part, number in stages)

    return [leaf for leaf in inside if is_end(leaf)]
