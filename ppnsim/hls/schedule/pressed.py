"""Faster forms of the operators on a recurrence, which the tool takes rather than a larger interval (R9.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.order import on_recurrences

Forms = Mapping[int, int]
"""States of the nodes that take a faster form, by their number."""

PRESSED = " pressed"
"""What is added to the names of units of faster forms."""


def forms_of(graph: Graph) -> list[Forms]:
    """Return the faster forms of a graph in the order in which the tool tries them; none of them is slower.

    Only operators that depend on an earlier iteration and that a later one depends on have one.
    """
    between = on_recurrences(graph)
    able = [node for node in graph.nodes if node.pressed and node.index in between]
    count = max((len(node.pressed) for node in able), default=0)
    return [{node.index: node.pressed[min(n, len(node.pressed) - 1)] for node in able} for n in range(count)]


def pressed(graph: Graph, forms: Forms) -> Graph:
    """Return a graph whose operators take faster forms, which share units among themselves only.

    A result chains within the state in which it arrives, also what is loaded into such an operator: the tool takes the
    violation of the timing. Only the fastest form takes loaded data from a register.
    """
    if not forms:
        return graph
    nodes = [
        replace(node, states=forms[node.index], entry=0.0, registered=False, unit=f"{node.unit}{PRESSED}")
        if node.index in forms else node
        for node in graph.nodes
    ]  # fmt: skip
    after = {later: [*before] for later, before in graph.after.items()}
    for n, states in forms.items():
        fastest = len(graph.nodes[n].pressed) > 1 and states == graph.nodes[n].pressed[-1]
        for load in _loads(graph, n) if fastest else ():
            after.setdefault(n, []).append((load, graph.nodes[load].states + 1))
    return replace(graph, nodes=nodes, after=after)


def _loads(graph: Graph, n: int) -> list[int]:
    """Return the loads that an operator takes the values of, also behind multiplexers."""
    found: list[int] = []
    left = [*graph.nodes[n].operands]
    while left:
        node = graph.nodes[left.pop()]
        if node.kind == "load" and node.states:
            found.append(node.index)
        elif node.kind == "op" and node.name == "select":
            left += node.operands
    return found
