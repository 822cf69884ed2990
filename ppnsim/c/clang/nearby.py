"""Searches around the source for headers that no include folder of the command line has."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from ppnsim.c.clang.cmake_headers import configured
from ppnsim.c.clang.library import UNWRITTEN, of_folders
from ppnsim.c.clang.makefiles import Flag, flags_of, named_in
from ppnsim.c.clang.scripts import folders_of
from ppnsim.c.clang.submodules import in_submodule
from ppnsim.errors import InputError

_MISSING = re.compile(r"(?:.+?):\d+:\d+: header '([\w./-]+)' is not found")
_FOREIGN = re.compile(r"(.+?):\d+:\d+: header '((?:/|[A-Za-z]:/|[^']*\\).+)' is not found")
"""An absolute path, or a path with the backslashes of Windows."""
_LEVELS = 2
"""Levels of parent folders whose trees are searched."""
_FURTHER = 8
"""The same, up to the folder of a repository, for a header that is meant to be included from elsewhere.

Such a name includes a folder, ``<metal/stream.h>``, or the header is below a folder ``include``, or it is the only one
of this name in a repository.
"""
_MADE, _LANGUAGES = ("syn", "sim", "impl"), ("report", "systemc", "verilog", "vhdl")
"""Folders that the tool writes in a solution, and folders in ``syn`` that tell so."""
_MOST, _MOST_WITH_FOLDER = 8000, 40_000
"""Most entries of a tree that are visited, without and with a folder in the name; larger trees are skipped."""


def nearby(text: str, path: str, arguments: list[str], said: dict[str, str] | None, once: dict[str, str]) -> bool:
    """Provide a header that exists exactly once around a file; refuse it if there is none, or if there are several."""
    if said is None or _of_another_machine(text, path, arguments, said, once):
        return said is not None
    if (header := missing(text)) is None or header in said:
        return False
    found = headers_named(header, path)
    if _generate_by_cmake(header, path, arguments, said, once, text, found):
        return True
    if len(found) != 1 and (given := _option_with(header, path)) is not None:
        arguments += _searched(given.text)
        said[header] = f"header '{header}' is taken from {given.text}, as in {given.place}; -I gives another one"
        return True
    if len(found) != 1:
        folders = [str(each).removesuffix(f"/{header}") for each in found[:3]]
        build = named_in(header, path)
        made = f"{build} names it: the build may make it there" if build else ""
        none = made or in_submodule(header, text, path) or "there is none near the file"
        more = f": {', '.join(folders)} have one" if folders else f"; {none}"
        raise InputError(f"{text}{more}") from None
    file, name = str(found[0]), header.removeprefix("./")
    if file.endswith(f"/{name}"):
        arguments += _searched(file.removesuffix(f"/{name}"))
        said[header] = f"header '{header}' is taken from {file.removesuffix(f'/{name}')}: no -I gives its folder"
    else:  # in other upper and lower case
        arguments += ["-I", UNWRITTEN]
        once[f"{UNWRITTEN}{name}"], said[header] = f'#include "{file}"\n', f"header '{header}' is read as {file}"
    return True


def _searched(folder: str) -> list[str]:
    """Return clang's arguments for a folder; one with copies of the vendor's headers comes after the stand-ins."""
    first, behind = of_folders([folder])
    return [*first, *behind]


def _of_another_machine(text: str, path: str, arguments: list[str], said: dict[str, str], once: dict[str, str]) -> bool:
    """Provide a header whose path is from another machine: relative to its file, by its last folder, or by its name."""
    if (found := _FOREIGN.match(text)) is None or (header := found[2]) in said:
        return False
    parts = re.split(r"[/\\]+", header)
    from_file = Path(found[1]).parent.joinpath(*parts)
    parts = [each for each in parts if each not in ("", ".", "..") and not each.endswith(":")]
    for last in (0, 2, 1):
        files = headers_named("/".join(parts[-last:]), path) if last else [from_file] * from_file.is_file()
        if len(files) == 1:
            if not header.startswith("/"):  # a Windows path, which clang searches below a folder
                arguments += ["-I", UNWRITTEN]
            name = header if header.startswith("/") else f"{UNWRITTEN}{header}"
            once[name], said[header] = f'#include "{files[0]}"\n', f"header '{header}' is read as {files[0]}"
            return True
    return False


def _option_with(header: str, path: str) -> Flag | None:
    """Return the first option with the header in its folder, from a script beside a source or a Makefile around it."""
    options = (each for each in (*folders_of(path), *flags_of(path)) if each.letter == "I")
    return next((each for each in options if Path(each.text, header).is_file()), None)


def _generate_by_cmake(
    header: str, path: str, arguments: list[str], said: dict[str, str], once: dict[str, str], text: str,
    others: Sequence[Path],
) -> bool:  # fmt: skip
    """Provide a header that CMake generates from a template around a file; refuse it if a value is not known.

    ``others`` are headers of this name; a header that is as near to the file as the template is used instead.
    """
    templates = headers_named(f"{header}.in", path)
    if len(templates) != 1 or any(_common_depth(each, path) >= _common_depth(templates[0], path) for each in others):
        return False
    made, values = configured(templates[0])
    if not made:
        words = f"{text}: CMake makes it of {templates[0]}, and gives some of its variables no constant values"
        raise InputError(f"{words} ({', '.join(sorted(name for name, value in values.items() if not value))})")
    arguments += ["-I", UNWRITTEN]
    once[f"{UNWRITTEN}{header}"] = made
    listed = ", ".join(f"{name} = {value}" for name, value in sorted(values.items()))
    said[header] = f"header '{header}' is what CMake makes of {templates[0]}: {listed}; -I gives another one"
    return True


def _common_depth(file: Path, path: str) -> int:
    """Return the number of folders that the paths of a file and a source share."""
    return len(Path(os.path.commonpath((file.resolve(), Path(path).resolve()))).parts)


def headers_named(header: str, source: str) -> list[Path]:
    """Return the headers of a name below the folder of a source, else below one of its parent folders.

    Tools on Windows ignore case: a name that differs only in case counts if there is no exact match. If all headers
    found have the same text, the one nearest to the source stands for all.
    """
    around, name = Path(source).resolve().parent, header.removeprefix("./")
    repository = any((each / ".git").exists() for each in (around, *around.parents[:_FURTHER]))
    for level, root in enumerate((around, *around.parents[:_FURTHER])):
        if len(root.parts) < 3:
            break  # a system folder, not a project folder
        files = _below(root, name)
        if level > _LEVELS and "/" not in name and not (repository and len(files) == 1):
            files = [each for each in files if {"include", "inc"} & set(each.relative_to(root).parts)]
        same = [each for each in files if str(each).endswith(f"/{name}")] or files
        if same:
            return same[:1] if len({each.read_bytes() for each in same}) == 1 else same
        if (root / ".git").exists():
            break
    return []


def missing(words: str) -> str | None:
    """Return the header that an error reports as not found, None for other errors.

    Examples
    --------
    >>> missing("top.cpp:1:10: header 'sizes.h' is not found; give its folder with -I")
    'sizes.h'
    """
    found = _MISSING.match(words)
    return found[1] if found is not None and not found[1].startswith("/") else None


def _below(root: Path, header: str) -> list[Path]:
    """Return the files of a name below a folder, regardless of case, the nearest to the folder first.

    What the tool writes into the folder of a solution is left out: it has headers of SystemC.
    """
    parts, found, seen = Path(header.lower()).parts, list[Path](), 0
    for folder, below, files in os.walk(root):
        made = _MADE if "syn" in below and any(Path(folder, "syn", each).is_dir() for each in _LANGUAGES) else ()
        below[:] = sorted(each for each in below if not each.startswith(".") and each not in made)
        seen += len(below) + len(files)
        if seen > (_MOST_WITH_FOLDER if len(parts) > 1 else _MOST):
            return []
        for file in files:
            at = Path(folder, file)
            if file.lower() == parts[-1] and tuple(map(str.lower, at.parts[-len(parts) :])) == parts:
                found.append(at)
    return sorted(found, key=lambda each: len(each.parts))
