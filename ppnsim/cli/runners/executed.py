"""A design whose data decides, read for the commands on networks: with its testbench, or with a recorded trace."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import typer

from ppnsim.boards.default import CLOCK, DEVICE
from ppnsim.c.suffixes import SUFFIXES
from ppnsim.cli.options.source_network import SourceNetworkOptions, tell
from ppnsim.errors import InputError
from ppnsim.hls.library.library import Library, load_library
from ppnsim.hls.native.execute import SECONDS, NativeDesign, TimedDesign, timed
from ppnsim.hls.native.report import not_monotone
from ppnsim.hls.native.streams import ProjectDepths
from ppnsim.hls.native.trace import read_trace, record, write_trace
from ppnsim.hls.project.model import Project
from ppnsim.hls.project.read import read_project
from ppnsim.hls.project.suffixes import is_project
from ppnsim.hls.region.rounds import NOTHING
from ppnsim.source_networks.executed import executed_network, unexecuted_network
from ppnsim.source_networks.load import load_source
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.remarks import remarks_on
from ppnsim.units import clock_ns

_FOLLOWED = frozenset(("--testbench", "--trace", "--time-limit", "--function", "-D", "-I", "--device", "--clock"))
_OF_PROJECTS = ("--tclargs", "--solution")
PROJECT = "project"
"""What ``--testbench`` says for the testbench of a project."""


def executed(file: str, options: SourceNetworkOptions, kinds: Sequence[str]) -> TimedDesign | SourceNetwork:
    """Read a design whose data decides.

    If all of its accesses wait, it is a network, with the tokens of its testbench or of a recorded trace; else, or
    if it waits for ever at every depth, only its execution in time says what it does.

    Raises
    ------
    InputError
        If an option is given that is not followed there, or the command takes networks only (``kinds``).
    """
    found = _read(file, options)
    if isinstance(found, TimedDesign) and "TimedDesign" not in kinds:
        raise InputError(f"{not_monotone(found)}; only 'ppnsim run' takes it")
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
            typer.echo(f"{project.file}: config_dataflow -{option} gives {which} a depth of {depth}", err=True)
    return replace(
        design, path=project.main, linked=project.linked, placed=project.directives, testbench=benches[0],
        more=benches[1:], function=design.function or project.top, defines={**project.defines, **design.defines},
        include=(*design.include, *project.include), depths=ProjectDepths(project.fifo_depth, project.override_depth),
    )  # fmt: skip


def _designed(file: str, options: SourceNetworkOptions) -> tuple[NativeDesign, Library, str, tuple[str, ...]]:
    """Return the design of a source or a project, its operators, the name of the device, and what was remarked."""
    remarks: tuple[str, ...] = ()
    limit = options.time_limit
    if limit is not None and not 0 < limit < math.inf:
        raise InputError(f"{limit} is not a number of seconds above 0", where="--time-limit")
    followed = {*_FOLLOWED, *(_OF_PROJECTS if is_project(file) else ())}
    unfit = [name for name in options.given() if name not in followed]
    if unfit:
        raise InputError(f"{', '.join(unfit)} can not be used with --testbench and --trace")
    read = options.source.read()
    design = NativeDesign(
        path=file, testbench=options.testbench or "", function=options.source.function, defines=read["defines"],
        include=read["include"], seconds=limit or SECONDS,
    )  # fmt: skip
    device: str | None = options.device
    clock: str | float | None = options.clock
    if is_project(file):
        project = read_project(file, arguments=shlex.split(options.tclargs or ""), solution=options.solution)
        design = _of_project(design, project)
        remarks = tuple(remarks_on(project))
        for remark in remarks:
            typer.echo(remark, err=True)
        device, clock = device or project.device, clock or project.clock_ns or None
    elif options.testbench == PROJECT:
        raise InputError(f"only a project has a testbench of its own ({PROJECT}); give its file", where="--testbench")
    device = device or DEVICE
    if design.testbench and not Path(design.testbench).is_file():
        raise InputError("no such file", where=design.testbench)
    return design, load_library(device, clock_ns(clock or CLOCK)), device, remarks


def _read(file: str, options: SourceNetworkOptions) -> TimedDesign | SourceNetwork:
    """Read a design, with the tokens of its testbench or of a trace."""
    design, library, device, remarks = _designed(file, options)

    def scheduled(function: str | None, outside: Mapping[str, int] = NOTHING) -> SourceNetwork:
        known = load_source(
            file, **options.source.read() | {"function": function}, device=options.device, clock=options.clock,
            arguments=shlex.split(options.tclargs or ""), solution=options.solution, outside=outside,
        )  # fmt: skip
        return replace(known, notes=tuple(each for each in known.notes if each not in remarks))

    try:
        found = timed(design, library)
    except InputError as reason:
        network = _unexecuted(scheduled, options, reason)
        tell(network)
        return network
    if found.polls is not None:
        if options.trace is not None:
            raise InputError(f"{not_monotone(found)}; it has no trace that other times could be given to")
        return found
    trace = (
        record(found) if options.testbench is not None or options.trace is None else read_trace(options.trace, found)
    )
    if options.testbench is not None and options.trace is not None:
        write_trace(trace, options.trace)
    if trace.blocked and options.testbench is not None:
        return found
    network = executed_network(found, trace, device, partial(scheduled, found.region.function.name))
    tell(network)
    return network


def _unexecuted(
    scheduled: Callable[[str | None], SourceNetwork], options: SourceNetworkOptions, reason: InputError
) -> SourceNetwork:
    """Return the network of the schedule where that needs no execution; raise the reason why there is none if not."""
    if options.trace is not None:
        raise reason
    try:
        known = scheduled(options.source.function)
    except InputError:
        raise reason from None
    return unexecuted_network(known, reason)
