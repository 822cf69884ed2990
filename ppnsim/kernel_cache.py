"""Kernels: run as Python while there is little to do, as machine code once there is more.

Compiling takes some tenths of a second, and what compiles is loaded before; a small network has its answer sooner
without either. Both run the same functions.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ppnsim.machine_code import kernels
from ppnsim.machine_code.cache import keeps_any

_PER_ELEMENT = 3e-7  # seconds, of a kernel that is run as Python


class Interpreter:
    """Runs kernels as Python, for some processor time in all; then machine code takes over for good.

    That is about as long as compiling takes (``BUDGET``), or loading where there is machine code (``BUDGET_KEPT``).
    ``left`` are the seconds that are left.
    """

    BUDGET, BUDGET_KEPT = 0.25, 0.05

    def __init__(self) -> None:
        self.left = self.BUDGET_KEPT if keeps_any() else self.BUDGET

    def takes(self, seconds: float) -> bool:
        """Return whether work that will take so long as Python is to be run as Python."""
        if seconds <= self.left:
            return True
        self.left = 0.0
        return False

    def run(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """Run a kernel as Python; elements of arrays are numbers of Python then, which is many times faster."""
        return self.timed(kernel, *map(_view, arguments))

    def timed(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Do work that takes the place of machine code, in the time that is left for that."""
        began = time.process_time()
        try:
            return work(*arguments)
        finally:
            self.left -= time.process_time() - began


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
    if interpreter.takes(seconds):
        result: int = interpreter.run(kernel, *arguments)
    else:
        result = kernels.machine_code(kernel)(*arguments)
    return result
