"""List scheduling with operator chaining, ports and shared units; modulo scheduling for pipelined bodies (R3)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.hls.graph.graph import Graph, GraphNode
from ppnsim.hls.graph.order import Order, order_of
from ppnsim.hls.graph.three_inputs import FirstSum, delay_of_three
from ppnsim.hls.library.library import Library
from ppnsim.hls.rules import Rules
from ppnsim.hls.schedule.slots import PortSlots
from ppnsim.loops.program import Access
from ppnsim.loops.work import EDGES, spend

EPSILON = 1e-9
PRESSED = " pressed"
"""Suffix of the names of units of faster forms (R9.1)."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The start and end of each node of a graph, by its number, as (state, ns since the state began).

    ``ii`` is the initiation interval, 0 outside pipelined loops, and ``bound`` is the reason for it. ``forms`` are the
    states of the operators that take a faster form (R9.1). ``crowded`` are other arrays, with the II of their ports.
    """

    issue: tuple[tuple[int, float], ...]
    result: tuple[tuple[int, float], ...]
    states: int
    ii: int = 0
    bound: str = ""
    forms: Mapping[int, int] = field(default_factory=dict)
    crowded: tuple[tuple[str, int], ...] = ()


def list_schedule(
    graph: Graph, library: Library, rules: Rules, *, ii: int = 0,
    earliest: Mapping[int, tuple[int, float]] | None = None, units: Mapping[str, int] | None = None,
    order: Order | None = None, beat: int = 0,
) -> Schedule:  # fmt: skip
    """Return the list schedule of a graph, modulo ``ii`` if ``ii`` is not 0 (R3.1, R3.2).

    Parameters
    ----------
    earliest : times before which nodes must not start, besides the constraints of the graph.
    units : number of units of each shared class of operators.
    order : order of the graph, if it is known already.
    beat : cycles after which a unit of a faster form is free again (R9.1); 0 stands for the interval.
    """
    scheduler = ListScheduler(graph, library, rules, ii=ii, units=units, order=order, beat=beat)
    return scheduler.schedule(earliest or {})


def _is_loaded(graph: Graph, n: int) -> bool:
    """Return whether a value is loaded data, also through wires: bits of it, or its concatenation with others."""
    node = graph.nodes[n]
    if node.kind == "op" and not node.states and not node.delay:
        return any(_is_loaded(graph, operand) for operand in node.operands)
    return node.kind == "load"


def finished(node: GraphNode, state: int) -> tuple[int, float]:
    """Return when the result of a multi-state operator that starts in a state arrives (R2.14)."""
    return (state + node.states - 1, node.delay) if node.kind == "op" and node.delay else (state + node.states, 0.0)


class ListScheduler:
    """A list scheduler of one graph: it places the node with the longest path to the end first (R3.1).

    The parameters are those of `list_schedule`. Schedules with other earliest times place anew only the nodes that an
    earliest time or an earlier node has moved, and those that take ports or units, or the adder of another node.
    """

    def __init__(
        self, graph: Graph, library: Library, rules: Rules, *, ii: int = 0, units: Mapping[str, int] | None = None,
        order: Order | None = None, beat: int = 0,
    ) -> None:  # fmt: skip
        self.graph, self.library, self.rules, self.ii = graph, library, rules, ii
        self.units, self.order = units or {}, order or order_of(graph, library)
        self.budget, self.period = library.budget, ii or sys.maxsize
        self.beat = beat or self.period
        self.issue, self.result, self._arrival = ([(0, 0.0)] * len(graph.nodes) for _ in range(3))
        self.states = [1] * len(graph.nodes)  # number of states up to the last one in which each node is active
        self.earliest: Mapping[int, tuple[int, float]] = {}
        self._moved = set(self.order.placed)  # nodes that are not placed yet, or not where they were
        self._claims = {each.index: claim for each in graph.nodes if (claim := self._claim(each)) is not None}
        self._sharing = self._claims.keys() | self.order.sums.keys()

    def schedule(self, earliest: Mapping[int, tuple[int, float]]) -> Schedule:
        """Return the schedule in which no node starts before its earliest time, if it has one."""
        spend(len(self.order.placed) + (len(self.graph.back) + sum(map(len, self.graph.after.values()))) // EDGES)
        before, self.earliest = self.earliest, dict(earliest)
        self._moved.update(n for n in before.keys() | earliest.keys() if before.get(n) != earliest.get(n))
        self.slots = PortSlots()
        self.ternary = set[int]()  # adders with three inputs
        self.asked = set[tuple[str, Access | None, int]]()  # requests of loads: port, element, state
        for n in self.order.placed:
            if n in self._moved or n in self._sharing:
                there = self.issue[n], self.result[n]
                self.place(n)
                if there != (self.issue[n], self.result[n]):
                    self._moved.update(self.order.followers[n])
        self._moved.clear()
        return Schedule(tuple(self.issue), tuple(self.result), max(self.states, default=1), self.ii)

    def place(self, n: int) -> None:
        """Place a node in the first state, and at the first time in it, that fits."""
        node = self.graph.nodes[n]
        if node.kind == "dead":
            return
        if n in self._moved:
            self._arrival[n] = self.arrived(n, node)
        state, at = self._arrival[n]
        if at > 0 and not self.rules.chaining and node.kind == "op":
            state, at = state + 1, 0.0
        elif at > 0:
            moved = node.access is not None and not node.entry
            needed = node.delay if moved else node.entry if node.states else self.delay(n, state)
            if at + needed > self.budget + EPSILON:
                state, at = state + 1, 0.0
        if n in self._claims:
            state, at = self.free(n, state, at)
        self.issue[n] = (state, at)
        last = state
        if node.kind == "load":
            self.result[n] = (state + node.states, node.delay) if node.states else (state, at + node.delay)
            last = self.result[n][0]  # R3.5: the data arrives in a state, whether or not a node takes it
        elif node.states:
            self.result[n] = finished(node, state)
            last = state if node.kind == "store" else state + node.states - 1
        elif node.kind == "store":
            self.result[n] = (state, at)
        else:
            self.result[n] = (state, at + (node.delay if node.name != "add" else self.delay(n, state)))
        if node.kind not in ("input", "phi"):
            self.states[n] = last + 1

    def arrived(self, n: int, node: GraphNode) -> tuple[int, float]:
        """Return when the last of a node's inputs arrives."""
        latest, graph, result = node.ready, self.graph, self.result
        wired, registered = graph.wired.get(n, ()), node.registered
        for operand in node.operands:
            there = result[operand]
            if wired and operand in wired:
                there = there[0], 0.0
            elif registered and there[1] > 0 and (node.mac or _is_loaded(graph, operand)):
                # R3.4: an adder that closes an accumulation takes loaded data from a register, as in a DSP block.
                there = there[0] + 1, 0.0
            if there > latest:
                latest = there
        for earlier, apart in graph.after.get(n, ()):
            there = self.issue[earlier][0] + apart, 0.0
            if there > latest:
                latest = there
        return max(latest, self.earliest[n]) if n in self.earliest else latest

    def delay(self, n: int, state: int) -> float:
        """Return the delay of a combinational node in ns; two adders in a state are one of three inputs (R2.7)."""
        node, sums = self.graph.nodes[n], self.order.sums.get(n, ())
        if not sums or node.states or not self.rules.ternary:
            return node.delay
        self.ternary.discard(n)
        joined = next((each for each in sums if self.joins(each, state)), None)
        times = self.issue, self.result
        three = None if joined is None else delay_of_three(node, joined, state, times, self.library)
        if three is None:
            return node.delay
        self.ternary.add(n)
        return three

    def joins(self, first: FirstSum, state: int) -> bool:
        """Return whether a sum of this state has two inputs."""
        there = self.result[first.adder]
        return first.adder not in self.ternary and there[0] == state and there[1] > 0

    def _claim(self, node: GraphNode) -> tuple[tuple[str, ...], float, int] | None:
        """Return the ports or the unit that a node takes, how many there are, and the cycles until they are free."""
        if node.ports:
            return node.ports, node.most or self.rules.ports.get(node.port, self.rules.default_ports), self.period
        if node.unit not in self.units or not self.rules.sharing or not self.ii:
            return None
        # Operators chained to one of a faster form take its unit in the slots between.
        return (node.unit,), float(self.units[node.unit]), self.beat if node.unit.endswith(PRESSED) else self.period

    def free(self, n: int, state: int, at: float) -> tuple[int, float]:
        """Return the first state from this one on in which a port or unit is free, and reserve it."""
        node, (names, most, period) = self.graph.nodes[n], self._claims[n]
        if node.kind == "store" and (node.port, node.access, state) in self.asked:
            return state, at  # R3.2: it uses the port of the load
        if node.ways and self.rules.exclusive:
            found = self.slots.share(names, state, most, period, node.ways)
        else:
            found = self.slots.take(names, state, most, period)
        if node.kind == "load" and not self.ii and node.access is not None and not node.access.random:
            self.asked.add((node.port, node.access, found))
        return (state, at) if found == state else (found, 0.0)
