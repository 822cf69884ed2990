"""Output dependences between iterations: the later of two stores to one element must be executed last (R9.37)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ppnsim.hls.graph.builder import GraphBuilder
from ppnsim.hls.graph.dependences import Dependences
from ppnsim.hls.graph.graph import BackEdge
from ppnsim.hls.structure.aliases import never_meet
from ppnsim.loops.program import Access

MOST = 128
"""Most stores of an iteration to one memory that are compared pair by pair."""


def in_order(dependences: Dependences, builder: GraphBuilder) -> None:
    """Let a store come after stores of earlier iterations that are later in the code and that it may replace.

    If one address counts on from the other, the tool knows that they differ. Stores on the two ways of a branch are
    left out: they have no order in one iteration, and an order between iterations would make a recurrence.
    """
    graph, counted, loops = builder.graph, builder.memories.order.counted_apart, dependences.pipeline.loops
    for places in _crowded(dependences, builder):
        for (place, earlier), (other, later) in combinations(places, 2):
            role, least = dependences.roles.get(other), dependences.least(place.array)
            if role is None or not least or never_meet(place, other, loops) or counted(earlier, later):
                continue
            if (distance := dependences.distance(other, role, place)) is not None:
                reason = f"order of stores to {place.array}"
                graph.back.append(BackEdge(later, earlier, max(least, distance), "ram", reason))


def _crowded(dependences: Dependences, builder: GraphBuilder) -> Iterator[list[tuple[Access, int]]]:
    """Yield the stores to each memory with stores to several places, in program order."""
    found: dict[str, list[tuple[Access, int]]] = {}
    for node in builder.graph.nodes:
        if node.kind == "store" and node.access is not None and node.access.array not in dependences.registers:
            found.setdefault(dependences.bank(node.access), []).append((node.access, node.index))
    return (each for each in found.values() if 1 < len(each) <= MOST)
