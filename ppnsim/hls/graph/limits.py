"""Operators of which there may be only so many units (``allocation``, R6.6)."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.hls.graph.graph import Graph, GraphNode

UNITS = "units of"


def limit(graph: Graph, limits: Mapping[str, int]) -> None:
    """Let operators take one of so many units in the state in which they start, like a port of a memory.

    Examples
    --------
    >>> from ppnsim.hls.library.types import Format
    >>> graph = Graph()
    >>> product = graph.add("op", "mul", Format.of("float"), states=4, wide=Format.of("float"))
    >>> limit(graph, {"fmul": 2, "add": 1})
    >>> graph.nodes[product].port, graph.nodes[product].most
    ('units of fmul', 2)
    """
    for node in graph.nodes if limits else ():
        names = set(_names(node)) & limits.keys() if node.kind == "op" and node.wide is not None else set()
        if names and not node.port:
            name = min(names, key=lambda each: limits[each])
            node.port, node.most = f"{UNITS} {name}", limits[name]


def _names(node: GraphNode) -> tuple[str, ...]:
    """Return what the tool calls an operator: ``fadd`` and ``dadd`` of floating point, ``sub`` if it subtracts."""
    name = "sub" if node.name == "add" and node.negative >= 0 else node.name
    if node.format.real:
        letter = "f" if node.format.bits == 32 else "d"
        return (f"{letter}exp", f"{letter}log") if name == "elementary" else (f"{letter}{name}",)
    return (name, "udiv", "sdiv", "urem", "srem") if name == "div" else (name,)
