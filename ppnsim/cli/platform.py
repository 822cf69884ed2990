"""``ppnsim platform``: list what a platform is made of, and draw it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import ppnsim
from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.outputs import Json, check_picture, console, save_picture
from ppnsim.errors import InputError
from ppnsim.placed.model import placement
from ppnsim.report import text


def platform_command(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Platform TOML, or preset:NAME.", show_default=False)
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="PATH", help="Picture to write: .svg, .png or .pdf.")
    ] = None,
    toml: Annotated[bool, typer.Option("--toml", help="Print it as platform TOML, to be changed and run.")] = False,
    json: Json = None,
) -> None:
    """List a platform, every parameter with its source, and draw it.

    A platform is a TOML file with [node.NAME], [network.NAME], [bus.NAME] and [memory.NAME], or a preset:
    nallatech-h101, src6, de5-net, aws-f1, alveo-u280. [platform] with preset = "NAME" lays a preset under a file,
    which then changes single keys of it. What runs on it stands in [application] and [stage.NAME]; its stages know
    bytes and no addresses, so no stage waits for a memory: a node's port bounds what it reads while it computes.

    A network placed on nodes, with [node.NAME], [link.NAME], [memory.NAME] and processes, is listed and drawn,
    too.

    Examples:

      ppnsim platform scenarios/platforms/image_filter.toml -o src6.svg

      ppnsim platform preset:aws-f1 --toml

      ppnsim platform scenarios/networks/two_fpgas.toml
    """
    terminal = console(json)
    check_picture(output, "--out", json, files=len(files))
    if toml and json == "-":
        raise InputError("standard output takes either this or --json -", where="--toml")

    def work(file: str) -> tuple[dict[str, Any], int]:
        found = ppnsim.platform(file)
        if toml:
            terminal.print(found.to_toml(), markup=False, highlight=False, soft_wrap=True, end="")
        else:
            found.print(terminal)
        if output is not None:
            save_picture(found.figure(), output, "--out")
            held = found.held
            name = held.network.name if isinstance(held, placement.Placement) else held.system.name
            text.plain_line(terminal, f"{name}: drawn to {output}")
        return found.to_dict(), 0

    for_each_file(files, json, work)
