"""A design whose data decides, read for functions on networks: with its testbench, or with a recorded trace."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from ppnsim.boards.default import CLOCK, DEVICE
from ppnsim.c.suffixes import SUFFIXES
from ppnsim.errors import InputError
from ppnsim.hls.library.library import Library, load_library
from ppnsim.hls.library.uncertainty import ClockUncertainty
from ppnsim.hls.native.execute import SECONDS, NativeDesign, TimedDesign, timed
from ppnsim.hls.native.report import not_monotone
from ppnsim.hls.native.streams import ProjectDepths
from ppnsim.hls.native.trace import read_trace, record, write_trace
from ppnsim.hls.project.model import Project
from ppnsim.hls.project.read import read_project
from ppnsim.hls.project.suffixes import is_project
from ppnsim.hls.region.rounds import NOTHING
from ppnsim.library.place import Place, tell
from ppnsim.source_networks.executed import executed_network, unexecuted_network
from ppnsim.source_networks.load import load_source
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.remarks import remarks_on
from ppnsim.units import clock_ns

PROJECT = "project"
"""What ``testbench`` says for the testbench of a project."""


@dataclass(frozen=True, kw_only=True)
class DesignExecution:
    """What a design is executed with.

    Attributes
    ----------
    testbench : the C++ file of its testbench; ``project`` is that of a project.
    trace : a file with the tokens of an execution: written beside a testbench, else read.
    time_limit : seconds that the testbench may run; default 120.
    function, defines, include, settings, device, clock, arguments, solution : as of `ppnsim.load`.
    """

    testbench: str | None = None
    trace: Place | None = None
    time_limit: float | None = None
    function: str | None = None
    defines: Mapping[str, str] = field(default_factory=dict)
    include: Sequence[str] = ()
    settings: Mapping[str, int] | None = None
    device: str | None = None
    clock: str | None = None
    arguments: Sequence[str] = ()
    solution: str | None = None

    def source(self) -> dict[str, Any]:
        """Return what the source is read with besides its function."""
        return {"defines": self.defines, "include": self.include, "settings": self.settings}

    def read(self, file: str) -> TimedDesign | SourceNetwork:
        """Read a design: a network if all of its accesses wait; else, or if it waits for ever, its execution in time.

        Raises
        ------
        InputError
            If it cannot be read, compiled or executed, or has no trace.
        """
        design, library, device, remarks = self._designed(file)

        def scheduled(function: str | None, outside: Mapping[str, int] = NOTHING) -> SourceNetwork:
            known = load_source(
                file, **self.source(), function=function, device=self.device, clock=self.clock,
                arguments=self.arguments, solution=self.solution, outside=outside,
            )  # fmt: skip
            return replace(known, notes=tuple(each for each in known.notes if each not in remarks))

        try:
            found = timed(design, library)
        except InputError as reason:
            return self._unexecuted(scheduled, reason)
        if found.polls is not None:
            if self.trace is not None:
                raise InputError(f"{not_monotone(found)}; it has no trace that other times could be given to")
            return found
        trace = (
            record(found) if self.testbench is not None or self.trace is None else read_trace(str(self.trace), found)
        )
        if self.testbench is not None and self.trace is not None:
            write_trace(trace, str(self.trace))
        if trace.blocked and self.testbench is not None:
            return found
        return executed_network(found, trace, device, partial(scheduled, found.region.function.name))

    def _designed(self, file: str) -> tuple[NativeDesign, Library, str, tuple[str, ...]]:
        """Return the design of a source or a project, its operators, the name of the device, and what was remarked."""
        remarks: tuple[str, ...] = ()
        limit = self.time_limit
        if limit is not None and not 0 < limit < math.inf:
            raise InputError(f"{limit} is not a number of seconds above 0", where="--time-limit")
        design = NativeDesign(
            path=file, testbench=str(self.testbench or ""), function=self.function, defines=self.defines,
            include=self.include, seconds=limit or SECONDS,
        )  # fmt: skip
        device = self.device
        clock: str | float | None = self.clock
        uncertainty: ClockUncertainty | None = None
        if is_project(file):
            project = read_project(file, arguments=self.arguments, solution=self.solution)
            design = _of_project(design, project)
            remarks = tuple(remarks_on(project))
            for remark in remarks:
                tell(remark)
            device, clock = device or project.device, clock or project.clock_ns or None
            uncertainty = project.clock_uncertainty
        elif self.testbench == PROJECT:
            raise InputError(
                f"only a project has a testbench of its own ({PROJECT}); give its file", where="--testbench"
            )
        device = device or DEVICE
        if design.testbench and not Path(design.testbench).is_file():
            raise InputError("no such file", where=f"--testbench {design.testbench}")
        return design, load_library(device, clock_ns(clock or CLOCK), uncertainty), device, remarks

    def _unexecuted(self, scheduled: Callable[[str | None], SourceNetwork], reason: InputError) -> SourceNetwork:
        """Return the network of the schedule where that needs no execution; else raise the reason why there is none."""
        if self.trace is not None:
            raise reason
        try:
            known = scheduled(self.function)
        except InputError:
            raise reason from None
        return unexecuted_network(known, reason)


def executed(file: str, options: Mapping[str, Any]) -> TimedDesign | SourceNetwork:
    """Read a design with options for a path (`DesignExecution`).

    Raises
    ------
    InputError
        If an option is not followed there, and as of `DesignExecution.read`.
    """
    known = [each.name for each in fields(DesignExecution)]
    given = {name: value for name, value in options.items() if value is not None}
    if unfit := [name for name in given if name not in known]:
        raise InputError(f"{', '.join(unfit)} can not be used with testbench and trace", where=file)
    found = DesignExecution(**given).read(file)
    if isinstance(found, SourceNetwork):
        for note in found.notes:
            tell(note)
    return found


def _of_project(design: NativeDesign, project: Project) -> NativeDesign:
    """Return the design of a project, with its own testbench if the command line names it; the command line wins."""
    benches = [design.testbench]
    if design.testbench == PROJECT:
        if gone := next((each for each in project.missing if Path(each.name).suffix in SUFFIXES), None):
            raise InputError(f"{gone.words}; give one with --testbench FILE", where=gone.where)
        benches = [each for each in project.testbench if Path(each).suffix in SUFFIXES]
        if not benches:
            words = "has no testbench (add_files -tb, tb.file)"
            raise InputError(f"{words}; give one with --testbench FILE", where=project.file)
    for option, depth, which in (
        ("fifo_depth", project.fifo_depth, "streams that say none"),
        ("override_user_fifo_depth", project.override_depth, "all streams"),
    ):
        if depth:
            tell(f"{project.file}: config_dataflow -{option} gives {which} a depth of {depth}")
    if project.fifo_channels:
        words = "arrays between tasks that are executed stay double buffers; a stream directive makes one a FIFO"
        tell(f"{project.fifo_channels}: config_dataflow -default_channel fifo: {words}")
    return replace(
        design, path=project.main, linked=project.linked, placed=project.directives, testbench=benches[0],
        more=benches[1:], function=design.function or project.top, defines={**project.defines, **design.defines},
        include=(*design.include, *project.include), depths=ProjectDepths(project.fifo_depth, project.override_depth),
    )  # fmt: skip
