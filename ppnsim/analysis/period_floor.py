"""A lower bound on the period of a graph from one phase cycle of each process, however long its iteration is."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

import numpy as np

from ppnsim.analysis.cycle_ratio import standing_circle
from ppnsim.analysis.howard import Edges, howard
from ppnsim.analysis.steady_graph import Rows, SteadyGraph
from ppnsim.model.network import Network


def period_floor(network: Network, phases: Mapping[str, int], cycles: Mapping[str, int]) -> Fraction | None:
    """Return a lower bound on the period of processes that channels connect, in cycles per graph iteration.

    None is a deadlock: each firing on some circle waits for one that is not earlier.

    All firings of a process are one: whichever of them is waited for, a wait reaches no farther back than the farthest
    does, and is no shorter than the shortest. What does not hold of every firing is left out. ``cycles`` are the phase
    cycles of each process in an iteration.
    """
    period = max(Fraction(count * _between_cycles(network, name, phases[name])) for name, count in cycles.items())
    alike = {
        name: phases[name]
        for name in cycles
        if network.process(name).style == "elastic" and not network.steps[name].varies and name not in network.stops
    }
    units = lcm(*(cycles[name] * count for name, count in alike.items()))
    rows = Rows(network, alike, alike, {name: units // cycles[name] for name in alike}, farthest=True, large=True)
    for name in alike:
        rows.add_process(network.process(name))
    for channel in network.channels:
        if channel.source in alike and channel.target in alike:
            rows.add_channel(channel)
    if not alike:
        return period
    edges = _lumped(rows, rows.graph())
    if standing_circle(edges):
        return None
    found = howard(edges)
    return max(period, found.ratios[-1] * units)


def _between_cycles(network: Network, name: str, phases: int) -> int:
    """Return the cycles from a start to the one a phase cycle later, if nothing but the interval holds it up."""
    stops = network.stops.get(name)
    if stops is None:
        return phases * network.process(name).ii
    return phases // len(stops.at) * stops.schedule.steps


def _lumped(rows: Rows, graph: SteadyGraph) -> Edges:
    """Return the graph with one node for all firings of a step: of edges for one reason, the one that binds least."""
    lump, date = np.zeros(rows.count, dtype=np.int64), np.zeros(rows.count, dtype=object)
    firings, count = [], 0
    for name, nodes in rows.nodes.items():
        for row in nodes:
            lump[row], date[row] = count, np.arange(len(row), dtype=object) * (rows.units[name] // len(row))
            firings.append(len(row))
            count += 1
    edges = graph.edges
    source, target = lump[edges.source], lump[edges.target]
    distance = edges.distance + date[edges.target] - date[edges.source]
    groups: dict[tuple[int, int, int, int], list[int]] = {}
    reasons = np.stack([graph.kind, graph.belongs, source, target], axis=1)
    for edge, (kind, part, u, v) in enumerate(reasons.tolist()):
        groups.setdefault((kind, part, u, v), []).append(edge)
    *columns, distances = zip(
        *[
            (u, v, int(edges.weight[group].min()), int(distance[group].max()))
            for (_, _, u, v), group in groups.items()
            if len(np.unique(edges.target[group])) == firings[v]
        ],
        strict=True,
    )
    sources, targets, weights = (np.array(column, dtype=np.int64) for column in columns)
    return Edges(count, sources, targets, weights, np.array(distances, dtype=object))
