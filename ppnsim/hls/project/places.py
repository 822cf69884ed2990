"""Where the files of a project lie that its script names."""

from __future__ import annotations

from pathlib import Path


def placed(script: str, base: Path, name: str) -> Path:
    """Return the path of a file or folder that a script names, from the folder ``base``.

    The tool writes ``script.tcl`` into ``PROJECT/SOLUTION``, with paths from the folder around the project, which may
    be called otherwise where it has been copied to.
    """
    path = base / name
    if path.exists() or Path(script).name != "script.tcl":
        return path
    project = base.parent
    inside = Path(*Path(name).parts[1:])
    return next((each for each in (project.parent / name, project / name, project / inside) if each.exists()), path)
