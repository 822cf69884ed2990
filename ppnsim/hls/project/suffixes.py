"""What projects of high-level synthesis are called, known without importing their readers."""

from __future__ import annotations

from pathlib import Path

PROJECTS = (".tcl", ".cfg")


def is_project(path: str) -> bool:
    """Return whether a file is a project by its name.

    Examples
    --------
    >>> [is_project(name) for name in ("run_hls.tcl", "hls_config.cfg", "top.cpp")]
    [True, True, False]
    """
    return Path(path).suffix in PROJECTS
