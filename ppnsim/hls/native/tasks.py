"""Timing of tasks from their source: which loops are pipelined, and a schedule of each part (R3, R5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ppnsim.c.syntax import Function, SyntaxNode, Variable, refuse
from ppnsim.hls.graph.passes import map_operators
from ppnsim.hls.library.library import Library
from ppnsim.hls.library.types import BIT
from ppnsim.hls.native.arrays import partitions_of
from ppnsim.hls.native.directives import count
from ppnsim.hls.native.expressions import TaskSource
from ppnsim.hls.native.heads import counted
from ppnsim.hls.native.instrument import body_of, loop_parts
from ppnsim.hls.native.loops import asked_of, copies_of, is_unrolled, latencies_of, pipelined
from ppnsim.hls.native.places import BLOCKING, StreamAccess, accesses_in, changed, extent_of, rounds_of
from ppnsim.hls.native.region import NativeRegion
from ppnsim.hls.native.statements import is_endless
from ppnsim.hls.native.straight import StraightLine
from ppnsim.hls.native.timing import PipelineTiming, PlaceKey, SerialTiming, StraightTiming, TaskTiming
from ppnsim.hls.native.unrolling import unroll, unroll_by
from ppnsim.hls.rules import TOOL
from ppnsim.hls.schedule.recurrences import modulo_schedule
from ppnsim.hls.schedule.scheduler import Schedule, list_schedule

Part = StraightTiming | SerialTiming


def task_timing(region: NativeRegion, call: SyntaxNode, library: Library) -> TaskTiming:
    """Return the timing of a call of a task; the rounds of an ``hls::task`` are an endless loop (R11.8).

    Raises
    ------
    InputError
        If the task contains something that cannot be scheduled here.
    """
    function = region.functions[call.text]
    assert function.body is not None
    source = TaskSource(
        library, region.functions, region.places, partitions_of(region, call), latencies_of(region, function)
    )
    parts = _Parts(region, source, {}, ())
    if is_endless(call):
        body = parts.rounds(rounds_of(function))
    else:
        parts.read((function.body,))
        body = parts.close()
    reached = [function.body, *(f.body for f in region.functions.values() if f.body and _calls(region, function, f))]
    accesses = [access for body in reached for access in accesses_in(body)]
    if is_endless(call):
        _check_endless(call, accesses)
    waits = all(access.kind in BLOCKING for access in accesses)
    return TaskTiming(function.name, tuple(body), waits, frozenset(source.unrolled), is_endless(call))


def _check_endless(call: SyntaxNode, accesses: Sequence[StreamAccess]) -> None:
    """Refuse a task without an end if it is unknown when its work ends."""
    polls = next((each for each in accesses if each.kind not in BLOCKING), None)
    if polls is not None:
        words = f"'{polls}' does not wait, in an hls::task ('{call.text}'), which then never stands still"
        refuse(polls.node.position, f"{words}; that is not followed where it is executed")
    if not any(each.kind == "read" for each in accesses):
        words = f"the hls::task '{call.text}' reads no stream, so nothing says when it stops"
        refuse(call.position, f"{words}; that is not followed where it is executed")


def _calls(region: NativeRegion, function: Function, other: Function) -> bool:
    names = {call.text for call in function.calls()}
    inner = [region.functions[name] for name in names if name in region.functions]
    return other.name in names or any(_calls(region, each, other) for each in inner)


class _Parts:
    """The parts of a function or of a loop's body while they are read."""

    def __init__(
        self, region: NativeRegion, source: TaskSource, alias: Mapping[Variable, SyntaxNode], path: Sequence[int]
    ) -> None:
        self.region, self.source = region, source
        self.parts: list[Part] = []
        self.line = StraightLine(source, frozenset(), self._loop, alias, path)
        self.starts: dict[PlaceKey, int] = {}  # the node of the call that starts a pipelined loop
        self.pipelines: dict[PlaceKey, PipelineTiming] = {}

    def read(self, nodes: Sequence[SyntaxNode]) -> None:
        """Add statements."""
        for node in nodes:
            self.line.run(node)

    def _loop(self, node: SyntaxNode) -> None:
        if is_unrolled(self.region, node):
            unroll(self.region, node, self.line)
            return
        if (nest := pipelined(self.region, node)) is not None:
            self._start(nest)
            return
        if self.line.values.guards:
            refuse(node.position, "a loop that is not pipelined, under a condition, in a task that is executed")
        for name in ("latency", "unroll"):
            asked = asked_of(self.region, node, name)
            if asked is not None and "off" not in dict(asked.clauses):
                words = f"#pragma HLS {name} of a loop that is not pipelined is not followed where it is executed"
                refuse(asked.position, f"{words}; pipeline the loop, or leave the directive out")
        start, _, _ = loop_parts(node, self.region.unit.sources[node.position.file])
        if start is not None:
            self.line.run(start)
        self._end()
        self.parts.append(self._serial(node))
        self.line.reopen()
        self.starts, self.pipelines = {}, {}

    def rounds(self, node: SyntaxNode) -> list[Part]:
        """Return the parts of a task that consists of this endless loop only; the loop starts at once."""
        empty, number = StraightTiming(0, {}, {}, {}), self.region.places.loops[extent_of(node)]
        if asked_of(self.region, node, "pipeline") is None:
            return [empty, self._serial(node), empty]
        timing = _pipeline(self.region, self.source, [node], self.line)
        return [StraightTiming(1, {}, {(number,): -1}, {(number,): timing})]

    def _serial(self, node: SyntaxNode) -> SerialTiming:
        """Return the timing of a loop that is not pipelined."""
        _, test, step = loop_parts(node, self.region.unit.sources[node.position.file])
        tail = node.kind == "do"
        inner = _Parts(self.region, self.source, self.line.values.alias, self.line.path)
        if test is not None and not tail and not _constant(test):
            inner.line.test(inner.line.value(test))
        inner.read([body_of(node)] + ([step] if step is not None else []))
        if tail and test is not None and not _constant(test):
            inner.line.test(inner.line.value(test))
        return SerialTiming(self.region.places.loops[extent_of(node)], tail, tuple(inner.close()))

    def _start(self, nest: Sequence[SyntaxNode]) -> None:
        """Start a pipelined loop: one state starts it, the next one waits for it (R5.3)."""
        line, graph = self.line, self.line.graph
        timing = _pipeline(self.region, self.source, nest, line)
        key, first = (timing.whole, *line.path), nest[0]
        for loop in nest:
            start, _, _ = loop_parts(loop, self.region.unit.sources[loop.position.file])
            if start is not None:
                line.run(start)
        read = {line.values.root(node) for node in first.walk() if node.kind == "name"}
        operands = tuple(dict.fromkeys(node for v, node in line.values.known.items() if v in read))
        call = graph.add(
            "call", str(key), BIT, (*operands, *line.values.guard()), states=2,
            entry=self.source.library.budget,
        )  # fmt: skip
        for access in line.order.accesses:
            graph.order(access.node, call, 1)
        for memory in line.values.memories.values():
            for store in memory.stores:
                graph.order(store, call, 1)
        for earlier in self.starts.values():
            graph.order(earlier, call, 2)
        self.starts[key], self.pipelines[key] = call, timing
        for target in changed(first):
            variable = line.values.root(target)
            if variable is not None:
                line.values.known[variable] = call

    def _end(self) -> None:
        """Schedule the straight-line code up to here."""
        line, graph = self.line, self.line.graph
        line.values.close()
        graph.back.clear()  # the next iteration is in other states
        calls = sorted(self.starts.values())
        for call in calls:
            for node in graph.nodes[call + 1 :]:
                if node.access is not None or node.kind == "load":
                    graph.order(call, node.index, 2)
        map_operators(graph, self.source.library, TOOL, {})
        schedule = list_schedule(graph, self.source.library, TOOL)
        starts = {loop: schedule.issue[call][0] for loop, call in self.starts.items()}
        self.parts.append(StraightTiming(schedule.states, _stages(line, schedule), starts, self.pipelines))

    def close(self) -> list[Part]:
        """Schedule the rest; return all parts."""
        self._end()
        return self.parts


def _stages(line: StraightLine, schedule: Schedule) -> dict[PlaceKey, int]:
    return {access.key: schedule.issue[access.node][0] for access in line.order.accesses}


def _constant(test: SyntaxNode | None) -> bool:
    return test is None or test.bare.kind == "integer"


def _pipeline(
    region: NativeRegion, source: TaskSource, nest: Sequence[SyntaxNode], around: StraightLine
) -> PipelineTiming:
    """Return the schedule of a pipelined loop; accesses wait for tests that end it unless that raises the interval."""
    found = _body(region, source, nest, around)
    if found.ii > 1:
        free = _body(region, replace(source, ordered=False), nest, around)
        return free if free.ii < found.ii else found
    return found


def _body(region: NativeRegion, source: TaskSource, nest: Sequence[SyntaxNode], around: StraightLine) -> PipelineTiming:
    alias, loop = around.values.alias, nest[-1]
    _, test, step = loop_parts(loop, region.unit.sources[loop.position.file])

    def inner(node: SyntaxNode) -> None:
        unroll(region, node, line)

    plain = StraightLine(source, frozenset(), inner, alias)
    carried = frozenset(v for target in _all_changed(region, loop) if (v := plain.values.root(target)) is not None)
    line = StraightLine(source, carried, inner, alias, around.path)
    head = -1
    tail = loop.kind == "do"
    if test is not None and not tail and not _constant(test):
        head = line.value(test)
        line.test(head)
    copies = copies_of(region, loop)
    if copies > 1:
        unroll_by(region, loop, copies, line)
    else:
        line.run(body_of(loop))
        if step is not None:
            line.run(step)
    if tail and test is not None and not _constant(test):
        line.test(line.value(test))
    line.close(counted(region, loop) if copies == 1 else None)
    map_operators(line.graph, source.library, TOOL, {})
    asked = asked_of(region, loop, "pipeline")
    least = (count(asked, "ii") if asked is not None else None) or 1
    schedule = modulo_schedule(line.graph, source.library, TOOL, least)
    depth = _depth(region, loop, schedule.states)
    numbers = [region.places.loops[extent_of(each)] for each in nest]
    return PipelineTiming(
        numbers[-1], tuple(numbers[:-1]), schedule.ii, depth, schedule.issue[head][0] if head >= 0 else 0,
        tail, _stages(line, schedule), schedule.bound, f"{loop.position.file}:{loop.position.line}", copies,
    )  # fmt: skip


def _depth(region: NativeRegion, loop: SyntaxNode, states: int) -> int:
    """Return the states of an iteration with ``states`` in its schedule; a directive may ask for more."""
    latency = asked_of(region, loop, "latency")
    if latency is None:
        return states
    depth, most = max(states, count(latency, "min") or 1), count(latency, "max")
    if most is not None and depth > most:
        words = f"the loop has a latency of {depth} here, and max = {most} asks for less, which is not followed"
        refuse(latency.position, f"{words} where it is executed; leave it out")
    return depth


def _all_changed(region: NativeRegion, loop: SyntaxNode) -> Iterator[SyntaxNode]:
    yield from changed(loop)
    for call in loop.walk():
        function = region.functions.get(call.text) if call.kind == "call" else None
        if function is not None and function.body is not None:
            yield from _all_changed(region, function.body)
