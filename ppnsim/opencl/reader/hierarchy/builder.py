"""Steps as they are found, collected into blocks, loops and branches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from ppnsim.opencl.reader.symbolic.path import LoopFrame
from ppnsim.opencl.reader.symbolic.values import NONE, Pointer, Steps

PHI = "phi"


@dataclass(frozen=True, slots=True)
class GlobalAccess:
    """An access to global memory: op, place, bytes, loops around (outer ones first), and what pragmas say of it.

    ``written``: the innermost loop writes to this memory.
    """

    op: str
    place: Pointer
    bytes: int
    loops: tuple[LoopFrame, ...]
    written: bool
    hints: dict[str, int]


@dataclass(slots=True, eq=False)
class Found:
    """A step without a name yet; ``after`` may have steps of other blocks, and placeholders (`PHI`)."""

    op: str
    after: Steps
    access: GlobalAccess | None = None
    carried: bool = False


@dataclass(slots=True, eq=False)
class FoundBlock:
    """A block, with the lines of the kernel from which its steps come."""

    steps: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class FoundLoop:
    """A loop."""

    frame: LoopFrame
    body: list[Item] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class FoundBranch:
    """A branch."""

    line: int
    share: Fraction
    then: list[Item] = field(default_factory=list)
    otherwise: list[Item] = field(default_factory=list)


Item = FoundBlock | FoundLoop | FoundBranch


class Builder:
    """Collects steps into the block that is open, and blocks into the loop or branch that is."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.found: list[Found] = []
        self.block: FoundBlock | None = None
        self.line = 0
        self.silent = False

    def emit(self, op: str, after: Iterable[int], access: GlobalAccess | None = None) -> Steps:
        """Add a step and return its number as a set; nothing is added while ``silent``."""
        if self.silent:
            return NONE
        if self.block is None:
            self.block = FoundBlock()
            self.items.append(self.block)
        self.found.append(Found(op, frozenset(after), access))
        self.block.steps.append(len(self.found) - 1)
        self.block.lines.append(self.line)
        return frozenset((len(self.found) - 1,))

    def phi(self, start: Steps) -> int:
        """Return a placeholder for the value of the iteration before; the first value is computed by ``start``."""
        self.found.append(Found(PHI, start))
        return len(self.found) - 1

    def into(self, item: FoundLoop | FoundBranch, body: list[Item], fill: Callable[[], None]) -> None:
        """Add a loop or a branch, if it is not there yet, and fill one of its bodies."""
        if not self.items or self.items[-1] is not item:
            self.items.append(item)
        outside, self.items, self.block = self.items, body, None
        fill()
        self.items, self.block = outside, None

    def carry(self, phi: int, ends: Steps) -> None:
        """Mark the steps by which the value of an iteration (``ends``) depends on that of the iteration before."""
        reaches = [False] * len(self.found)
        reaches[phi] = True
        for number in range(phi + 1, len(reaches)):  # a step only waits for steps before it
            reaches[number] = any(reaches[each] for each in self.found[number].after)
        waiting, seen = list(ends), {phi}
        while waiting:
            number = waiting.pop()
            if number not in seen and reaches[number]:
                seen.add(number)
                self.found[number].carried = True
                waiting += self.found[number].after
