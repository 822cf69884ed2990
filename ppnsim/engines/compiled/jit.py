"""How the kernels are compiled, and when their machine code in the cache is still good."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"cache": True, "_nrt": False, "error_model": "numpy"}


def state_of(folder: Path, names: Iterable[str]) -> str:
    """Return a word for the text of source files: another one as soon as any of them changes."""
    return sha256(b"".join((folder / f"{name}.py").read_bytes() for name in names)).hexdigest()[:12]


def kernels(state: str) -> Callable[[_Function], _Function]:
    """Return a decorator that compiles functions on arrays that they do not keep, and caches their machine code.

    ``state`` is that of the kernels' sources and becomes part of the names under which machine code is kept: numba asks
    whether a function's own file has changed, not those of the functions and constants that it uses. Without numba's
    runtime there is no counting of references to arrays, which costs more than most of the calls do.
    """

    def kernel(function: _Function) -> _Function:
        function.__qualname__ += f"_{state}"
        compiled: _Function = njit(**_OPTIONS)(function)
        return compiled

    return kernel


SOURCES = ("edges", "elastic", "flushable", "frozen", "jit", "kernel", "periods", "tape")
STATE = state_of(Path(__file__).parent, SOURCES)
kernel = kernels(STATE)
