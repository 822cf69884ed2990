"""Conditions that numbers decide alike in every iteration of the loops around, as a compiler propagates constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.c.executed.influences import Influences
from ppnsim.c.executed.named_variables import called_so, closure
from ppnsim.c.executed.visits import executed
from ppnsim.c.executed.walker import Walker
from ppnsim.c.syntax import Function, SyntaxNode

LARGEST = 16
"""Parts of one variable that are followed."""
_MOST = 30_000
"""Parts of a program that are executed before its conditions count as unknown."""

Truths = Mapping[tuple[tuple[str, ...], str], int | None]
"""Whether the condition of an ``if`` holds, by the calls around it and its place; None if that is not known."""


@dataclass(slots=True)
class _Once(Walker):
    """Executes each statement once; what a loop changes is not known in it."""

    truths: dict[tuple[tuple[str, ...], str], int | None] = field(default_factory=dict)

    def _concerns(self, node: SyntaxNode) -> bool:
        return bool(self.influences.loops(node))

    def _decided(self, node: SyntaxNode, holds: int | None) -> None:
        place = self.expressions.sites, called_so(node)
        self.truths[place] = holds if self.truths.get(place, holds) == holds else None

    def _loop(self, node: SyntaxNode) -> None:
        self._any(node)


def truths_of(kernel: Function, influences: Influences, settings: Mapping[str, int]) -> Truths:
    """Return which conditions of a kernel, and of the functions that it calls, are known; none if it takes too long."""
    flow = influences.flow(kernel)
    asked = closure((*flow, *(each for sources in flow.values() for each in sources)), {}, LARGEST)
    walker = _Once(frozenset(), asked, influences, asked)
    walker.expressions.left = _MOST
    return walker.truths if executed(walker, kernel, settings) else {}
