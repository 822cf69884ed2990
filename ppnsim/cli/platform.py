"""``ppnsim platform``: list what a platform is made of, and draw it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.outputs import Json, check_picture, console, save_picture
from ppnsim.errors import InputError
from ppnsim.files import load
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.report.placement import placement_result, print_placement
from ppnsim.platform.files.dump import dump_platform
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.model.presets import preset_system
from ppnsim.platform.report.system import platform_result, print_platform


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

    def work(file: str) -> tuple[dict[str, Any], int]:
        preset = file.removeprefix("preset:")
        held = (
            load(file, "Placement", "PlatformFile") if preset == file
            else PlatformFile(system=preset_system(preset), application=None)
        )  # fmt: skip
        if isinstance(held, Placement):
            if toml:
                raise InputError("is for platforms; this file places a network on nodes", where="--toml")
            return _placed(terminal, file, held, output), 0
        assert isinstance(held, PlatformFile)
        system = held.system
        if toml:
            text = dump_platform(system, held.application)
            terminal.print(text, markup=False, highlight=False, soft_wrap=True, end="")
        else:
            print_platform(terminal, system)
        if output is not None:
            from ppnsim.platform.pictures.drawing import draw_platform  # matplotlib takes a while to import

            _save(terminal, draw_platform(system), output, system.name)
        return platform_result(system, file=file), 0

    for_each_file(files, json, work)


def _placed(terminal: Console, file: str, placement: Placement, output: Path | None) -> dict[str, Any]:
    print_placement(terminal, placement)
    if output is not None:
        from ppnsim.placed.pictures.drawing import draw_placement  # matplotlib takes a while to import

        _save(terminal, draw_placement(placement), output, placement.network.name)
    return placement_result(placement, file=file)


def _save(terminal: Console, figure: Any, output: Path, name: str) -> None:
    save_picture(figure, output, "--out")
    terminal.print(f"{name}: drawn to {output}", markup=False)
