"""How the kernels are compiled, and when their machine code in the cache is still good."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"cache": True, "_nrt": False, "error_model": "numpy"}


def kernels(*files: Path) -> Callable[[_Function], _Function]:
    """Return a decorator that compiles functions on arrays that they do not keep, and caches their machine code.

    ``files`` are the sources of the kernels: numba asks whether a function's own file has changed, not those of the
    functions and constants that it uses. Without numba's runtime there is no counting of references to arrays, which
    costs more than most of the calls do.
    """
    state = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]

    def kernel(function: _Function) -> _Function:
        function.__qualname__ += f"_{state}"
        compiled: _Function = njit(**_OPTIONS)(function)
        return compiled

    return kernel


kernel = kernels(
    *(Path(__file__).with_name(f"{name}.py") for name in ("edges", "elastic", "flushable", "frozen", "jit", "kernel",
                                                          "periods", "tape"))
)
