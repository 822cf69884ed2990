"""``ppnsim schedule``: the hardware that high-level synthesis makes of a kernel's loops, cycle by cycle."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import ppnsim
from ppnsim.cli import answers
from ppnsim.cli.common import DEADLOCK
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.hls import Flow, Release, Solution, TargetOptions, TclArguments, UnsafeMath
from ppnsim.cli.options.outputs import Output, TimeWindow
from ppnsim.cli.options.source import Scheduled, SourceOptions
from ppnsim.hls.project.words import shell_words

if TYPE_CHECKING:
    from ppnsim.library.answer import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleOptions:
    """What is scheduled besides the source, and how its cycles are counted."""

    pragma: Annotated[
        list[str],
        typer.Option(
            "--pragma",
            metavar="'[LINE:] DIRECTIVE'",
            help="A directive as if #pragma HLS stood in the loop of that line, or in the kernel; may be repeated.",
        ),
    ] = field(default_factory=list)
    loop: Annotated[
        int | None, typer.Option("--loop", metavar="LINE", help="Draw the body of the loop of this line instead.")
    ] = None
    window: TimeWindow = None
    unsafe_math: UnsafeMath = False
    flow: Flow = None
    release: Release = None
    worst: Annotated[
        bool, typer.Option("--worst", help="Count every loop at its most iterations, as reports of synthesis do.")
    ] = False
    reports: Annotated[
        Path | None,
        typer.Option(
            "--reports",
            metavar="DIR",
            help="Take intervals and iteration latencies from the csynth reports of the vendor's tool in this folder.",
        ),
    ] = None
    tclargs: TclArguments = None
    solution: Solution = None


def schedule_command(
    files: Scheduled,
    *,
    target: TargetOptions,
    asked: ScheduleOptions,
    source: SourceOptions,
    output: Annotated[
        Output, Help(plot="Draw the tasks over time, or the body of the longest loop: .svg, .png, .pdf.")
    ] = Output(),
) -> None:
    """Schedule the loops of a kernel as high-level synthesis does, and count the cycles.

    Innermost loops are pipelined, perfect nests flattened, short loops in a pipelined one unrolled; #pragma HLS
    pipeline, unroll, loop_flatten, array_partition, dependence, interface, dataflow .. overrule that. For every
    pipelined loop: its initiation interval and what bounds it, its depth in states, how often it runs (triangular nests
    exactly) and its share of the cycles; 'asked' is the interval that a directive asks for where the loop has another
    one, and 'around the loops' are the cycles of the code between them. A dataflow region is run as a process network:
    when its tasks run, how full each FIFO was and who waited for it. A deadlock is explained, with the pragmas that
    break it, and gives exit code 3.

    C++ with ap_int, ap_fixed, hls::stream and hls_math.h needs no vendor's headers. What data decides is allowed: an if
    becomes multiplexers, an element that data chooses may be any, a loop that data ends runs as often as #pragma
    HLS loop_tripcount, a condition on its bound, its type or its arrays say, and one that data leaves (break, return,
    goto further down) to its end. Where loops have a range of iterations, the fewest and the most cycles stand beside,
    and --worst counts the most; where arguments say how often they run, the cycles are a formula of those, too. A
    project (run_hls.tcl, hls_config.cfg) says top, sources, macros, part, clock and directives; options win.

    Examples:

      ppnsim schedule scenarios/kernels/gemm.c --device xc7z020 --clock 10ns

      ppnsim schedule scenarios/kernels/gemm.c --pragma "28: unroll factor=2" --json -

      ppnsim schedule run_hls.tcl --solution solution2

      ppnsim schedule scenarios/kernels/atax.c -D DATA_TYPE=float --plot atax.svg
    """

    def ask(file: str) -> tuple[Answer, int]:
        found = ppnsim.schedule(
            file, **source.read(), device=target.device, clock=target.clock,
            clock_uncertainty=target.clock_uncertainty, pragmas=asked.pragma, unsafe_math=asked.unsafe_math,
            flow=asked.flow, release=asked.release, worst=asked.worst, reports=asked.reports, solution=asked.solution,
            arguments=shell_words(asked.tclargs or "", "--tclargs"),
        )  # fmt: skip
        return found, DEADLOCK if found.deadlocked else 0

    answers.answer_each_file(files, output, ask, drawn=lambda found: found.figure(loop=asked.loop, window=asked.window))
