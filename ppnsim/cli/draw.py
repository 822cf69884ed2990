"""``ppnsim draw``: a picture of a network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import ppnsim
from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.network import File, NetworkOptions
from ppnsim.cli.options.outputs import FORMATS, Json, check_distinct, check_output, console
from ppnsim.errors import InputError
from ppnsim.hls.project.suffixes import is_source
from ppnsim.placed.model import placement
from ppnsim.plots import dot
from ppnsim.report import text

if TYPE_CHECKING:
    from ppnsim.library.subject import NetworkFile
    from ppnsim.placed.model.placement import Placement

_FORMATS = (*FORMATS, ".dot")


def draw_command(
    file: File,
    *,
    output: Annotated[
        Path, typer.Option("-o", "--out", metavar="PATH", help="Picture to write: .svg, .png, .pdf, or .dot text.")
    ],
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Run it first and show how full each channel got.")
    ] = False,
    options: NetworkOptions,
    json: Json = None,
) -> None:
    """Draw a network: processes with their numbers, channels with kind and depth.

    Examples:

      ppnsim draw scenarios/networks/fork_join.toml -o fork_join.svg

      ppnsim draw scenarios/networks/fork_join.toml --simulate -o fork_join.png
    """
    terminal, suffix = console(json), output.suffix.lower()
    if suffix not in _FORMATS:
        raise InputError(f"'{output.suffix}' is none of {', '.join(_FORMATS)}", where=f"--out {output}")
    check_output(output, "--out", json)
    check_distinct({"--out": output}, [file])

    def work(path: str) -> tuple[dict[str, Any], int]:
        held = None if is_source(path) else options.load_any(path, "Network", "Placement")
        if isinstance(held, placement.Placement):
            if simulate:
                raise InputError("--simulate is for networks on one node; ppnsim run --plot draws this run", where=path)
            network, said = options.changed(held.network), {}
            shown: Placement | NetworkFile = replace(held, network=network)
        else:
            shown = options.load(path)
            network, said = shown.network, shown.result()
        try:
            if suffix == ".dot":
                output.write_text(dot.dot(network.written), encoding="utf-8")
            else:
                ppnsim.draw(shown, simulate=simulate).save(output)
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror})", where=str(output)) from None
        text.plain_line(terminal, f"{network.name}: drawn to {output}")
        sizes = {"processes": len(network.processes), "channels": len(network.written.channels)}
        return {"file": path, "output": str(output), **sizes, **said}, 0

    for_each_file([file], json, work)
