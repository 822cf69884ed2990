"""The hierarchy of a kernel from what was found in its source, with a name for every node and step."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ppnsim.opencl.block import Block, BlockStep
from ppnsim.opencl.kernel import KernelBranch, KernelLoop, KernelNode
from ppnsim.opencl.reader.hierarchy.builder import Found, FoundBlock, FoundLoop, GlobalAccess, Item

Described = Callable[[BlockStep, GlobalAccess], BlockStep]


class Naming:
    """Makes nodes of what was found, each with a name of its own; ``described`` completes the steps of accesses."""

    def __init__(self, found: list[Found], described: Described, taken: set[str]) -> None:
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
