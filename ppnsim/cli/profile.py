"""``ppnsim profile``: what a C kernel can reach as a process network, without building it in hardware."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import ppnsim
from ppnsim.cli import answers
from ppnsim.cli.common import progress
from ppnsim.cli.options.cycles import CycleOptions, Hazards
from ppnsim.cli.options.groups import Without
from ppnsim.cli.options.outputs import Output
from ppnsim.cli.options.rewriting import RewritingOptions
from ppnsim.cli.options.source import Clock, InOut, SourceOptions, Sources

if TYPE_CHECKING:
    from ppnsim.library.answer import Answer


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
    output: Annotated[Output, Without("plot")] = Output(),
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
    steps = [" ".join(step) for step in rewriting.in_order(context)]

    def ask(file: str) -> tuple[Answer, int]:
        latency, ii, timing = cycles.read()
        with progress(file, "iterations of the outermost loops") as report:
            found = ppnsim.profile(
                file, **source.read(), latency=latency, ii=ii, timing=timing, hazards=hazards, io=io, clock=clock,
                rewrite=steps, channels=channels, progress=report,
            )  # fmt: skip
        return found, 0

    answers.answer_each_file(files, output, ask)
