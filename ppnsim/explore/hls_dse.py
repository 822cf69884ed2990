"""Exploration of loop and array directives: Algorithm 1 of the roofline paper, and all designs of a small space.

Source: Siracusa et al. 2021, section 4.3 and Algorithm 1. Where the listing is silent: after a step back the next step
is again one for a loop, and the partitions are those from before the step that was taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from ppnsim.errors import InputError
from ppnsim.explore.hls_designs import Designs, Evaluated, Key
from ppnsim.explore.hls_partitions import partitions_of
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
