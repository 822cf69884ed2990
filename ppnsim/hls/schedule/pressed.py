"""Faster forms of the operators on a recurrence, which the tool takes rather than a larger interval (R9.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ppnsim.hls.graph.graph import Graph

Forms = Mapping[int, int]
"""States of the nodes that take a faster form, by their number."""


def forms_of(graph: Graph) -> list[Forms]:
    """Return the faster forms of a graph in the order in which the tool tries them; none of them is slower.

    Only operators that depend on an earlier iteration and that a later one depends on have one.
    """
    between = _on_recurrences(graph)
    able = [node for node in graph.nodes if node.pressed and node.index in between]
    count = max((len(node.pressed) for node in able), default=0)
    return [{node.index: node.pressed[min(n, len(node.pressed) - 1)] for node in able} for n in range(count)]


def pressed(graph: Graph, forms: Forms) -> Graph:
    """Return a graph whose operators take faster forms.

    A result chains within the state in which it arrives, also what is loaded into such an operator: the tool takes the
    violation of the timing.
    """
    if not forms:
        return graph
    nodes = [
        replace(node, states=forms[node.index], entry=0.0, registered=False) if node.index in forms else node
        for node in graph.nodes
    ]
    return replace(graph, nodes=nodes)


def _on_recurrences(graph: Graph) -> set[int]:
    """Return the nodes on a circle of operands and dependences on earlier iterations."""
    users: dict[int, list[int]] = {}
    for node in graph.nodes:
        for operand in node.operands if node.kind != "dead" else ():
            users.setdefault(operand, []).append(node.index)
    found: set[int] = set()
    for target in {edge.target for edge in graph.back}:
        below = _reached([target], users)
        sources = [edge.source for edge in graph.back if edge.target == target and edge.source in below]
        operands = {n: graph.nodes[n].operands for n in below}
        found |= below & _reached(sources, operands)
    return found


def _reached(start: Iterable[int], following: Mapping[int, Iterable[int]]) -> set[int]:
    found: set[int] = set()
    left = [*start]
    while left:
        n = left.pop()
        if n not in found:
            found.add(n)
            left += following.get(n, ())
    return found
