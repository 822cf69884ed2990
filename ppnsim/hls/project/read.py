"""The entry point of projects: `read_project` reads a script or a configuration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.hls.project.config import read_config
from ppnsim.hls.project.default_arguments import with_own_word
from ppnsim.hls.project.model import Project
from ppnsim.hls.project.scripts import read_script
from ppnsim.hls.project.suffixes import is_project


def read_project(path: str, *, arguments: Sequence[str] = (), solution: str | None = None) -> Project:
    """Return a project of high-level synthesis: a Tcl script (``.tcl``) or ``hls_config.cfg`` (``.cfg``).

    Parameters
    ----------
    arguments : the script's ``argv``.
    solution : name of the solution; the first one by default.

    Raises
    ------
    InputError
        With file and line: unreadable text, a missing source, no top function, no such solution.
    """
    if not is_project(path):
        raise InputError("is not the name of a project (.tcl or .cfg)", where=path)
    if arguments and Path(path).suffix != ".tcl":
        words = f"'{' '.join(arguments)}' are arguments of a Tcl script, and this is a configuration, which takes none"
        raise InputError(f"--tclargs {words}", where=path)
    if Path(path).suffix != ".tcl":
        return read_config(path).project(solution)
    try:
        return read_script(path, arguments).project(solution)
    except InputError:
        own = with_own_word(path) if not arguments and Path(path).is_file() else None
        if own is None:
            raise
    return own.project(solution)
