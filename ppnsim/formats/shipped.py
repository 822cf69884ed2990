"""The scenarios and kernels that come with ppnsim: in a checkout beside the package, in a wheel inside it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ppnsim.errors import InputError, did_you_mean

_COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_LONGEST = 100  # characters of a title; what follows a colon is left out of a longer one
_PACKAGE = Path(__file__).resolve().parent.parent


class Scenario(NamedTuple):
    """A shipped file: its name (a scenario's without suffix), how its first comment begins, and where it is."""

    name: str
    title: str
    path: Path


def shipped_scenarios() -> list[Scenario]:
    """Return the shipped scenarios in order of their names.

    Examples
    --------
    >>> "predictor" in [scenario.name for scenario in shipped_scenarios()]
    True
    """
    return [Scenario(path.stem, _title(path), path) for path in sorted((_directory() / "networks").glob("*.toml"))]


def shipped_kernels() -> list[Scenario]:
    """Return the shipped C kernels in order of their names.

    Examples
    --------
    >>> [kernel.title for kernel in shipped_kernels() if kernel.name == "mvt.c"]
    ['x1 = x1 + A y1 and x2 = x2 + A^T y2, A: N x N']
    """
    return [Scenario(path.name, _sentence(path), path) for path in sorted((_directory() / "kernels").glob("*.c"))]


def shipped_platforms() -> list[Scenario]:
    """Return the shipped platforms with applications, in order of their names.

    Examples
    --------
    >>> "image_filter" in [platform.name for platform in shipped_platforms()]
    True
    """
    return [Scenario(path.stem, _title(path), path) for path in sorted((_directory() / "platforms").glob("*.toml"))]


def shipped_rooflines() -> list[Scenario]:
    """Return the shipped accelerators and their C sources, in order of their names, which keep the suffix.

    Examples
    --------
    >>> [each.name for each in shipped_rooflines()]
    ['nbody.c', 'nbody.toml', 'smith_waterman.toml', 'spmv.toml']
    """
    folder = _directory() / "rooflines"
    found = [Scenario(path.name, _sentence(path), path) for path in sorted(folder.glob("*.c"))]
    found += [Scenario(path.name, _title(path), path) for path in sorted(folder.glob("*.toml"))]
    return sorted(found)


def shipped_opencl() -> list[Scenario]:
    """Return the shipped OpenCL kernels, sources and hierarchies, in order of their names, which keep the suffix.

    Examples
    --------
    >>> [each.name for each in shipped_opencl()][:4]
    ['kmeans.cl', 'kmeans.toml', 'mm.cl', 'mm.toml']
    """
    folder = _directory() / "opencl"
    found = [Scenario(path.name, _sentence(path), path) for path in folder.glob("*.cl")]
    found += [Scenario(path.name, _title(path), path) for path in folder.glob("*.toml")]
    return sorted(found)


def shipped() -> dict[str, list[Scenario]]:
    """Return all that is shipped, by kind."""
    return {
        "scenario": shipped_scenarios(), "platform": shipped_platforms(), "kernel": shipped_kernels(),
        "roofline": shipped_rooflines(), "opencl": shipped_opencl(),
    }  # fmt: skip


def _directory() -> Path:
    installed = _PACKAGE / "scenarios"
    return installed if installed.is_dir() else _PACKAGE.parent / "scenarios"


def _sentence(path: Path) -> str:
    """Return the first sentence of a C file's first comment."""
    comment = _COMMENT.match(path.read_text(encoding="utf-8"))
    words = re.sub(r"\s*\n \*\s*", " ", comment[1] if comment else "").strip()
    sentence = re.split(r"[.;](?:\s|$)", words, maxsplit=1)[0]
    return sentence if len(sentence) <= _LONGEST else sentence.partition(": ")[0]


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline().lstrip("#").strip()


def copy_scenarios(directory: str | Path, names: Iterable[str] | None = None, *, overwrite: bool = False) -> list[Path]:
    """Copy shipped scenarios (all of them, or what is named of any kind) into a directory; return the copies.

    The directory is made if it is not there.

    Raises
    ------
    InputError
        If a name is not that of a scenario, a copy would replace a file without ``overwrite``, or nothing can be
        written there. Before anything is copied, all names and files are looked at.
    """
    kinds = shipped()
    known = {each.name: each for entries in kinds.values() for each in entries}
    chosen = [each.name for each in kinds["scenario"]] if names is None else list(names)
    for name in chosen:
        if name not in known:
            raise InputError(f"no shipped scenario is called '{name}'{did_you_mean(name, known)}")
    copies = {name: Path(directory) / known[name].path.name for name in chosen}
    for copy in copies.values():
        if copy.exists() and not overwrite:
            raise InputError("is already there (choose another directory, or --force)", where=str(copy))
    try:
        Path(directory).mkdir(parents=True, exist_ok=True)
        for name, copy in copies.items():
            shutil.copyfile(known[name].path, copy)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(directory)) from None
    return list(copies.values())
