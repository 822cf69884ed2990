"""Faster forms of the operators on a recurrence, which the tool takes rather than a larger interval (R9.1)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ppnsim.hls.graph.graph import Graph, GraphNode
from ppnsim.hls.graph.old_value_trees import MOST
from ppnsim.hls.graph.order import on_recurrences
from ppnsim.hls.schedule.scheduler import PRESSED

Forms = Mapping[int, int]
"""States of the nodes that take a faster form, by their number."""


def forms_of(graph: Graph) -> list[Forms]:
    """Return the faster forms of a graph in the order in which the tool tries them; none of them is slower.

    Only operators that depend on an earlier iteration and that a later one depends on have one, at most `MOST` that
    follow each other from one iteration to the next.
    """
    if not any(node.pressed for node in graph.nodes):
        return []
    between = on_recurrences(graph)
    able = [node for node in graph.nodes if node.pressed and node.index in between]
    carried = _carried(graph, {node.index for node in able})
    if carried and len(able) > MOST * carried:
        return []
    count = max((len(node.pressed) for node in able), default=0)
    return [{node.index: node.pressed[min(n, len(node.pressed) - 1)] for node in able} for n in range(count)]


def alone(graph: Graph, forms: Forms) -> Forms:
    """Return the forms of operators of which no other one takes the result: one after the other they are not eased.

    Nor are those whose result is cast before the next iteration takes it or tested to end the loop (R4.10), nor those
    behind a product or a quotient whose own result the next iteration has through a memory, or not at all.
    """
    between = on_recurrences(graph)
    tests = {e.source for e in graph.back if e.kind == "register" and graph.nodes[e.target].kind == "load"}  # R4.10
    casts = (n for n in between if n in tests or (graph.nodes[n].name == "cast" and graph.nodes[n].states))
    taken = {operand for n in (*forms, *casts) for operand in _chosen(graph, n) if operand in forms}
    through = on_recurrences(replace(graph, back=[edge for edge in graph.back if edge.kind == "ram"]))
    kept = {edge.source for edge in graph.back if edge.kind == "register"} - through
    long = {n for n in between if graph.nodes[n].name in ("mul", "div") and _is_long(graph.nodes[n])}

    def stays(n: int) -> bool:
        before = _chosen(graph, n)
        return n in taken or not forms.keys().isdisjoint(before) or (n not in kept and not long.isdisjoint(before))

    return {n: states for n, states in forms.items() if not stays(n)}


def eased_by(graph: Graph, forms: Forms) -> Graph:
    """Return a graph whose operators on recurrences hand their results on in their last states (R9.21).

    They stay what they are otherwise: a multiplexer before one that leaves it too little time costs a state. One behind
    it, by which an iteration keeps the old value, is in its last state.
    """
    nodes = [replace(node, states=forms.get(node.index, node.states)) for node in graph.nodes]
    for edge in graph.back:
        source = nodes[edge.source]
        if edge.kind == "register" and source.name == "select" and any(_is_long(nodes[n]) for n in source.operands):
            source.delay = 0.0
    return replace(graph, nodes=nodes)


def pressed(graph: Graph, forms: Forms) -> Graph:
    """Return a graph whose operators take faster forms.

    A result chains within the state in which it arrives: the tool takes the violation of the timing. With two or three
    of them on a recurrence, so do all other results of the body (seen in 18 loops; not with four). The fastest form
    alone takes loaded data from a register. Only the first ones on recurrences wait for units: the others follow in
    step.
    """
    if not forms:
        return graph
    first = {n for n in forms if forms.keys().isdisjoint(graph.nodes[n].operands)}
    nodes = [replace(node) for node in graph.nodes]
    for n, states in forms.items():
        nodes[n].states, nodes[n].entry, nodes[n].delay, nodes[n].registered = states, 0.0, 0.0, False
        nodes[n].unit = f"{nodes[n].unit}{PRESSED}" if n in first else ""
    carried = _carried(graph, forms)
    kept = all(states != graph.nodes[n].pressed[-1] for n, states in forms.items())  # what they are made of
    if kept or carried < len(forms) <= 3 * carried:
        _violate(nodes, forms)
        return replace(graph, nodes=nodes)
    after = {later: [*before] for later, before in graph.after.items()}
    for n, states in forms.items():
        fastest = len(graph.nodes[n].pressed) > 1 and states == graph.nodes[n].pressed[-1]
        for load in _loads(graph, n) if fastest else ():
            after.setdefault(n, []).append((load, graph.nodes[load].states + 1))
    return replace(graph, nodes=nodes, after=after)


def _carried(graph: Graph, forms: Collection[int]) -> int:
    """Return how many of some operators the next iteration takes the result of."""
    return sum(edge.kind == "register" and edge.source in forms for edge in graph.back)


def _is_long(node: GraphNode) -> bool:
    return node.kind == "op" and node.states > 0 and node.format.real


def _chosen(graph: Graph, n: int) -> list[int]:
    """Return the operands of an operator, and in place of a multiplexer what it chooses from."""
    found: list[int] = []
    left = [*graph.nodes[n].operands]
    while left:
        node = graph.nodes[left.pop()]
        found.append(node.index)
        left += node.operands if node.kind == "op" and node.name == "select" else ()
    return found


def _violate(nodes: list[GraphNode], forms: Forms) -> None:
    """Let operators hand their results on in their last state, and take operands at its end."""
    for node in nodes:
        if node.kind == "op" and node.states > 1 and node.index not in forms and node.format.real:
            node.states, node.entry, node.delay = node.states - 1, 0.0, 0.0


def _loads(graph: Graph, n: int) -> list[int]:
    """Return the loads that an operator takes the values of, also behind multiplexers."""
    return [each for each in _chosen(graph, n) if graph.nodes[each].kind == "load" and graph.nodes[each].states]
