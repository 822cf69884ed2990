"""Finds the arrays with an element that is read before it is written, by a walk of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppnsim.derive.estimate.walk.nest import NestSource
from ppnsim.derive.estimate.walk.run import Walk
from ppnsim.errors import InputError
from ppnsim.loops.program import Array, LoopProgram, Statement


def early_reads(program: LoopProgram, arrays: Sequence[Array]) -> set[str]:
    """Return the names of the arrays with an element that is, or may be, read before it is written, in program order.

    In the kernel, ``state[k]`` becomes 1 for such an array k; ``s<k>`` marks the elements that have been written.
    """
    statements = program.statements()
    read = {access.array for each in statements for access in each.reads}
    written = {access.array for each in statements for access in each.writes}
    both = [each for each in arrays if each.name in read and each.name in written]
    found = {each.name for each in arrays if each.name in read and each.name not in written}
    if not both:
        return found
    numbers = {each.name: k for k, each in enumerate(both)}
    nest = NestSource({each.name: each for each in program.arrays}, lambda statement: _marks(statement, numbers, nest))
    source = nest.function(program.body, ["state", *(f"s{k}" for k in numbers.values())])
    state, marks = np.zeros(len(both), dtype=np.int64), [zeros(each, np.int8) for each in both]
    Walk(program=program, source=source, nest=nest, state=state, tables=marks).finish(None)
    return found | {each.name for each, early in zip(both, state.tolist(), strict=True) if early}


def _marks(statement: Statement, numbers: Mapping[str, int], nest: NestSource) -> list[str]:
    reads, writes = ([each for each in side if each.array in numbers] for side in (statement.reads, statement.writes))
    known = [access for access in dict.fromkeys((*reads, *writes)) if not access.random]
    places = {access: f"p{place}" for place, access in enumerate(known)}
    lines = nest.indices(statement, places)
    # A random read may be of any element.
    lines += [f"state[{numbers[access.array]}] = 1" for access in reads if access.random]
    for access in dict.fromkeys(reads):
        if access in places:
            k = numbers[access.array]
            lines += [f"if s{k}[{places[access]}] == 0:", f"    state[{k}] = 1"]
    written = [access for access in dict.fromkeys(writes) if access in places]
    return lines + [f"s{numbers[access.array]}[{places[access]}] = 1" for access in written]


def elements(array: Array) -> int:
    """Return the number of elements of an array."""
    return prod(array.shape)


def zeros(array: Array, dtype: type[np.int8 | np.int64], each: int = 1, more: int = 0) -> NDArray[Any]:
    """Return ``each`` zeros per element and ``more`` zeros; memory is allocated on first use."""
    try:
        return np.zeros(each * elements(array) + more, dtype=dtype)
    except (MemoryError, ValueError):
        problem = f"shadow times of {elements(array)} elements do not fit in memory"
        raise InputError(problem, where=f"array '{array.name}'") from None
