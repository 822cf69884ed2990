"""The scenarios and kernels that come with ppnsim: in a checkout beside the package, in a wheel inside it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from ppnsim.errors import InputError, did_you_mean

_COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_LONGEST = 100  # characters of a title; what follows a colon is left out of a longer one
_KINDS = {
    "scenario": ("networks", (".toml",)), "platform": ("platforms", (".toml",)), "kernel": ("kernels", (".c",)),
    "roofline": ("rooflines", (".c", ".toml")), "opencl": ("opencl", (".cl", ".toml")),
    "hls": ("hls", (".cpp",)), "model": ("models", (".py",)),
}  # fmt: skip
_PACKAGE = Path(__file__).resolve().parent.parent


class Scenario(NamedTuple):
    """A shipped file: its name (a scenario's without suffix), how its first comment begins, and where it is."""

    name: str
    title: str
    path: Path


def shipped() -> dict[str, list[Scenario]]:
    """Return all that is shipped, by kind, in order of the names; only scenarios and platforms have no suffix there.

    Examples
    --------
    >>> [kernel.title for kernel in shipped()["kernel"] if kernel.name == "mvt.c"]
    ['x1 = x1 + A y1 and x2 = x2 + A^T y2, A: N x N']
    >>> [each[0].name for each in shipped().values()]
    ['dram_copy', 'image_filter', '2mm.c', 'nbody.c', 'kmeans.cl', 'add_vectors.cpp', 'overlap.py']
    """
    found = {}
    for kind, (folder, suffixes) in _KINDS.items():
        paths = sorted(path for path in (directory() / folder).iterdir() if path.suffix in suffixes)
        short = suffixes == (".toml",)
        found[kind] = [Scenario(path.stem if short else path.name, _title(path), path) for path in paths]
    return found


def directory() -> Path:
    """Return the folder of all that is shipped."""
    installed = _PACKAGE / "scenarios"
    return installed if installed.is_dir() else _PACKAGE.parent / "scenarios"


def _title(path: Path) -> str:
    """Return the first line of a TOML file, or of a docstring, the first sentence of a source's comment."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return text.partition("\n")[0].lstrip('"')
    if path.suffix == ".toml":
        return text.partition("\n")[0].lstrip("#").strip()
    comment = _COMMENT.match(text)
    words = re.sub(r"\s*\n \*\s*", " ", comment[1] if comment else "").strip()
    sentence = re.split(r"[.;](?:\s|$)", words, maxsplit=1)[0]
    return sentence if len(sentence) <= _LONGEST else sentence.partition(": ")[0]


def called(name: str, known: Mapping[str, Scenario]) -> str:
    """Return the name under which a scenario is listed, given that, its file's, or its file's without a suffix.

    Raises
    ------
    InputError
        If there is none, or more than one.
    """
    if name in known:
        return name
    alike = [each for each, entry in known.items() if name in (entry.path.name, entry.path.stem)]
    if len(alike) == 1:
        return alike[0]
    alike = alike or [each for each in known if Path(each).stem == Path(name).stem]
    near = f" (there is {', '.join(alike)})" if alike else did_you_mean(name, known)
    raise InputError(f"no shipped scenario is called '{name}'{near}")


def copy_scenarios(directory: str | Path, names: Iterable[str] | None = None, *, overwrite: bool = False) -> list[Path]:
    """Copy shipped scenarios (all of them, or what is named of any kind) into a directory; return the copies.

    The directory is made if it is not there.

    Raises
    ------
    InputError
        If a name is not that of a scenario, a copy would replace another file without ``overwrite``, or nothing can be
        written there. Before anything is copied, all names and files are looked at.
    """
    kinds = shipped()
    known = {each.name: each for entries in kinds.values() for each in entries}
    chosen = [each.name for each in kinds["scenario"]] if names is None else list(names)
    asked = names is not None and not known.keys().isdisjoint(chosen)
    if not asked and str(directory) in {*known, *(each.path.name for each in known.values())}:
        words = f"is a scenario; --copy takes a directory first: ppnsim scenarios --copy . {directory}"
        raise InputError(words, where=str(directory))
    chosen = [called(name, known) for name in chosen]
    copies = {name: Path(directory) / known[name].path.name for name in chosen}
    for name, copy in copies.items():
        if not overwrite and copy.exists() and not _same(copy, known[name].path):
            raise InputError("is already there (choose another directory, or --force)", where=str(copy))
    if Path(directory).is_file():
        raise InputError("is a file; --copy takes a directory first", where=str(directory))
    try:
        Path(directory).mkdir(parents=True, exist_ok=True)
        for name, copy in copies.items():
            shutil.copyfile(known[name].path, copy)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(directory)) from None
    return list(copies.values())


def _same(copy: Path, shipped: Path) -> bool:
    """Return whether a file is a copy that nobody has changed."""
    return copy.is_file() and copy.read_bytes() == shipped.read_bytes()
