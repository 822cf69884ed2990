"""The path to the statement that is being read: loops, and conditions under which it executes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ppnsim.loops.expressions import Affine
from ppnsim.opencl.block import Count


@dataclass(slots=True, eq=False)
class LoopFrame:
    """A loop around what is being read.

    Attributes
    ----------
    name, counter : of the loop; the symbol that counts its iterations from 0.
    test : the condition of an iteration (None: only ``given`` tells the number); of a do loop, of the next one.
    states : numbers whose steps are not fixed: symbol, first value, and the value in the next iteration.
    breaks : conditions that end it after the iteration in which they hold.
    given : trip count of a pragma.
    trip : iterations of a visit, on average.
    inside : unknown atoms that were made in it, which may differ from iteration to iteration.
    """

    name: str
    counter: str
    where: str
    test: Affine | None = None
    at_end: bool = False
    states: list[tuple[str, Affine, Affine]] = field(default_factory=list)
    breaks: list[Affine] = field(default_factory=list)
    given: int | None = None
    trip: Count = 1
    inside: set[str] = field(default_factory=set)

    @property
    def symbols(self) -> set[str]:
        """The symbols that have other values in other iterations."""
        return {self.counter, *(name for name, _, _ in self.states)}

    def made_of(self) -> list[Affine]:
        """Return the numbers on which its trip count depends."""
        tests = [] if self.test is None else [self.test, *self.breaks]
        return [*tests, *(each for state in self.states for each in state[1:])]


@dataclass(frozen=True, slots=True, eq=False)
class PathCondition:
    """A condition under which what follows executes."""

    test: Affine
    holds: bool


Path = Sequence[LoopFrame | PathCondition]
