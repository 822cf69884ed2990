"""``ppnsim profile``: what a C kernel can reach as a process network, without building it in hardware."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ppnsim.cli.common import Json, console, for_each_file
from ppnsim.cli.source import (
    Cut,
    Define,
    Function,
    IiOption,
    Include,
    InOut,
    LatencyOption,
    Set,
    Sources,
    Unfold,
    programs_of,
    rewritten,
    timed,
)

if TYPE_CHECKING:
    from ppnsim.affine.program import LoopProgram

_LARGEST = 1_000_000  # executions above which the network is not derived: the estimates do not need it

Clock = Annotated[str, typer.Option("--clock", metavar="TIME", help='Clock period or frequency: "10 ns", "200 MHz".')]


def profile_command(
    files: Sources,
    function: Function = None,
    define: Define = [],  # noqa: B006
    include: Include = [],  # noqa: B006
    settings: Set = [],  # noqa: B006
    latency: LatencyOption = [],  # noqa: B006
    ii: IiOption = [],  # noqa: B006
    io: InOut = False,
    clock: Clock = "10 ns",
    unfold: Unfold = [],  # noqa: B006
    cut: Cut = [],  # noqa: B006
    channels: Annotated[bool, typer.Option(help="Derive the network and list its channels with their sizes.")] = True,
    json: Json = None,
) -> None:
    """Profile C kernels: throughput, parallelism and the process network that they become.

    Every statement becomes a process. Absolute throughput is what this network reaches with FIFOs that never fill;
    unbounded throughput is what the data dependences allow at all. Channels are listed with the tokens that they hold
    in program order (sequential) and when every process runs as early as it can (self-timed).

    Examples:

      ppnsim profile scenarios/kernels/predictor.c --latency 3

      ppnsim profile atax.c --io --latency 3 --json -

      ppnsim profile kernel.c --set n=32 -I include --latency mul=4 --ii div=8

      ppnsim profile atax.c --io --unfold tmp=4 --cut y_2@j
    """
    from ppnsim.units import clock_ns

    terminal, period = console(json), clock_ns(clock)

    def work(file: str) -> tuple[list[dict[str, Any]], int]:
        from ppnsim.report.profile import print_profile

        results = []
        programs = programs_of(file, function=function, define=define, include=include, settings=settings)
        for program in programs:
            changed, streams = rewritten(program, unfold, cut, io=io)
            results.append(_profile(changed, latency, ii, io=streams, channels=channels))
            print_profile(terminal, results[-1], clock_ns=period)
        return results, 0

    for_each_file(files, json, work, as_list=True)


def _profile(program: LoopProgram, latency: list[str], ii: list[str], *, io: bool, channels: bool) -> dict[str, Any]:
    from ppnsim.analysis.program_estimate import estimate_program
    from ppnsim.explore.selftimed import selftimed_sizes
    from ppnsim.frontend.derive import channels as channels_of
    from ppnsim.frontend.derive import derive, with_streams
    from ppnsim.report.profile import profile_result

    began = time.perf_counter()
    program, latency_for_all, ii_for_all = timed(program, latency, ii)
    estimate = estimate_program(program, io=io, latency=latency_for_all, ii=ii_for_all)
    found, sizes = None, {}
    if channels and estimate.executions <= _LARGEST:
        found = channels_of(with_streams(program) if io else program)
        sizes = selftimed_sizes(derive(program, io=io, latency=latency_for_all, ii=ii_for_all))
    return profile_result(program, estimate, found, sizes, seconds=time.perf_counter() - began)
