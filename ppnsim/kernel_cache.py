"""Kernels: run as Python while there is little to do, as machine code once there is more.

Compiling takes seconds, loading what has been compiled before some tenths of one; a small network has its answer sooner
without either. Both run the same functions.

numba keeps machine code only for functions that it can find in a file. A generated kernel therefore lives in
``<user cache>/ppnsim/kernels/<hash of its source>/kernel.py``, with numba's own cache beside it.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

_KEPT = 256  # kernels, about 200 kB each
_PER_ELEMENT = 3e-7  # seconds, of a kernel that is run as Python
COMPILES = "compiling the engine for work of this size: some seconds, once"


def load_kernel(source: str, function: str) -> Callable[..., int]:
    """Return a function of a source, which is written to the cache and imported from there."""
    loaded: Callable[..., int] = getattr(_module(source), function)
    return loaded


def is_compiled(source: str) -> bool:
    """Return whether the cache has machine code of a source, so that loading it takes no compiling."""
    return any((cache_home() / "kernels" / _name(source) / "__pycache__").glob("*.nbc"))


class Interpreter:
    """Runs kernels as Python, for some seconds of processor time in all; then machine code takes over for good.

    That is about as long as loading the machine code would take, and longer if it is yet to be compiled. ``left`` are
    the seconds that are left, None before the first work; ``is_compiled`` says whether there is machine code, ``tell``
    tells somebody that it is being made, which takes seconds.
    """

    LOADING, COMPILING = 0.4, 2.0

    def __init__(self) -> None:
        self.left: float | None = None
        self.is_compiled: Callable[[], bool] = lambda: False
        self.tell: Callable[[str], None] = lambda _: None

    def takes(self, seconds: float) -> bool:
        """Return whether work that will take so long as Python is to be run as Python."""
        if self.left is None:
            self.left = self.LOADING if self.is_compiled() else self.COMPILING
        if seconds <= self.left:
            return True
        if self.left and not self.is_compiled():
            self.tell(COMPILES)
        self.left = 0.0
        return False

    def run(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """Run a kernel as Python; elements of arrays are numbers of Python then, which is many times faster."""
        began = time.process_time()
        try:
            return kernel(*map(_view, arguments))
        finally:
            self.left = (self.left or 0.0) - (time.process_time() - began)


def _view(argument: Any) -> Any:
    """Return an array, or each of a named tuple, as a memory view."""
    if isinstance(argument, tuple):
        return type(argument)(*map(_view, argument))
    return memoryview(argument) if hasattr(argument, "__array_interface__") else argument


interpreter = Interpreter()


def run_kernel(kernel: Callable[..., int], *arguments: Any) -> int:
    """Run a kernel that takes less than a microsecond for each element of its arrays."""
    seconds = _PER_ELEMENT * sum(each.size for each in arguments if isinstance(each, np.ndarray))
    return run_for(seconds, kernel, *arguments)


def run_for(seconds: float, kernel: Callable[..., int], *arguments: Any) -> int:
    """Run a kernel that takes about so many seconds as Python."""
    run = interpreter.run if interpreter.takes(seconds) else _run_compiled
    result: int = run(kernel, *arguments)
    return result


def _run_compiled(kernel: Callable[..., int], *arguments: Any) -> int:
    return _compiled(kernel)(*arguments)


@cache
def _compiled(kernel: Callable[..., int]) -> Callable[..., int]:
    from numba import njit

    made: Callable[..., int] = njit(cache=True)(kernel)
    return made


def cache_home() -> Path:
    """Return the user's cache directory for ppnsim; it need not exist."""
    if given := os.environ.get("XDG_CACHE_HOME"):
        return Path(given) / "ppnsim"
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local) / "ppnsim"
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "ppnsim"


@cache
def _module(source: str) -> object:
    name = _name(source)
    try:
        path = _written(cache_home() / "kernels" / name / "kernel.py", source)
    except (OSError, RuntimeError):  # nowhere to write, or no home at all
        path = _written(_temporary() / name / "kernel.py", source)
    spec = spec_from_file_location(f"ppnsim_kernel_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)  # numba looks it up by name
    spec.loader.exec_module(module)
    return module


def _name(source: str) -> str:
    return sha256(source.encode()).hexdigest()[:24]


def _written(path: Path, source: str) -> Path:
    """Write a source, unless it is there: numba takes a newer file for another one and compiles again."""
    (path.parent / "__pycache__").mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent / "__pycache__", delete=False, encoding="utf-8") as file:
        file.write(source)
    if path.is_file() and path.read_bytes() == source.encode():
        Path(file.name).unlink()
        return path
    Path(file.name).replace(path)
    older = sorted(path.parent.parent.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)[_KEPT:]
    for each in older:
        shutil.rmtree(each, ignore_errors=True)
    return path


@cache
def _temporary() -> Path:
    made = Path(tempfile.mkdtemp(prefix="ppnsim-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made
