"""The body of a pipelined loop as a data-flow graph with its recurrences (R1.2, R2.4, R4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ppnsim.affine.program import Access, Array, Loop, Operation, Statement
from ppnsim.hls.addresses import MANY, Addresses
from ppnsim.hls.aliases import beside, proven_apart, surely_apart
from ppnsim.hls.counting import constant_trips
from ppnsim.hls.dataflow import Flow
from ppnsim.hls.graph import BackEdge, Graph
from ppnsim.hls.library import Library
from ppnsim.hls.locations import Role, Step, is_constant, iterators, roles
from ppnsim.hls.partitions import NOT_PARTITIONED, Partition, banks_of
from ppnsim.hls.recurrences import modulo_schedule
from ppnsim.hls.scheduler import Rules, Schedule
from ppnsim.hls.structure import Pipeline
from ppnsim.hls.types import Format


@dataclass(slots=True)
class Body:
    """A scheduled body. ``arguments`` are nodes of the graph around it; ``results`` are locations left in registers."""

    pipeline: Pipeline
    graph: Graph
    schedule: Schedule
    depth: int
    arguments: tuple[int, ...]
    results: tuple[Access, ...]
    touched: tuple[frozenset[str], frozenset[str]]
    scalars: frozenset[str]
    constants: Mapping[Access, bool]
    inputs: Mapping[int, int]

    def busy(self, iterations: int, visits: int) -> int:
        """Return the cycles of some visits with so many iterations in all (R3.5); one of no iteration counts too."""
        return visits * (self.depth - self.schedule.ii) + iterations * self.schedule.ii


def scheduled_body(
    pipeline: Pipeline, before: Sequence[Step], outer: Sequence[Loop], around: Flow, iterations: int,
    rules: Rules = Rules() = (), *, alone: bool = False,
    partitions: Mapping[str, Partition] = NOT_PARTITIONED,
) -> Body:  # fmt: skip
    """Return the schedule of a pipelined loop.

    Parameters
    ----------
    before : statements right before the loop.
    outer : loops around it, outermost first.
    around : graph of the code around it, in which its arguments are computed.
    iterations : of all visits together.
    alone : the loop is all that the kernel does.
    """
    return _Builder(pipeline, before, outer, around, iterations, rules, options, alone, partitions).body()


class _Builder:
    def __init__(
        self, pipeline: Pipeline, before: Sequence[Step], outer: Sequence[Loop], around: Flow, iterations: int,
        rules: Rules, alone: bool, partitions: Mapping[str, Partition],
    ) -> None:  # fmt: skip
        self.alone = alone
        self.pipeline, self.outer, self.around, self.rules, pipeline, outer, around, rules, options
        self.loops = pipeline.loops
        self.library: Library = around.library
        self.arrays: Mapping[str, Array] = around.arrays
        self.own = {loop.iterator for loop in self.loops}
        self.steps = (*pipeline.before, *pipeline.steps, *pipeline.after)
        self.written = {access.array for step in self.steps for access in step.statement.writes}
        real = {name for name, array in self.arrays.items() if Format.of(array.type).real}
        self.roles = roles(self.loops, pipeline.steps, pipeline.before or before, real)
        if not options.sink:
            self.roles = {a: replace(r, sunk=r.sunk and not a.subscripts) for a, r in self.roles.items()}
        self.base = self._base(iterations)
        self.flow = Flow(self.library, self.arrays)
        self.arguments: list[int] = []
        self.inputs: dict[int, int] = {}
        accesses = [a for step in self.steps for a in (*step.statement.reads, *step.statement.writes)]
        self.accesses = tuple(dict.fromkeys(accesses))
        self.flow.address = self._address
        self.flow.port = banks_of(self.accesses, partitions)
        self.flow.argument = self._argument

    def _base(self, iterations: int) -> int:
        """R2.4: the first state in which the iterators of this iteration are known."""
        if len(self.loops) > 1:
            return int(not self.outer and iterations >= MANY and not self.alone)
        held = any(role.kind in ("rotate", "reuse") for role in self.roles.values())
        return int(held and constant_trips(self.loops[0]) is None)

    def _address(self, access: Access) -> tuple[int, float]:
        if not self.rules.addresses:
            return 0, self.library.add_ns(16)
        return Addresses(self.library, self.arrays, self.loops, self.base, self.accesses).ready(access)

    def body(self) -> Body:
        self._reused()
        phis = self._phis()
        for step in self.pipeline.steps:
            self.flow.step(step)
        values = {access: self.flow.known[access] for access in self.roles if access in self.flow.known}
        for step in self.pipeline.after:
            self.flow.step(step)
        results = self._close(phis, values)
        graph = self.flow.graph
        schedule = modulo_schedule(graph, self.library, self.rules, self.pipeline.ii)
        read = {node.access.array for node in graph.nodes if node.kind == "load" and node.access}
        stored = {node.access.array for node in graph.nodes if node.kind == "store" and node.access}
        scalars = {
            a.array
            for step in self.steps
            for a in (*step.statement.reads, *step.statement.writes)
            if not a.subscripts and not self._parameter(a.array)
        }
        return Body(
            self.pipeline, graph, schedule, self._depth(schedule), tuple(self.arguments), results,
            (frozenset(read), frozenset(stored)), frozenset(scalars), {a: self.roles[a].constant for a in results}, self.inputs,
        )  # fmt: skip

    def _depth(self, schedule: Schedule) -> int:
        """R3.5: states; a body of one counts two, and one with a rotated store ends with the iteration after."""
        if any(role.kind == "rotate" for role in self.roles.values()):
            loads = [schedule.issue[n.index][0] for n in self.flow.graph.nodes if n.kind == "load"]
            return schedule.ii + max([*loads, self.base + 1]) + 1
        return max(2, schedule.states)

    def _phis(self) -> dict[Access, int]:
        """Add what comes from the iteration before: accumulators, and elements that it has just stored."""
        flow, found = self.flow, {}
        for access, role in self.roles.items():
            if role.kind in ("accumulate", "rotate"):
                found[access] = self._phi(access)
                if not role.constant:
                    self._pass(self.around.load(access))
                if any(access in step.statement.writes for step in self.pipeline.before):
                    # The first iteration of the inner loop takes the start value instead.
                    flow.known[access] = flow.op("select", flow.format(access), (found[access],))
            elif role.kind == "forward":
                for other in self._beside(access):
                    if other.subscripts[:-1] == access.subscripts[:-1]:
                        found[other] = self._phi(other)
                        first = self.loops[-1].first[0]
                        start = tuple(s.replaced({self.loops[-1].iterator: first}) for s in other.subscripts)
                        self._pass(self.around.load(Access(other.array, start)))
        return found

    def _phi(self, access: Access) -> int:
        node = self.flow.graph.add("phi", str(access), self.flow.format(access))
        self.flow.known[access] = node
        return node

    def _beside(self, access: Access) -> list[Access]:
        """Return the loads of what the inner loop's iteration before may have stored, one iteration apart."""
        others = [a for a in self.accesses if a.array == access.array and a != access]
        return [a for a in others if beside(access, a, self.loops[-1]) == 1]

    def _reused(self) -> None:
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

    def _proven(self, store: Access, load: Access) -> bool:
        if self.rules.exact and surely_apart(store, load):
            return True
        outer = (*self.outer, *self.loops) if self.rules.exact else self.outer
        return proven_apart(store, load, self.loops, outer)

    def _close(self, phis: Mapping[Access, int], values: Mapping[Access, int]) -> tuple[Access, ...]:
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
                graph.add("op", "writeback", flow.format(access), (value,), delay=self.library.ns("writeback"))
                results.append(access)
            elif role.kind == "forward":
                for other in self._beside(access):
                    if other in phis:
                        graph.back.append(BackEdge(value, phis[other], 1, "register", reason))
            if self.rules.memory:
                self._memory(access, role, value)
        return tuple(results)

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
        handed = graph.add("op", "forward", flow.format(access), (value,), delay=self.library.ns("forward"))
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
        apart = beside(store, load, self.loops[-1])
        same = [s - t for s, t in zip(store.subscripts, load.subscripts, strict=True)] if apart else []
        inner = self.loops[-1].iterator
        invariant = all(
            not d.terms and (not d.constant or inner in s.iterators())
            for d, s in zip(same, store.subscripts, strict=False)
        )
        return apart if apart and apart > 1 and invariant else None

    def _single(self, store: Access) -> bool:
        return sum(a.array == store.array for a in self.roles) == 1 and self.rules.reuse

    def _pass(self, node: int) -> int:
        """Take a value from around the loop; numbers and parameters of the kernel need no register."""
        at = self.around.graph.nodes[node]
        if at.kind == "input" and (at.unit == "constant" or self._parameter(at.name)):
            return node
        if node not in self.arguments:
            self.arguments.append(node)
        return node

    def _parameter(self, name: str) -> bool:
        array = self.arrays.get(name)
        return array is not None and array.role == "parameter"

    def _argument(self, tree: Operation, statement: Statement) -> int | None:
        """Return an input for an expression that the loop does not change, which is computed before it (R1.2)."""
        if tree.kind in ("constant", "iterator", "cast") or is_constant(tree) or not self._invariant(tree, statement):
            return None
        outside = self._pass(self.around.value(tree, statement))
        if outside not in self.inputs:
            at = self.around.graph.nodes[outside]
            if at.kind == "input" and at.unit == "constant":
                return self.flow.constant(at.name, at.format)
            self.inputs[outside] = self.flow.graph.add("input", at.name, at.format)
        return self.inputs[outside]

    def _invariant(self, tree: Operation, statement: Statement) -> bool:
        if tree.kind == "constant":
            return True
        if tree.kind == "iterator":
            return tree.text not in self.own
        if tree.kind == "call" and not self._hoisted(tree):
            return False
        if tree.kind == "read":
            assert tree.read is not None
            access = statement.reads[tree.read]
            return not access.random and access.array not in self.written and not iterators(access) & self.own
        return all(self._invariant(operand, statement) for operand in tree.operands)

    def _hoisted(self, tree: Operation) -> bool:
        """A root of floating point is an operation; functions of fixed point are calls that stay where they are."""
        return Format.of(tree.type).real and tree.text.rsplit("::", 1)[-1] in ("sqrt", "sqrtf", "fabs")
