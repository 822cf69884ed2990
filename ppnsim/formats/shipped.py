"""The scenarios that come with ppnsim: in a checkout beside the package, in an installed wheel inside it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ppnsim.errors import InputError, did_you_mean

_PACKAGE = Path(__file__).resolve().parent.parent


class Scenario(NamedTuple):
    """A shipped scenario: the name of its file without suffix, its first comment line, and where it is."""

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
    installed = _PACKAGE / "scenarios"
    directory = installed if installed.is_dir() else _PACKAGE.parent / "scenarios"
    return [Scenario(path.stem, _title(path), path) for path in sorted(directory.glob("*.toml"))]


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline().lstrip("#").strip()


def copy_scenarios(directory: str | Path, names: Iterable[str] | None = None, *, overwrite: bool = False) -> list[Path]:
    """Copy shipped scenarios (all, or those named) into a directory, made if it is not there; return the copies.

    Raises
    ------
    InputError
        If a name is not that of a scenario, a copy would replace a file without ``overwrite``, or nothing can be
        written there. Before anything is copied, all names and files are looked at.
    """
    known = {scenario.name: scenario for scenario in shipped_scenarios()}
    chosen = list(known) if names is None else list(names)
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
