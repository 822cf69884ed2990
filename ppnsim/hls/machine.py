"""The state machine around pipelined loops, and the cycles of all (R5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from ppnsim.affine.expressions import Condition
from ppnsim.affine.program import Access, Array, Loop, LoopProgram, Operation, Statement
from ppnsim.hls.addresses import region_ready, signed_digits
from ppnsim.hls.aliases import strictly_apart
from ppnsim.hls.body import Body, BodyRules, scheduled_body
from ppnsim.hls.counting import constant_trips, trips, visits
from ppnsim.hls.dataflow import Flow, Memory
from ppnsim.hls.directives import Directives
from ppnsim.hls.graph import Graph
from ppnsim.hls.library import Library
from ppnsim.hls.locations import Step
from ppnsim.hls.partitions import banks_of
from ppnsim.hls.scheduler import Rules, Schedule, list_schedule
from ppnsim.hls.structure import Options, Pipeline, Serial, Tree, structured
from ppnsim.hls.types import Format


@dataclass(frozen=True, slots=True)
class Variant:
    """All rules; the defaults are the tool's."""

    structure: Options = Options()
    body: BodyRules = BodyRules()
    schedule: Rules = Rules()


@dataclass(frozen=True, slots=True)
class Nest:
    """A pipelined loop with its schedule and how often it ran; ``least`` and ``most`` iterations in one visit."""

    body: Body
    visits: int
    iterations: int
    least: int
    most: int

    @property
    def cycles(self) -> int:
        """Cycles of all visits."""
        return self.body.busy(self.iterations, self.visits)


@dataclass(frozen=True, slots=True)
class Region:
    """Straight-line code of the state machine with the loops that it starts; ``waits`` of its states wait for them."""

    graph: Graph
    schedule: Schedule
    visits: int
    waits: int


@dataclass(slots=True)
class Machine:
    """A scheduled kernel."""

    cycles: int
    nests: list[Nest] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)


def scheduled(
    program: LoopProgram, library: Library, directives: Directives = Directives(), variant: Variant = Variant()
) -> Machine:
    """Return the schedule of a kernel, with the cycles from its start to its end (R5.9)."""
    return _Maker(program, library, directives, variant).machine()


class _Maker:
    def __init__(self, program: LoopProgram, library: Library, directives: Directives, variant: Variant) -> None:
        self.program, self.library, self.directives = program, library, directives
        complete = {name: math.inf for name, each in directives.partitions.items() if each.registers}
        rules = replace(variant.schedule, ports={**variant.schedule.ports, **complete})
        self.variant = replace(variant, schedule=rules)
        self.arrays: dict[str, Array] = {array.name: array for array in program.arrays}
        real = {array.name for array in program.arrays if Format.of(array.type).real}
        self.tree = structured(program.body, real, directives, variant.structure)
        self.written = {a.array for statement in program.statements() for a in statement.writes}
        self.machine_ = Machine(0)

    def machine(self) -> Machine:
        found = self.machine_
        if len(self.tree) == 1 and isinstance(self.tree[0], Pipeline):
            # The function itself is the pipeline.
            nest = self.nest(self.tree[0], (), (), Flow(self.library, self.arrays), alone=True)
            found.cycles = nest.cycles - 1
            return found
        self.walk(self.tree, (), ())
        found.cycles -= 1
        return found

    def walk(
        self, nodes: Sequence[Tree], around: tuple[Loop | Condition, ...], outer: tuple[Loop, ...],
        header: tuple[Loop, ...] = (),
    ) -> None:  # fmt: skip
        region = _Region(self, around, outer, header)
        for tree in nodes:
            if isinstance(tree, Serial):
                region.close()
                self.walk(tree.body, (*tree.around, *tree.loops), (*outer, *tree.loops), tree.loops)
                region = _Region(self, around, outer, header)
            elif isinstance(tree, Pipeline):
                region.call(tree)
            else:
                region.step(tree)
        region.close()

    def nest(
        self, pipeline: Pipeline, before: Sequence[Step], outer: Sequence[Loop], flow: Flow, *, alone: bool = False
    ) -> Nest:
        runs, times = trips(pipeline.around, pipeline.loops)
        total, entered = int((runs * times).sum()), int(times.sum())
        body = scheduled_body(
            pipeline, before, outer, flow, total, self.variant.schedule, self.variant.body, alone=alone,
            partitions=self.directives.partitions,
        )  # fmt: skip
        least, most = (int(runs.min()), int(runs.max())) if len(runs) else (0, 0)
        found = Nest(body, entered, total, least, most)
        self.machine_.nests.append(found)
        return found


class _Region:
    def __init__(
        self, maker: _Maker, around: tuple[Loop | Condition, ...], outer: tuple[Loop, ...], header: tuple[Loop, ...]
    ) -> None:
        self.maker, self.around, self.outer = maker, around, outer
        self.flattened = {loop.iterator for loop in header} if len(header) > 1 else set()
        self.flow = Flow(maker.library, maker.arrays)
        self.flow.address = self._address
        self.flow.argument = self._argument
        self.flow.port = banks_of((), maker.directives.partitions)
        self.flow.strictly_apart = lambda left, right: strictly_apart(left, right, outer)
        self.before: list[Step] = []
        self.calls: list[tuple[int, Nest]] = []

    def step(self, step: Step) -> None:
        self.flow.step(step)
        self.before.append(step)
        self._wait()

    def call(self, pipeline: Pipeline) -> None:
        nest = self.maker.nest(pipeline, self.before, self.outer, self.flow)
        flow, body = self.flow, nest.body
        for access in body.results:
            if body.constants[access]:
                flow.drop(access)
        self._wait()
        node = flow.graph.add(
            "call", pipeline.loops[-1].iterator, Format("integer", 1), body.arguments, states=2,
            entry=self.maker.library.budget, ready=(self._base_state(body), 0.0),
        )  # fmt: skip
        flow.graph.wired[node] = frozenset(a for a in body.arguments if self._stored_only(a, body))
        self._follow(node, nest)
        read, stored = body.touched
        for name in sorted(stored):
            for access in [known for known in flow.known if known.array == name]:
                del flow.known[access]
        for access in body.results:
            out = flow.graph.add("op", str(access), flow.format(access), (node,))
            if access.subscripts:
                flow.store(access, out)
            else:
                flow.known[access] = out
        self.calls.append((node, nest))
        self.before = []

    def _stored_only(self, argument: int, body: Body) -> bool:
        """R5.3: a loaded argument that is stored as it is needs no state to itself before the loop starts."""
        graph = self.flow.graph
        if graph.nodes[argument].kind != "load":
            return False
        if any(node.kind == "store" and node.operands == (argument,) for node in graph.nodes):
            return True
        inside = body.inputs.get(argument)
        return any(node.kind == "store" and node.operands == (inside,) for node in body.graph.nodes)

    def _follow(self, node: int, nest: Nest) -> None:
        """R5.4, R5.6: a loop starts after the stores that it may load, and after loops that it shares something with."""
        read, stored = nest.body.touched
        graph = self.flow.graph
        for name in sorted(read | stored | {access.array for access in nest.body.results}):
            memory = self.flow.memory.get(name, Memory())
            for _, earlier in memory.stores:
                graph.order(earlier, node, int(graph.nodes[earlier].operands[0] not in graph.wired[node]))
            for _, earlier in memory.loads if name in stored else ():
                graph.order(earlier, node, 0)
            # What was stored before may be loaded now: no later store makes it superfluous.
            memory.stores.clear()
            memory.loads.clear()
        for earlier, other in self.calls:
            if (read | stored | nest.body.scalars) & (set().union(*other.body.touched) | other.body.scalars):
                graph.order(earlier, node, 2)

    def _wait(self) -> None:
        """Let loads and stores wait for the loops before them that use their array (R5.6)."""
        graph = self.flow.graph
        for node in graph.nodes:
            if node.kind not in ("load", "store") or node.access is None:
                continue
            if (array := node.access.array) not in self.maker.written:
                continue
            for call, nest in self.calls:
                used = array in set().union(*nest.body.touched)
                if call < node.index and used and (call, 2) not in graph.after.get(node.index, ()):
                    graph.order(call, node.index, 2)

    def _base_state(self, body: Body) -> int:
        """R5.5: rows of two shifted terms, and products of trip counts, are computed before the loop starts."""
        loops = body.pipeline.loops
        own = {loop.iterator for loop in loops}
        if sum(constant_trips(loop) is None for loop in loops) > 1:
            return 1
        state = 0
        for node in body.graph.nodes:
            if node.access is None or node.kind == "dead" or len(node.access.subscripts) != 2:
                continue
            array = self.maker.arrays[node.access.array]
            rows = node.access.subscripts[0].iterators()
            if rows and not rows & own and signed_digits(array.shape[-1]) == 2:
                state = max(state, region_ready(self.maker.library, array, node.access, self.flattened)[0])
        return state

    def _address(self, access: Access) -> tuple[int, float]:
        return region_ready(self.maker.library, self.maker.arrays[access.array], access, self.flattened)

    def _argument(self, tree: Operation, statement: Statement) -> int | None:
        """Return an input for what no loop changes: it is computed once, before all loops (R1.2)."""
        if not self.outer or tree.kind in ("constant", "iterator", "read", "cast") or not self._fixed(tree, statement):
            return None
        outside = Flow(self.maker.library, self.maker.arrays)
        format_ = outside.graph.nodes[outside.value(tree, statement)].format
        return self.flow.input(described(tree, statement), format_)

    def _fixed(self, tree: Operation, statement: Statement) -> bool:
        if tree.kind == "read":
            assert tree.read is not None
            access = statement.reads[tree.read]
            return not access.subscripts and not access.random and access.array not in self.maker.written
        return tree.kind not in ("iterator", "call") and all(self._fixed(each, statement) for each in tree.operands)

    def close(self) -> None:
        maker, machine = self.maker, self.maker.machine_
        schedule = list_schedule(self.flow.graph, maker.library, replace(maker.variant.schedule))
        times = visits(self.around)
        waits = 0
        for _, group in groupby(
            sorted(self.calls, key=lambda c: schedule.issue[c[0]][0]), lambda c: schedule.issue[c[0]][0]
        ):
            waits += 1
            machine.cycles += max(nest.cycles for _, nest in group)
        machine.cycles += (schedule.states - waits) * times
        machine.regions.append(Region(self.flow.graph, schedule, times, waits))


def described(tree: Operation, statement: Statement) -> str:
    """Return an expression as text."""
    inner = ", ".join(described(operand, statement) for operand in tree.operands)
    if tree.read is not None:
        return str(statement.reads[tree.read])
    return f"{tree.kind}({inner})" if inner else tree.text
