"""The entry point of execution: `execute` runs a design with its testbench in simulated time."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal, Never

from ppnsim.c.input_checks import macros_of_tool
from ppnsim.c.load import load_unit
from ppnsim.c.syntax import refuse
from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.library.library import Library
from ppnsim.hls.native.build import build
from ppnsim.hls.native.calls import RegionCall, region_call
from ppnsim.hls.native.checks import unfollowed_styles
from ppnsim.hls.native.data_decisions import timing_rule
from ppnsim.hls.native.instrument import instrumented
from ppnsim.hls.native.model import NativeRun, RegionRun
from ppnsim.hls.native.places import BLOCKING, StreamAccess
from ppnsim.hls.native.region import NativeRegion, native_region
from ppnsim.hls.native.run import KeptTask, run_region
from ppnsim.hls.native.session import Session
from ppnsim.hls.native.streams import NO_DEPTHS, ProjectDepths
from ppnsim.hls.native.tasks import task_timing
from ppnsim.hls.native.timing import TaskTiming
from ppnsim.hls.native.values import STORED
from ppnsim.hls.pragmas.pragma import PlacedDirective

Depth = int | None
"""Tokens that a stream holds; None = any number."""
_NONE: Mapping[str, Never] = MappingProxyType({})
SECONDS = 120.0
"""Most seconds that a testbench may run, and that its compilation may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeDesign:
    """A design to execute: its source, the function of its dataflow region, its testbench, and its compiler flags.

    ``seconds`` is the time limit of the testbench, and of the compiler if it is longer than `SECONDS`. Of a project,
    ``linked`` are further sources of the design, ``more`` those of the testbench, ``placed`` the directives of its
    script, and ``depths`` its settings of streams.
    """

    path: str
    testbench: str
    function: str | None = None
    defines: Mapping[str, str] = field(default_factory=dict)
    include: Sequence[str] = ()
    seconds: float = SECONDS
    linked: Sequence[str] = ()
    more: Sequence[str] = ()
    placed: Sequence[PlacedDirective] = ()
    depths: ProjectDepths = NO_DEPTHS


class _Program:
    """A compiled program in a temporary folder."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ppnsim-"))
        self.path = self.folder
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class TimedDesign:
    """A design that has been read: its region, and the timing of each call of a task by its number.

    ``made`` is its compiled program, once there is one.
    """

    design: NativeDesign
    region: NativeRegion
    timings: Mapping[int, TaskTiming]
    clock_ns: float
    made: list[_Program] = field(default_factory=list, compare=False, repr=False)

    @property
    def polls(self) -> StreamAccess | None:
        """The first non-blocking access, None if all accesses block: then the network is monotone."""
        return next((each for each in self.region.places.access if each.kind not in BLOCKING), None)

    @property
    def assumed(self) -> tuple[str, ...]:
        """A sentence for each inexact part of the timing that holds for all runs (R11.6)."""
        ports = ", ".join(dict.fromkeys(each.bus for each in self.region.pragmas if each.bus))
        words = "is a memory on the chip: the latency and the bursts of the bus are left out"
        said = [*unfollowed_styles(self.region.pragmas)]
        said += [f"assumed: what is behind m_axi ports ({ports}) {words}"] * bool(ports)
        for loop in (loop for timing in self.timings.values() for loop in timing.pipelines()):
            if loop.ii > 1 and (loop.bound.endswith(STORED) or loop.bound.startswith("ports of ")):
                words = f"the loop starts every {loop.ii} cycles because of {loop.bound}"
                said.append(f"assumed: {loop.line}: {words}; a synthesis tool sees better which elements meet")
        return tuple(dict.fromkeys(said))

    @contextmanager
    def session(self) -> Iterator[Session]:
        """Compile the design, unless it is compiled already, and start its testbench."""
        design = self.design
        if not self.made:
            made = _Program()
            made.path = build(
                made.folder, instrumented(self.region), [design.path, *design.linked],
                [design.testbench, *design.more], design.defines, design.include, max(design.seconds, SECONDS),
            )  # fmt: skip
            self.made.append(made)
        with Session(self.made[0].path, design.testbench, design.seconds) as session:
            yield session

    def calls(self, session: Session) -> Iterator[RegionCall]:
        """Yield the testbench's calls of the region; the code after a call runs when the call has ended.

        Raises
        ------
        InputError
            If the testbench does not call the region.
        """
        number = 0
        while started := tuple(session.events()):
            number += 1
            yield region_call(self.region, self.timings, started)
            session.answer(-1)
        if not number:
            session.end()
            raise InputError(f"main() does not call '{self.region.function.name}'", where=self.design.testbench)


def timed(design: NativeDesign, library: Library) -> TimedDesign:
    """Read a design as synthesis does, and schedule its tasks.

    Raises
    ------
    InputError
        If a file is missing or is not C++, or a task does something that is not executed here.
    """
    unit = load_unit(design.path, macros_of_tool(design.defines), design.include, design.linked)
    region = native_region(unit, design.function, design.defines, design.placed, design.depths)
    timings = {
        number: task_timing(region, call, library) for number, call in enumerate(region.places.call)
        if number not in region.groups
    }  # fmt: skip
    found = TimedDesign(design, region, timings, library.clock_ns)
    pipelined = next((number for number, each in timings.items() if each.endless and each.pipelines()), None)
    if pipelined is not None and found.polls is not None:
        call = region.places.call[pipelined]
        words = f"hls::task '{call.text}' has a pipeline that runs empty when no token comes, and '{found.polls}' does"
        refuse(call.position, f"{words} not wait; that together is not followed where it is executed")
    return found


def execute(
    found: TimedDesign, *, depth: Depth | Literal["declared"] = "declared", depths: Mapping[str, Depth] = _NONE
) -> NativeRun:
    """Execute a design with its testbench in simulated time.

    Parameters
    ----------
    depth : depth of all streams between tasks; None = they hold any number of tokens.
    depths : depths of single streams, by name.

    Raises
    ------
    InputError
        If a file does not compile, the testbench does not end in time or fails, or an access comes too late.
    """
    calls: list[RegionRun] = []
    kept: Sequence[KeptTask] = ()
    with found.session() as session:
        for call in found.calls(session):
            _deepen(call, depth, depths)
            run, kept = run_region(session, found.region.places, call, kept)
            calls.append(run)
            if calls[-1].deadlock:
                break
        printed = session.printed() if calls[-1].deadlock else session.end()
    name, rule = found.region.function.name, timing_rule(found.region, found.timings)
    return NativeRun(name, tuple(calls), printed, found.polls is None, found.assumed, rule)


def _deepen(call: RegionCall, depth: Depth | Literal["declared"], depths: Mapping[str, Depth]) -> None:
    """Give the streams between tasks other depths than the declared ones."""
    between = {stream.name: stream for stream in call.streams.values() if stream.depth is not None}
    for name in depths:
        if name not in between:
            raise InputError(f"no stream '{name}' between tasks{did_you_mean(name, between)}", where="--depth")
    for name, stream in between.items():
        asked = depths.get(name, depth)
        if asked != "declared":
            stream.depth = asked
            if asked is not None and asked < 1:
                raise InputError(f"stream '{name}': depth = {asked} holds no token", where="--depth")
