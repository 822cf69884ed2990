"""Operator sharing between the ways of a branch: one operator after a multiplexer replaces two (R2.11)."""

from __future__ import annotations

from collections.abc import Callable

from ppnsim.hls.graph.graph import GraphNode
from ppnsim.hls.graph.operators import Operators

Replaced = Callable[[tuple[int, int]], None]
"""Receives the two operators that one operator replaces."""


def sunk(
    operators: Operators, test: int, other: Callable[[], int], new: int, old: int, replaced: Replaced
) -> int | None:
    """Return the value ``new`` under a test and ``old`` otherwise, if one operator computes both.

    Both are multi-state operators of one kind and differ in one operand: a second multiplexer does not pay. ``old`` may
    be the choice of a multiplexer under the ``other`` test; that test is computed only if it is needed.
    """
    nodes = operators.graph.nodes
    before = nodes[old]
    if before.name != "select" or len(before.operands) != 3:
        return None
    if before.operands[0] != other():
        return None
    return for_both(operators, test, new, before.operands[1], replaced)


def for_both(operators: Operators, test: int, yes: int, no: int, replaced: Replaced) -> int | None:
    """Return the one operator that computes either of two values by a test, None if there is none.

    Its operands may be such choices again: ``c ? a + x * y : a + x * z``.
    """
    nodes = operators.graph.nodes
    mine, theirs = nodes[yes], nodes[no]
    if mine.index == theirs.index or not _alike(mine, theirs):
        return None
    common = [operand for operand in mine.operands if operand in theirs.operands]
    pair = [next((n for n, each in enumerate(of.operands) if each not in common), None) for of in (mine, theirs)]
    if len(mine.operands) != 2 or len(common) != 1 or None in pair or (mine.negative >= 0 and pair[0] != pair[1]):
        return None
    left, right = (of.operands[n] for of, n in zip((mine, theirs), pair, strict=True) if n is not None)
    choice = for_both(operators, test, left, right, replaced)
    if choice is None:
        choice = operators.op("select", nodes[left].format, (test, left, right))
    replaced((yes, no))
    operands = tuple(choice if n == pair[0] else operand for n, operand in enumerate(mine.operands))
    return operators.op(mine.name, mine.format, operands, wide=mine.wide, negative=mine.negative)


def _alike(mine: GraphNode, theirs: GraphNode) -> bool:
    kinds = [(of.kind, of.name, of.format, of.wide, of.negative, of.told) for of in (mine, theirs)]
    return kinds[0] == kinds[1] and mine.kind == "op" and mine.states > 0
