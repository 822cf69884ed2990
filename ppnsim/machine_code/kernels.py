"""Kernels as Python calls them: a function with machine code, made when it is first called with such arguments."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

from ppnsim.machine_code.cache import kept
from ppnsim.machine_code.llvm import loaded, machine, object_code
from ppnsim.machine_code.program import KernelCode, code_of, codes_of, program_of
from ppnsim.machine_code.types import PLACE, TRUTH, TupleType, Type, registers_of, type_of, words_of


@cache
def machine_code(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel as machine code, together with all kernels that it calls.

    Examples
    --------
    >>> import numpy as np
    >>> from ppnsim.engines.compiled.round_walk import _move
    >>> values, moves = np.arange(5), np.array([[0, 3, 2]])
    >>> machine_code(_move)(values, moves)
    >>> values.tolist()
    [3, 4, 2, 3, 4]
    """
    assert isinstance(function, FunctionType)
    return _MachineCode(code_of(function))


@cache
def machine_code_of(text: str, function: str) -> Callable[..., Any]:
    """Return a function of a generated text as machine code."""
    return _MachineCode(codes_of(text)[function])


class _MachineCode:
    """A kernel with its machine code by the types of arguments."""

    def __init__(self, code: KernelCode) -> None:
        self._code = code
        self._made: dict[tuple[Type, ...], tuple[Callable[[Any], None], Type]] = {}

    def __call__(self, *arguments: Any) -> Any:
        types = tuple(map(type_of, arguments))
        if types not in self._made:
            text, returns = program_of(self._code, types)
            self._made[types] = loaded(kept(f"{machine()}\n{text}", lambda: object_code(text))), returns
        entry, returns = self._made[types]
        words = [*words_of(arguments)]
        row = (ctypes.c_int64 * max(len(words), len(registers_of(returns))))(*words)
        entry(row)
        return _taken(returns, iter(row))


def _taken(kind: Type, words: Any) -> Any:
    """Return a value of a type from the words of its registers."""
    if isinstance(kind, TupleType):
        return tuple(_taken(part, words) for part in kind.parts) or None
    word = next(words)
    return bool(word) if kind == TRUTH else word % 2**64 if kind == PLACE else word
