"""The network of a design whose data decides: order and number of tokens recorded, steps from the schedule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from ppnsim.c.declarations import StreamDeclaration
from ppnsim.c.syntax import Variable
from ppnsim.errors import InputError
from ppnsim.hls.native.calls import RegionCall
from ppnsim.hls.native.data_decisions import timing_rule
from ppnsim.hls.native.execute import TimedDesign
from ppnsim.hls.native.session import Code, NativeEvent
from ppnsim.hls.native.timing import TaskTiming
from ppnsim.hls.native.trace import TestbenchTrace
from ppnsim.hls.native.walk import TaskWalk
from ppnsim.hls.region.round_loops import standing
from ppnsim.loops.position import Position
from ppnsim.model.elements import Channel, Process
from ppnsim.model.network import Network
from ppnsim.model.step_lists import StepList
from ppnsim.source_networks.model import SourceNetwork, SourceStream
from ppnsim.source_networks.streams import grouped


@dataclass(slots=True)
class _Recorded:
    """The steps of a task: how many, where iterations start, and those of its accesses by number of the stream."""

    steps: int = 1
    starts: list[int] = field(default_factory=list)
    reads: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    writes: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    places: dict[tuple[int, bool], int] = field(default_factory=dict)


def recorded_network(found: TimedDesign, trace: TestbenchTrace, device: str) -> SourceNetwork:
    """Return the network of scheduled processes of the first call of a region that a trace has recorded.

    Raises
    ------
    InputError
        If a task of the recording has waited for ever, or an order of accesses has no schedule.
    """
    if trace.blocked:
        raise InputError("its tasks wait for each other for ever with this testbench, at every depth of the streams")
    call = trace.call(found)
    tasks = [_steps(task.timing, events) for task, events in zip(call.tasks, trace.tasks, strict=True)]
    processes = [
        Process.scheduled(name=record.name, steps=task.steps, start_steps=StepList.of(task.starts or [0]))
        for record, task in zip(call.tasks, tasks, strict=True)
    ]
    channels = [*_streams(found, call, tasks), *_memories(call, tasks)]
    name = found.region.function.name
    network = Network(
        name=name, processes=tuple(processes), channels=tuple(channels), clock_ns=found.clock_ns
    ).checked()  # fmt: skip
    kept = {each.name for each in channels}
    streams = tuple(_variables(found, call, kept))
    return SourceNetwork(
        network=grouped(network, streams), file=found.design.path, function=name, made_of="tasks", device=device,
        streams=streams,
        places={t.name: found.region.functions[t.timing.name].position for t in call.tasks},
        declared={s.name: call.variables[n].position for n, s in call.streams.items() if s.name in kept},
        accesses=_accesses(found, call, tasks, kept), notes=_notes(found, trace, call),
        holds_for=f"the tokens of {found.design.testbench or 'the trace'}",
    )  # fmt: skip


def _steps(timing: TaskTiming, events: Sequence[NativeEvent]) -> _Recorded:
    walk, found = TaskWalk(timing), _Recorded()
    # The last access of a task without an end gets no token any more.
    for event in events[:-1] if timing.endless else events:
        step = walk.follow(event)
        if step is not None:
            write = event.code == Code.WRITE
            (found.writes if write else found.reads)[event.stream].append(step)
            found.places.setdefault((event.stream, write), event.place)
    moved = [step for steps in (*found.reads.values(), *found.writes.values()) for step in steps]
    found.steps = max(1, walk.settled, 1 + max(moved, default=0)) if timing.endless else max(1, walk.steps)
    found.starts = sorted(step for step in set(walk.starts) if step < found.steps)
    return found


def _streams(found: TimedDesign, call: RegionCall, tasks: Sequence[_Recorded]) -> list[Channel]:
    """Return the streams between two tasks; a stream of the interface, or one that nobody uses, holds up nobody."""
    channels = []
    for number, stream in call.streams.items():
        writers = [n for n, task in enumerate(tasks) if task.writes.get(number)]
        readers = [n for n, task in enumerate(tasks) if task.reads.get(number)]
        if stream.depth is None or not writers:
            continue
        for ends, what in ((writers, "written"), (readers, "read")):
            if len(ends) > 1:
                names = ", ".join(call.tasks[n].name for n in ends)
                raise InputError(f"stream '{stream.name}' is {what} by several tasks ({names})", where=stream.line)
        if not readers:
            count = len(tasks[writers[0]].writes[number])
            words = f"stream '{stream.name}' gets {count} tokens, and with this testbench no task reads one"
            raise InputError(words, where=stream.line)
        writer, reader = writers[0], readers[0]
        channel = Channel(
            name=stream.name, source=call.tasks[writer].name, target=call.tasks[reader].name, depth=stream.depth,
            write_steps=StepList.of(tasks[writer].writes[number]), read_steps=StepList.of(tasks[reader].reads[number]),
            width=found.region.streams[call.variables[number]].width,
        )  # fmt: skip
        channels.append(channel)
    return channels


def _memories(call: RegionCall, tasks: Sequence[_Recorded]) -> list[Channel]:
    """Return a channel for each task that begins when another one has ended, because it reads what that one writes."""
    return [
        Channel(
            name=f"memory of {call.tasks[before].name} for {call.tasks[task].name}", source=call.tasks[before].name,
            target=call.tasks[task].name, write_steps=StepList.of([tasks[before].steps - 1]),
            read_steps=StepList.of([0]), depth=1, fixed=True,
        )
        for task, others in enumerate(call.after) for before in others
    ]  # fmt: skip


def _variables(found: TimedDesign, call: RegionCall, kept: set[str]) -> list[SourceStream]:
    """Return the variables behind the channels; the streams of an array share one depth."""
    of: dict[Variable, list[str]] = {}
    for number, stream in call.streams.items():
        if stream.name in kept:
            of.setdefault(call.variables[number], []).append(stream.name)
    regions = found.region.regions
    declares = {node.variable: (node, f) for f in regions for node in f.walk() if node.kind == "declare"}
    streams = []
    for variable, names in of.items():
        pragmas = tuple(
            each.position for each in found.region.pragmas
            if each.name == "stream" and dict(each.clauses).get("variable") == variable.name
        )  # fmt: skip
        node, region = declares.get(variable, (None, regions[0]))
        around = region.position.file, region.position.line, region.end
        extent = (0, 0) if node is None else node.extent
        declared = StreamDeclaration(
            variable=variable.name, position=variable.position, extent=extent, function=around
        )  # fmt: skip
        streams.append(SourceStream(variable=variable.name, channels=tuple(names), declared=declared, pragmas=pragmas))
    return streams


def _accesses(
    found: TimedDesign, call: RegionCall, tasks: Sequence[_Recorded], kept: set[str]
) -> dict[str, tuple[Position, Position]]:
    """Return where each channel is first written and first read."""
    places = {each: place for task in tasks for each, place in task.places.items()}
    access = found.region.places.access
    return {
        stream.name: (
            access[places[number, True]].node.position,
            access[places[number, False]].node.position,
        )
        for number, stream in call.streams.items() if stream.name in kept
    }  # fmt: skip


def _notes(found: TimedDesign, trace: TestbenchTrace, call: RegionCall) -> tuple[str, ...]:
    more = standing({t.name for t in call.tasks if t.timing.endless and t.timing.pipelines()})
    return (timing_rule(found.region, found.timings), *found.assumed, *more, *testbench_notes(found, trace))


def testbench_notes(found: TimedDesign, trace: TestbenchTrace) -> tuple[str, ...]:
    """Return how often a testbench calls the region, if not once, and what it printed, a sentence each."""
    bench = found.design.testbench or "the trace"
    more = [f"{bench} calls the region {trace.calls} times: the network is its first call"] if trace.calls > 1 else []
    return (*more, *(f"{bench} printed: {line}" for line in trace.printed.splitlines()))
