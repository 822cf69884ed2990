"""``ppnsim export``: a network, or its run, in the format of another tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import ppnsim
from ppnsim.cli.common import for_each_file, progress
from ppnsim.cli.options.network import File, NetworkOptions
from ppnsim.cli.options.outputs import Json, TimeWindow, check_distinct, check_output, check_standard_output, console
from ppnsim.errors import InputError
from ppnsim.export.formats import NETWORKS, Format, Table
from ppnsim.library import export
from ppnsim.platform.files import toml
from ppnsim.source_networks import model as sources


def export_command(
    file: File,
    *,
    output: Annotated[Path, typer.Option("-o", "--out", metavar="PATH", help="File to write; - is standard output.")],
    format_: Annotated[
        Format | None,
        typer.Option("--format", help="Default: by suffix (.xml sdf3, .json, .toml, .vcd, .csv, .parquet, .svg)."),
    ] = None,
    window: TimeWindow = None,
    from_: Annotated[int | None, typer.Option("--from", metavar="A", min=0, hidden=True)] = None,
    to: Annotated[int | None, typer.Option("--to", metavar="B", min=0, hidden=True)] = None,
    table: Annotated[
        Table | None,
        typer.Option("--table", help="Of csv and parquet: default firings; platforms have spans only."),
    ] = None,
    flows: Annotated[bool, typer.Option("--flows", help="Perfetto: an arrow for every token.")] = False,
    options: NetworkOptions,
    json: Json = None,
) -> None:
    """Write a network as SDF3 XML, network JSON or TOML, or its run for waveform viewers and data frames.

    Of a run: vcd for GTKWave and Surfer (state, firing and active firings of processes, tokens of channels; a .gtkw
    file beside it groups them), perfetto for ui.perfetto.dev, wavedrom as JSON or .svg, csv and parquet as tables.
    A platform with an application can be written as vcd, perfetto, csv or parquet. A deadlock is written up to where it
    stands still. Files are written beside their place and moved there when they are complete.

    SDF3 XML takes what a dataflow graph can say: rates (no listed tokens), tokens consumed at the start and produced
    at the end of a firing, no pipelining (ii 0, or the time of a firing), whole graph iterations. Depths become buffer
    sizes with --convention sdf3, which is how SDF3 reads them. Anything else is refused by name.

    Examples:

      ppnsim export graph.json --convention sdf3 -o graph.xml && ppnsim run graph.xml --iterations 100

      ppnsim export scenarios/networks/fork_join.toml -o run.vcd && gtkwave run.gtkw

      ppnsim export scenarios/networks/predictor.toml --format perfetto --flows -o trace.json

      ppnsim export scenarios/networks/predictor.toml --window 20:50 -o picture.svg
    """
    check_standard_output({"--out": output, "--json": json})
    terminal = console("-" if str(output) == "-" else json)
    kind = format_ or export.format_of(output)
    asked = {"--window": window, "--from": from_, "--to": to, "--table": table, "--flows": flows or None}
    export.check(kind, output, asked)
    check_output(output, "--out", json)
    check_distinct({"--out": output}, [file])
    if window is not None and (from_ is not None or to is not None):
        raise InputError("--window and --from, --to say the same: give one of them")
    ends = window if window is not None else (from_, to)

    def work(path: str) -> tuple[dict[str, Any], int]:
        if kind in NETWORKS:
            written = export.written_network(options.load(path), output, kind)
        else:
            held = options.load_any(path, "Network", "PlatformFile")
            if isinstance(held, toml.PlatformFile) and (given := options.given()):
                raise InputError(f"{', '.join(given)} can only be used with a network; this file holds a platform")
            if isinstance(held, ppnsim.Network | sources.SourceNetwork):
                held = options.changed(held)
            assert isinstance(held, ppnsim.Network | toml.PlatformFile)
            with progress(path, "stages") as report:
                written = export.write_run(kind, output, held, path, ends, table, flows=flows, progress=report)
        written.print(terminal)
        return written.to_dict(), 0

    for_each_file([file], json, work)
