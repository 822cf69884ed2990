"""Regions: straight-line code of the state machine with the pipelined loops that it starts (R5.2 to R5.7)."""

from __future__ import annotations

from collections.abc import Iterable

from ppnsim.hls.graph.arguments import KernelInputs
from ppnsim.hls.graph.builder import GraphBuilder
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.memory_order import MemoryOrder
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.graph.passes import map_operators
from ppnsim.hls.graph.ports import Ports
from ppnsim.hls.graph.region_addresses import region_ready
from ppnsim.hls.graph.residues import in_known_memories
from ppnsim.hls.graph.wide_multiplexers import widen
from ppnsim.hls.library.types import Format
from ppnsim.hls.schedule.context import EXTRACTED, KernelContext
from ppnsim.hls.schedule.lone import response_states
from ppnsim.hls.schedule.model import ScheduledBody, ScheduledNest, ScheduledRegion
from ppnsim.hls.schedule.nests import nest_of
from ppnsim.hls.schedule.scheduler import list_schedule
from ppnsim.hls.schedule.starts import first_state_ns, registered
from ppnsim.hls.schedule.turns import Turns
from ppnsim.hls.structure.apart_by_bounds import strictly_apart
from ppnsim.hls.structure.counting import constant_trips, signed_digits, visits
from ppnsim.hls.structure.element_runs import REQUEST
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.touched_banks import banks_touched, memories_of
from ppnsim.hls.structure.trees import Pipeline
from ppnsim.hls.structure.unrolling import path_of
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Access, Loop

PORT = 1.0
"""Nanoseconds to read or write a register of an AXI-lite port, on every device (R2.10)."""
_FIFOS = "<FIFOs>"  # stands for all FIFOs: their accesses keep the order of the program around loops (R5.4)


class RegionBuilder:
    """A builder for one region.

    ``around`` are the loops and conditions around the region, ``outer`` only the loops, and ``header`` the loops of the
    innermost loop header. These loops change the arrays and variables in ``changed``.
    """

    def __init__(
        self, kernel: KernelContext, around: tuple[Loop | Condition, ...], outer: tuple[Loop, ...],
        header: tuple[Loop, ...], changed: frozenset[str] = frozenset(), left: Access | None = None,
    ) -> None:  # fmt: skip
        self.kernel, self.around, self.outer = kernel, around, outer
        self.flattened = {loop.iterator for loop in header} if len(header) > 1 else set()
        operators = Operators(kernel.library, kernel.arrays)
        order = MemoryOrder(operators.graph, strictly_apart=lambda left, right: strictly_apart(left, right, outer))
        self.own = own = frozenset(loop.iterator for loop in header)
        inputs = KernelInputs(operators, kernel.written, kernel.lasting, own, changed, kernel.stay)
        self.builder = GraphBuilder(
            Ports(operators, kernel.storage, kernel.ports(), self._ready, small=kernel.small), order=order,
            bound=kernel.bound, words=kernel.straight_words(outer),
            invariant=inputs.of if outer else lambda *_: None, ended=frozenset(header[-1].ended if header else ()),
        )  # fmt: skip
        for kept in filter(None, (kernel.summed, left)):
            self.builder.values.know(kept, operators.input(str(kept), operators.format(kept)))
        self.before: list[GuardedStatement] = []
        self.steps: list[GuardedStatement] = []
        self.calls: list[tuple[int, ScheduledNest]] = []
        self.waited = 0  # nodes that already wait for the loops before them
        self.touched, self.turns = banks_touched(kernel.partitions, outer), Turns(kernel.modules)
        # Only the last loop of each memory is kept: the earlier loops of that memory come before it.
        self.claims: dict[str, int] = {}
        self.touches: dict[str, int] = {}
        self.memories_of: dict[tuple[str, ...], list[tuple[int, frozenset[str]]]] = {}
        self.ways: dict[tuple[str, ...], dict[Condition | None, list[int]]] = {}

    def step(self, step: GuardedStatement) -> None:
        """Add a statement."""
        tests, first = tuple(self.builder.memories.waits), len(self.builder.graph.nodes)
        self.builder.add(step)
        graph = self.builder.graph
        behind = [each.index for each in graph.nodes[first:] if each.kind not in ("input", "phi")] if tests else []
        for test in tests if behind else ():  # R5.23: not before the state of the test's result
            known = graph.add("op", "ends", graph.nodes[test].format, (test,))
            for node in behind:
                graph.order(known, node, 0)
        self.before.append(step)
        self.steps.append(step)
        self._wait()

    def load(self, accesses: Iterable[Access]) -> None:
        """Load elements for the loops after this region."""
        for access in accesses:
            self.builder.memories.load(access)

    def ask(self, states: int) -> None:
        """Add the states of a bus request for a following loop of the state machine, or of a bus response (R6.21)."""
        if states:
            self.builder.graph.add("op", "request", Format("integer", 1), states=states)

    def call(self, pipeline: Pipeline) -> None:
        """Add a pipelined loop (R5.3): one state starts it and the next one waits for it."""
        self.builder.values.enter(())  # after the branches: the loop takes the merged values of both branches
        nest = nest_of(self.kernel, pipeline, self.before, self.outer, self.builder)
        body, graph, memories, values = nest.body, self.builder.graph, self.builder.memories, self.builder.values
        for access in body.results:
            if body.results[access]:
                memories.order.drop(access)
        # Data in the loop's bounds has to arrive before the loop starts, like its other arguments.
        bounds = tuple(memories.load(access) for access in pipeline.loops[0].reads)
        self._wait()
        response = response_states(self.kernel, body.graph, body.transfers)
        node = graph.add(
            "call", pipeline.loops[-1].iterator, Format("integer", 1), (*body.arguments, *bounds), states=2,
            entry=first_state_ns(body, self.kernel.library),
            ready=(max(self._base_state(body), REQUEST if response else 0), 0.0),
        )  # fmt: skip
        if response:
            graph.add("op", "response", Format("integer", 1), (node,), states=response)
        branch = bounds if pipeline.loops[0].under is not None else ()  # a test is not an argument
        graph.wired[node] = frozenset((*branch, *(a for a in body.arguments if self._sooner(a, body))))
        for argument, states in registered({*body.arguments, *bounds} - graph.wired[node], graph):
            graph.order(argument, node, states)
        self._follow(node, nest)
        for name in sorted(body.stored):
            values.forget(name)
        for access in (Access(each.leaves) for each in pipeline.loops if each.leaves):
            out = graph.add("op", str(access), self.builder.operators.format(access), (node,))
            self.builder.only_if_used(out)
            values.know(access, out)
        memories.words.clear()  # after a loop, words are loaded and stored anew
        self.builder.zeros.known.clear()
        for access in body.results:
            out = graph.add("op", str(access), self.builder.operators.format(access), (node,))
            if access.subscripts:
                memories.store(access, out)
            else:
                values.know(access, out)
        self.calls.append((node, nest))
        self.before = []

    def _sooner(self, argument: int, body: ScheduledBody) -> bool:
        """R5.3: return whether an argument needs no state of its own before the loop.

        This holds for an element in registers, and for an element that is stored unchanged.
        """
        graph = self.builder.graph
        if graph.nodes[argument].kind != "load" or not graph.nodes[argument].states:
            return graph.nodes[argument].kind == "load"
        if any(node.kind == "store" and node.operands == (argument,) for node in graph.nodes):
            return True
        inside = body.inputs.get(argument)
        return any(node.kind == "store" and node.operands == (inside,) for node in body.graph.nodes)

    def _follow(self, node: int, nest: ScheduledNest) -> None:
        """R5.4, R5.6: a loop starts after stores that it may load, and after loops that share something with it."""
        read, stored, graph = nest.body.loaded, nest.body.stored, self.builder.graph
        for name in sorted(read | stored | {access.array for access in nest.body.results}):
            self.builder.memories.order.call(node, name, stores=name in stored)
        memories = memories_of(nest.body.pipeline, self.kernel.partitions, self.outer, nest.body.touched)
        claimed = self._claimed(nest.body) | memories | self.turns.of(nest.body.pipeline.loops[0])
        for (name, _), tokens in self.builder.fifos.nodes.items() if _FIFOS in claimed else ():
            for earlier in tokens:
                graph.order(earlier, node, int(name in read | stored))
        before = {self.claims[name] for name in claimed & self.claims.keys()} | self._called_with(node, nest)
        before |= self._in_other_ways(node, nest)
        for earlier in sorted(before):
            graph.order(earlier, node, 2)
        self.claims |= dict.fromkeys(claimed, node)
        self.touches |= dict.fromkeys(memories, node)

    def _in_other_ways(self, node: int, nest: ScheduledNest) -> set[int]:
        """Return earlier loops of the same function on another branch of a condition: that branch ends first (R5.4)."""
        own = nest.body.pipeline.loops[0]
        ways = self.ways.setdefault(self.kernel.called(path_of(own)), {})
        ways.setdefault(own.under, []).append(node)
        return {each for under, nodes in ways.items() if under != own.under for each in nodes}

    def _called_with(self, node: int, nest: ScheduledNest) -> set[int]:
        """R9.25: loops of two calls that share a memory run in turn, even if each has loaded its elements before."""
        if not self.kernel.rules.recent:
            return set()
        called = self.kernel.called(path_of(nest.body.pipeline.loops[0]))
        kept = {n for n, each in self.kernel.arrays.items() if each.shape} - self.kernel.kept("registers")
        own = memories_of(nest.body.pipeline, self.kernel.partitions, self.outer, kept)
        others = (each for path, found in self.memories_of.items() if path != called for each in found)
        earlier = {call for call, used in others if used & own}
        self.memories_of.setdefault(called, []).append((node, own))
        return earlier

    def _claimed(self, body: ScheduledBody) -> frozenset[str]:
        """Return what a loop occupies beside its memories: scalars, words of structs, buses, and FIFOs as one."""
        storage, arrays, packed = self.kernel.storage, self.kernel.arrays, self.kernel.aggregates
        buses = {bundle for name in body.touched if name in storage and (bundle := storage[name].bundle)}
        fifos = {_FIFOS for name in body.touched if name in arrays and arrays[name].stream}
        return body.scalars | buses | fifos | {packed[n].memory for n in body.touched & packed.keys()}

    def _wait(self) -> None:
        """Let loads and stores wait for the earlier loops that use their array (R5.6)."""
        graph = self.builder.graph
        for node in graph.nodes[self.waited :]:
            if not (node.reads or node.writes) or node.access is None:
                continue
            fifo = self.kernel.arrays[array := node.access.array].stream
            if array not in self.kernel.written and not fifo:
                continue
            memories = self.touched(node.access) | self.builder.locks.get(node.index, set())
            earlier = {self.touches[name] for name in memories & self.touches.keys()}
            for call in sorted(earlier.union(call for call, _ in self.calls) if fifo else earlier):
                graph.order(call, node.index, 2)
        self.waited = len(graph.nodes)

    def _base_state(self, body: ScheduledBody) -> int:
        """R5.5: rows of two shifted terms, and products of trip counts, are computed before the loop starts."""
        loops = body.pipeline.loops
        own = {loop.iterator for loop in loops}
        if sum(constant_trips(loop) is None for loop in loops) > 1:
            return 1
        state = 0
        for node in body.graph.nodes:
            if node.access is None or node.kind == "dead" or len(node.access.subscripts) != 2:
                continue
            array = self.kernel.arrays[node.access.array]
            rows = node.access.subscripts[0].iterators()
            if rows and not rows & own and signed_digits(array.shape[-1]) == 2:
                state = max(state, region_ready(self.kernel.library, array, node.access, self.flattened)[0])
        return state

    def _through_port(self, graph: Graph) -> None:
        """R2.10: access to the register of a scalar argument takes time; loops take the value directly.

        With a handshake or ``register``, the value arrives one state later, and a write takes two states.
        """
        control, hands = self.kernel.control, self.kernel.hands
        read = {n.index for n in graph.nodes if n.kind == "input" and not n.unit and n.name in control | hands}
        for node in read:
            graph.nodes[node].ready = int((name := graph.nodes[node].name) in hands), PORT if name in control else 0.0
        graph.wired |= {call: graph.wired[call] | read for call, _ in self.calls}
        for name in sorted((control | hands) & self.kernel.written):
            value = self.builder.values.known.get(Access(name, ()))
            if value is not None and value not in read:
                delay, states = (0.0, 2) if name in hands else (PORT, 0)
                graph.add("op", f"write {name}", graph.nodes[value].format, (value,), delay=delay, states=states)

    def _divide(self, graph: Graph) -> None:
        """R5.13: before release 2021.1 a loop is part of the state machine, and the code after it waits for its end."""
        if self.kernel.rules.release and self.kernel.rules.release < EXTRACTED:
            for call, _ in self.calls:
                for node in graph.nodes[call + 1 :]:
                    if node.kind not in ("input", "phi", "dead"):
                        graph.order(call, node.index, 2)

    def _ready(self, access: Access) -> tuple[int, float]:
        return region_ready(self.kernel.library, self.kernel.arrays[access.array], access, self.flattened, self.own)

    def close(self) -> ScheduledRegion:
        """Return the scheduled region."""
        if self.kernel.summed is not None:
            self.builder.memories.order.drop(self.kernel.summed)
        graph = self.builder.finish()
        in_known_memories(graph, self.kernel.partitions)
        self.builder.fifos.hold(self.kernel.axes)
        for each in self.builder.memories.transfers:
            if response := response_states(self.kernel, graph, (each,)):
                graph.order(each, graph.add("op", "response", Format("integer", 1), states=response), REQUEST)
        if not self.outer:
            self._through_port(graph)
        self._divide(graph)
        widen(graph)
        map_operators(graph, self.kernel.library, self.kernel.rules, self.kernel.limited(self.steps))
        schedule = list_schedule(graph, self.kernel.library, self.kernel.rules)
        started: dict[int, int] = {}
        for call, nest in self.calls:
            state = schedule.issue[call][0]
            started[state] = max(started.get(state, 0), nest.cycles)
        times = visits(self.around, self.kernel.rules.count)
        cycles = (schedule.states - len(started)) * times + sum(started.values())
        overlapped = sum(nest.cycles for _, nest in self.calls) - sum(started.values())
        return ScheduledRegion(
            graph, schedule, times, cycles, tuple(nest for _, nest in self.calls), self.outer,
            self.builder.fifos.executed, overlapped, self.builder.memories.transfers, self.around,
        )  # fmt: skip
