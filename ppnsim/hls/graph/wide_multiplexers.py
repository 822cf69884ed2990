"""Branches in and behind each other that choose one value: one multiplexer of all of them (R5.8)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ppnsim.hls.graph.graph import Graph, GraphNode

_TWO, _MORE = 2.0, 0.45
"""What a multiplexer takes where ways of the state machine meet, in those of a choice: of two, and each doubling."""


def widen(graph: Graph) -> None:
    """Make one multiplexer of those that only each other use, where it is faster than one behind the other (R5.8).

    Examples
    --------
    >>> from ppnsim.hls.library.types import BIT, Format
    >>> graph, of = Graph(), Format("integer", 8)
    >>> tests = [graph.add("input", f"t{n}", BIT) for n in range(9)]
    >>> chosen = graph.add("input", "x", of)
    >>> for test in tests:
    ...     chosen = graph.add("op", "select", of, (test, graph.add("input", f"v{test}", of), chosen), delay=0.7)
    >>> widen(graph)
    >>> [round(node.delay, 2) for node in graph.nodes if node.kind == "op"]
    [2.45]
    """
    followers: list[list[int]] = [[] for _ in graph.nodes]
    for node in graph.nodes:
        for operand in node.operands if node.kind != "dead" else ():
            followers[operand].append(node.index)
    taken: set[int] = set()
    for root in reversed(graph.nodes):
        if root.index in taken or not _is_choice(root):
            continue
        inside = _inside(graph, root, followers)
        taken |= inside
        found = [operand for n in sorted(inside) for operand in graph.nodes[n].operands if operand not in inside]
        operands = tuple(dict.fromkeys(found))
        values = sum(graph.nodes[each].format.bits == root.format.bits for each in operands)
        delay = root.delay * (_TWO + _MORE * math.log2(max(values, 2)))
        if delay >= root.delay * _depth(graph, inside):
            continue
        for n in inside - {root.index}:
            graph.nodes[n].kind = "dead"
        root.operands, root.delay = operands, delay


def _is_choice(node: GraphNode) -> bool:
    return node.kind == "op" and node.name == "select" and not node.states and node.format.bits > 1


def _inside(graph: Graph, root: GraphNode, followers: Sequence[Sequence[int]]) -> set[int]:
    """Return the choices that lead to a choice and to nothing else, and itself."""
    inside, left = {root.index}, [root.index]
    while left:
        for operand in graph.nodes[left.pop()].operands:
            at = graph.nodes[operand]
            alike = operand not in inside and _is_choice(at) and at.format.bits == root.format.bits
            if alike and all(each in inside for each in followers[operand]):
                inside.add(operand)
                left.append(operand)
    return inside


def _depth(graph: Graph, inside: set[int]) -> int:
    """Return how many of some choices follow each other."""
    deep: dict[int, int] = {}
    for n in sorted(inside):
        deep[n] = 1 + max((deep.get(operand, 0) for operand in graph.nodes[n].operands), default=0)
    return max(deep.values())
