"""Faster forms of the operators on a recurrence: the tool prefers them to a larger initiation interval (R9.1)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ppnsim.hls.graph.graph import Graph, GraphNode
from ppnsim.hls.graph.old_value_trees import MOST
from ppnsim.hls.graph.order import on_recurrences
from ppnsim.hls.schedule.scheduler import PRESSED

Forms = Mapping[int, int]
"""The states of each node that takes a faster form, by the node's number."""


def forms_of(graph: Graph) -> list[Forms]:
    """Return the faster forms of a graph in the order in which the tool tries them; none is slower than the operator.

    Only operators on a recurrence have faster forms. A graph with more than `MOST` of them in a row between two
    iterations has no faster forms.
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
    """Return the forms of the operators that may be eased: operators in a chain of such operators may not.

    An operator whose result is cast before the next iteration takes it, or whose result tests the end of the loop
    (R4.10), may not be eased either. The same holds behind a product or a quotient, unless the next iteration takes the
    operator's result directly, and not through a memory.
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
    """Return a graph in which the operators on recurrences hand their results on in their last states (R9.21).

    Everything else stays: a multiplexer before such an operator costs a state if it leaves too little time. A
    multiplexer after it, by which an iteration keeps the old value, is in the operator's last state.
    """
    nodes = [replace(node, states=forms.get(node.index, node.states)) for node in graph.nodes]
    for edge in graph.back:
        source = nodes[edge.source]
        if edge.kind != "ram" and source.name == "select" and any(_is_long(nodes[n]) for n in source.operands):
            source.delay = 0.0
    return replace(graph, nodes=nodes)


def pressed(graph: Graph, forms: Forms) -> Graph:
    """Return a graph whose operators take faster forms.

    A result chains within the state in which it arrives: the tool accepts the violation of the timing. With two or
    three such operators on a recurrence, all other results of the body do the same (seen in 18 loops; not with four).
    Only the fastest form takes loaded data from a register. Only the first operators on recurrences wait for units:
    the others follow in step.
    """
    if not forms:
        return graph
    first = {n for n in forms if forms.keys().isdisjoint(graph.nodes[n].operands)}
    nodes = [replace(node) for node in graph.nodes]
    for n, states in forms.items():
        nodes[n].states, nodes[n].entry, nodes[n].delay, nodes[n].registered = states, 0.0, 0.0, False
        nodes[n].unit = f"{nodes[n].unit}{PRESSED}" if n in first else ""
    carried = _carried(graph, forms)
    kept = all(states != graph.nodes[n].pressed[-1] for n, states in forms.items())  # none is the fastest form
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
    """Return the number of operators, among some, whose result the next iteration takes."""
    return sum(edge.kind == "register" and edge.source in forms for edge in graph.back)


def _is_long(node: GraphNode) -> bool:
    return node.kind == "op" and node.states > 0 and node.format.real


def _chosen(graph: Graph, n: int) -> list[int]:
    """Return the operands of an operator, and the inputs of each multiplexer among them."""
    found: list[int] = []
    left = [*graph.nodes[n].operands]
    while left:
        node = graph.nodes[left.pop()]
        found.append(node.index)
        left += node.operands if node.kind == "op" and node.name == "select" else ()
    return found


def _violate(nodes: list[GraphNode], forms: Forms) -> None:
    """Let all other operators hand their results on in their last state, and take operands at its end."""
    for node in nodes:
        if node.kind == "op" and node.states > 1 and node.index not in forms and node.format.real:
            node.states, node.entry, node.delay = node.states - 1, 0.0, 0.0


def _loads(graph: Graph, n: int) -> list[int]:
    """Return the loads whose values an operator takes, also through multiplexers."""
    return [each for each in _chosen(graph, n) if graph.nodes[each].kind == "load" and graph.nodes[each].states]
