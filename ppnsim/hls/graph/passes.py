"""What is done to the graph of every body before it is scheduled: trees of sums, DSP blocks, limited units."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.hls.graph.balance import balance
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.limits import limit
from ppnsim.hls.graph.multiply_add import map_multiply_add
from ppnsim.hls.library.library import Library
from ppnsim.hls.rules import Rules


def map_operators(
    graph: Graph, library: Library, rules: Rules, limits: Mapping[str, int], balanced: bool | None = None
) -> None:
    """Change a finished graph in place; ``balanced`` is what a directive says of chains, None if nothing."""
    real = rules.balance or balanced is True
    if balanced is not False and (rules.integers or real):
        balance(graph, library, real=real)
    if rules.mac:
        map_multiply_add(graph, library)
    limit(graph, limits)
