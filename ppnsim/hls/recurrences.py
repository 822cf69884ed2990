"""The least initiation interval of a body: resources, then recurrences until a schedule holds them all (R3.3, R4)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.hls.graph import Graph
from ppnsim.hls.library import Library
from ppnsim.hls.order import Order, order_of
from ppnsim.hls.rules import Rules
from ppnsim.hls.scheduler import Schedule, late, list_schedule

_LARGEST = 4096
_PATIENCE = 12


def resource_ii(graph: Graph, rules: Rules) -> tuple[int, str]:
    """Return the least II that the ports of the arrays allow, and the array that sets it."""
    accesses = Counter(node.port for node in graph.nodes if node.port and node.kind != "dead")
    found = [(math.ceil(count / rules.ports.get(name, rules.default_ports)), name) for name, count in accesses.items()]
    ii, name = max(found, key=lambda each: each[0], default=(1, ""))
    return (ii, f"ports of {name}") if ii > 1 else (1, "")


def modulo_schedule(graph: Graph, library: Library, rules: Rules, least: int = 1) -> Schedule:
    """Return the schedule with the least initiation interval, from ``least`` on.

    Raises
    ------
    InputError
        If there is none up to 4096.
    """
    ii, bound = resource_ii(graph, rules)
    if least > ii:
        ii, bound = least, "directive"
    order = order_of(graph, library)
    while ii <= _LARGEST:
        found = _attempt(graph, library, rules, order, ii)
        if isinstance(found, Schedule):
            return replace(_shortest(graph, library, rules, order, found), bound=bound or "one per cycle")
        ii, bound = ii + 1, found
    raise InputError(f"no initiation interval up to {_LARGEST} cycles holds all dependences of the loop")


def _attempt(
    graph: Graph,
    library: Library,
    rules: Rules,
    order: Order,
    ii: int,
    earliest: dict[int, tuple[int, float]] | None = None,
) -> Schedule | str:
    """Return a schedule that all back edges hold in, or what the one says that keeps it from that."""
    units = _units(graph, ii)
    times = dict(earliest or {})
    pushed: Counter[int] = Counter()
    while True:
        schedule = list_schedule(graph, library, rules, ii=ii, earliest=times, units=units, order=order)
        broken = [(edge, need) for edge in graph.back if (need := late(schedule, edge)) is not None]
        if not broken:
            return schedule
        for edge, need in broken:
            times[edge.target] = max(times.get(edge.target, (0, 0.0)), need)
            pushed[edge.target] += 1
            if pushed[edge.target] > _PATIENCE:
                return edge.reason


def _units(graph: Graph, ii: int) -> dict[str, int]:
    """R2.3: a class of operators used k times gets ceil(k / II) units."""
    counts = Counter(node.unit for node in graph.nodes if node.kind == "op" and node.unit)
    return {unit: math.ceil(count / ii) for unit, count in counts.items()}


def _shortest(graph: Graph, library: Library, rules: Rules, order: Order, found: Schedule) -> Schedule:
    """R3.3: delay each load of a location that is stored too by one state; keep the shortest schedule."""
    stored = {node.access for node in graph.nodes if node.kind == "store"}
    best = found
    for node in graph.nodes:
        if node.kind == "load" and node.access in stored:
            later = {node.index: (node.ready[0] + 1, node.ready[1])}
            other = _attempt(graph, library, rules, order, found.ii, later)
            if isinstance(other, Schedule) and other.states < best.states:
                best = other
    return best
