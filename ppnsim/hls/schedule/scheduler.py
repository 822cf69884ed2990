"""List scheduling with chaining, ports and shared units; modulo an initiation interval for pipelined bodies (R3)."""

from __future__ import annotations

import heapq
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from ppnsim.hls.graph.graph import BackEdge, Graph, GraphNode
from ppnsim.hls.graph.order import Order, order_of
from ppnsim.hls.library.library import Library
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
        self.period = ii or sys.maxsize
        # By port or unit: how much of it each slot takes, and for full slots where to go on looking.
        self.taken: dict[str, tuple[dict[int, int], dict[int, int]]] = {}
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
        state, at = self.arrived(n, node)
        if not self.rules.chaining and at > 0 and node.kind == "op":
            state, at = state + 1, 0.0
        moved = node.access is not None
        needed = node.delay if moved else node.entry if node.states else self.delay(n, state)
        if at > 0 and at + needed > self.budget + EPSILON:
            state, at = state + 1, 0.0
        state, at = self.free(n, state, at)
        self.issue[n] = (state, at)
        if node.kind == "load":
            self.result[n] = (state + node.states, node.delay) if node.states else (state, at + node.delay)
        elif node.states:
            self.result[n] = (state + node.states, 0.0)
        elif node.kind == "store":
            self.result[n] = (state, at)
        else:
            self.result[n] = (state, at + self.delay(n, state))

    def arrived(self, n: int, node: GraphNode) -> tuple[int, float]:
        """Return when all is there that a node waits for."""
        latest, graph = node.ready, self.graph
        for operand in node.operands:
            there = self.result[operand]
            if n in graph.wired and operand in graph.wired[n]:
                there = there[0], 0.0
            elif node.registered and there[1] > 0 and graph.nodes[operand].kind == "load":
                # R3.4: what closes an accumulator's cycle takes loaded data from a register.
                there = there[0] + 1, 0.0
            if there > latest:
                latest = there
        for earlier, apart in graph.after.get(n, ()):
            there = self.issue[earlier][0] + apart, 0.0
            if there > latest:
                latest = there
        return max(latest, self.earliest[n]) if n in self.earliest else latest

    def delay(self, n: int, state: int) -> float:
        """Return what a combinational node adds; the second of two adders in a state is one with three inputs."""
        node = self.graph.nodes[n]
        self.fused.discard(n)
        if node.name == "add" and self.rules.ternary and not node.states and node.kind == "op":
            for operand in node.operands:
                other = self.graph.nodes[operand]
                if other.kind == "op" and other.name == "shift" and self.order.users[operand] == 1:
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
            name, most = node.port, node.most or self.rules.ports.get(node.port, self.rules.default_ports)
        elif node.unit in self.units and self.rules.sharing and self.ii:
            name, most = node.unit, float(self.units[node.unit])
        else:
            return state, at
        used, full = self.taken.setdefault(name, ({}, {}))
        slot = state % self.period
        place = _beyond(full, slot)
        used[place] = used.get(place, 0) + 1
        if used[place] >= most:
            full[place] = (place + 1) % self.period
        ahead = (place - slot) % self.period
        return (state + ahead, 0.0) if ahead else (state, at)


def _beyond(full: dict[int, int], slot: int) -> int:
    """Return the first slot from this one on that is not full; those gone through are skipped the next time."""
    end = slot
    while end in full:
        end = full[end]
    while slot != end:
        full[slot], slot = end, full[slot]
    return end


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
