"""``ppnsim export``: a network in the format of another tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.network import File, NetworkOptions
from ppnsim.cli.options.outputs import Json, check_output, console, write_network, write_text
from ppnsim.errors import InputError
from ppnsim.formats.network_json import dump_network
from ppnsim.formats.sdf3_dump import dump_sdf3

_FORMATS = (".xml", ".json")


def export_command(
    file: File,
    *,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="PATH", help="File to write: SDF3 .xml, or network .json.")
    ],
    options: NetworkOptions,
    json: Json = None,
) -> None:
    """Write a network as SDF3 XML, for SDF3, Kiter and others, or as network JSON.

    SDF3 XML takes what a dataflow graph can say: rates (no listed tokens), tokens consumed at the start and produced
    at the end of a firing, no pipelining (ii 0, or the time of a firing), whole graph iterations. Depths become buffer
    sizes with --convention sdf3, which is how SDF3 reads them. Anything else is refused by name.

    Examples:

      ppnsim export graph.json --convention sdf3 -o graph.xml && ppnsim run graph.xml --iterations 100

      ppnsim export h263decoder.xml --iterations 2 -o h263decoder.json
    """
    terminal = console(json)
    suffix = output.suffix.lower()
    if suffix not in _FORMATS:
        raise InputError(f"'{output.suffix}' is none of {', '.join(_FORMATS)}", where=f"--output {output}")
    check_output(output, "--output", json)

    def work(path: str) -> tuple[dict[str, Any], int]:
        result: dict[str, Any] = {"file": path, "output": str(output)}
        if suffix == ".json":
            network = options.load(path)
            write_network(dump_network(network), str(output))
            words = ""
        else:
            network = options.load_plain(path)
            dump = dump_sdf3(network, convention=options.convention_of(path))
            write_text(dump.text, output)
            result["iterations"] = dump.iterations
            words = f" (as given: --iterations {dump.iterations})"
        terminal.print(f"{network.name}: written to {output}{words}", markup=False)
        return result | {"processes": len(network.processes), "channels": len(network.channels)}, 0

    for_each_file([file], json, work)
