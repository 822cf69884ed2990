"""What the commands about platforms share: reading a case, changing it as the command line says, running it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppnsim.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from ppnsim.platform.model.stages import Application
    from ppnsim.platform.model.system import System
    from ppnsim.platform.run.record import PlatformRun


def is_platform_file(file: str) -> bool:
    """Whether a file is TOML with the tables of a platform; what cannot be read is left to other readers."""
    if Path(file).suffix != ".toml" or not Path(file).is_file():
        return False
    from ppnsim.formats.decode import DecodeError, decode_toml, read_text
    from ppnsim.platform.files.tables import is_platform

    try:
        return is_platform(decode_toml(read_text(Path(file))))
    except (DecodeError, InputError):
        return False


def load_case(file: str, changes: dict[str, Any] | None = None) -> tuple[System, Application]:
    """Read a platform and the application on it.

    Raises
    ------
    InputError
        If the file is not one, or has no stage.
    """
    from ppnsim.platform.files.toml import load_platform

    system, application = load_platform(file, changes)
    if application is None:
        raise InputError("has no [stage.NAME], so there is nothing to predict or to run", where=file)
    return system, application


def run_case(terminal: Console, file: str, folder: Path | None, suffix: str) -> tuple[dict[str, Any], int]:
    """Simulate a case, print what came of it, write it to a folder if there is one."""
    from ppnsim.platform.report.application import print_run, run_result

    system, application = load_case(file)
    run = simulated(system, application)
    result = run_result(run, file=file, name=system.name)
    print_run(terminal, run, title=system.name)
    if folder is not None:
        _write(folder, run, result, system, suffix)
        terminal.print(f"written to {folder}", markup=False)
    return result, 0


def simulated(system: System, application: Application) -> PlatformRun:
    """Simulate, with a bar for the stages once it takes longer."""
    from ppnsim.cli.common import progress
    from ppnsim.platform.run.application import run_platform

    with progress(system.name, unit="stages") as report:
        return run_platform(system, application, progress=report)


def _write(folder: Path, run: PlatformRun, result: dict[str, Any], system: System, suffix: str) -> None:
    from ppnsim.cli.common import write_json, written_to
    from ppnsim.platform.pictures.drawing import draw_platform
    from ppnsim.platform.pictures.time import platform_gantt, platform_shares, platform_utilisation
    from ppnsim.platform.report.csv import write_spans
    from ppnsim.plots.save import save

    with written_to(folder):
        write_json(result, str(folder / "result.json"))
        write_spans(run, folder / "timeline.csv")
        save(draw_platform(system), folder / f"platform.{suffix}")
        for name, picture in (
            ("gantt", platform_gantt), ("shares", platform_shares), ("utilisation", platform_utilisation)
        ):  # fmt: skip
            save(picture(run, title=system.name), folder / f"{name}.{suffix}")
