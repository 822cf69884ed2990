"""What iterations of a loop hand to later ones: accumulators, reuse registers, memory (R1.2, R4)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.hls.graph.arguments import Arguments
from ppnsim.hls.graph.balance import closes
from ppnsim.hls.graph.fifos import may_meet
from ppnsim.hls.graph.flow import Flow
from ppnsim.hls.graph.graph import BackEdge, GraphNode
from ppnsim.hls.rules import Rules
from ppnsim.hls.structure.aliases import beside, proven_apart, surely_apart
from ppnsim.hls.structure.locations import Role
from ppnsim.hls.structure.trees import Pipeline
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Loop


@dataclass(frozen=True, slots=True)
class Carried:
    """The recurrences of one body; ``outer`` are the loops around it, ``accesses`` all that its statements touch.

    ``registers`` are the arrays of which each element is a register.
    """

    pipeline: Pipeline
    outer: Sequence[Loop]
    flow: Flow
    roles: Mapping[Access, Role]
    accesses: tuple[Access, ...]
    arguments: Arguments
    rules: Rules
    registers: frozenset[str] = frozenset()

    def choose_reused(self) -> None:
        """R4.4: choose the loads that compare their address with that of the last store."""
        if not (self.rules.reuse and self.rules.memory):
            return
        stored = Counter(access.array for access in self.roles)
        for access, role in self.roles.items():
            single = role.kind == "reuse" and stored[access.array] == 1
            others = [a for a in self.accesses if a.array == access.array and a != access] if single else []
            if access.random:
                if single and self._updated(access) and not others:
                    self.flow.muxed.add(access)
            elif single:
                self.flow.muxed.add(access)
                if not all(self._proven(access, other) for other in others):
                    self.flow.muxed.update(others)
            elif role.kind == "forward":
                self.flow.muxed.update(
                    a for a in self._beside(access) if a.subscripts[:-1] != access.subscripts[:-1]
                )  # fmt: skip

    def phis(self) -> dict[Access, int]:
        """Add what comes from the iteration before: accumulators (R4.1), and elements that it has just stored."""
        flow, found = self.flow, {}
        for access, role in self.roles.items():
            if role.kind in ("accumulate", "rotate"):
                found[access] = self._phi(access)
                if not role.constant:
                    self.arguments.take(self.arguments.around.load(access))
                if any(access in step.statement.writes for step in self.pipeline.before):
                    # The first iteration of the inner loop takes the start value instead.
                    flow.know(access, flow.op("select", flow.format(access), (found[access],)))
            elif role.kind == "forward":
                for other in self._beside(access):
                    if other.subscripts[:-1] == access.subscripts[:-1]:
                        found[other] = self._phi(other)
                        first = self.pipeline.loops[-1].first[0]
                        start = tuple(s.replaced({self.pipeline.loops[-1].iterator: first}) for s in other.subscripts)
                        self.arguments.take(self.arguments.around.load(Access(other.array, start)))
        return found

    def _phi(self, access: Access) -> int:
        node = self.flow.graph.add("phi", str(access), self.flow.format(access))
        self.flow.know(access, node)
        return node

    def close(self, phis: Mapping[Access, int], values: Mapping[Access, int]) -> tuple[Access, ...]:
        """Add the dependences on earlier iterations and what the loop leaves in registers; return the latter."""
        flow, graph, results = self.flow, self.flow.graph, []
        self._tokens()
        stores, loads = defaultdict(list), defaultdict(list)
        for node in graph.nodes:
            if node.kind == "store" and node.access is not None:
                stores[node.access].append(node.index)
            elif node.kind == "load" and node.access is not None:
                loads[node.access.array].append(node)
        for access, role in self.roles.items():
            value = values.get(access)
            if value is None:
                if access.random and self.rules.memory:
                    self._memory(access, role, *self._ends(access, stores[access], loads[access.array]))
                continue
            reason = f"recurrence through {access}"
            if access in phis:
                graph.back.append(BackEdge(value, phis[access], 1, "register", reason))
                self._registered(value, phis[access])
            if role.kind == "rotate":
                self._rotate(access, value)
            elif role.kind == "accumulate" and role.sunk and access not in self._nested():
                flow.drop(access)
                graph.add("op", "writeback", flow.format(access), (value,), delay=self.flow.library.ns("writeback"))
                results.append(access)
            elif role.kind == "forward":
                for other in self._beside(access):
                    if other in phis:
                        graph.back.append(BackEdge(value, phis[other], 1, "register", reason))
            if self.rules.memory:
                self._memory(access, role, stores[access], loads[access.array], value)
        return tuple(results)

    def _ends(self, access: Access, stores: list[int], loads: list[GraphNode]) -> tuple[list[int], list[GraphNode]]:
        """Return the last store and the first loads of an element that data chooses: the others are between them."""
        first = next((load.index for load in loads if load.access == access), None)
        if access.array in self.flow.apart or first is None or not stores:
            return stores, loads
        store = next((each for each in stores if each > first), stores[-1])
        return stores[-1:], [load for load in loads if load.access != access or load.index <= max(store, first)]

    def _beside(self, access: Access) -> list[Access]:
        """Return the loads of what the inner loop's iteration before may have stored, one iteration apart."""
        others = [a for a in self.accesses if a.array == access.array and a != access]
        return [a for a in others if beside(access, a, self.pipeline.loops[-1]) == 1]

    def _proven(self, store: Access, load: Access) -> bool:
        if self.rules.exact and surely_apart(store, load):
            return True
        return proven_apart(store, load, self.pipeline.loops, self.outer, exact=self.rules.exact)

    def _nested(self) -> set[Access]:
        return {access for step in self.pipeline.before for access in step.statement.writes}

    def _registered(self, value: int, phi: int) -> None:
        node = self.flow.graph.nodes[value]
        if node.name == "add":
            node.registered = closes(self.flow.graph, node, phi)

    def _rotate(self, access: Access, value: int) -> None:
        """P2: the store is in the next iteration; what others load has to be there by then (R4.6)."""
        flow, graph = self.flow, self.flow.graph
        flow.drop(access)
        handed = graph.add("op", "forward", flow.format(access), (value,), delay=self.flow.library.ns("forward"))
        flow.store(access, handed)
        store = len(graph.nodes) - 1
        for node in graph.nodes if self.pipeline.distances.get(access.array, 1) else ():
            if node.kind == "load" and node.access and node.access.array == access.array and self.rules.memory:
                graph.back.append(BackEdge(store, node.index, 1, "ram", f"{access} through memory"))

    def _updated(self, access: Access) -> bool:
        """Return whether an element that data chooses is read and written once: what was written last can be kept."""
        statements = [step.statement for step in self.pipeline.steps]
        reads = sum(each == access for statement in statements for each in statement.reads)
        writes = sum(each == access for statement in statements for each in statement.writes)
        return reads == writes == 1 and access.array not in self.registers

    def _tokens(self) -> None:
        """Let the accesses of an iteration to a FIFO come after those of the iteration before."""
        graph = self.flow.graph
        for (name, kind), nodes in self.flow.tokens.items():
            reason = f"order of tokens in {name}" if kind == "take" else f"order of tokens to {name}"
            for source in nodes:
                place = graph.nodes[source].access
                first = next(n for n in nodes if (at := graph.nodes[n].access) and place and may_meet(at, place))
                graph.back.append(BackEdge(source, first, 1, "ram", reason))

    def _memory(
        self, access: Access, role: Role, stores: Sequence[int], loads: Sequence[GraphNode], value: int | None = None
    ) -> None:
        """Add the dependences of loads on the store through its memory and its reuse register (R4.2 to R4.4)."""
        graph, flow = self.flow.graph, self.flow
        least = self.pipeline.distances.get(access.array, self.pipeline.distances.get("", 1))
        for store in stores if role.kind in ("reuse", "forward", "move") and least else ():
            if graph.nodes[store].kind == "dead":
                continue
            for load in loads:
                assert load.access is not None
                if load.access in flow.muxed:
                    mux, source = flow.muxes[load.index], graph.nodes[store].operands[0] if value is None else value
                    graph.back.append(BackEdge(source, mux, least, "value", f"recurrence through {access}"))
                    graph.back.append(BackEdge(store, load.index, least + 1, "ram", f"{access} through memory"))
                elif (distance := self._distance(access, role, load.access)) is not None:
                    distance = max(least, distance)
                    graph.back.append(BackEdge(store, load.index, distance, "ram", f"{access} through memory"))

    def _distance(self, store: Access, role: Role, load: Access) -> int | None:
        """Return the least number of iterations after which a load may need what was stored, None if never."""
        if load.random or store.random:
            return 1
        if store.array in self.registers and load != store:
            apart = beside(store, load, self.pipeline.loops[-1])
            return apart if apart is not None and apart > 0 else None if surely_apart(store, load) else 1
        if load == store:
            return role.distance or None
        if role.kind == "reuse":
            unproven = not surely_apart(store, load) and not self._proven(store, load)
            return 1 if unproven and (load not in self.flow.muxed) and not self._single(store) else None
        inner = self.pipeline.loops[-1]
        if self.pipeline.unrolled and _other_row(store, load, inner.iterator):
            # R4.7: the tool does not see that copies of an unrolled statement store to other rows.
            return 1
        apart = beside(store, load, inner)
        if apart is None or apart < 1:
            return None
        differ = [s - t for s, t in zip(store.subscripts, load.subscripts, strict=True)]
        moving = [inner.iterator in subscript.iterators() for subscript in store.subscripts]
        return apart if all(moves or d == Affine() for d, moves in zip(differ, moving, strict=True)) else None

    def _single(self, store: Access) -> bool:
        return sum(a.array == store.array for a in self.roles) == 1 and self.rules.reuse


def _other_row(store: Access, load: Access, inner: str) -> bool:
    """Return whether only the last subscript of two accesses moves, and those before it differ by constants."""
    if store.random or load.random or len(store.subscripts) < 2:
        return False
    if any(inner in access.subscripts[-1].iterators() for access in (store, load)):
        rows = list(zip(store.subscripts[:-1], load.subscripts[:-1], strict=True))
        still = all(inner not in (a.iterators() | b.iterators()) for a, b in rows)
        return still and any(a.minus(b) for a, b in rows)
    return False
