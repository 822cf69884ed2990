"""How the kernels are compiled, and when their machine code in the cache is still good."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., Any])

# numba asks whether a function's own file has changed, not those of the functions and constants that it uses.
_SOURCES = (
    "dram", "dram_commands", "dram_state",
    "edges", "elastic", "flushable", "frozen", "jit", "kernel", "periods", "tape",
)  # fmt: skip
_TEXTS = [Path(__file__).with_name(f"{name}.py").read_bytes() for name in _SOURCES]
_STATE = sha256(b"".join(_TEXTS)).hexdigest()[:12]

_OPTIONS: dict[str, Any] = {"cache": True, "_nrt": False, "error_model": "numpy"}


def kernel(function: _Function) -> _Function:
    """Compile a function on arrays that it does not keep; its machine code is cached under its name.

    Without numba's runtime there is no counting of references to arrays, which costs more than most of the calls do.
    """
    function.__qualname__ += f"_{_STATE}"
    compiled: _Function = njit(**_OPTIONS)(function)
    return compiled
