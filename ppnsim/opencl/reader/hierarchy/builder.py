"""Steps as they are found, collected into blocks, loops and branches, and the nodes of a kernel that they become."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from ppnsim.opencl.kernel import Block, BlockStep, KernelBranch, KernelLoop, KernelNode
from ppnsim.opencl.reader.symbolic.counting import LoopFrame
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


class Naming:
    """Makes nodes of what was found, each with a name of its own; ``described`` completes the steps of accesses."""

    def __init__(
        self, found: list[Found], described: Callable[[BlockStep, GlobalAccess], BlockStep], taken: set[str]
    ) -> None:
        self.found, self.described, self.taken = found, described, taken

    def nodes(self, items: list[Item]) -> tuple[KernelNode, ...]:
        """Return the hierarchy of items; empty loops are left out."""
        made = (self._node(item) for item in items)
        return tuple(node for node in made if node is not None)

    def _node(self, item: Item) -> KernelNode | None:
        if isinstance(item, FoundBlock):
            first, last = min(item.lines), max(item.lines)
            name = self._name(f"line {first}" if first == last else f"lines {first}-{last}")
            return Block(name=name, steps=tuple(self._steps(item)))
        if isinstance(item, FoundLoop):
            body = self.nodes(item.body)
            return KernelLoop(name=item.frame.name, trip=item.frame.trip, body=body) if body else None
        then, otherwise = self.nodes(item.then), self.nodes(item.otherwise)
        if not then and not otherwise:
            return None
        return KernelBranch(name=self._name(f"if line {item.line}"), then=then, otherwise=otherwise, share=item.share)

    def _steps(self, block: FoundBlock) -> Iterator[BlockStep]:
        names: dict[int, str] = {}
        counts: dict[str, int] = {}
        for number in block.steps:
            step = self.found[number]
            called = step.access.place.memory.name if step.access else step.op
            counts[called] = counts.get(called, 0) + 1
            names[number] = f"{called} {counts[called]}"
            after = tuple(names[each] for each in sorted(step.after) if each in names)
            made = BlockStep(name=names[number], op=step.op, after=after, carried=step.carried)
            yield self.described(made, step.access) if step.access else made

    def _name(self, text: str) -> str:
        number, name = 1, text
        while name in self.taken:
            number += 1
            name = f"{text} ({number})"
        self.taken.add(name)
        return name
