"""The interval that circuits of dependences need, whatever ports and units there are: a bound for the search (R3.3)."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from ppnsim.hls.graph.graph import BackEdge, Graph

_LOOKS = 4
"""Nodes that are looked at, for each node of the graph: with more, the bound of the circuits so far is returned."""


def needed_ii(bodies: Iterable[tuple[Graph, Sequence[int]]], enough: int) -> int:
    """Return an interval below which none of several forms of a body has a schedule; 1 if it is less than ``enough``.

    ``bodies`` are their graphs, each with all of its nodes in order.
    """
    needed = 0
    for graph, sequence in bodies:
        own = circuit_ii(graph, sequence)
        if own < enough:
            return 1
        needed = min(needed or own, own)
    return max(1, needed)


def circuit_ii(graph: Graph, sequence: Sequence[int]) -> int:
    """Return an initiation interval below which no schedule exists: that of the longest circuit of one back edge.

    Only whole states count, not the time in them, so that the least interval may be larger.

    Parameters
    ----------
    sequence : the nodes, each after those that it waits for.

    Examples
    --------
    >>> from ppnsim.hls.library.types import BIT
    >>> graph = Graph()
    >>> first = graph.add("phi", "x", BIT)
    >>> last = graph.add("op", "add", BIT, (first,), states=7)
    >>> graph.back.append(BackEdge(last, first, 2, "value", ""))
    >>> circuit_ii(graph, (first, last))
    4
    """
    place = {n: at for at, n in enumerate(sequence) if graph.nodes[n].kind != "dead"}
    least, left = 1, _LOOKS * len(graph.nodes)
    for edge in graph.back:
        if left <= 0:
            break
        states, looked = _states(graph, edge, sequence, place)
        least, left = max(least, -(-states // edge.distance)), left - looked
    return least


def _states(graph: Graph, edge: BackEdge, sequence: Sequence[int], place: dict[int, int]) -> tuple[int, int]:
    """Return the states from the start of an edge's target to what it takes of its source, and the nodes looked at.

    They are 0 if nothing leads from the target to the source.
    """
    nodes = graph.nodes
    if edge.source not in place or edge.target not in place:
        return 0, 0
    longest = {edge.source: 1 if edge.kind == "ram" else nodes[edge.source].states}
    left, begin = [-place[edge.source]], place[edge.target]
    looked = 0
    while left and -left[0] > begin:
        n = sequence[-heapq.heappop(left)]
        looked += 1
        before = [(each, nodes[each].states) for each in nodes[n].operands]
        for earlier, states in (*before, *graph.after.get(n, ())):
            if earlier not in place:
                continue
            if earlier not in longest:
                heapq.heappush(left, -place[earlier])
                longest[earlier] = longest[n] + states
            longest[earlier] = max(longest[earlier], longest[n] + states)
    return longest.get(edge.target, 0), looked
