"""File names of projects and of sources, which can be recognised without importing the readers."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from ppnsim.c.suffixes import SUFFIXES
from ppnsim.errors import InputError

PROJECTS = (".tcl", ".cfg")


def is_project(path: str) -> bool:
    """Return whether a file is a project, by its name.

    Examples
    --------
    >>> [is_project(name) for name in ("run_hls.tcl", "hls_config.cfg", "top.cpp")]
    [True, True, False]
    """
    return Path(path).suffix in PROJECTS


def is_source(file: str | PathLike[str]) -> bool:
    """Return whether a file is a C or C++ source, or a project of sources, by its name.

    Examples
    --------
    >>> is_source("k.cpp"), is_source("run_hls.tcl"), is_source("net.toml")
    (True, True, False)
    """
    return Path(file).suffix in SUFFIXES or is_project(str(file))


def check_none(arguments: Sequence[str], solution: str | None) -> None:
    """Refuse script arguments and the name of a solution for a file that is no project.

    Examples
    --------
    >>> check_none([], "fast")
    Traceback (most recent call last):
    ppnsim.errors.InputError: --solution: 'fast' is of a project (run_hls.tcl, hls_config.cfg), and this is none
    """
    for option, given in {"--tclargs": " ".join(arguments) or None, "--solution": solution}.items():
        if given is not None:
            raise InputError(f"'{given}' is of a project (run_hls.tcl, hls_config.cfg), and this is none", where=option)
