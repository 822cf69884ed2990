"""The state machine around pipelined loops, and the cycles of all (R5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from ppnsim.affine.expressions import Condition
from ppnsim.affine.program import Array, Loop, LoopProgram, Operation
from ppnsim.hls.addresses import address_bits, signed_digits
from ppnsim.hls.body import Body, BodyRules, scheduled_body
from ppnsim.hls.counting import constant_trips, trips, visits
from ppnsim.hls.dataflow import Flow, Memory
from ppnsim.hls.directives import Directives
from ppnsim.hls.graph import Graph
from ppnsim.hls.library import Library
from ppnsim.hls.locations import Step, iterators
from ppnsim.hls.scheduler import Rules, Schedule, list_schedule
from ppnsim.hls.structure import Options, Pipeline, Sequence_, Tree, structured
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
        self.program, self.library, self.variant = program, library, variant
        self.arrays: dict[str, Array] = {array.name: array for array in program.arrays}
        real = {array.name for array in program.arrays if Format.of(array.type).real}
        self.tree = structured(program.body, real, directives, variant.structure)
        self.written = {a.array for statement in program.statements() for a in statement.writes}
        self.machine_ = Machine(0)

    def machine(self) -> Machine:
        found = self.machine_
        if len(self.tree) == 1 and isinstance(self.tree[0], Pipeline):
            # The function itself is the pipeline.
            nest = self.nest(self.tree[0], (), (), Flow(self.library, self.arrays))
            found.cycles = nest.cycles - 1
            return found
        self.walk(self.tree, (), ())
        found.cycles -= 1
        return found

    def walk(self, nodes: Sequence[Tree], around: tuple[Loop | Condition, ...], outer: tuple[Loop, ...]) -> None:
        region = _Region(self, around, outer)
        for tree in nodes:
            if isinstance(tree, Sequence_):
                region.close()
                self.walk(tree.body, (*tree.around, *tree.loops), (*outer, *tree.loops))
                region = _Region(self, around, outer)
            elif isinstance(tree, Pipeline):
                region.call(tree)
            else:
                region.step(tree)
        region.close()

    def nest(self, pipeline: Pipeline, before: Sequence[Step], outer: Sequence[Loop], flow: Flow) -> Nest:
        runs, times = trips(pipeline.around, pipeline.loops)
        total, entered = int((runs * times).sum()), int(times.sum())
        body = scheduled_body(
            pipeline, before, outer, flow, total, self.variant.schedule, self.variant.body
        )  # fmt: skip
        least, most = (int(runs.min()), int(runs.max())) if len(runs) else (0, 0)
        found = Nest(body, entered, total, least, most)
        self.machine_.nests.append(found)
        return found


class _Region:
    def __init__(self, maker: _Maker, around: tuple[Loop | Condition, ...], outer: tuple[Loop, ...]) -> None:
        self.maker, self.around, self.outer = maker, around, outer
        self.flow = Flow(maker.library, maker.arrays)
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
            flow.drop(access)
        self._wait()
        node = flow.graph.add(
            "call", pipeline.loops[-1].iterator, Format("integer", 1), body.arguments, states=2,
            entry=self.maker.library.budget, ready=(self._base_state(body), 0.0),
        )  # fmt: skip
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

    def _follow(self, node: int, nest: Nest) -> None:
        """R5.4, R5.6: a loop starts after the stores that it may load, and after loops that it shares something with."""
        read, stored = nest.body.touched
        graph = self.flow.graph
        for name in sorted(read | stored):
            memory = self.flow.memory.get(name, Memory())
            for _, earlier in memory.stores:
                graph.order(earlier, node, 1)
            for _, earlier in memory.loads if name in stored else ():
                graph.order(earlier, node, 0)
        for earlier, other in self.calls:
            if (read | stored | nest.body.scalars) & (set().union(*other.body.touched) | other.body.scalars):
                graph.order(earlier, node, 2)

    def _wait(self) -> None:
        """Let loads and stores wait for the loops before them that use their array (R5.6)."""
        graph = self.flow.graph
        for node in graph.nodes:
            if node.kind not in ("load", "store") or node.port not in self.maker.written:
                continue
            for call, nest in self.calls:
                used = node.port in set().union(*nest.body.touched)
                if call < node.index and used and (call, 2) not in graph.after.get(node.index, ()):
                    graph.order(call, node.index, 2)

    def _base_state(self, body: Body) -> int:
        """R5.5: a row address of two shifted terms is computed in a state of its own before the loop starts."""
        loops = body.pipeline.loops
        own = {loop.iterator for loop in loops}
        if len(loops) > 1 and self.outer and any(constant_trips(loop) is None for loop in loops):
            if not all(constant_trips(loop) is None or loop is not loops[0] for loop in loops):
                return 0
        return 0

    def close(self) -> None:
        maker, machine = self.maker, self.maker.machine_
        schedule = list_schedule(self.flow.graph, maker.library, replace(maker.variant.schedule))
        times = visits(self.around)
        waits = 0
        for _, group in groupby(sorted(self.calls, key=lambda c: schedule.issue[c[0]][0]), lambda c: schedule.issue[c[0]][0]):
            waits += 1
            machine.cycles += max(nest.cycles for _, nest in group)
        machine.cycles += (schedule.states - waits) * times
        machine.regions.append(Region(self.flow.graph, schedule, times, waits))


__all__ = ["Machine", "Nest", "Operation", "Region", "Variant", "address_bits", "iterators", "scheduled", "signed_digits"]
