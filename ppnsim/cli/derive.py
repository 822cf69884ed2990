"""``ppnsim derive``: from a C kernel to a network that ``ppnsim run`` takes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.outputs import Json, check_output, check_standard_output, console, write_text
from ppnsim.cli.options.rewriting import RewritingOptions
from ppnsim.cli.options.source import Source
from ppnsim.cli.options.source_network import SourceNetworkOptions
from ppnsim.errors import InputError
from ppnsim.formats import network_text
from ppnsim.report import text
from ppnsim.source_networks import report
from ppnsim.units import counted


def derive_command(
    context: typer.Context,
    file: Source,
    *,
    output: Annotated[Path, typer.Option("-o", "--out", metavar="NET.json", help="Network (.json, .toml) to write.")],
    options: SourceNetworkOptions,
    rewriting: RewritingOptions,
    json: Json = None,
) -> None:
    """Derive the process network of a C kernel and write it as network JSON or TOML.

    A function with a dataflow region becomes its tasks and streams, any other one a process per statement; its pragmas
    of high-level synthesis do not act then. All other commands on networks take the source itself, and take a function
    with such pragmas as one task; rewriting is for this command.

    Examples:

      ppnsim derive scenarios/kernels/predictor.c --latency 3 -o predictor.json && ppnsim run predictor.json
    """
    check_standard_output({"--out": output, "--json": json})
    terminal = console("-" if str(output) == "-" else json)
    steps = rewriting.in_order(context)
    if output.suffix not in network_text.SUFFIXES and str(output) != "-":
        raise InputError(
            f"'{output}' is not a name for network JSON (.json), a scenario (.toml), or - (standard output)",
            where="--out",
        )
    check_output(output, "--out", json)

    def work(path: str) -> tuple[dict[str, Any], int]:
        found = options.load(path, lambda program: options.network_of(program, steps), as_statements=True)
        if steps and found.made_of == "tasks":
            words = f"can only be used with statements; '{found.function}' is a dataflow region"
            raise InputError(f"{', '.join(dict.fromkeys(f'--{name}' for name, _ in steps))} {words}")
        network = found.network
        if str(output) == "-":
            sys.stdout.write(network_text.network_text(network, "-.json"))
        else:
            write_text(network_text.network_text(network, output), output)
        processes, count = len(network.processes), len(network.channels)
        made = f"{processes} process{'es' * (processes != 1)} and {counted(count, 'channel')}"
        text.plain_line(terminal, f"{network.name}: {made} in {output}")
        sizes = {"processes": len(network.processes), "channels": len(network.channels)}
        about = {"source": report.source_result(found)}
        return {"file": path, "function": found.function, "output": str(output), **sizes, **about}, 0

    for_each_file([file], json, work)
