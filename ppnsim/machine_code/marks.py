"""What kernels are written with, besides Python: marks that change nothing where they are run as Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])


def kernel(function: _Function) -> _Function:
    """Mark a function that machine code is made of: on whole numbers, and arrays of them that it does not keep."""
    return function


def unsigned(value: int) -> int:
    """Return a number as a place in an array: machine code then needs no look whether it is negative."""
    return value
