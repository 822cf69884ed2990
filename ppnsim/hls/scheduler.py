"""List scheduling with chaining, ports and shared units; modulo an initiation interval for pipelined bodies (R3)."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass

from ppnsim.hls.graph import BackEdge, Graph
from ppnsim.hls.library import Library
from ppnsim.hls.order import Order, order_of
from ppnsim.hls.rules import Rules

EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class Schedule:
    """Issue and result of each node as (state, ns), and the number of states."""

    issue: tuple[tuple[int, float], ...]
    result: tuple[tuple[int, float], ...]
    states: int
    ii: int = 0
    bound: str = ""


def list_schedule(
    graph: Graph, library: Library, rules: Rules, *, ii: int = 0,
    earliest: Mapping[int, tuple[int, float]] | None = None, units: Mapping[str, int] | None = None,
    order: Order | None = None,
) -> Schedule:  # fmt: skip
    """Return the list schedule of a graph, modulo ``ii`` if that is not 0 (R3.1, R3.2).

    ``earliest``: lower bounds of issue, beyond the graph's. ``units``: how many there are of each shared class.
    ``order``: of the graph, if it is known already.
    """
    whole = order or order_of(graph, library)
    return _Run(graph, library, rules, ii, earliest or {}, units or {}, whole).run()


class _Run:
    def __init__(
        self, graph: Graph, library: Library, rules: Rules, ii: int, earliest: Mapping[int, tuple[int, float]],
        units: Mapping[str, int], order: Order,
    ) -> None:  # fmt: skip
        self.graph, self.library, self.rules, self.ii = graph, library, rules, ii
        self.earliest, self.units = earliest, units
        self.budget = library.budget
        self.used: dict[tuple[str, int], int] = {}
        count = len(graph.nodes)
        self.issue: list[tuple[int, float]] = [(0, 0.0)] * count
        self.result: list[tuple[int, float]] = [(0, 0.0)] * count
        self.order = order
        self.fused: set[int] = set()

    def run(self) -> Schedule:
        waiting, followers, height = list(self.order.waiting), self.order.followers, self.order.height
        ready = [(-height[n], n) for n, open_ in enumerate(waiting) if not open_]
        heapq.heapify(ready)
        while ready:
            _, n = heapq.heappop(ready)
            self.place(n)
            for other in followers[n]:
                waiting[other] -= 1
                if not waiting[other]:
                    heapq.heappush(ready, (-height[other], other))
        return Schedule(tuple(self.issue), tuple(self.result), self.length(), self.ii)

    def length(self) -> int:
        states = 1
        for node, (state, at), (end, _) in zip(self.graph.nodes, self.issue, self.result, strict=True):
            if node.kind in ("dead", "input", "phi"):
                continue
            del at
            last = state if node.kind in ("store", "load") or not node.states else end - 1
            states = max(states, last + 1)
        return states

    def place(self, n: int) -> None:
        node = self.graph.nodes[n]
        if node.kind == "dead":
            return
        wired = self.graph.wired.get(n, frozenset())
        arrived = [(self.result[o][0], 0.0) if o in wired else self.result[o] for o in node.operands]
        state, at = max([node.ready, *arrived])
        if node.registered:
            # R3.4: what closes an accumulator's cycle takes loaded data from a register.
            for operand in node.operands:
                end, when = self.result[operand]
                if self.graph.nodes[operand].kind == "load" and when > 0:
                    state, at = max((state, at), (end + 1, 0.0))
        for earlier, apart in self.graph.after.get(n, ()):
            state, at = max((state, at), (self.issue[earlier][0] + apart, 0.0))
        state, at = max((state, at), self.earliest.get(n, (0, 0.0)))
        if not self.rules.chaining and at > 0 and node.kind == "op":
            state, at = state + 1, 0.0
        needed = node.entry if node.states and node.kind not in ("load", "store") else self.delay(n, state)
        if node.kind == "load":
            needed = node.delay
        if at > 0 and at + needed > self.budget + EPSILON:
            state, at = state + 1, 0.0
            needed = self.delay(n, state) if not node.states else needed
        state, at = self.free(n, state, at)
        self.issue[n] = (state, at)
        if node.kind == "load":
            self.result[n] = (state + 1, node.delay)
        elif node.states:
            self.result[n] = (state + node.states, 0.0)
        elif node.kind == "store":
            self.result[n] = (state, at)
        else:
            self.result[n] = (state, at + self.delay(n, state))

    def delay(self, n: int, state: int) -> float:
        """Return what a combinational node adds; the second of two adders in a state is one with three inputs."""
        node = self.graph.nodes[n]
        self.fused.discard(n)
        if node.name == "add" and self.rules.ternary and not node.states and node.kind == "op":
            for operand in node.operands:
                other = self.graph.nodes[operand]
                if other.name == "shift" and self.order.users[operand] == 1:
                    operand = other.operands[0]
                    other = self.graph.nodes[operand]
                single = (
                    other.name == "add" and other.kind == "op" and not other.states and self.order.users[operand] == 1
                )
                there = self.result[operand]
                if single and operand not in self.fused and there[0] == state and there[1] > 0:
                    self.fused.add(n)
                    return self.library.ns("ternary")
        return node.delay

    def free(self, n: int, state: int, at: float) -> tuple[int, float]:
        """Return the first state from this one on that has a port, or a unit, free; and take it."""
        node = self.graph.nodes[n]
        if node.port:
            name, most = node.port, self.rules.ports.get(node.port, self.rules.default_ports)
        elif node.unit in self.units and self.rules.sharing and self.ii:
            name, most = node.unit, float(self.units[node.unit])
        else:
            return state, at
        while self.used.get((name, self.slot(state)), 0) >= most:
            state, at = state + 1, node.ready[1] if node.kind == "load" and state < node.ready[0] else 0.0
        key = (name, self.slot(state))
        self.used[key] = self.used.get(key, 0) + 1
        return state, at

    def slot(self, state: int) -> int:
        return state % self.ii if self.ii else state


def late(schedule: Schedule, edge: BackEdge) -> tuple[int, float] | None:
    """Return the time that the target of a back edge needs at least, None if it has it (R3.3, R4)."""
    state, at = schedule.result[edge.source]
    issued, when = schedule.issue[edge.target]
    if edge.kind == "ram":
        need: tuple[int, float] = (schedule.issue[edge.source][0] + 1 - edge.distance * schedule.ii, 0.0)
    elif edge.kind == "register":
        need = (state + (at > 0) - edge.distance * schedule.ii, 0.0)
    else:
        need = (state - edge.distance * schedule.ii, at)
    if need[0] < issued or (need[0] == issued and need[1] <= when + EPSILON):
        return None
    return need
