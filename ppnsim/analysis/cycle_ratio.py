"""The steady state from the graph alone: cycles per iteration, and the circle of waits that sets them.

A network whose rates repeat is a marked graph; in the long run an iteration takes as many cycles as the worst of its
circles, cycles by iterations around it. No run is needed, and none is looked at.

Source: Reiter 1968 (marked graphs); Sriram and Bhattacharyya 2009, chapter 7 (maximum cycle mean of dataflow graphs).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppnsim.analysis.firing_waits import Kind
from ppnsim.analysis.howard import Edges, after_all, circle_before, howard
from ppnsim.analysis.steady_graph import SteadyGraph, phases_of, steady_graph
from ppnsim.arrays import Int64Array
from ppnsim.model.network import Network
from ppnsim.model.repetition import parts_of, passings_of
from ppnsim.units import counted

BINDS = {
    Kind.II: "ii", Kind.LATENCY: "latency", Kind.ORDER: "order", Kind.CAPACITY: "capacity", Kind.STEP: "pipeline",
    Kind.TOKEN: "data", Kind.SLOT: "depth",
}  # fmt: skip
_CHANNELS = ("data", "depth")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bind:
    """One reason on a critical cycle: ``kind`` (see `BINDS`) of a process or channel, how often, and its cycles."""

    kind: str
    part: str
    count: int
    cycles: int

    def __str__(self) -> str:
        unit = {"data": "token", "depth": "slot"}.get(self.kind, "firing")
        kind = "read and latency" if self.kind == "latency" else self.kind  # from the step before an execution
        return f"{kind} of {self.part} ({counted(self.count, unit)}, {counted(self.cycles, 'cycle')})"


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalCycle:
    """A circle of waits: ``cycles`` around it in ``iterations`` graph iterations (0 for a circle that never moves).

    ``slots`` are (channel, ahead, tokens) of each wait for a slot on it, see `SteadyGraph`.
    """

    cycles: int
    iterations: int
    binds: tuple[Bind, ...]
    slots: tuple[tuple[str, int, int], ...] = ()

    @property
    def processes(self) -> tuple[str, ...]:
        """The processes on it whose own pipeline binds."""
        return tuple(dict.fromkeys(bind.part for bind in self.binds if bind.kind not in _CHANNELS))

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels on it, in the direction of the waits."""
        return tuple(dict.fromkeys(bind.part for bind in self.binds if bind.kind in _CHANNELS))

    def __str__(self) -> str:
        return " + ".join(map(str, self.binds))


@dataclass(frozen=True, slots=True, kw_only=True)
class SteadyState:
    """The steady state of processes that channels connect.

    Attributes
    ----------
    firings : of each process in one graph iteration.
    period : cycles per graph iteration of the slowest process; None if the network deadlocks.
    periods : the same of each process; one that waits for nobody slow runs ahead.
    critical : the cycle that sets the period, or the circle in which everything waits for itself.
    """

    firings: Mapping[str, int]
    period: Fraction | None
    periods: Mapping[str, Fraction]
    critical: CriticalCycle


def steady_states(network: Network) -> tuple[SteadyState, ...]:
    """Return the steady state of each connected part of an elastic or frozen network with rates, had it no end.

    Raises
    ------
    InputError
        If a part of the network does not repeat (listed tokens, a latency per firing) or is not a maximum of sums
        (flushable, shared resources), or if the rates are inconsistent. The message names the part.

    Examples
    --------
    >>> from ppnsim import chain
    >>> state, = steady_states(chain(firings=4, ii=(1, 3, 1), depth=2))
    >>> str(state.period), str(state.critical)
    ('3', 'ii of p1 (1 firing, 3 cycles)')
    """
    phases = phases_of(network)
    passings = passings_of(network, phases)
    return tuple(
        _steady(
            {name: network.firings_in(name, passings[name]) for name in members},
            steady_graph(network, phases, passings, members),
        )
        for members in parts_of(network)
    )


def _steady(firings: Mapping[str, int], graph: SteadyGraph) -> SteadyState:
    circle = standing_circle(graph.edges)
    if circle:
        return SteadyState(firings=firings, period=None, periods={}, critical=named_cycle(graph, circle))
    found = howard(graph.edges)
    periods = {name: found.ratios[found.ratio[node]] for name, node in graph.start.items()}
    critical = named_cycle(graph, found.critical_cycle(graph.edges))
    return SteadyState(firings=firings, period=found.ratios[-1], periods=periods, critical=critical)


def standing_circle(edges: Edges) -> list[int]:
    """Return the edges of a circle that waits for its own iteration or a later one, none if there is no such circle.

    Nodes are dated anew until no edge has a negative distance, which only such a circle prevents; what is left are
    circles of distance 0.
    """
    date, came = np.zeros(edges.count, dtype=edges.distance.dtype), np.full(edges.count, -1, dtype=np.int64)
    order = np.argsort(edges.target, kind="stable")
    for dated in count(1):
        there = (date[edges.source] + edges.distance)[order]
        earlier = np.flatnonzero(there < date[edges.target[order]])
        if not len(earlier):
            return _circle_at_once(edges, date)
        _, rank = np.unique(there[earlier], return_inverse=True)
        earlier = earlier[np.lexsort((rank, edges.target[order[earlier]]))]
        nodes, first = np.unique(edges.target[order[earlier]], return_index=True)
        date[nodes], came[nodes] = there[earlier[first]], order[earlier[first]]
        if not dated & (dated - 1) and (node := _on_circle(edges, came)) >= 0:
            # Edges that dated their nodes close to a circle only if it has a negative distance.
            return circle_before(node, came, edges.source)
    raise AssertionError("dates come to an end, or to a circle")


def _on_circle(edges: Edges, came: Int64Array) -> int:
    """Return a node from which the way back over the edges that dated nodes never ends, -1 if there is none."""
    back = np.append(np.where(came >= 0, edges.source[came], edges.count), edges.count)
    for _ in range(edges.count.bit_length()):
        back = back[back]
    left = np.flatnonzero(back < edges.count)
    return int(back[left[0]]) if len(left) else -1


def _circle_at_once(edges: Edges, date: NDArray[Any]) -> list[int]:
    """Return a circle of edges that have no distance between nodes of these dates."""
    at_once = np.flatnonzero(edges.distance + date[edges.source] - date[edges.target] == 0)
    # Nodes that nothing enters are on no circle, and neither are those that only such nodes enter.
    outside = after_all(edges, at_once)
    if len(outside) == edges.count:
        return []
    left = np.ones(edges.count, dtype=bool)
    left[outside] = False
    inside = at_once[left[edges.source[at_once]] & left[edges.target[at_once]]]
    came = dict(zip(edges.target[inside].tolist(), inside.tolist(), strict=True))
    return circle_before(next(iter(came)), came, edges.source)


def named_cycle(graph: SteadyGraph, cycle: list[int]) -> CriticalCycle:
    """Say what binds along a cycle; the edges between two channels of one process are added up by kind."""
    first = min(range(len(cycle)), key=lambda place: int(graph.edges.source[cycle[place]]))
    cycle = cycle[first:] + cycle[:first]
    total: dict[tuple[str, str], list[int]] = {}
    for edge in cycle:
        kind, part = graph.reason(edge)
        counted = total.setdefault((BINDS[kind], part), [0, 0])
        counted[0] += 1
        counted[1] += int(graph.edges.weight[edge])
    return CriticalCycle(
        cycles=int(graph.edges.weight[cycle].sum()),
        iterations=int(graph.edges.distance[cycle].sum()),
        slots=tuple(
            (graph.reason(edge)[1], int(graph.ahead[edge]), int(graph.tokens[edge]))
            for edge in cycle
            if graph.kind[edge] == Kind.SLOT
        ),
        binds=tuple(Bind(kind=kind, part=part, count=n, cycles=w) for (kind, part), (n, w) in total.items()),
    )
