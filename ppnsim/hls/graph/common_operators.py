"""Operator sharing between the ways of a branch: one operator after a multiplexer replaces two (R2.11)."""

from __future__ import annotations

from collections.abc import Callable

from ppnsim.hls.graph.graph import GraphNode
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.library.types import Format

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


def by_sign(operators: Operators, test: int, yes: int, no: int, to: Format, replaced: Replaced) -> int | None:
    """Return a value to which its own sign adds one of two numbers: a sum of three, one a number or 0 (R2.11).

    None where the two values are no sums of that value and numbers, or the sign is another one's.
    """
    nodes = operators.graph.nodes
    sums = nodes[yes], nodes[no]
    if not all(map(_is_plain_sum, sums)):
        return None
    pairs = [[n for n in each.operands if nodes[n].unit != "constant"] for each in sums]
    if len(pairs[0]) != 1 or pairs[0] != pairs[1] or any(n.negative == n.operands.index(pairs[0][0]) for n in sums):
        return None
    (value,), at = pairs[0], nodes[test]
    while at.kind == "op" and not at.name.startswith("sign ") and len(at.operands) == 1:
        at = nodes[at.operands[0]]
    if not at.name.startswith("sign ") or at.operands != (value,) or nodes[value].format.bits != to.bits:
        return None
    replaced((yes, no))
    number, zero = (next(n for n in each.operands if n != value) for each in sums)
    first = operators.op("add", to, (value, zero), kind="sign")
    nothing = operators.constant("0", nodes[number].format)
    return operators.op("add", to, (first, operators.op("select", to, (test, number, nothing), kind="sign")))


def _is_plain_sum(node: GraphNode) -> bool:
    return (node.kind, node.name, node.states, len(node.operands)) == ("op", "add", 0, 2)


def _alike(mine: GraphNode, theirs: GraphNode) -> bool:
    kinds = [(of.kind, of.name, of.format, of.wide, of.negative, of.told) for of in (mine, theirs)]
    return kinds[0] == kinds[1] and mine.kind == "op" and mine.states > 0
