"""Finds the arrays with an element that is read before it is written, by a walk of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppnsim.derive.estimate.walk.nest import NestSource
from ppnsim.derive.estimate.walk.run import Walk
from ppnsim.errors import InputError
from ppnsim.loops.program import Array, LoopProgram, Statement


@dataclass
class EarlyReads:
    """Source of the walk that finds the arrays with an element that is, or may be, read before it is written.

    ``state[k]`` becomes 1 for such an array k; ``s<k>`` marks the elements that have been written.
    """

    program: LoopProgram
    candidates: Sequence[str]
    nest: NestSource = field(init=False)

    def __post_init__(self) -> None:
        arrays = {array.name: array for array in self.program.arrays}
        self.nest = NestSource(arrays, self._statement)

    def source(self) -> str:
        """Return the source of ``walk``."""
        marks = [f"s{number}" for number in range(len(self.candidates))]
        return self.nest.function(self.program.body, ["state", *marks])

    def _statement(self, statement: Statement) -> list[str]:
        accesses = [each for each in (*statement.reads, *statement.writes) if each.array in self.candidates]
        known = [access for access in dict.fromkeys(accesses) if not access.random]
        places = {access: f"p{place}" for place, access in enumerate(known)}
        lines = self.nest.indices(statement, places)
        for access in accesses[: sum(each.array in self.candidates for each in statement.reads)]:
            if access.random:  # it may be of any element
                lines += [f"state[{self.candidates.index(access.array)}] = 1"]
        for access in dict.fromkeys(statement.reads):
            if access in places:
                k = self.candidates.index(access.array)
                lines += [f"if s{k}[{places[access]}] == 0:", f"    state[{k}] = 1"]
        for access in dict.fromkeys(statement.writes):
            if access in places:
                lines += [f"s{self.candidates.index(access.array)}[{places[access]}] = 1"]
        return lines


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
