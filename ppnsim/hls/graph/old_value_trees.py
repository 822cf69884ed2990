"""Adder trees with a loop-carried value: its place among the operands of a floating-point sum (R9.13)."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from ppnsim.hls.graph.graph import Graph, GraphNode

MOST = 4
"""Most additions on a recurrence, from one iteration to the next, that take faster forms (R9.1)."""
_FEW = 3
"""Most sums of a body that are all trees with the old value in the middle."""
_THROUGH = 2
"""States from the last addition through the memory to the first addition."""


def keeps_first(graph: Graph, root: GraphNode, terms: int, target: int, handed: Collection[int]) -> bool:
    """R9.13: return whether the first term is added to the old value, as in the source, and that sum is a term.

    This holds for more than a few sums that are carried through memory, if the number of terms is no power of two and
    the interval does not require the fastest forms. ``handed``: the nodes on recurrences.
    """
    again = [edge for edge in graph.back if edge.kind == "ram" and edge.target in handed]
    again = [edge for edge in again if graph.nodes[edge.target].kind == "load"]
    distance, fastest = min((edge.distance for edge in again), default=0), min((root.states, *root.pressed))
    if _power_of_two(terms) or distance < 2 or len({edge.target for edge in again}) <= _FEW:
        return False
    kept, moved = 1 + additions(terms, 0), additions(terms + 1, half_of(terms + 1))
    least = max(target, math.ceil((fastest * moved + _THROUGH) / distance))
    form = root.pressed[0] if root.pressed else root.states
    return form * kept + _THROUGH <= least * distance


def goes_last(root: GraphNode, terms: int, on_recurrence: int, target: int, least: int) -> bool:
    """R9.13: return whether the old value is the last operand: one addition meets an interval that many additions miss.

    The interval is the ``target`` of a directive, or, with too many additions for faster forms, the ``least`` interval
    that ports allow.
    """
    fastest = min((root.states, *root.pressed))
    if fastest <= target < on_recurrence * fastest:
        return True
    return on_recurrence > MOST and _power_of_two(terms) and root.states + _THROUGH <= least


def is_apart(graph: Graph, root: GraphNode, leaves: Sequence[int]) -> bool:
    """R9.13: return whether a sum, the last of several that are carried on, takes its old value last."""
    sums = [edge.source for edge in graph.back if edge.kind == "register" and graph.nodes[edge.source].format.real]
    terms = len(leaves) - 1
    if len(sums) <= _FEW or root.index != max(sums) or terms % 2 or _power_of_two(terms):
        return False
    factors = (operand for n in leaves if graph.nodes[n].name == "mul" for operand in graph.nodes[n].operands)
    return not any(graph.nodes[n].name == "select" for n in factors)


def _power_of_two(count: int) -> bool:
    return count & (count - 1) == 0


def additions(count: int, place: int, around: int = 0) -> int:
    """Return the number of additions from an operand of a sum to its result (R9.13)."""
    if count == 1:
        return 0
    half = first_half(count, around, old=True)
    inside = (half, place) if place < half else (count - half, place - half)
    return 1 + additions(*inside, around=count)


def first_half(count: int, around: int, *, old: bool) -> int:
    """Return the number of operands in the first half: the smaller half, but two of three.

    ``old``: one of them is the old value. In halves of 25 or 26 operands with it, the first half of six has two.
    """
    return 2 if count == 3 or (old and count == 6 and around in (12, 13)) else count // 2


def half_of(count: int) -> int:
    """Return the number of operands in the first half: the smaller half, but two of three."""
    return 2 if count == 3 else count // 2
