"""The door of this room: a design and its testbench, executed in simulated time or recorded."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ppnsim.c.load import load_unit
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.errors import InputError
from ppnsim.hls.library.library import Library
from ppnsim.hls.native.build import build
from ppnsim.hls.native.instrument import instrumented
from ppnsim.hls.native.model import ExecutedStream, ExecutedTask, NativeRun, RegionRun
from ppnsim.hls.native.region import NativeRegion, native_region
from ppnsim.hls.native.run import run_region
from ppnsim.hls.native.session import Code, NativeEvent, Session
from ppnsim.hls.native.tasks import task_timing
from ppnsim.hls.native.timing import TaskTiming

SECONDS = 120.0
"""How long a testbench, and how long its compilation, may take."""


@dataclass(frozen=True, slots=True)
class NativeDesign:
    """A design to execute: its source, the function of its dataflow region, and how it is compiled."""

    path: str
    function: str | None
    defines: Mapping[str, str]
    include: Sequence[str]

    def region(self) -> NativeRegion:
        """Return the dataflow region of the source as synthesis reads it."""
        unit = load_unit(self.path, {**self.defines, "__SYNTHESIS__": "1"}, self.include)
        return native_region(unit, self.function)


def execute(design: NativeDesign, testbench: str, library: Library, *, seconds: float = SECONDS) -> NativeRun:
    """Execute a design with its testbench in simulated time.

    Parameters
    ----------
    testbench : a C++ file with ``main()``.
    library : operators of the device at its clock.

    Raises
    ------
    InputError
        If a file is missing or does not compile, the testbench does not end in time or fails, or a task does what is
        not executed here.
    """
    region = design.region()
    timings = [task_timing(region, region.functions[call.text], library) for call in region.places.call]
    calls: list[RegionRun] = []
    with tempfile.TemporaryDirectory(prefix="ppnsim-") as folder:
        sources = instrumented(region)
        program = build(Path(folder), sources, [design.path], testbench, design.defines, design.include, seconds)
        with Session(program, testbench, seconds) as session:
            while started := list(session.events()):
                calls.append(_call(session, region, timings, started))
                if calls[-1].deadlock:
                    break
                session.answer(-1)
            deadlocked = bool(calls) and bool(calls[-1].deadlock)
            printed = session.printed() if deadlocked else session.end()
    if not calls:
        raise InputError(f"main() does not call '{region.function.name}'", where=testbench)
    return NativeRun(region.function.name, tuple(calls), printed, all(timing.waits for timing in timings))


def _call(
    session: Session, region: NativeRegion, timings: Sequence[TaskTiming], started: Sequence[NativeEvent]
) -> RegionRun:
    """Execute one call of the region; ``started`` tells its tasks and which streams they have."""
    numbers: list[int] = []
    found: dict[int, tuple[Variable, int]] = {}
    for at, event in enumerate(started):
        if event.code == Code.TASK:
            numbers.append(event.stream)
        elif event.code == Code.NAME and event.place >= 0:
            argument = region.places.call[numbers[-1]].children[event.place]
            found[event.stream] = _variable(argument), started[at + 1].stream
    streams = _streams(region, found)
    times = Counter(numbers)
    seen: Counter[str] = Counter()
    tasks = []
    for number in numbers:
        name = timings[number].name
        several = times[number] > 1 or sum(timings[each].name == name for each in times) > 1
        seen[name] += 1
        tasks.append(ExecutedTask(f"{name}_{seen[name]}" if several else name, timings[number]))
    after = [[k for k in range(at) if numbers[k] in region.after[number]] for at, number in enumerate(numbers)]
    return run_region(session, region.places, tasks, streams, after)


def _variable(argument: SyntaxNode) -> Variable:
    return next(node.variable for node in argument.walk() if node.kind == "name" and node.variable is not None)


def _streams(region: NativeRegion, found: Mapping[int, tuple[Variable, int]]) -> dict[int, ExecutedStream]:
    """Return the streams of a call by number; those of an array are numbered in its order."""
    each_of: dict[Variable, list[int]] = {}
    for number in sorted(found):
        each_of.setdefault(found[number][0], []).append(number)
    streams = {}
    for variable, numbers in each_of.items():
        declared = region.streams[variable]
        plain = variable.type.kind != "array" and len(numbers) == 1
        for place, number in enumerate(numbers):
            name = declared.name if plain else f"{declared.name}[{place}]"
            depth = None if declared.interface else declared.depth
            streams[number] = ExecutedStream(name, depth, declared.line, found[number][1])
    return dict(sorted(streams.items()))
