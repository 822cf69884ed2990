"""``ppnsim profile``: what a C kernel can reach as a process network, without building it in hardware."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from ppnsim.cli.common import for_each_file, of_kernels, progress
from ppnsim.cli.options.cycles import CycleOptions, Hazards
from ppnsim.cli.options.outputs import Json, console
from ppnsim.cli.options.rewriting import RewritingOptions
from ppnsim.cli.options.source import Clock, InOut, SourceOptions, Sources
from ppnsim.derive.cycles import Latencies
from ppnsim.derive.derive import channels as channels_of
from ppnsim.derive.derive import derive, with_streams
from ppnsim.derive.estimate.estimate import estimate_program
from ppnsim.derive.estimate.report import KernelProfile, print_profile, profile_result
from ppnsim.derive.hazards import orderings
from ppnsim.explore.fifo.selftimed import selftimed_sizes
from ppnsim.library.rewriting import rewritten
from ppnsim.loops.program import LoopProgram
from ppnsim.units import clock_ns

_LARGEST = 1_000_000  # executions above which the network is not derived: the estimates do not need it


def profile_command(
    context: typer.Context,
    files: Sources,
    *,
    source: SourceOptions,
    cycles: CycleOptions,
    hazards: Hazards = False,
    io: InOut = False,
    clock: Clock = "10 ns",
    rewriting: RewritingOptions,
    channels: Annotated[bool, typer.Option(help="Derive the network and list its channels with their sizes.")] = True,
    json: Json = None,
) -> None:
    """Profile C kernels: throughput, parallelism and the process network that they become.

    Every statement becomes a process. Absolute throughput is that of this network with FIFOs that never fill; unbounded
    throughput is the limit of the data dependences. Channels are listed with the tokens that they hold in program
    order (sequential) and when every process runs as early as possible (self-timed).

    Examples:

      ppnsim profile scenarios/kernels/predictor.c --latency 3

      ppnsim profile atax.c --io --latency 3 --json -

      ppnsim profile kernel.c --set n=32 -I include --latency mul=4 --ii div=8

      ppnsim profile atax.c --io --unfold tmp=4 --cut y_2@j

    A TOML file can give the cycles (latency.mul = 4, latency."*" = 1, ii.mul = 2), and a list one latency for each
    execution in program order (latency.div = [9, 12, 9]):

      ppnsim profile kernel.c --timing cycles.toml

    Rewritings are applied in the order of the command line. This one turns a stencil into a wavefront, and lets
    its input and output share a process:

      ppnsim profile stencil.c --skew s@j=2*i --interchange s@i,j --merge load,store
    """
    terminal, period = console(json), clock_ns(clock)
    steps = rewriting.in_order(context)

    def work(file: str) -> tuple[dict[str, Any], int]:
        def profiled(program: LoopProgram) -> KernelProfile:
            changed, streams = rewritten(program, steps, io=io)
            return _profile(*cycles.timed_each(changed), io=streams, hazards=hazards, channels=channels)

        results: list[dict[str, Any]] = []
        skipped: list[dict[str, str]] = []
        for profile in source.each_kernel(file, profiled, skipped):
            results.append(profile_result(profile))
            print_profile(terminal, profile, clock_ns=period)
        return of_kernels(file, [{**result, "skipped": skipped} for result in results]), 0

    for_each_file(files, json, work)


def _profile(
    program: LoopProgram, latency: Latencies, ii: int, *, io: bool, hazards: bool, channels: bool
) -> KernelProfile:
    began = time.perf_counter()
    with progress(program.name, "iterations of the outermost loops") as report:
        estimate = estimate_program(program, io=io, latency=latency, ii=ii, hazards=hazards, progress=report)
    found, ordered, sizes = None, [], {}
    if channels and estimate.executions <= _LARGEST:
        whole = with_streams(program) if io else program
        found, ordered = channels_of(whole, hazards=hazards), orderings(whole) if hazards else []
        sizes = selftimed_sizes(derive(program, io=io, latency=latency, ii=ii, hazards=hazards, wires=found))
    elif channels:
        reason = f"its {estimate.executions} executions are more than {_LARGEST}, so no channels are derived"
        typer.echo(f"{program.name}: {reason}", err=True)
    return KernelProfile(
        program=program, estimate=estimate, channels=found, orderings=ordered, sizes=sizes,
        seconds=time.perf_counter() - began,
    )  # fmt: skip
