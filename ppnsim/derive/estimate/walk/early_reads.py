"""Source of the kernel that finds the arrays with an element that is read before it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ppnsim.derive.estimate.walk.nest import NestSource
from ppnsim.loops.program import LoopProgram, Statement


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
