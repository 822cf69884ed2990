"""``ppnsim run`` of a platform with an application, and what `predict` and `compare` share with it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.cli.common import progress
from ppnsim.cli.runners.request import RunRequest
from ppnsim.library.applications import application_of as application_of
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.model.stages import Application
from ppnsim.platform.model.system import System
from ppnsim.platform.report.application import print_run, run_result, write_spans
from ppnsim.platform.run.application import run_platform
from ppnsim.platform.run.record import PlatformRun

Cases = Annotated[list[str], typer.Argument(metavar="FILE...", help="Platform TOML with stages.", show_default=False)]


def simulated(system: System, application: Application) -> PlatformRun:
    """Simulate; a bar counts the stages of a long simulation."""
    with progress(system.name, unit="stages") as report:
        return run_platform(system, application, progress=report)


def run(given: PlatformFile, request: RunRequest) -> tuple[dict[str, Any], int]:
    """Simulate an application, print the result, and write it to a folder if there is one."""
    request.refuse_network_options("a platform")
    system, application = given.system, application_of(given, request.file)
    outcome = simulated(system, application)
    result = run_result(outcome, file=request.file, name=system.name)
    print_run(request.terminal, outcome, title=system.name)

    def write(folder: Path, suffix: str) -> None:
        from ppnsim.platform.pictures.drawing import draw_platform  # matplotlib takes a while to import
        from ppnsim.platform.pictures.time import platform_gantt, platform_shares, platform_utilisation
        from ppnsim.plots.save import save

        write_spans(outcome, folder / "timeline.csv")
        save(draw_platform(system), folder / f"platform.{suffix}")
        for name, picture in (
            ("gantt", platform_gantt), ("shares", platform_shares), ("utilisation", platform_utilisation)
        ):  # fmt: skip
            save(picture(outcome, title=system.name), folder / f"{name}.{suffix}")

    request.write(result, write)
    return result, 0
