"""The application of a platform's file, which not every platform has."""

from __future__ import annotations

from ppnsim.errors import InputError
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.model.stages import Application


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
