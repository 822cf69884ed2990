"""How the kernels are made machine code, and when that in the cache is still good."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from ppnsim.kernel_cache import interpreter

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"cache": True, "_nrt": False, "error_model": "numpy"}
# Of what kernels alone call: a third less to compile.
_INNER: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def unsigned(value: int) -> int:
    """Return a number as a place in an array: machine code then needs no look whether it is negative."""
    return value


def state_of(folder: Path, names: Iterable[str]) -> str:
    """Return a word for the text of source files: another one as soon as any of them changes."""
    return sha256(b"".join((folder / f"{name}.py").read_bytes() for name in names)).hexdigest()[:12]


def kernels(state: str) -> Callable[[_Function], _Function]:
    """Return a decorator for functions on arrays that they do not keep, of which `machine_code` can be made.

    ``state`` is that of the kernels' sources and becomes part of the names under which machine code is kept: numba asks
    whether a function's own file has changed, not those of the functions and constants that it uses.
    """

    def kernel(function: _Function) -> _Function:
        function.__qualname__ += f"_{state}"
        vars(function)["py_func"] = function
        return function

    return kernel


def machine_code(kernel: Callable[..., Any], without: frozenset[Callable[..., Any]] = frozenset()) -> Any:
    """Return a kernel as machine code that Python can call, together with all kernels that it calls.

    Those ``without`` which the work at hand can do are left out: this is what makes compiling faster. Without numba's
    runtime there is no counting of references to arrays, which costs more than most of the calls do.
    """
    return _made(kernel, without, inner=False)


@cache
def _made(kernel: Callable[..., Any], without: frozenset[Callable[..., Any]], *, inner: bool) -> Any:
    import numpy as np
    from numba import njit

    assert isinstance(kernel, FunctionType)
    known = kernel.__globals__ | {"unsigned": np.uint64}
    for name, used in _called(kernel).items():
        known[name] = njit(_nothing) if used in without else _made(used, without & _reached(used), inner=True)
    own = FunctionType(kernel.__code__, known, kernel.__name__)
    own.__module__ = kernel.__module__
    own.__qualname__ = "_without_".join([kernel.__qualname__, *sorted(each.__name__ for each in without)])
    own.__qualname__ += "_inner" if inner else ""  # kept apart from the one that Python can call
    options = _OPTIONS | (_INNER if inner else {})
    return njit(**options)(own)


def _called(kernel: FunctionType) -> dict[str, Any]:
    """Return the kernels that a kernel calls itself, by name."""
    known = ((name, kernel.__globals__.get(name)) for name in kernel.__code__.co_names)
    return {name: used for name, used in known if hasattr(used, "py_func")}


def _reached(kernel: FunctionType) -> frozenset[Callable[..., Any]]:
    """Return all kernels that a kernel comes to call."""
    own = _called(kernel).values()
    return frozenset(own).union(*map(_reached, own))


def _nothing(*_: Any) -> int:
    return 0


def is_in_cache(file: str, kernel: str = "*") -> bool:
    """Return whether numba has machine code of a kernel (of any in the file), of the present sources, in its cache."""
    here = Path(__file__).parent
    places = [Path(given)] if (given := os.environ.get("NUMBA_CACHE_DIR")) else [here / "__pycache__"]
    return any(True for place in places for _ in place.glob(f"**/{file}.{kernel}_{STATE}*.nbi"))


SOURCES = (
    "edges", "elastic", "flushable", "frozen", "jit", "kernel", "periods", "round_table", "round_walk",
    "scheduled_walk", "tape",
)  # fmt: skip
STATE = state_of(Path(__file__).parent, SOURCES)
kernel = kernels(STATE)
interpreter.is_compiled = lambda: is_in_cache("kernel")
