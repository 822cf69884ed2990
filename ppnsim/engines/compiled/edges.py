"""An edge as a bound on a firing: the cycle of the event that the firing waits for, if that is known."""

from __future__ import annotations

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.tape import (
    BASE,
    COUNT,
    DONE,
    EDGES,
    EDGES_END,
    INDEX,
    NO_TABLE,
    OFFSET,
    OFFSET_STEP,
    SHIFT,
    SOURCE,
    WEIGHT,
    WEIGHTS,
)
from ppnsim.machine_code.marks import kernel, unsigned

UNKNOWN = -1


@kernel
def place_of(nodes: Int64Array, edges: Int64Array, edge: int, n: int) -> int:
    """Return where the passing lies that firing n waits for by an edge ``n - d``."""
    return unsigned(nodes[edges[edge, SOURCE], BASE] - edges[edge, SHIFT] + n)


@kernel
def ready_of(nodes: Int64Array, edges: Int64Array, tables: Int64Array, x: Int64Array, node: int, n: int) -> int:
    """Return the cycle from which firing n of a node may pass as far as its edges know, or `UNKNOWN`."""
    ready = 0
    for edge in range(nodes[node, EDGES], nodes[node, EDGES_END]):
        index, weights = edges[edge, INDEX], edges[edge, WEIGHTS]
        at = n - edges[edge, SHIFT] if index == NO_TABLE else tables[index + n]
        if at >= 0:
            source = edges[edge, SOURCE]
            if at >= nodes[source, DONE]:
                return UNKNOWN
            weight = edges[edge, WEIGHT] if weights == NO_TABLE else tables[weights + n]
            ready = max(ready, x[nodes[source, BASE] + at] + weight)
    return ready


@kernel
def offset_of(nodes: Int64Array, tables: Int64Array, node: int, n: int) -> int:
    """Return how many cycles after its start a firing passes a node, if nothing holds it up."""
    offset: int = tables[nodes[node, OFFSET] + n * nodes[node, OFFSET_STEP]]
    return offset


@kernel
def limit_of(nodes: Int64Array, edges: Int64Array, node: int) -> int:
    """Return before which firing of a step its edges ``n - d`` stop, as far as others have come."""
    end: int = nodes[node, COUNT]
    for edge in range(nodes[node, EDGES], nodes[node, EDGES_END]):
        end = min(end, nodes[edges[edge, SOURCE], DONE] + edges[edge, SHIFT])
    return int(end)
