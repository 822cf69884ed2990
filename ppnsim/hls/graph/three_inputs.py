"""Sums of which one operand is a sum that nobody else uses: adders of three inputs, where both share a state (R2.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.hls.graph.graph import Graph, GraphNode
from ppnsim.hls.library.library import Library

Times = Sequence[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class FirstSum:
    """The sum that an operand of another one is.

    Attributes
    ----------
    operand : the operand, which may be a part of the sum.
    adder : the sum.
    widened : it has fewer bits than the other one: what extends it stands between the two adders.
    """

    operand: int
    adder: int
    widened: bool


def first_sums(graph: Graph, users: Sequence[int]) -> Mapping[int, tuple[FirstSum, ...]]:
    """Return the sums in each sum that could have three inputs, by its node.

    Parameters
    ----------
    users : how many nodes use the value of each node.

    Examples
    --------
    >>> from ppnsim.hls.library.types import Format
    >>> graph, of = Graph(), Format("integer", 8)
    >>> a, b = (graph.add("input", name, of) for name in "ab")
    >>> first = graph.add("op", "add", of, (a, b))
    >>> first_sums(graph, [2, 1, 1, 0][: graph.add("op", "add", of, (first, a)) + 1])
    {3: (FirstSum(operand=2, adder=2, widened=False),)}
    """
    kept = {
        node.operands[0]: node.format.bits
        for node in graph.nodes
        if node.name == "cut" and len(node.operands) == 1 and users[node.operands[0]] == 1 and node.kind != "dead"
    }
    found: dict[int, tuple[FirstSum, ...]] = {}
    for node in graph.nodes:
        if not _is_sum(node):
            continue
        bits, sums = kept.get(node.index, node.format.bits), list[FirstSum]()
        for operand in node.operands:
            adder = _cut(graph, users, operand)
            if users[adder] == 1 and _is_sum(graph.nodes[adder]):
                shifted = graph.nodes[operand].name == "shift"
                sums.append(FirstSum(operand, adder, not shifted and graph.nodes[operand].format.bits < bits))
        if sums:
            found[node.index] = tuple(sums)
    return found


def delay_of_three(
    node: GraphNode, first: FirstSum, state: int, times: tuple[Times, Times], library: Library
) -> float | None:  # fmt: skip
    """Return the ns that a sum takes behind its operands, as one adder with the sum in it; None: they are two adders.

    All three inputs take its whole time: the sum in it begins when the last of them is there.

    Parameters
    ----------
    first : a sum in the same ``state``.
    times : the states of the nodes and the ns in them, when they begin and when their results are there.
    """
    issue, result = times
    others = [result[each] for each in node.operands if each != first.operand]
    late = max((at for there, at in others if there == state), default=0.0)
    begin = max(issue[first.adder][1], late)
    three = begin + library.ternary_ns(node.format.bits) - max(result[first.operand][1], late)
    return None if first.widened and (node.format.family != "fixed" or three > node.delay) else three


def _cut(graph: Graph, users: Sequence[int], operand: int) -> int:
    """Return what an operand is the low bits of, or is shifted by a number, if nobody else uses that."""
    at = graph.nodes[operand]
    if at.kind != "op" or at.name not in ("shift", "cut") or not at.operands or users[operand] != 1:
        return operand
    low = at.name == "shift" or at.format.fraction == graph.nodes[at.operands[0]].format.fraction
    return at.operands[0] if low else operand


def _is_sum(node: GraphNode) -> bool:
    return node.name == "add" and node.kind == "op" and not node.states
