"""Bursts of one iteration: it reads and writes a row of an array over a bus, each as one burst (R4.17)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ppnsim.hls.graph.graph import BackEdge, Graph, GraphNode
from ppnsim.hls.graph.ports import Ports
from ppnsim.hls.library.types import BIT
from ppnsim.loops.program import Access


def order_bursts(graph: Graph, ports: Ports) -> None:
    """Let the writes of a burst follow its reads, and the reads of the next iteration the response to the writes."""
    for reads, writes in _bursts(graph, ports):
        array = graph.nodes[reads[0]].access
        assert array is not None
        request = graph.add("op", "request", BIT)
        answered = graph.add("op", "response", BIT, (), states=ports.response(array))
        for read in reads:
            graph.order(read, request, graph.nodes[read].states + 1)
        for write in writes:
            graph.order(request, write, 0)
            graph.order(write, answered, 1)
        reason = f"the burst that writes '{array.array}'"
        graph.back += [BackEdge(answered, read, 1, "register", reason) for read in reads]


def _bursts(graph: Graph, ports: Ports) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Yield the reads and the writes of each undivided array on a bus of which an iteration has a burst of both."""
    found = defaultdict[str, tuple[list[GraphNode], list[GraphNode]]](lambda: ([], []))
    for node in graph.nodes:
        if node.kind in ("load", "store") and node.access is not None and ports.is_transfer(node.access):
            found[node.access.array][node.kind == "store"].append(node)
    for name, (reads, writes) in found.items():
        whole = all(ports.banks(node.access) == (name,) for node in (*reads, *writes) if node.access is not None)
        if whole and _in_a_row(reads) and _in_a_row(writes):
            yield [node.index for node in reads], [node.index for node in writes]


def _in_a_row(nodes: Sequence[GraphNode]) -> bool:
    """Return whether accesses under no condition go to several consecutive elements."""
    places = {node.access for node in nodes if node.access is not None}
    if len(places) < 2 or any(node.ways or not node.port for node in nodes) or any(map(_is_random, places)):
        return False
    rows = {(*place.subscripts[:-1], place.subscripts[-1].terms) for place in places}
    at = [place.subscripts[-1].constant for place in places]
    return len(rows) == 1 and max(at) - min(at) == len(places) - 1


def _is_random(access: Access) -> bool:
    """Return whether data chooses the element, or there is none to choose."""
    return access.random or not access.subscripts
