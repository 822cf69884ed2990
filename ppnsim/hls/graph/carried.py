"""Loop-carried dependences: values that an iteration passes on in registers, memories and FIFOs (R1.2, R4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ppnsim.hls.graph.arguments import LoopArguments
from ppnsim.hls.graph.balance import closes, is_sum
from ppnsim.hls.graph.builder import GraphBuilder
from ppnsim.hls.graph.dependences import Dependences
from ppnsim.hls.graph.graph import Back, BackEdge, GraphNode
from ppnsim.hls.graph.loads import Loads
from ppnsim.hls.graph.memory_order import releases
from ppnsim.hls.graph.region_bursts import order_bursts
from ppnsim.hls.graph.remainders import dividend_bits
from ppnsim.hls.library.types import BIT
from ppnsim.hls.structure.locations import GuardedStatement, Role, distinct, iterators
from ppnsim.hls.structure.reuse_distance import is_plain
from ppnsim.loops.expressions import Compare, condition_iterators
from ppnsim.loops.program import Access
from ppnsim.loops.work import spend


@dataclass(frozen=True, slots=True)
class Carried:
    """The recurrences of one body, while its graph is built.

    ``phis`` are the nodes for the values of the previous iteration, by location.
    """

    dependences: Dependences
    builder: GraphBuilder
    arguments: LoopArguments
    phis: dict[Access, int] = field(default_factory=dict)

    def open(self) -> None:
        """Add the values of the previous iteration: accumulators, and elements that it has just stored."""
        pipeline, operators = self.dependences.pipeline, self.builder.operators
        self.builder.values.dividend = partial(dividend_bits, loops=pipeline.loops)  # R2.8
        # The first statement of an iteration with each location; only accumulators need it.
        sums = any(role.kind == "accumulate" for role in self.dependences.roles.values())
        steps = distinct(pipeline.steps)[::-1] if sums else ()
        touching = {a: step for step in steps for a in (*step.statement.reads, *step.statement.writes)}
        for access, role in self.dependences.roles.items():
            if role.kind == "accumulate" and self._restarts(access):
                # In a flattened nest the first iteration of the inner loop loads the location instead.
                self._phi(access)
                first = self._first(access, touching[access])
                if first is None or self.dependences.shares(access):
                    old = self.builder.memories.fresh(access)
                    chosen = operators.op("select", operators.format(access), (old, self.phis[access]))
                    self.builder.values.know(access, chosen)
                elif access in first.statement.reads:
                    branches = self.builder.values.branches
                    branches.given[first.conditions] = access, self.builder.memories.fresh(access)
                    self.builder.values.know(access, self.phis[access])
            elif role.kind in ("accumulate", "rotate"):
                self._phi(access)
                if not role.constant:
                    self.arguments.load(access)
                if access in self._nested():
                    # The first iteration of the inner loop takes the start value instead.
                    chosen = operators.op("select", operators.format(access), (self.phis[access],))
                    self.builder.values.know(access, chosen)
            elif role.kind == "forward":
                inner = pipeline.loops[-1]
                for other in self.dependences.beside(access):
                    if other.subscripts[:-1] == access.subscripts[:-1]:
                        self._phi(other)
                        start = tuple(s.replaced({inner.iterator: inner.first[0]}) for s in other.subscripts)
                        self.arguments.load(Access(other.array, start))

    def close(self, values: Mapping[Access, int]) -> tuple[Access, ...]:
        """Add the dependences on earlier iterations; return the locations that the loop leaves in registers.

        ``values`` are the values of the written locations at the end of an iteration.
        """
        self._tokens()
        operators, results = self.builder.operators, []
        stores: dict[Access, list[int]] = defaultdict(list)
        for node in self.builder.graph.nodes:
            if node.kind == "store" and node.access:
                stores[node.access].append(node.index)
        loads = Loads(self.builder.graph.nodes, self.dependences)
        for access, role in self.dependences.roles.items():
            value, beside = values.get(access), loads.beside(access)
            if value is None and stores[access] and not access.random:
                # A later store may alias it; if it does not, the next iteration takes this value.
                value = self.builder.graph.nodes[stores[access][-1]].operands[0]
            if value is not None:
                self._recurrence(access, role, value, values.values())
                if role.kind in ("accumulate", "move") and role.sunk and access not in self._nested():
                    # P1, R9.24: the value stays in a register instead of being stored in every iteration.
                    self.builder.memories.order.drop(access)
                    delay = operators.library.ns("writeback")
                    operators.graph.add("op", "writeback", operators.format(access), (value,), delay=delay)
                    results.append(access)
                self._memory(access, role, stores[access], beside, value)
            elif access.random:
                self._memory(access, role, *self._ends(access, stores[access], beside))
        if self.dependences.rules.memory:
            order_bursts(self.builder.graph, self.builder.memories.ports)
        self._ended()
        self._unused()
        return tuple(results)

    def _ended(self) -> None:
        """Let the loads of an iteration wait for the previous iteration's test that may end the loop (R4.10)."""
        graph, loops = self.builder.graph, self.dependences.pipeline.loops
        tests = [self.builder.values.known.get(Access(name, ())) for name in loops[-1].ended]
        for load in graph.nodes:
            if load.kind == "load":
                reason = f"the test that ends loop '{loops[-1].iterator}'"
                graph.back += [BackEdge(n, load.index, 1, "register", reason) for n in tests if n is not None]

    def _unused(self) -> None:
        """Remove recurrences that no iteration uses: of variables that each iteration sets anew, part by part."""
        graph = self.builder.graph
        used = {operand for node in graph.nodes if node.kind != "dead" for operand in node.operands}
        idle = set(self.phis.values()) - used - {edge.source for edge in graph.back}
        graph.back = [edge for edge in graph.back if edge.target not in idle]

    def _phi(self, access: Access) -> None:
        operators = self.builder.operators
        self.phis[access] = operators.graph.add("phi", str(access), operators.format(access))
        self.builder.values.know(access, self.phis[access])

    def _restarts(self, access: Access) -> bool:
        """Return whether an outer one of the flattened loops moves an accumulated location that is not set before."""
        own = {loop.iterator for loop in self.dependences.pipeline.loops}
        return bool(iterators(access) & own) and access not in self._nested()

    def _first(self, access: Access, step: GuardedStatement) -> GuardedStatement | None:
        """Return the first statement with a location, if it sets the location when the loops around it start again."""
        still = {loop.iterator for loop in self.dependences.pipeline.loops} - iterators(access)
        equal = all(isinstance(each, Compare) and each.relation == "=" for each in step.conditions)
        own = equal and all(condition_iterators(each) <= still for each in step.conditions)
        return step if own and step.conditions and access in step.statement.writes else None

    def _nested(self) -> set[Access]:
        """Return the locations that are set by statements before the innermost of the flattened loops."""
        return {access for step in self.dependences.pipeline.before for access in step.statement.writes}

    def _recurrence(self, access: Access, role: Role, value: int, kept: Collection[int]) -> None:
        """Pass a value on to the next iteration, in a register or through a store in that iteration (R4.1, R4.6)."""
        graph, rules = self.builder.graph, self.dependences.rules
        if rules.sums and role.constant and is_sum(graph, value, self.phis.get(access), self.builder.idle(kept)):
            return
        others = self.dependences.beside(access) if role.kind == "forward" else []
        for each in (access, *others):
            if each in self.phis:
                kind: Back = "value" if rules.recent and not rules.joins else "register"  # R9.32
                graph.back.append(BackEdge(value, self.phis[each], 1, kind, f"recurrence through {access}"))
        if access in self.phis and graph.nodes[value].name == "add":
            graph.nodes[value].registered = closes(graph, graph.nodes[value], self.phis[access])
        if role.kind == "rotate":
            self._rotate(access, value)

    def _rotate(self, access: Access, value: int) -> None:
        """P2: the store is in the next iteration; loads of the array wait for it there (R4.6)."""
        operators, memories, graph = self.builder.operators, self.builder.memories, self.builder.graph
        memories.order.drop(access)
        delay = operators.library.ns("forward")
        memories.store(access, graph.add("op", "forward", operators.format(access), (value,), delay=delay))
        store = len(graph.nodes) - 1
        if self.dependences.rules.memory and self.dependences.pipeline.distances.get(access.array, 1):
            for node in graph.nodes:
                if node.kind == "load" and node.access and node.access.array == access.array:
                    graph.back.append(BackEdge(store, node.index, 1, "ram", f"{access} through memory"))

    def _ends(self, access: Access, stores: list[int], loads: list[GraphNode]) -> tuple[list[int], list[GraphNode]]:
        """Return the last store and the first loads of a data-dependent address: the others are between them.

        If some accesses are proven different (R5.7), they do not wait for each other, and all are returned.
        """
        first = next((load.index for load in loads if load.access == access), None)
        loose = access.array in self.dependences.pipeline.apart or self.builder.memories.order.is_loose(access.array)
        if loose or first is None or not stores:
            return stores, loads
        store = next((each for each in stores if each > first), stores[-1])
        return stores[-1:], [load for load in loads if load.access != access or load.index <= max(store, first)]

    def _updated(self, access: Access, stores: Sequence[int], loads: Sequence[GraphNode]) -> bool:
        """R9.34: return whether a data-dependent element is loaded once, and no store address or test uses the load."""
        nodes, behind = self.builder.graph.nodes, {load.index for load in loads}
        if self.dependences.counts[1][access] > 1 and sum(n.kind == "store" and n.access == access for n in nodes) > 1:
            self._bypass(access)
            return False
        for node in nodes:
            if not behind.isdisjoint(node.operands):
                behind.add(node.index)
        return len(loads) == 1 and all(behind.isdisjoint(nodes[each].operands[1:]) for each in stores)

    def _bypass(self, access: Access) -> None:
        """Remove the multiplexers after the loads of a location, since several stores to it remain."""
        for load, mux in self.builder.memories.muxes.items():
            if self.builder.graph.nodes[load].access == access:
                at = self.builder.graph.nodes[mux]
                at.name, at.delay, at.unit, at.wide = "cut", 0.0, "", None

    def _tokens(self) -> None:
        """Let the accesses of an iteration to a FIFO come after those of the previous iteration."""
        graph, fifos = self.builder.graph, self.builder.fifos
        for (name, kind), nodes in fifos.nodes.items():
            reason = f"order of tokens {'in' if kind == 'take' else 'to'} {name}"
            before = {access: fifos.before((name, kind), access) for access in fifos.first[name, kind]}
            for source in nodes:
                place = graph.nodes[source].access
                assert place is not None
                graph.back.append(BackEdge(source, before[place], 1, "ram", reason))
                other = (name, "put" if kind == "take" else "take")
                for asked in fifos.polls.get((name, kind), ()):
                    graph.back.append(BackEdge(source, asked, 1, "ram", f"state of {name}"))
                if place in fifos.first.get(other, ()):
                    graph.back.append(BackEdge(source, fifos.before(other, place), 1, "wire", reason))
        locks = self.builder.locks.items()
        for ended, blocks in locks:
            for begun, others in locks:
                if blocks & others and releases(graph.nodes[ended]) and not releases(graph.nodes[begun]):
                    graph.back.append(BackEdge(ended, begun, 1, "ram", f"the lock of {min(blocks)}"))

    def _memory(
        self, access: Access, role: Role, stores: Sequence[int], loads: Sequence[GraphNode], value: int | None = None
    ) -> None:
        """Add the dependences of loads on a store through its memory and its reuse register (R4.2 to R4.4, R4.15)."""
        dependences, graph, muxes = self.dependences, self.builder.graph, self.builder.memories.muxes
        least, through, reused = dependences.least(access.array), f"{access} through memory", dependences.reused
        if not dependences.rules.memory or not least or role.kind not in ("reuse", "forward", "move"):
            return
        unknown = access.random and self.builder.memories.ports.is_transfer(access)
        if unknown or (access.random and not self._updated(access, stores, loads)):
            reused = frozenset()
        spend(2 * len(stores) * len(loads))
        for store in (each for each in stores if graph.nodes[each].kind != "dead"):
            for load in loads:
                assert load.access is not None
                if load.access in reused:
                    source = graph.nodes[store].operands[0] if value is None else value
                    reason = f"recurrence through {access}"
                    graph.back.append(BackEdge(source, muxes[load.index], least, "value", reason))
                    graph.back.append(BackEdge(store, load.index, least + 1, "ram", through))
                elif (distance := dependences.distance(access, role, load.access)) is not None:
                    if unknown or (load.access == access and self._unproven(access)):
                        answered = self._answered(access, store, load)
                        graph.back.append(BackEdge(answered, load.index, least, "register", through))
                    else:
                        graph.back.append(BackEdge(store, load.index, max(least, distance), "ram", through))

    def _unproven(self, access: Access) -> bool:
        """R4.15: return whether flattened loops move an element on a bus by several iterators in one subscript."""
        ports, several = self.builder.memories.ports, len(self.dependences.pipeline.loops) > 1
        return several and not access.random and ports.is_transfer(access) and not is_plain(access)

    def _answered(self, access: Access, store: int, load: GraphNode) -> int:
        """Add the states from a store over a bus to its response; later requests of the load's port follow the load."""
        graph, states = self.builder.graph, self.builder.memories.ports.response(access)
        node = graph.add("op", "response", BIT, (), states=states)
        graph.order(store, node, 2)
        for other in graph.nodes:
            if other.kind == "load" and other.port == load.port and other.index > load.index:
                graph.order(load.index, other.index, 1)
        return node
