"""``ppnsim schedule``: the hardware that high-level synthesis makes of a kernel's loops, cycle by cycle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.c.policy import HARDWARE
from ppnsim.cli.common import DEADLOCK, for_each_file, of_kernels
from ppnsim.cli.options.hls import TargetOptions, UnsafeMath
from ppnsim.cli.options.outputs import Json, check_picture, console, save_picture
from ppnsim.cli.options.source import SourceOptions, Sources
from ppnsim.errors import InputError
from ppnsim.explore.explain.deadlock_fix import fix_deadlock
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.report import ScheduledKernel, print_schedule, schedule_result
from ppnsim.hls.reports.match import matched
from ppnsim.hls.reports.read import read_reports
from ppnsim.hls.rules import TOOL
from ppnsim.loops.program import LoopProgram

_SAME_CLOCK = 1e-6  # ns


def schedule_command(
    files: Sources,
    *,
    target: TargetOptions,
    pragma: Annotated[
        list[str],
        typer.Option(
            "--pragma",
            metavar="'[LINE:] DIRECTIVE'",
            help="A directive as if #pragma HLS stood in the loop of that line, or in the kernel; may be repeated.",
        ),
    ] = [],  # noqa: B006
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="PATH",
            help="Draw the tasks over time, or the body of the longest loop (svg, png, pdf).",
        ),
    ] = None,
    loop: Annotated[
        int | None, typer.Option("--loop", metavar="LINE", help="Draw the body of the loop of this line instead.")
    ] = None,
    unsafe_math: UnsafeMath = False,
    reports: Annotated[
        Path | None,
        typer.Option(
            "--reports",
            metavar="DIR",
            help="Take intervals and iteration latencies from the csynth reports of the vendor's tool in this folder.",
        ),
    ] = None,
    source: SourceOptions,
    json: Json = None,
) -> None:
    """Schedule the loops of a kernel as high-level synthesis does, and count the cycles.

    Innermost loops are pipelined, perfect nests flattened, short loops in a pipelined one unrolled; #pragma HLS
    pipeline, unroll, loop_flatten, array_partition, dependence, interface, dataflow .. overrule that. For every
    pipelined loop: its initiation interval and what bounds it, its depth in states, how often it runs (triangular nests
    exactly) and its share of the cycles. A dataflow region is run as a process network: when its tasks run, how full
    each FIFO was and who waited for it. A deadlock is explained, with the pragmas that break it, and gives exit code 3.

    C++ with ap_int, ap_fixed, hls::stream and hls_math.h needs no vendor's headers. What data decides is allowed: an if
    becomes multiplexers, an element that data chooses may be any, a loop needs #pragma HLS loop_tripcount.

    Examples:

      ppnsim schedule scenarios/kernels/gemm.c --device xc7z020 --clock 10ns

      ppnsim schedule scenarios/kernels/gemm.c --pragma "28: unroll factor=2" --json -

      ppnsim schedule scenarios/kernels/atax.c -D DATA_TYPE=float --plot atax.svg
    """
    terminal = console(json)
    check_picture(plot, "--plot", json)
    library = target.library()
    rules = replace(TOOL, balance=unsafe_math)
    said = read_reports(reports) if reports is not None else None
    if said is not None and abs(said.head.clock_ns - library.clock_ns) > _SAME_CLOCK:
        words = f"the reports are of a clock of {said.head.clock_ns:g} ns, and --clock gives {library.clock_ns:g} ns"
        raise InputError(words, where=str(reports))

    def work(file: str) -> tuple[dict[str, Any], int]:
        def scheduled(program: LoopProgram) -> ScheduledKernel:
            sources = sources_of(program)
            directives = read_directives(sources, program, pragma)
            if said is not None:
                found = matched(said, program, sources, directives)
                directives = found.directives
                for note in (*found.assumed, *(f"no loop of the source is {each}" for each in found.unused)):
                    typer.echo(note, err=True)
            machine = schedule_kernel(program, library, directives, rules, on_deadlock="return")
            fix = fix_deadlock(machine.outcome) if machine.outcome and machine.outcome.deadlocked else None
            return ScheduledKernel(program, machine, library, directives, fix)

        results: list[dict[str, Any]] = []
        skipped: list[dict[str, str]] = []
        for kernel in source.each_kernel(file, scheduled, skipped, HARDWARE):
            results.append(schedule_result(kernel, file=file))
            print_schedule(terminal, kernel)
            if plot is not None and len(results) == 1:
                _draw(kernel, plot, loop)
        stuck = any((result.get("dataflow") or {}).get("deadlock") for result in results)
        done = of_kernels(file, [{**result, "skipped": skipped} for result in results])
        return done, DEADLOCK if stuck else 0

    for_each_file(files, json, work)


def _draw(kernel: ScheduledKernel, path: Path, line: int | None) -> None:
    from ppnsim.hls.pictures import body_gantt, tasks_gantt  # matplotlib takes a while to import

    if kernel.machine.outcome is not None and line is None:
        save_picture(tasks_gantt(kernel.machine.outcome), path, "--plot")
        return
    nests = kernel.machine.nests
    lines = {nest.line: nest for nest in nests}
    if not nests or (line is not None and line not in lines):
        known = ", ".join(str(each) for each in sorted(lines)) or "none"
        raise InputError(f"no pipelined loop begins in line {line} (pipelined: {known})", where="--loop")
    nest = lines[line] if line is not None else max(nests, key=lambda each: each.cycles)
    title = f"{kernel.program.name}, loop {nest.name}"
    save_picture(body_gantt(nest, title=title, budget=kernel.library.budget), path, "--plot")
