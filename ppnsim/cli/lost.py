"""``ppnsim lost``: useful and lost cycles of every process of a network, or of a scheduled kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ppnsim.analysis.lost_cycles import lost_cycles
from ppnsim.c.given import SUFFIXES
from ppnsim.cli.common import for_each_file, progress
from ppnsim.cli.explain import stuck
from ppnsim.cli.lost_source import DesignOptions, Losses, lost_in_source
from ppnsim.cli.options.groups import Help, Without
from ppnsim.cli.options.hls import TargetOptions
from ppnsim.cli.options.network import NetworkOptions
from ppnsim.cli.options.outputs import Output, check_distinct
from ppnsim.cli.options.source import SourceOptions
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.library.lost_source import region_run
from ppnsim.model.run import Run
from ppnsim.report.lost_cycles import lost_result, print_lost


def lost_command(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...", help="Networks (TOML, network JSON, SDF3 XML), or C and C++ sources.", show_default=False
        ),
    ],
    *,
    options: Annotated[NetworkOptions, Without("source")],
    designs: DesignOptions,
    target: TargetOptions,
    source: SourceOptions,
    output: Annotated[Output, Help(plot="Draw the cycles of all processes: .svg, .png, .pdf.")],
) -> None:
    """Split the cycles of every process of a network, or of a kernel in C, into useful and lost ones.

    Useful is a cycle in which a firing starts. Lost are: initialisation (before the first start, own results awaited,
    draining after the last start), starved (the data of others missing), blocked (FIFOs full), control (the initiation
    interval), contention (shared resources) and idle (done before others). The parts of a process add up to the
    finish, cycle by cycle. A deadlock is explained as by `ppnsim run`, and gives exit code 3.

    A kernel is scheduled as by `ppnsim schedule`, once for every design. Useful is a cycle in which the busiest class
    of operators starts; lost are initialisation (operators that fill), memory (nothing else at work) and control.
    Formulas in the sizes are learned from small ones, checked on others, and predict large ones: from powers of two for
    powers of two, whose addresses are cheaper. The tasks of a dataflow region are split as the processes of a network.

    Examples:

      ppnsim lost scenarios/networks/fork_join.toml

      ppnsim lost scenarios/networks/fork_join.toml --depth short_in=8 --plot lost.svg

      ppnsim lost a.json b.json --json -

      ppnsim lost scenarios/kernels/gemm.c --design none --design "unroll k=2" --design "pipeline k"

      ppnsim lost scenarios/kernels/gemm.c -D NI=8 -D NJ=8 -D NK=8 --design none --learn NI,NJ,NK --at NI=64,NJ=64,NK=64
    """
    terminal = output.terminal()
    output.check(len(files))
    check_distinct({"--plot": output.plot}, files)

    def work(file: str) -> tuple[dict[str, Any], int]:
        if Path(file).suffix in SUFFIXES:
            if unfit := options.given():
                raise InputError(f"{', '.join(unfit)} can only be used with networks; this file is a C source")
            region = (
                None if designs.given() else region_run(file, device=target.device, clock=target.clock, **source.read())
            )
            losses = (
                lost_in_source(terminal, file, source, target, designs) if region is None
                else _lost_in_run(terminal, file, region)
            )  # fmt: skip
        else:
            if unfit := [*designs.given(), *source.given()]:
                raise InputError(f"{', '.join(unfit)} can only be used with C sources; this file is not a C source")
            losses = _lost_in_network(terminal, file, options)
        if output.plot is not None and losses.bars:
            from ppnsim.plots.lost_cycles import lost_cycles_figure  # matplotlib takes a while to import

            output.save(lost_cycles_figure(losses.name, losses.bars), terminal)
        return losses.result, losses.code

    for_each_file(files, output.json, work)


def _lost_in_network(terminal: Console, file: str, options: NetworkOptions) -> Losses:
    """Run a network, split the cycles of its processes, and print them."""
    network = options.load(file).network
    with progress(network.name) as report:
        return _lost_in_run(terminal, file, run(network, on_deadlock="return", progress=report))


def _lost_in_run(terminal: Console, file: str, outcome: Run) -> Losses:
    """Split the cycles of the processes of a run, and print them; a deadlock is explained."""
    network = outcome.network
    if outcome.deadlocked:
        result, code = stuck(terminal, outcome, file)
        return Losses(name=network.name, result=result, bars={}, code=code)
    splits = lost_cycles(outcome)
    result = lost_result(outcome, splits, file=file)
    print_lost(terminal, outcome, splits)
    return Losses(name=network.name, result=result, bars=result["processes"])
