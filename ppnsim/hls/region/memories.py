"""Memories of an array that different tasks use: each is handed over separately, as rows of a partition (R7.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

from ppnsim.hls.region.leaves import Leaf, in_region, stands_before
from ppnsim.hls.structure.divisions import Places, accessed, divisions_of, memories_of, whole
from ppnsim.hls.structure.partitions import Partition
from ppnsim.loops.program import Access, Array, Node, Position

MOST = 1024
"""Most memories of an array that are looked at separately."""
Memory = tuple[int, ...]
"""The number of a memory along each divided dimension."""


@dataclass(frozen=True, slots=True)
class Shared:
    """Memories of an array that the same tasks write and the same tasks read.

    Attributes
    ----------
    name : the name of the channel: ``a``, or ``a[0]`` for one row of several.
    reads, writes : the tasks, in program order, each with the place of its first access.
    among : returns whether an access may go to one of these memories.
    """

    name: str
    reads: Mapping[Leaf, Position]
    writes: Mapping[Leaf, Position]
    among: Callable[[Access], bool]

    @property
    def tasks(self) -> int:
        """The number of tasks that access them."""
        return len(self.reads.keys() | self.writes.keys())

    @property
    def refused(self) -> bool:
        """Whether several tasks of a region write them, or a reader comes before a writer."""
        writers = list(self.writes)
        twice = any(in_region(one, other) for one, other in combinations(writers, 2))
        return twice or any(in_region(r, w) and stands_before(r, w) for r in self.reads for w in writers if r is not w)


def shared_memories(array: Array, partition: Partition | None, tasks: Sequence[Leaf]) -> tuple[list[Shared], bool]:
    """Return the memories of an array by the tasks that use them, and whether a directive is assumed.

    Without a directive an array is one memory. If several tasks write it, each at its own constant subscripts of a
    dimension, the array is assumed to be divided along that dimension: synthesis refuses it otherwise.
    """
    whole_array = _apart(array, [], tasks)
    if not any(each.refused for each in whole_array):
        return whole_array, False
    told = divisions_of(array, partition)
    found = _apart(array, told, tasks)
    more = _by_numbers(array, told, tasks) if any(each.refused for each in found) else []
    assumed = _apart(array, [*told, *more], tasks) if more else []
    if assumed and not any(each.refused for each in assumed):
        return assumed, True
    return found, False


def used_apart(array: Array, partition: Partition | None, tasks: Sequence[Leaf]) -> list[Shared]:
    """Return the memories that directives make of an array, grouped by the tasks that use them."""
    return _apart(array, divisions_of(array, partition), tasks)


def meet(array: Array, partition: Partition | None, one: Sequence[Node], other: Sequence[Node]) -> bool:
    """Return whether some code writes memories of an array that other code reads or writes.

    Constant subscripts tell memories apart along every dimension.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Execution, Statement
    >>> first, second = ([Execution(Statement(name="s", writes=(Access("a", (Affine.of(k),)),)))] for k in (0, 1))
    >>> meet(Array(name="a", shape=(2,)), None, first, first), meet(Array(name="a", shape=(2,)), None, first, second)
    (True, False)
    """
    told = divisions_of(array, partition)
    known = {each.dim for each in told}
    every = [*told, *(whole(array, dim) for dim in range(1, len(array.shape) + 1) if dim not in known)]
    sides = [
        [(_told(where, len(told)), write) for where, write, _ in accessed(array, every, code)] for code in (one, other)
    ]
    return any((w or v) and all(map(_overlap, a, b)) for a, w in sides[0] for b, v in sides[1])


def _told(places: Places, told: int) -> Places:
    """Return the memories that an access may use; without a directive, only a constant subscript tells which."""
    return (*places[:told], *(each if _one(each) else None for each in places[told:]))


def _overlap(one: frozenset[int] | None, other: frozenset[int] | None) -> bool:
    return one is None or other is None or bool(one & other)


def _by_numbers(array: Array, told: Sequence[Partition], tasks: Sequence[Leaf]) -> list[Partition]:
    """Return divisions along other dimensions in which each writing task has constant subscripts."""
    free = [whole(array, dim) for dim in range(1, len(array.shape) + 1) if all(each.dim != dim for each in told)]
    writers = [leaf for leaf in tasks if array.name in leaf.writes and array.name not in leaf.moved]
    if len(writers) < sum(array.name in leaf.writes for leaf in tasks):
        return []
    found = [places for leaf in writers for places, write, _ in accessed(array, free, leaf.body) if write]
    return [each for at, each in enumerate(free) if all(_one(places[at]) for places in found)]


def _one(places: frozenset[int] | None) -> bool:
    return places is not None and len(places) == 1


def _apart(array: Array, divisions: Sequence[Partition], tasks: Sequence[Leaf]) -> list[Shared]:
    """Return the memories that divisions make, grouped by the tasks that write and read them."""
    counts = [each.factor for each in divisions]
    if prod(counts) > MOST:
        divisions, counts = [], []
    every = [frozenset(range(count)) for count in counts]
    uses: dict[Memory, tuple[dict[Leaf, Position], dict[Leaf, Position]]] = {}
    for leaf in tasks:
        for places, write, position in accessed(array, divisions, leaf.body):
            known = [None] * len(every) if array.name in leaf.moved else places
            for memory in product(*(own if own is not None else all_ for own, all_ in zip(known, every, strict=True))):
                uses.setdefault(memory, ({}, {}))[write].setdefault(leaf, position)
    groups: dict[tuple[tuple[Leaf, ...], tuple[Leaf, ...]], list[Memory]] = {}
    for memory, (reads, writes) in sorted(uses.items()):
        groups.setdefault((tuple(reads), tuple(writes)), []).append(memory)
    return [_shared(array, divisions, memories, uses[memories[0]]) for memories in groups.values()]


def _shared(
    array: Array, divisions: Sequence[Partition], memories: Sequence[Memory],
    uses: tuple[Mapping[Leaf, Position], Mapping[Leaf, Position]],
) -> Shared:  # fmt: skip
    own = frozenset(memories)
    numbers = {each.dim: at for at, each in enumerate(divisions)}
    moved = any(array.name in leaf.moved for side in uses for leaf in side)

    def among(access: Access) -> bool:
        if moved:  # the subscripts of its tasks are those of the first round
            return True
        places = memories_of(access, divisions, {})
        return any(all(p is None or m in p for p, m in zip(places, memory, strict=True)) for memory in own)

    def called(memory: Memory) -> str:
        last = max(numbers, default=0)
        marks = (f"[{memory[numbers[dim]]}]" if dim in numbers else "[]" for dim in range(1, last + 1))
        return array.name + "".join(marks)

    name = called(memories[0]) + (f" to {called(memories[-1]).removeprefix(array.name)}" if len(memories) > 1 else "")
    return Shared(name if divisions else array.name, *uses, among)
