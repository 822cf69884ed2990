"""``ppnsim platform``: list what a platform is made of, and draw it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.cli.common import Json, console, for_each_file
from ppnsim.errors import InputError


def platform_command(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Platform TOML, or preset:NAME.", show_default=False)
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="PATH", help="Picture to write: .svg, .png or .pdf.")
    ] = None,
    toml: Annotated[bool, typer.Option("--toml", help="Print it as platform TOML, to be changed and run.")] = False,
    json: Json = None,
) -> None:
    """List a platform, every parameter with where it comes from, and draw it.

    A platform is a TOML file with [node.NAME], [network.NAME], [bus.NAME] and [memory.NAME], or a preset:
    nallatech-h101, src6, de5-net, aws-f1, alveo-u280.

    Examples:

      ppnsim platform scenarios/platforms/image_filter.toml -o src6.svg

      ppnsim platform preset:aws-f1 --toml
    """
    terminal = console(json)
    if output is not None and len(files) > 1:
        raise InputError("draws one platform, so it takes one FILE", where=f"--output {output}")

    def work(file: str) -> tuple[dict[str, Any], int]:
        from ppnsim.formats.platform_dump import dump_platform
        from ppnsim.formats.platform_toml import load_platform
        from ppnsim.platform.presets import board
        from ppnsim.report.platform import platform_result, print_platform

        preset = file.removeprefix("preset:")
        system, application = load_platform(file) if preset == file else (board(preset), None)
        if toml:
            terminal.print(dump_platform(system, application), markup=False, highlight=False, soft_wrap=True, end="")
        else:
            print_platform(terminal, system)
        if output is not None:
            _draw(system, output)
            terminal.print(f"{system.name}: drawn to {output}", markup=False)
        return platform_result(system, file=file), 0

    for_each_file(files, json, work)


def _draw(system: Any, output: Path) -> None:
    from ppnsim.plots.platform import draw_platform
    from ppnsim.plots.save import save

    try:
        save(draw_platform(system), output)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(output)) from None
