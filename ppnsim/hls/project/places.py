"""The search for files of a project whose script names them by other paths."""

from __future__ import annotations

import os
import re
from pathlib import Path

_MOST = 20_000  # most files of a project's folder that are searched
_LEVELS = 8  # most folders above that of a script in which its files are searched
_MADE = frozenset(("syn", "sim", "impl", "csim", "hls"))  # folders of a solution that the tool writes, with copies


def placed(script: str, base: Path, name: str) -> Path:
    """Return the path of a file or folder that a script names, starting at the folder ``base``.

    The tool writes ``script.tcl`` into ``PROJECT/SOLUTION``, with paths relative to the folder around the project; that
    folder may have another name after the project has been copied.
    """
    path = base / name
    if path.exists() or Path(script).name != "script.tcl":
        return path
    project = _above(base)
    inside = Path(name).parts[1:]
    places = [_above(project) / name, project / name, *([project.joinpath(*inside)] if inside else [])]
    return next((each for each in places if each.exists()), path)


def moved(script: str, base: Path, name: str) -> Path | None:
    """Return the only file of this name below a script, or in the project of a ``script.tcl``: a moved file.

    If there is none, return the only one below the nearest folder above that has one, inside of the repository.
    """
    of_tool = Path(script).name == "script.tcl"
    made = _MADE if of_tool else _MADE - {"hls"}  # many projects keep their sources in a folder "hls"
    start = _above(base) if of_tool else base
    above = [start.resolve(), *start.resolve().parents]
    root = next((number for number, each in enumerate(above) if (each / ".git").exists()), 0)
    around = (each if base.is_absolute() else Path(os.path.relpath(each)) for each in above[1 : root + 1])
    for folder in (start, *around):
        found = _below(folder, Path(name).name, made)
        if found is None or found:
            return found[0] if found and len({each.read_bytes() for each in found}) == 1 else None
    return None


def _below(root: Path, name: str, made: frozenset[str]) -> list[Path] | None:
    """Return the files of a name below a folder, None if there are too many files to search."""
    found, seen = list[Path](), 0
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(each for each in folders if each not in made and not each.startswith("."))
        seen += len(files)
        if seen > _MOST:
            return None
        if name in files:
            found.append(Path(folder) / name)
    return sorted(found, key=lambda each: (len(each.parts), str(each)))


def elsewhere(base: Path, name: str) -> Path | None:
    """Return the most likely file for a path that does not exist: its longest end that exists near the script.

    Scripts name files by folders of their author's machine, ``/home/me/project/src/top.cpp``. An end of one word is
    searched only in ``base``; a longer end is also searched in the folders above, up to that of the repository.
    """
    parts = [each for each in Path(name.replace("\\", "/")).parts if each not in ("/", "..", ".")]
    folders = [base]
    for folder in base.resolve().parents[:_LEVELS]:
        if len(folder.parts) < 3 or (folders[-1] / ".git").exists():
            break  # a folder of the machine, not of a project
        folders.append(folder)
    ends = (parts[start:] for start in range(len(parts)))
    found = (folder.joinpath(*end) for end in ends for folder in folders[: None if len(end) > 1 else 1])
    return next((each for each in found if each.exists()), None)


def submodule(path: Path) -> str:
    """Return a note about a file in a git submodule that is not checked out, "" for any other file."""
    place = Path(os.path.normpath(path.absolute()))
    for root in place.parents:
        if (listed := root / ".gitmodules").is_file():
            folders = re.findall(
                r"^\s*path\s*=\s*(\S+)", listed.read_text(encoding="utf-8", errors="replace"), re.MULTILINE
            )
            inside = next((each for each in folders if place.is_relative_to(root / each)), None)
            why = f"; '{inside}' is a submodule of git that is not checked out: git submodule update --init {inside}"
            return why if inside is not None else ""
    return ""


def _above(folder: Path) -> Path:
    """Return the parent of a folder, also of ``.``.

    Examples
    --------
    >>> _above(Path("a/b")).as_posix(), _above(Path(".")).as_posix(), _above(Path("..")).as_posix()
    ('a', '..', '../..')
    """
    return folder.parent if folder.name not in ("", "..") else folder / ".."
