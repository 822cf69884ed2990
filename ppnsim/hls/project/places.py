"""Where the files of a project lie that its script names."""

from __future__ import annotations

import os
from pathlib import Path

_MOST = 20_000  # files of a project's folder that are looked through
_MADE = frozenset(("syn", "sim", "impl", "csim", "hls"))  # what the tool writes into a solution, copies of sources too


def placed(script: str, base: Path, name: str) -> Path:
    """Return the path of a file or folder that a script names, from the folder ``base``.

    The tool writes ``script.tcl`` into ``PROJECT/SOLUTION``, with paths from the folder around the project, which may
    be called otherwise where it has been copied to.
    """
    path = base / name
    if path.exists() or Path(script).name != "script.tcl":
        return path
    project = _above(base)
    inside = Path(name).parts[1:]
    places = [_above(project) / name, project / name, *([project.joinpath(*inside)] if inside else [])]
    return next((each for each in places if each.exists()), path)


def moved(script: str, base: Path, name: str) -> Path | None:
    """Return the only file of this name in the project of a ``script.tcl``: a source that was put elsewhere."""
    if Path(script).name != "script.tcl":
        return None
    found, seen = [], 0
    for folder, folders, files in os.walk(_above(base)):
        folders[:] = sorted(each for each in folders if each not in _MADE and not each.startswith("."))
        seen += len(files)
        if seen > _MOST:
            return None
        if Path(name).name in files:
            found.append(Path(folder) / Path(name).name)
    return found[0] if len(found) == 1 else None


def _above(folder: Path) -> Path:
    """Return the folder around one; of ``.``, too.

    Examples
    --------
    >>> _above(Path("a/b")).as_posix(), _above(Path(".")).as_posix(), _above(Path("..")).as_posix()
    ('a', '..', '../..')
    """
    return folder.parent if folder.name not in ("", "..") else folder / ".."
