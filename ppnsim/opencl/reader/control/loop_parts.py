"""The parts of a for, while or do loop."""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.c.kinds import STEPS
from ppnsim.c.syntax import SyntaxNode


@dataclass(frozen=True, slots=True)
class LoopParts:
    """The parts of a loop, any of which but the body may be missing."""

    start: SyntaxNode | None
    test: SyntaxNode | None
    step: SyntaxNode | None
    body: SyntaxNode
    at_end: bool = False

    @property
    def repeated(self) -> list[SyntaxNode]:
        """The parts that every iteration executes, in that order."""
        parts = (self.body, self.test) if self.at_end else (self.test, self.body, self.step)
        return [each for each in parts if each is not None]


def parts_of(node: SyntaxNode) -> LoopParts:
    """Return the parts of a for, while or do loop."""
    if node.kind != "for":
        if node.kind == "do":
            return LoopParts(None, node.children[1], None, node.children[0], at_end=True)
        return LoopParts(None, node.children[0], None, node.children[1])
    *parts, body = node.children
    start = test = step = None
    if parts and (parts[0].kind == "block" or _changes(parts[0])) and not (len(parts) == 1 and parts[0].text in STEPS):
        start = parts.pop(0)
    if parts and not _changes(parts[0]):
        test = parts.pop(0)
    if parts:
        step = parts.pop(0)
    return LoopParts(start, test, step, body)


def _changes(node: SyntaxNode) -> bool:
    """Return whether an expression assigns."""
    return node.kind == "assign" or node.text in STEPS or (node.kind == "binary" and node.text == ",")
