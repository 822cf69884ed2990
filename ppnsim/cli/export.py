"""``ppnsim export``: a network, or its run, in the format of another tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.network import File, NetworkOptions
from ppnsim.cli.options.outputs import Json, TimeWindow, check_distinct, check_output, console, write_text
from ppnsim.errors import InputError
from ppnsim.formats.network_text import network_text
from ppnsim.formats.sdf3_dump import dump_sdf3

FORMATS = {
    "sdf3": (".xml",), "json": (".json",), "toml": (".toml",), "vcd": (".vcd",), "wavedrom": (".json", ".svg"),
    "perfetto": (".json",), "csv": (".csv",), "parquet": (".parquet",),
}  # fmt: skip
"""Suffixes of the files of each format; a suffix of one format alone says the format, and .json the network's."""
Format = Literal["sdf3", "json", "toml", "vcd", "wavedrom", "perfetto", "csv", "parquet"]


def export_command(
    file: File,
    *,
    output: Annotated[Path, typer.Option("-o", "--out", metavar="PATH", help="File to write.")],
    format_: Annotated[
        Format | None,
        typer.Option("--format", help="Default: by suffix (.xml sdf3, .json, .toml, .vcd, .csv, .parquet, .svg)."),
    ] = None,
    window: TimeWindow = None,
    from_: Annotated[int | None, typer.Option("--from", metavar="A", min=0, hidden=True)] = None,
    to: Annotated[int | None, typer.Option("--to", metavar="B", min=0, hidden=True)] = None,
    table: Annotated[
        Literal["firings", "states", "occupancy", "spans"] | None,
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
    terminal = console(json)
    kind = format_ or _format_of(output)
    if output.suffix.lower() not in FORMATS[kind]:
        raise InputError(f"'{output.suffix}' is not {' or '.join(FORMATS[kind])}", where=f"--out {output}")
    check_output(output, "--out", json)
    check_distinct({"--out": output}, [file])
    asked = {"--window": window, "--from": from_, "--to": to, "--table": table, "--flows": flows or None}
    _check(kind, asked)

    def work(path: str) -> tuple[dict[str, Any], int]:
        if kind in ("json", "toml", "sdf3"):
            return _export_network(path, kind), 0
        from ppnsim.cli.runners.export import RunExport  # pandas takes a while to import

        export = RunExport(
            kind=kind, output=output, window=window, first=from_, last=to, table=table, flows=flows, options=options
        )
        result, words = export.write(path)
        terminal.print(words, markup=False)
        return result, 0

    def _export_network(path: str, kind: str) -> dict[str, Any]:
        result: dict[str, Any] = {"file": path, "output": str(output)}
        if kind != "sdf3":
            found = options.load(path)
            network = found.network
            write_text(network_text(network, output), output)
            words = ""
        else:
            found = options.load_plain(path)
            network = found.network
            dump = dump_sdf3(network, convention=options.convention_of(path))
            write_text(dump.text, output)
            result["iterations"] = dump.iterations
            words = f" (as given: --iterations {dump.iterations})"
        terminal.print(f"{network.name}: written to {output}{words}", markup=False)
        sizes = {"processes": len(network.processes), "channels": len(network.channels)}
        return result | sizes | found.result()

    for_each_file([file], json, work)


def _format_of(output: Path) -> str:
    """Return the format that a suffix says: .json is the network's own, .svg a diagram of its run."""
    for kind, suffixes in FORMATS.items():
        if output.suffix.lower() in suffixes:
            return kind
    known = ", ".join(dict.fromkeys(suffix for suffixes in FORMATS.values() for suffix in suffixes))
    raise InputError(f"'{output.suffix}' is none of {known}", where=f"--out {output}")


def _check(kind: str, asked: dict[str, Any]) -> None:
    """Refuse options that the format does not know."""
    known = {
        "sdf3": set[str](), "json": set[str](), "toml": set[str](), "vcd": {"window"}, "wavedrom": {"window"},
        "perfetto": {"window", "flows"}, "csv": {"window", "table"}, "parquet": {"window", "table"},
    }[kind]  # fmt: skip
    for option, value in asked.items():
        needs = "window" if option in ("--window", "--from", "--to") else option.removeprefix("--")
        if value is not None and needs not in known:
            raise InputError(f"{option} says nothing to the format {kind}")
    if asked["--window"] is not None and (asked["--from"] is not None or asked["--to"] is not None):
        raise InputError("--window and --from, --to say the same: give one of them")
