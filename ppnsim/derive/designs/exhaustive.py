"""All designs of a small space, to compare a walk with the best of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from math import prod

from ppnsim.derive.designs.space import DesignSpace, Point
from ppnsim.derive.designs.walk import Report
from ppnsim.errors import InputError

MOST_DESIGNS = 2_000_000
_MOST_WORK = 20_000_000_000  # executions timed, some minutes
_OFTEN = 500  # designs between two reports


@dataclass(frozen=True, slots=True, kw_only=True)
class Excess:
    """How far a design is behind the best one that has no more processes."""

    point: Point
    best: Point

    @property
    def share(self) -> float:
        """How much later the design finishes than the best one, as a share of the best finish."""
        return self.point.finish / self.best.finish - 1 if self.best.finish else 0.0


@dataclass(kw_only=True)
class Exhaustive:
    """Every combination of splits that a walk can reach: over any loops, unfolded or cut, by any factor.

    Attributes
    ----------
    designs : number of designs, without those with too many processes.
    looked_at : number of designs looked at so far.
    """

    space: DesignSpace
    designs: int = 0
    looked_at: int = 0

    def __post_init__(self) -> None:
        splitters = self.space.splitters
        self._choices = [s.all_choices() if k in self.space.open else [()] for k, s in enumerate(splitters)]
        self.designs = prod(len(choices) for choices in self._choices)
        most = min(MOST_DESIGNS, _MOST_WORK // len(self.space.graph.number))
        if self.designs > most:
            reason = (
                f"{self.designs} designs are too many to look at them all (at most {most} of a program of this size)"
            )
            advice = "keep some statements with --keep, or make the program smaller"
            raise InputError(f"{reason}: {advice}", where=self.space.program.name)

    def run(self, report: Report | None = None) -> None:
        """Look at all designs; the space keeps the best ones."""
        for design in product(*self._choices):
            self.looked_at += 1
            if self.space.processes(design) <= self.space.max_processes:
                self.space.point(design)
            if report is not None and self.looked_at % _OFTEN == 0:
                report(self.looked_at, self.designs)

    def worst(self, points: Iterable[Point]) -> Excess:
        """Return the one of these designs that is furthest behind the best one with no more processes."""
        front = self.space.front()
        found = [
            Excess(point=point, best=[best for best in front if best.processes <= point.processes][-1])
            for point in points
        ]
        return max(found, key=lambda each: each.share)
