"""Recurrences of logic alone: used in the state in which they are computed (R9.32), or beyond the clock (R3.15)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ppnsim.hls.graph.graph import BackEdge, Graph, GraphNode

_LOGIC = frozenset(("cmp", "select", "logic", "shift"))  # no sum of integers was seen to exceed the clock period


def handed_on(graph: Graph) -> Graph | None:
    """Return a graph in which recurrences of logic alone may take any time in a state; None if there are none.

    Examples
    --------
    >>> from ppnsim.hls.library.types import BIT
    >>> graph = Graph()
    >>> first = graph.add("phi", "x", BIT)
    >>> last = graph.add("op", "cmp", BIT, (first,), delay=4.0)
    >>> graph.back.append(BackEdge(last, first, 1, "register", ""))
    >>> [edge.kind for edge in handed_on(graph).back]
    ['wire']
    """
    back = [replace(edge, kind="wire") if _is_wired(graph, edge) else edge for edge in graph.back]
    return None if back == graph.back else replace(graph, back=back)


def beyond_clock(graph: Graph) -> Graph | None:
    """Return a graph in which recurrences without registers take no time; None if there are none (R3.15).

    A recurrence may go through several variables that feed each other. What is also between a load and a store of a
    memory that a later iteration loads keeps its time.

    Examples
    --------
    >>> from ppnsim.hls.library.types import BIT
    >>> graph = Graph()
    >>> first = graph.add("phi", "x", BIT)
    >>> last = graph.add("op", "add", BIT, (first,), delay=9.0)
    >>> graph.back.append(BackEdge(last, first, 1, "register", ""))
    >>> [node.delay for node in beyond_clock(graph).nodes]
    [0.0, 0.0]
    """
    logic = {node.index for node in graph.nodes if not node.states and node.kind in ("op", "phi")}
    wired, memories = (
        [edge for edge in graph.back if (edge.kind == "ram") == ram and (ram or {edge.source, edge.target} <= logic)]
        for ram in (False, True)
    )
    found = _on_circuits(graph, wired, logic) - _on_circuits(graph, memories, set(range(len(graph.nodes))))
    nodes = [replace(node, delay=0.0) if node.index in found else node for node in graph.nodes]
    return replace(graph, nodes=nodes) if found else None


def _on_circuits(graph: Graph, edges: Iterable[BackEdge], among: set[int]) -> set[int]:
    """Return the nodes on circuits through one of some back edges, and any others, with no node outside of a set."""
    after: dict[int, list[int]] = {n: [] for n in among}
    before: dict[int, list[int]] = {n: [] for n in among}
    back = ((edge.source, edge.target) for edge in graph.back)
    for source, target in (*back, *((each, n) for n in among for each in graph.nodes[n].operands)):
        if source in among and target in among:
            after[source].append(target)
            before[target].append(source)
    found = set[int]()
    for edge in edges:
        if not {edge.source, edge.target} <= found:
            found |= _reached(edge.target, after) & _reached(edge.source, before)
    return found


def _reached(start: int, ways: Mapping[int, Sequence[int]]) -> set[int]:
    """Return what a walk along some ways reaches, its start included."""
    found, left = {start}, [start]
    while left:
        new = set(ways[left.pop()]) - found
        found |= new
        left += new
    return found


def _is_wired(graph: Graph, edge: BackEdge) -> bool:
    """Return whether a back edge closes a recurrence of distance 1 through several operators, all of them logic."""
    nodes = graph.nodes
    if edge.kind == "ram" or edge.distance > 1 or nodes[edge.target].kind != "phi":
        return False
    if not _is_logic(nodes[edge.source]):
        return False  # most recurrences, before the nodes of the body are visited
    around = _around(graph, edge)
    return len(around) > 1 and all(map(_is_logic, (nodes[n] for n in around)))


def _around(graph: Graph, edge: BackEdge) -> set[int]:
    """Return the nodes on all ways from the target of a back edge to its source; none if there is no way."""
    behind = {edge.target}
    for node in graph.nodes[edge.target + 1 : edge.source + 1]:
        if not behind.isdisjoint(node.operands):
            behind.add(node.index)
    around, left = set[int](), [edge.source] if edge.source in behind else []
    while left:
        n = left.pop()
        if n not in around:
            around.add(n)
            left += behind.intersection(graph.nodes[n].operands)
    return around


def _is_logic(node: GraphNode) -> bool:
    return not node.states and node.kind not in ("load", "dead") and (node.kind != "op" or node.name in _LOGIC)
