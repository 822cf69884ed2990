"""The door of this room: the network of a function in a C or C++ source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from ppnsim.c.input_checks import deep_recursion
from ppnsim.c.load import load_unit
from ppnsim.c.policy import HARDWARE
from ppnsim.c.pragmas.text import hls_pragmas
from ppnsim.derive.derive import derive
from ppnsim.derive.given import Cycles, Latencies
from ppnsim.errors import InputError, located
from ppnsim.hls.native.data_decisions import decided
from ppnsim.hls.project.read import read_project
from ppnsim.hls.project.suffixes import check_none, is_project
from ppnsim.hls.region.rounds import NOTHING
from ppnsim.hls.reports.model import Head
from ppnsim.hls.reports.read import read_reports
from ppnsim.hls.structure.partitions import Flow
from ppnsim.loops.program import LoopProgram
from ppnsim.loops.work import limited
from ppnsim.model.network import Network
from ppnsim.source_networks.branch_cycles import read_for
from ppnsim.source_networks.chosen import has_region, taken
from ppnsim.source_networks.hls_marks import marked
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.of_callers import Callers
from ppnsim.source_networks.region import region_of
from ppnsim.source_networks.remarks import remarks
from ppnsim.source_networks.source import Source
from ppnsim.source_networks.statements import statement_network
from ppnsim.source_networks.target import Target
from ppnsim.source_networks.whole import whole_function


@limited()
@deep_recursion()
def load_source(
    path: str, *, function: str | None = None, defines: Mapping[str, str] | None = None, include: Sequence[str] = (),
    settings: Mapping[str, int] | None = None, device: str | None = None, clock: str | None = None,
    clock_uncertainty: str | None = None, pragmas: Sequence[str] = (), unsafe_math: bool = False,
    flow: Flow | None = None, release: str | None = None, reports: str | Path | None = None,
    arguments: Sequence[str] = (), solution: str | None = None, memory: str | None = None,
    statements: Callable[[LoopProgram], Network] | None = None, as_statements: bool = False,
    outside: Mapping[str, int] = NOTHING,
) -> SourceNetwork:  # fmt: skip
    """Return the network of a function: that of its dataflow region, else one with a process for each statement.

    A function of high-level synthesis without a region is one task, with the cycles of its schedule: the source has
    pragmas of the tool or includes its headers, or it is that of a project.

    Parameters
    ----------
    path : a C or C++ source, or a project (``run_hls.tcl``, ``hls_config.cfg``), which says top, sources, macros, part,
        clock and directives; what is given here wins.
    function : the function; it need not be named where the file has one kernel.
    defines, include : macros and folders of headers, as ``-D`` and ``-I`` of a compiler.
    settings : values of integer parameters and global variables.
    device : the board or device that a dataflow region is scheduled for; default ``xc7z020``.
    clock : period or frequency with its unit, ``"10 ns"`` (the default) or ``"200 MHz"``.
    clock_uncertainty, flow, release : those of `schedule`.
    pragmas : directives of a dataflow region, as if they stood in the source: ``"dataflow"``, ``"28: unroll"``.
    unsafe_math : whether sums of floating point are balanced in a dataflow region, which changes their results.
    reports : folder of a vendor's synthesis reports, whose loops keep their II and latency; they also say the part
        and the clock, unless these are given.
    arguments, solution : of a project, the ``argv`` of its script and the solution that is read, default the first.
    memory : preset of the DRAM behind the m_axi ports of a dataflow region, ``"DDR4-2400"``; None: the ports have the
        latency of their interface.
    statements : makes the network of a function without a dataflow region; default: `derive` with latencies of 1.
    as_statements : whether a function of high-level synthesis without a region is a network of its statements, too.
    outside : how many tokens come from outside for each ``hls::task``, by FIFO; without it, enough for one run.

    Raises
    ------
    InputError
        If the file has several kernels and none is named, something in it cannot be followed, or one of the options
        for dataflow regions is given and there is none.
    """
    source = Source(
        path=path, function=function, defines=defines or {}, include=include, settings=settings or {}
    )  # fmt: skip
    target = Target.asked(
        device=device, clock=clock, clock_uncertainty=clock_uncertainty, unsafe_math=unsafe_math, flow=flow,
        release=release, reports=reports, memory=memory, outside=outside,
    )  # fmt: skip
    if is_project(path):
        project = read_project(path, arguments=arguments, solution=solution)
        source, target = source.under(project), target.under(project)
    else:
        with located(path):
            check_none(arguments, solution)
    source = replace(source, defines=target.macros(source.defines))
    if (found := _followed(source, pragmas, target)) is not None:
        return found
    if not Path(source.path).is_file():
        raise InputError("no such file", where=path)
    if not as_statements and (target.project is not None or marked([source.path, *source.linked], source.include)):
        return whole_function(source, pragmas, target)
    for option, value in {
        "--device": device, "--pragma": pragmas, "--unsafe-math": unsafe_math, "--reports": reports,
        "--memory": memory, "--clock-uncertainty": clock_uncertainty, "--flow": flow, "--release": release,
    }.items():  # fmt: skip
        if value:
            words = "has no '#pragma HLS dataflow', so it becomes a network of its statements"
            remedy = "" if option == "--memory" else " (ppnsim schedule takes it)"
            raise InputError(f"{words}, for which {option} means nothing{remedy}", where=path)
    return statement_network(source, target, statements or derive)


def load_source_network(
    path: str, *, function: str | None = None, defines: Mapping[str, str] | None = None, include: Sequence[str] = (),
    settings: Mapping[str, int] | None = None, device: str | None = None, clock: str | None = None,
    clock_uncertainty: str | None = None, pragmas: Sequence[str] = (), unsafe_math: bool = False,
    flow: Flow | None = None, release: str | None = None, reports: str | Path | None = None,
    arguments: Sequence[str] = (), solution: str | None = None, memory: str | None = None,
    latency: Latencies | None = None, ii: Cycles | None = None, io: bool | None = None, hazards: bool | None = None,
) -> Network:  # fmt: skip
    """Return the network of a function alone (`load_source`).

    ``latency``, ``ii``, ``io`` and ``hazards`` are those of `derive`, for a function without a dataflow region: one of
    them makes a network of statements also of a function of high-level synthesis.
    """
    asked = {"latency": latency, "ii": ii, "io": io, "hazards": hazards}
    given: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    return load_source(
        path, function=function, defines=defines, include=include, settings=settings, device=device, clock=clock,
        clock_uncertainty=clock_uncertainty, pragmas=pragmas, unsafe_math=unsafe_math, flow=flow, release=release,
        reports=reports, arguments=arguments, solution=solution, memory=memory, statements=partial(derive, **given),
        as_statements=bool(given),
    ).traced()  # fmt: skip


def _followed(source: Source, pragmas: Sequence[str], target: Target) -> SourceNetwork | None:
    """Return the network of a region as `_region` does; where data decides, say what, and how that is executed."""
    try:
        return _region(source, pragmas, target)
    except InputError as reason:
        try:
            unit = load_unit(source.path, source.defines, source.include, source.linked)
        except InputError:
            raise reason from None
        raise decided(unit, reason, target.project) from None


def _region(source: Source, pragmas: Sequence[str], target: Target) -> SourceNetwork | None:
    """Return the network of the function with a dataflow region; None if there is no region."""
    try:
        head = Head() if target.reports is None else read_reports(target.reports).head
        target, ran = target.beside(head, *([target.project.file] if target.project is not None else []), source.path)
        source = replace(source, defines=target.macros(source.defines))
        kernels = source.kernels(read_for(HARDWARE, target, head, pragmas, source.placed))
        callers = Callers.of(kernels, target.flow, target.project.top if target.project is not None else "")
        read = [
            (program, callers.directives(program, pragmas, source.placed, release=target.release))
            for program in kernels.programs
        ]
    except InputError:
        # Without a region, a static affine program is read by other rules, and refused by their reasons.
        if pragmas or source.placed or any(map(_mentions_region, (source.path, *source.linked))):
            raise
        return None
    if not any(has_region(program, directives) for program, directives in read):
        if kernels.skipped and any(map(_mentions_region, (source.path, *source.linked))):
            left_out = kernels.skipped[0]  # what is left would answer for it
            raise InputError(f"{left_out.function}: {left_out.reason}")
        return None
    program, directives, said = taken(read, kernels.tops)
    if kernels.tops and not has_region(program, directives):
        return None
    told = callers.said(program, directives)
    return region_of(
        program, directives, target, path=source.path, defines=source.defines, include=source.include,
        linked=(*source.linked, *kernels.beside),
        notes=(*source.notes, *said, *ran, *told, *callers.told(program), *remarks(kernels)),
    )  # fmt: skip


def _mentions_region(path: str) -> bool:
    if not Path(path).is_file():
        return False  # has the words of its reader
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    meant = (each.name for each in hls_pragmas(path, text))
    return "dataflow" in text.lower() or any(get_close_matches(name, ["dataflow"]) for name in meant)
