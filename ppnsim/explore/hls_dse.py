"""Exploration of loop and array directives: Algorithm 1 of the roofline paper, and all designs of a small space.

Source: Siracusa et al. 2021, section 4.3 and Algorithm 1. Where the listing is silent: after a step back the next step
is again one for a loop, and the partitions are those from before the step that was taken back.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from ppnsim.affine.program import Access
from ppnsim.errors import InputError
from ppnsim.explore.hls_designs import Designs, Evaluated, Key
from ppnsim.hls.partitions import Partition

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A design that the exploration looked at, and what led to it."""

    design: Evaluated
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration:
    """What came out: the plain design, the steps in their order, and the last one that fits (Algorithm 1's answer).

    ``complete`` is false if it was interrupted.
    """

    plain: Evaluated
    steps: tuple[Step, ...]
    final: Evaluated
    space: int
    complete: bool = True

    @property
    def best(self) -> Evaluated:
        """The design of fewest cycles that fits, of those that were looked at; of equal ones the smallest."""
        return min((s.design for s in self.steps if s.design.fits), key=lambda each: (each.cycles, each.share))

    @property
    def gain(self) -> float:
        """Cycles of the plain design over those of the best one."""
        return self.plain.cycles / max(self.best.cycles, 1)

    @property
    def explored(self) -> int:
        """How many different designs were looked at."""
        seen = {(tuple(s.design.levels.items()), tuple(s.design.partitions.items())) for s in self.steps}
        return len(seen)


def explore_directives(designs: Designs, *, progress: Progress | None = None, limit: int = 10_000) -> Exploration:
    """Return what Algorithm 1 finds; Ctrl-C keeps what it has.

    ``limit``: of steps, for kernels that go on and on.
    """
    walk = _Walk(designs)
    complete = True
    try:
        while len(walk.steps) < limit and walk.step():
            if progress is not None:
                progress(len(walk.steps), limit)
    except KeyboardInterrupt:
        if walk.fitting is None:
            raise
        complete = False
    plain = designs.at({}, {})
    if walk.fitting is None:
        raise InputError("not even the design without directives fits the device")
    return Exploration(
        plain=plain, steps=tuple(walk.steps), final=walk.fitting, space=space(designs), complete=complete
    )  # fmt: skip


class _Walk:
    """The state of Algorithm 1."""

    def __init__(self, designs: Designs) -> None:
        self.designs = designs
        self.levels: dict[Key, int] = {}
        self.partitions: dict[str, Partition] = {}
        self.stack: list[tuple[Key, int, dict[str, Partition]]] = []
        self.finished: set[Key] = set()
        self.next = "loop"
        self.what = "no directives"
        self.steps: list[Step] = []
        self.fitting: Evaluated | None = None

    def step(self) -> bool:
        """Look at the current design and choose the next one; return whether there is one."""
        design = self.designs.at(self.levels, self.partitions)
        self.steps.append(Step(design=design, what=self.what))
        if not design.fits:
            if not self.stack:
                return False
            key, level, self.partitions = self.stack.pop()
            self.levels[key] = level
            self.finished.add(key)
            self.next, self.what = "loop", f"back: loop {self._name(key)} is fully optimised"
            return True
        self.fitting = design
        if self.next == "array":
            self.partitions = partitions_of(self.designs, self.levels)
            self.next, self.what = "loop", f"arrays partitioned for loop {self._name(self.stack[-1][0])}"
            return True
        key_ = self._bottleneck()
        if key_ is None:
            return False
        before = self.levels.get(key_, 0)
        self.stack.append((key_, before, dict(self.partitions)))
        self.levels[key_] = next(level for level in self.designs.steps(key_) if level > before)
        level = self.levels[key_]
        done = "pipelined" if level == 1 else f"unrolled by {level}"
        self.next, self.what = "array", f"loop {self._name(key_)} {done}"
        return True

    def _name(self, key: Key) -> str:
        return f"{self.designs.name(key)} (line {key[1]})"

    def _bottleneck(self) -> Key | None:
        """Return the innermost loop that is reached by going into the loop of most cycles, of those still open."""
        found: Key | None = None
        inside = self.designs.roots(self.levels)
        while True:
            open_ = [key for key in inside if self._open(key)]
            if not open_:
                return found
            found = open_[0] if len(open_) == 1 else max(
                open_, key=lambda key: (self.designs.cycles_of(key, self.levels, self.partitions), -open_.index(key))
            )  # fmt: skip
            inside = self.designs.children(found, self.levels)
            if not inside:
                return found

    def _open(self, key: Key) -> bool:
        """Return whether some innermost loop in this one, or itself, can still be optimised."""
        inside = self.designs.children(key, self.levels)
        if inside:
            return any(self._open(child) for child in inside)
        return key not in self.finished and any(each > self.levels.get(key, 0) for each in self.designs.steps(key))


def partitions_of(designs: Designs, levels: Mapping[Key, int]) -> dict[str, Partition]:
    """Return the partitions that the accesses of a design ask for (section 4.3).

    Each dimension is cut in as many parts as there are distinct offsets in it; of cyclic and block the one with fewer
    accesses to the part that has most of them, cyclic if they are equal; completely if it has that many elements.
    """
    wanted: dict[str, dict[int, tuple[int, Sequence[int]]]] = defaultdict(dict)
    shapes = {array.name: array.shape for array in designs.program.arrays}
    for body in designs.accesses(levels, {}):
        for array, dimension, offsets in _offsets(body):
            most = len(set(offsets))
            if most > wanted[array].get(dimension, (1, ()))[0]:
                wanted[array][dimension] = (most, offsets)
    found = {}
    for array, dimensions in sorted(wanted.items()):
        parts = [
            _chosen(dimension, count, offsets, shapes[array][dimension - 1])
            for dimension, (count, offsets) in sorted(dimensions.items())
        ]
        if len(parts) == len(shapes[array]) and all(part.kind == "complete" for part in parts):
            parts = [Partition("complete", 0, prod(shapes[array]), 0)]
        if parts:
            found[array] = replace(parts[0], more=tuple(parts[1:]))
    return found


def _offsets(body: Sequence[Access]) -> Iterator[tuple[str, int, list[int]]]:
    """Yield the constants of the subscripts of a dimension that are otherwise alike."""
    groups: dict[tuple[str, int, object], list[int]] = defaultdict(list)
    for access in dict.fromkeys(body):
        for dimension, subscript in enumerate(access.subscripts, start=1):
            groups[access.array, dimension, subscript.terms].append(subscript.constant)
    for (array, dimension, _), offsets in groups.items():
        yield array, dimension, offsets


def _chosen(dimension: int, count: int, offsets: Sequence[int], extent: int) -> Partition:
    if count >= extent:
        return Partition("complete", dimension, extent, extent)
    cyclic, block = Partition("cyclic", dimension, count, extent), Partition("block", dimension, count, extent)
    return block if _conflicts(block, offsets) < _conflicts(cyclic, offsets) else cyclic


def _conflicts(partition: Partition, offsets: Sequence[int]) -> int:
    return max(Counter(partition.bank(offset) for offset in offsets).values())


def space(designs: Designs) -> int:
    """Return how many combinations of loop levels there are, array partitions apart."""
    return prod(1 + len(designs.steps(key)) for key in designs.loops)


def exhaustive(designs: Designs, *, most: int = 5000, progress: Progress | None = None) -> tuple[list[Evaluated], bool]:
    """Return every design that fits and whether all were tried, each with the partitions that its accesses ask for.

    A loop is touched only where all inside it are completely unrolled, else what is asked of it would unroll them.

    Raises
    ------
    InputError
        If there are more than ``most`` of them.
    """
    points = [
        levels for levels in (
            dict(zip(designs.loops, each, strict=True))
            for each in product(*((0, *designs.steps(key)) for key in designs.loops))
        ) if _sensible(designs, levels)
    ]  # fmt: skip
    if len(points) > most:
        raise InputError(f"the space has {len(points)} designs, too many to try all (at most {most})")
    found: list[Evaluated] = []
    try:
        for number, levels in enumerate(points, start=1):
            design = designs.at(levels, partitions_of(designs, levels))
            if design.fits:
                found.append(design)
            if progress is not None:
                progress(number, len(points))
    except KeyboardInterrupt:
        return found, False
    return found, True


def _sensible(designs: Designs, levels: Mapping[Key, int]) -> bool:
    return all(not level or not designs.children(key, levels) for key, level in levels.items())


def front(points: Sequence[Evaluated]) -> list[Evaluated]:
    """Return the designs of which no other has fewer cycles and no more area, fewest cycles first."""
    kept: list[Evaluated] = []
    for point in sorted(points, key=lambda each: (each.cycles, each.share)):
        if not kept or point.share < kept[-1].share:
            kept.append(point)
    return kept
