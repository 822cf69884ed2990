"""``ppnsim derive``: from a C kernel to a network that ``ppnsim run`` takes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.cli.common import Json, check_output, console, for_each_file, write_network
from ppnsim.cli.rewriting import Cut, Interchange, Merge, Skew, Unfold, in_order, rewritten
from ppnsim.cli.source import (
    Clock,
    Define,
    Function,
    IiOption,
    Include,
    InOut,
    LatencyOption,
    Set,
    one_program_of,
)
from ppnsim.cli.timing import Hazards, TimingOption, timed_each
from ppnsim.errors import InputError


def derive_command(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A C or C++ source.", show_default=False)],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="NET.json", help="Network JSON to write.")],
    function: Function = None,
    define: Define = [],  # noqa: B006
    include: Include = [],  # noqa: B006
    settings: Set = [],  # noqa: B006
    latency: LatencyOption = [],  # noqa: B006
    ii: IiOption = [],  # noqa: B006
    timing: TimingOption = None,
    hazards: Hazards = False,
    io: InOut = False,
    unfold: Unfold = [],  # noqa: B006
    cut: Cut = [],  # noqa: B006
    skew: Skew = [],  # noqa: B006
    interchange: Interchange = [],  # noqa: B006
    merge: Merge = [],  # noqa: B006
    clock: Clock = "10 ns",
    json: Json = None,
) -> None:
    """Derive the process network of a C kernel and write it as network JSON.

    Example:

      ppnsim derive scenarios/kernels/predictor.c --latency 3 -o predictor.json && ppnsim run predictor.json
    """
    from ppnsim.units import clock_ns

    terminal, period = console(json), clock_ns(clock)
    steps = in_order(context, unfold=unfold, cut=cut, skew=skew, interchange=interchange, merge=merge)

    if output.suffix != ".json":
        raise InputError(f"'{output}' is no name for network JSON (.json)", where="--output")
    check_output(output, "--output", json)

    def work(source: str) -> tuple[dict[str, Any], int]:
        from ppnsim.derive.derive import derive
        from ppnsim.formats.network_json import dump_network

        program = one_program_of(source, function=function, define=define, include=include, settings=settings)
        program, streams = rewritten(program, steps, io=io)
        program, latencies, ii_for_all = timed_each(program, latency, ii, timing)
        network = derive(
            program, io=streams, latency=latencies, ii=ii_for_all, hazards=hazards, clock_ns=period
        )  # fmt: skip
        write_network(dump_network(network), str(output))
        terminal.print(
            f"{network.name}: {len(network.processes)} processes and {len(network.channels)} channels in {output}",
            markup=False,
        )
        sizes = {"processes": len(network.processes), "channels": len(network.channels)}
        return {"file": source, "function": program.name, "output": str(output), **sizes}, 0

    for_each_file([file], json, work)
