"""The two branches of an ``if`` with loops, of which one is taken."""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.c.lowering.values.piecewise import Range
from ppnsim.loops.program import Node


@dataclass(frozen=True, slots=True)
class TwoWays:
    """Both branches of an ``if`` with loops whose condition is data, and whether the ``first`` branch is taken.

    ``around`` are the iterators of the loops around it, outermost first, with their ranges. ``left`` are the first and
    last lines of the loops in one branch only. ``path`` is the call around it, ``inside`` are numbers of those in it,
    ``key`` is that of the assumption which branch is taken.
    """

    yes: tuple[Node, ...]
    no: tuple[Node, ...]
    first: bool
    around: tuple[tuple[str, Range], ...]
    left: tuple[tuple[tuple[int, int], ...], ...]
    path: tuple[str, ...]
    inside: frozenset[int] = frozenset()
    key: str = ""
