"""Faster forms of the operators on a recurrence, which the tool takes rather than a larger interval (R9.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.order import on_recurrences

Forms = Mapping[int, int]
"""States of the nodes that take a faster form, by their number."""


def forms_of(graph: Graph) -> list[Forms]:
    """Return the faster forms of a graph in the order in which the tool tries them; none of them is slower.

    Only operators that depend on an earlier iteration and that a later one depends on have one.
    """
    between = on_recurrences(graph)
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
        replace(node, states=forms[node.index], entry=0.0, registered=False, unit=f"{node.unit} pressed") if node.index in forms else node
        for node in graph.nodes
    ]
    return replace(graph, nodes=nodes)
