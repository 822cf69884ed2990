"""``ppnsim derive``: from a C kernel to a network that ``ppnsim run`` takes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.cycles import CycleOptions, Hazards
from ppnsim.cli.options.outputs import Json, check_output, console, write_network
from ppnsim.cli.options.rewriting import RewritingOptions, rewritten
from ppnsim.cli.options.source import Clock, InOut, Source, SourceOptions
from ppnsim.derive.derive import derive
from ppnsim.errors import InputError
from ppnsim.formats.network_json import dump_network
from ppnsim.units import clock_ns


def derive_command(
    context: typer.Context,
    file: Source,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="NET.json", help="Network JSON to write.")],
    source: SourceOptions,
    cycles: CycleOptions,
    hazards: Hazards = False,
    io: InOut = False,
    rewriting: RewritingOptions,
    clock: Clock = "10 ns",
    json: Json = None,
) -> None:
    """Derive the process network of a C kernel and write it as network JSON.

    Example:

      ppnsim derive scenarios/kernels/predictor.c --latency 3 -o predictor.json && ppnsim run predictor.json
    """
    terminal, period = console(json), clock_ns(clock)
    steps = rewriting.in_order(context)
    if output.suffix != ".json":
        raise InputError(f"'{output}' is not a name for network JSON (.json)", where="--output")
    check_output(output, "--output", json)

    def work(path: str) -> tuple[dict[str, Any], int]:
        program, streams = rewritten(source.one_program(path), steps, io=io)
        program, latencies, ii_for_all = cycles.timed_each(program)
        network = derive(program, io=streams, latency=latencies, ii=ii_for_all, hazards=hazards, clock_ns=period)
        write_network(dump_network(network), str(output))
        terminal.print(
            f"{network.name}: {len(network.processes)} processes and {len(network.channels)} channels in {output}",
            markup=False,
        )
        sizes = {"processes": len(network.processes), "channels": len(network.channels)}
        return {"file": path, "function": program.name, "output": str(output), **sizes}, 0

    for_each_file([file], json, work)
