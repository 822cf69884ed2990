"""Exploration of loop and array directives: Algorithm 1 of the roofline paper.

Source: Siracusa et al. 2021, section 4.3 and Algorithm 1. Where the listing is silent: after a step back the next step
is again one for a loop, with the partitions of before the step that was taken back. Unlike the listing, a loop of which
two larger factors in a row are slower is not unrolled further.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ppnsim.errors import InputError
from ppnsim.hls.dse.designs import Designs
from ppnsim.hls.dse.loops import Evaluated
from ppnsim.hls.dse.partitions import partitions_of
from ppnsim.hls.pragmas.directives import Scope
from ppnsim.hls.structure.partitions import Partition

SLOWER = 2
"""Factors of a loop in a row, all slower than a smaller one, after which no larger one is tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkStep:
    """A design that the exploration looked at, and the step that led to it."""

    design: Evaluated
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration:
    """The plain design, the steps in order, and the last design that fits (Algorithm 1's answer).

    ``cut`` are loops that would become too large if unrolled further, and ``stopped`` those of which larger factors are
    not tried, because `SLOWER` in a row were slower. ``complete`` is false after an interruption.
    """

    plain: Evaluated
    steps: tuple[WalkStep, ...]
    final: Evaluated
    cut: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    complete: bool = True

    @property
    def best(self) -> Evaluated:
        """The design of fewest cycles among those that fit; of equal designs the smallest."""
        return min((s.design for s in self.steps if s.design.fits), key=lambda each: (each.cycles, each.share))

    @property
    def gain(self) -> float:
        """Cycles of the plain design over those of the best one."""
        return self.plain.cycles / max(self.best.cycles, 1)

    @property
    def explored(self) -> int:
        """The number of different designs that were looked at."""
        return len({(*s.design.levels.items(), *s.design.partitions.items()) for s in self.steps})


def explore_directives(designs: Designs, *, progress: Callable[[int, int], None] | None = None) -> Exploration:
    """Return the result of Algorithm 1; after Ctrl-C, the part found so far.

    Raises
    ------
    InputError
        If the design without directives does not fit.
    """
    walk = _Walk(designs)
    # Each level of a loop is reached once, with a partition after it; each loop has at most one step back.
    most = 1 + sum(2 * len(designs.loops.steps(key)) + 1 for key in designs.loops)
    complete = True
    try:
        while walk.step():
            if progress is not None:
                progress(len(walk.steps), most)
    except KeyboardInterrupt:
        if walk.fitting is None:
            raise
        complete = False
    if walk.fitting is None:
        area = walk.steps[0].design.area
        kind = max(area, key=lambda each: area[each])
        words = f"takes {100 * area[kind]:.0f} % of its {kind.upper()}"
        raise InputError(f"not even the design without directives fits {designs.library.device.name}: it {words}")
    return Exploration(
        plain=walk.steps[0].design, steps=tuple(walk.steps), final=walk.fitting, cut=walk.cut(),
        stopped=tuple(map(designs.loops.name, walk.stopped)), complete=complete,
    )  # fmt: skip


class _Walk:
    """The state of Algorithm 1."""

    def __init__(self, designs: Designs) -> None:
        self.designs, self.loops = designs, designs.loops
        self.levels: dict[Scope, int] = {}
        self.partitions: dict[str, Partition] = {}
        self.stack: list[tuple[Scope, int, dict[str, Partition]]] = []
        self.ladder: Scope | None = None
        self.least: Evaluated | None = None
        self.slower = 0
        self.stopped: list[Scope] = []
        self.finished: set[Scope] = set()
        self.next = "loop"
        self.what = "no directives"
        self.steps: list[WalkStep] = []
        self.fitting: Evaluated | None = None

    def step(self) -> bool:
        """Look at the current design and choose the next one; return whether there is one."""
        design = self.designs.at(self.levels, self.partitions)
        self.steps.append(WalkStep(design=design, what=self.what))
        if not design.fits:
            if not self.stack:
                return False
            key, level, self.partitions = self.stack.pop()
            self.levels[key] = level
            self.finished.add(key)
            self.next, self.what = "loop", f"back: loop {self.loops.name(key)} is fully optimised"
            return True
        self.fitting = design
        if self.next == "array":
            self.partitions = partitions_of(self.designs, self.levels)
            self.next, self.what = "loop", f"arrays partitioned for loop {self.loops.name(self.stack[-1][0])}"
            return True
        if self._is_slower(design):
            return True
        loop = self._bottleneck(design)
        if loop is None:
            return False
        if loop != self.ladder:
            self.ladder, self.least, self.slower = loop, design, 0
        self.stack.append((loop, self.levels.get(loop, 0), dict(self.partitions)))
        level = self.levels[loop] = self.loops.next_step(loop, self.levels) or 1
        done = "pipelined" if level == 1 else f"unrolled by {level}"
        self.next, self.what = "array", f"loop {self.loops.name(loop)} {done}"
        return True

    def _is_slower(self, design: Evaluated) -> bool:
        """Go back to the best factor of a loop if `SLOWER` larger ones in a row were slower; return whether."""
        if self.ladder is None or self.least is None:
            return False
        if design.cycles <= self.least.cycles:
            self.least, self.slower = design, 0
            return False
        self.slower += self.levels.get(self.ladder, 0) > 1
        if self.slower < SLOWER:
            return False
        self.levels, self.partitions = dict(self.least.levels), dict(self.least.partitions)
        self.finished.add(self.ladder)
        self.stopped.append(self.ladder)
        self.what = f"back: loop {self.loops.name(self.ladder)} is slower unrolled further"
        self.ladder = self.least = None
        return True

    def cut(self) -> tuple[str, ...]:
        """Return the loops that are not unrolled further only because of the limit on statements."""
        return tuple(
            self.loops.name(key) for key in self.loops
            if key not in self.finished and not self.loops.children(key, self.levels)
            and self.levels.get(key, 0) < self.loops.steps(key)[-1] and not self._open(key)
        )  # fmt: skip

    def _bottleneck(self, design: Evaluated) -> Scope | None:
        """Return the innermost loop that is reached by entering the slowest open loop at each level."""
        found: Scope | None = None
        inside = self.loops.roots(self.levels)
        while open_ := [key for key in inside if self._open(key)]:
            found = max(open_, key=lambda key: design.loops.get(key, 0))  # the first of equal loops
            inside = self.loops.children(found, self.levels)
        return found

    def _open(self, key: Scope) -> bool:
        """Return whether an inner loop, or this loop itself, can still be optimised."""
        inside = self.loops.children(key, self.levels)
        if inside:
            return any(self._open(child) for child in inside)
        return key not in self.finished and self.loops.next_step(key, self.levels) is not None
