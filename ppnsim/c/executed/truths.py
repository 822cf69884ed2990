"""Finds conditions with a constant result in all iterations, as a compiler does by constant propagation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.c.executed.influences import Influences
from ppnsim.c.executed.named_variables import called_so, closure
from ppnsim.c.executed.visits import executed
from ppnsim.c.executed.walker import Walker
from ppnsim.c.syntax import Function, SyntaxNode

LARGEST = 16
"""Most parts of one variable that are followed."""
_MOST = 30_000
"""Most parts of a program that are executed; beyond this its conditions count as unknown."""

Truths = Mapping[tuple[tuple[str, ...], str], int | None]
"""The result of each ``if`` condition, by the calls around it and its position; None if it is not known."""


@dataclass(slots=True)
class _Once(Walker):
    """Executes each statement once; variables that a loop changes are unknown inside the loop."""

    truths: dict[tuple[tuple[str, ...], str], int | None] = field(default_factory=dict)

    def _concerns(self, node: SyntaxNode) -> bool:
        return bool(self.influences.loops(node))

    def _decided(self, node: SyntaxNode, holds: int | None) -> None:
        place = self.expressions.sites, called_so(node)
        self.truths[place] = holds if self.truths.get(place, holds) == holds else None

    def _loop(self, node: SyntaxNode) -> None:
        self._any(node)


def truths_of(kernel: Function, influences: Influences, settings: Mapping[str, int]) -> Truths:
    """Return the known conditions of a kernel, and of the functions that it calls; none if it takes too long."""
    flow = influences.flow(kernel)
    asked = closure((*flow, *(each for sources in flow.values() for each in sources)), {}, LARGEST)
    walker = _Once(frozenset(), asked, influences, asked)
    walker.expressions.left = _MOST
    return walker.truths if executed(walker, kernel, settings) else {}
