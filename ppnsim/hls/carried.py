"""What iterations of a loop hand to later ones: accumulators, reuse registers, memory (R1.2, R4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.affine.expressions import Affine
from ppnsim.affine.program import Access, Loop
from ppnsim.hls.aliases import beside, proven_apart, surely_apart
from ppnsim.hls.arguments import Arguments
from ppnsim.hls.dataflow import Flow
from ppnsim.hls.graph import BackEdge
from ppnsim.hls.locations import Role
from ppnsim.hls.rules import Rules
from ppnsim.hls.structure import Pipeline


@dataclass(frozen=True, slots=True)
class Carried:
    """The recurrences of one body; ``outer`` are the loops around it, ``accesses`` all that its statements touch."""

    pipeline: Pipeline
    outer: Sequence[Loop]
    flow: Flow
    roles: Mapping[Access, Role]
    accesses: tuple[Access, ...]
    arguments: Arguments
    rules: Rules

    def choose_reused(self) -> None:
        """R4.4: choose the loads that compare their address with that of the last store."""
        if not (self.rules.reuse and self.rules.memory):
            return
        for access, role in self.roles.items():
            others = [a for a in self.accesses if a.array == access.array and a != access]
            if role.kind == "reuse" and sum(a.array == access.array for a in self.roles) == 1:
                self.flow.muxed.add(access)
                if not all(self._proven(access, other) for other in others):
                    self.flow.muxed.update(others)
            elif role.kind == "forward":
                self.flow.muxed.update(
                    a for a in self._beside(access) if a.subscripts[:-1] != access.subscripts[:-1]
                )  # fmt: skip

    def phis(self) -> dict[Access, int]:
        """Add what comes from the iteration before: accumulators, and elements that it has just stored."""
        flow, found = self.flow, {}
        for access, role in self.roles.items():
            if role.kind in ("accumulate", "rotate"):
                found[access] = self._phi(access)
                if not role.constant:
                    self.arguments.take(self.arguments.around.load(access))
                if any(access in step.statement.writes for step in self.pipeline.before):
                    # The first iteration of the inner loop takes the start value instead.
                    flow.known[access] = flow.op("select", flow.format(access), (found[access],))
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
        self.flow.known[access] = node
        return node

    def close(self, phis: Mapping[Access, int], values: Mapping[Access, int]) -> tuple[Access, ...]:
        """Add the dependences on earlier iterations and what the loop leaves in registers; return the latter."""
        flow, graph, results = self.flow, self.flow.graph, []
        for access, role in self.roles.items():
            value = values.get(access)
            if value is None:
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
                self._memory(access, role, value)
        return tuple(results)

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
        node, graph = self.flow.graph.nodes[value], self.flow.graph
        if node.name == "add":
            closes = [o for o in node.operands if o == phi or graph.nodes[o].operands == (phi,)]
            node.registered = bool(closes)

    def _rotate(self, access: Access, value: int) -> None:
        """P2: the store is in the next iteration; what others load has to be there by then (R4.6)."""
        flow, graph = self.flow, self.flow.graph
        flow.drop(access)
        handed = graph.add("op", "forward", flow.format(access), (value,), delay=self.flow.library.ns("forward"))
        flow.store(access, handed)
        store = len(graph.nodes) - 1
        for node in graph.nodes:
            if node.kind == "load" and node.access and node.access.array == access.array and self.rules.memory:
                graph.back.append(BackEdge(store, node.index, 1, "ram", f"{access} through memory"))

    def _memory(self, access: Access, role: Role, value: int) -> None:
        """Add the dependences of loads on the store through its memory and its reuse register (R4.2 to R4.4)."""
        graph, flow = self.flow.graph, self.flow
        stores = [n.index for n in graph.nodes if n.kind == "store" and n.access == access]
        loads = [n for n in graph.nodes if n.kind == "load" and n.access and n.access.array == access.array]
        for store in stores if role.kind in ("reuse", "forward", "move") else ():
            for load in loads:
                assert load.access is not None
                if load.access in flow.muxed:
                    mux = flow.muxes[load.index]
                    graph.back.append(BackEdge(value, mux, 1, "value", f"recurrence through {access}"))
                    graph.back.append(BackEdge(store, load.index, 2, "ram", f"{access} through memory"))
                elif (distance := self._distance(access, role, load.access)) is not None:
                    graph.back.append(BackEdge(store, load.index, distance, "ram", f"{access} through memory"))

    def _distance(self, store: Access, role: Role, load: Access) -> int | None:
        """Return the least number of iterations after which a load may need what was stored, None if never."""
        if load == store:
            return role.distance or None
        if role.kind == "reuse":
            unproven = not surely_apart(store, load) and not self._proven(store, load)
            return 1 if unproven and (load not in self.flow.muxed) and not self._single(store) else None
        inner = self.pipeline.loops[-1]
        if self.pipeline.unrolled and _other_row(store, load, inner.iterator):
            # Copies of an unrolled statement store to rows of which the tool does not see that they are others.
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
        return still and any((a - b).is_constant and (a - b).constant for a, b in rows)
    return False
