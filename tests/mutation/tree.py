"""A copy of the project, in which one file at a time is wrong; the project itself is never touched."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.coverage import machine_code
from tests.mutation.mutants import Mutant

ROOT = Path(__file__).parents[2]
_COPIED = (
    "ppnsim",
    "tests",
    "scenarios",
    "validation",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "pyproject.toml",
    ".ci",
)


@contextmanager
def copied() -> Iterator[Path]:
    """Give a copy of the project, with caches of its own beside it, that is gone afterwards."""
    with TemporaryDirectory(prefix="mutation-") as folder:
        tree = Path(folder) / "tree"
        tree.mkdir()
        for name in _COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif (ROOT / name).exists():
                shutil.copy2(ROOT / name, tree / name)
        yield tree


@contextmanager
def applied(mutant: Mutant, tree: Path) -> Iterator[dict[str, str]]:
    """Make a file of a copy wrong, and right again; give the environment in which its tests are run.

    Byte code and machine code of the file are put aside meanwhile: they are kept by time and size of the source, which
    a mutant may share with another one. A file whose functions machine code elsewhere may hold gets empty caches.
    """
    file = tree / mutant.file
    text, times = file.read_text(encoding="utf-8"), (file.stat().st_atime_ns, file.stat().st_mtime_ns)
    caches, aside = file.parent / "__pycache__", tree.parent / "aside"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    for each in caches.glob(f"{file.stem}.*"):
        each.rename(aside / each.name)
    file.write_text(mutant.text(text), encoding="utf-8")
    try:
        yield environment(tree, "kernels-of-mutant" if is_machine_code(mutant.file) else "kernels")
    finally:
        file.write_text(text, encoding="utf-8")
        os.utime(file, ns=times)
        for each in caches.glob(f"{file.stem}.*"):
            each.unlink()
        for each in aside.iterdir():
            each.rename(caches / each.name)
        shutil.rmtree(tree.parent / "kernels-of-mutant", ignore_errors=True)


def environment(tree: Path, kernels: str = "kernels") -> dict[str, str]:
    """Return what processes of a copy find in their environment; ``kernels`` is the folder of their machine code."""
    return {"PYTHONPATH": str(tree), "PPNSIM_TEST_CACHE": str(tree.parent / kernels), "PYTHONHASHSEED": "0"}


def is_machine_code(file: str) -> bool:
    """Return whether functions of a file are compiled."""
    return file in machine_code()
