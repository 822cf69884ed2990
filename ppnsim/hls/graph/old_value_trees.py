"""Trees of halves of halves: where the value of the iteration before stands in a sum of floating point (R9.13)."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from ppnsim.hls.graph.graph import Graph, GraphNode

MOST = 4
"""Additions on a recurrence from one iteration to the next up to which they take faster forms (R9.1)."""
_FEW = 3
"""Sums up to which all of them are trees with the old value in the middle."""
_THROUGH = 2
"""States from the last addition through the memory to the first one."""


def keeps_first(graph: Graph, root: GraphNode, terms: int, target: int, handed: Collection[int]) -> bool:
    """R9.13: whether the first term is added to the old value, as in the source, and the sum is one of the terms.

    So it is with more than a few sums that come again through memory, if the terms are no power of two and the interval
    needs no fastest forms for it. ``handed``: the nodes on recurrences.
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
    """R9.13: whether the old value is the last operand, as so many additions miss an interval that one of them meets.

    That is the ``target`` of a directive; where there are too many for faster forms, it is the ``least`` one that ports
    allow.
    """
    fastest = min((root.states, *root.pressed))
    if fastest <= target < on_recurrence * fastest:
        return True
    return on_recurrence > MOST and _power_of_two(terms) and root.states + _THROUGH <= least


def is_apart(graph: Graph, root: GraphNode, leaves: Sequence[int]) -> bool:
    """R9.13: whether a sum is the last of several that the next iteration takes, and has the old value last."""
    sums = [edge.source for edge in graph.back if edge.kind == "register" and graph.nodes[edge.source].format.real]
    terms = len(leaves) - 1
    if len(sums) <= _FEW or root.index != max(sums) or terms % 2 or _power_of_two(terms):
        return False
    factors = (operand for n in leaves if graph.nodes[n].name == "mul" for operand in graph.nodes[n].operands)
    return not any(graph.nodes[n].name == "select" for n in factors)


def _power_of_two(count: int) -> bool:
    return count & (count - 1) == 0


def additions(count: int, place: int, around: int = 0) -> int:
    """Return the additions from an operand of a sum to its result (R9.13)."""
    if count == 1:
        return 0
    half = first_half(count, around, old=True)
    inside = (half, place) if place < half else (count - half, place - half)
    return 1 + additions(*inside, around=count)


def first_half(count: int, around: int, *, old: bool) -> int:
    """Return how many of some operands are in the first half: the smaller one, but two of three.

    ``old``: one of them is the value of the iteration before; of half of 25 or 26 operands with it, two of six are.
    """
    return 2 if count == 3 or (old and count == 6 and around in (12, 13)) else count // 2


def half_of(count: int) -> int:
    """Return how many of some operands are in the first half: the smaller one, but two of three."""
    return 2 if count == 3 else count // 2
