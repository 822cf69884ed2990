"""Parts that the commands on platforms share: the application that a file must have, and its simulation."""

from __future__ import annotations

from typing import Annotated

import typer

from ppnsim.cli.common import progress
from ppnsim.errors import InputError
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.model.stages import Application
from ppnsim.platform.model.system import System
from ppnsim.platform.run.application import run_platform
from ppnsim.platform.run.record import PlatformRun

Cases = Annotated[list[str], typer.Argument(metavar="FILE...", help="Platform TOML with stages.", show_default=False)]


def application_of(given: PlatformFile, file: str) -> Application:
    """Return the application of a file.

    Raises
    ------
    InputError
        If the file has no stage.
    """
    if given.application is None:
        raise InputError("has no [stage.NAME], so there is nothing to predict or to run", where=file)
    return given.application


def simulated(system: System, application: Application) -> PlatformRun:
    """Simulate; a bar counts the stages of a long simulation."""
    with progress(system.name, unit="stages") as report:
        return run_platform(system, application, progress=report)
