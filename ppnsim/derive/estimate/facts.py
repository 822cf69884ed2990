"""Facts about a loop program that its walk needs: arrays that are read before they are written, and sizes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppnsim.derive.estimate.walk.early_reads import EarlyReads
from ppnsim.derive.estimate.walk.run import Walk
from ppnsim.errors import InputError
from ppnsim.loops.program import Array, LoopProgram


def early_reads(program: LoopProgram, arrays: Sequence[Array]) -> set[str]:
    """Return the names of the arrays with an element that is read before it is written, in program order."""
    statements = program.statements()
    read = {access.array for each in statements for access in each.reads}
    written = {access.array for each in statements for access in each.writes}
    both = [each for each in arrays if each.name in read and each.name in written]
    found = {each.name for each in arrays if each.name in read and each.name not in written}
    if not both:
        return found
    kernel = EarlyReads(program, [each.name for each in both])
    source, state = kernel.source(), np.zeros(len(both), dtype=np.int64)
    marks = [zeros(each, np.int8) for each in both]
    Walk(program=program, source=source, nest=kernel.nest, state=state, tables=marks).finish(None)
    return found | {each.name for each, early in zip(both, state.tolist(), strict=True) if early}


def elements(array: Array) -> int:
    """Return the number of elements of an array."""
    return prod(array.shape)


def zeros(array: Array, dtype: type[np.int8 | np.int64], each: int = 1, more: int = 0) -> NDArray[Any]:
    """Return ``each`` zeros per element and ``more`` zeros; memory is allocated on first use."""
    try:
        return np.zeros(each * elements(array) + more, dtype=dtype)
    except (MemoryError, ValueError):
        size = elements(array)
        raise InputError(
            f"shadow times of {size} elements do not fit in memory", where=f"array '{array.name}'"
        ) from None
