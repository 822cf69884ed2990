"""The fewest and the most cycles of a kernel whose loops have trip counts that vary."""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.loops.program import LoopProgram


@dataclass(frozen=True, slots=True)
class Extremes:
    """Cycles with every loop at its fewest and at its most iterations, as synthesis reports count.

    None means unknown, and ``why`` says the reason ("" if both numbers are known). ``entered`` is the text about cycles
    that only reports count (R5.12).
    """

    best: int | None
    worst: int | None
    why: str = ""
    entered: str = ""

    def __str__(self) -> str:
        """Return both numbers in words.

        Examples
        --------
        >>> print(Extremes(12, 2060))
        12 to 2060 cycles as reports of synthesis count: each loop at its fewest and its most iterations in all visits
        >>> print(Extremes(12, None, "a loop has no known limit"))
        12 or more cycles as reports of synthesis count: a loop has no known limit
        >>> print(Extremes(None, 2060, "gemm.c:4:5: its schedule is too much work"))
        2060 or fewer cycles as reports of synthesis count: gemm.c:4:5: its schedule is too much work
        """
        if self.worst is None:
            counted = self.best and f" as reports of synthesis count{self._also}"
            return f"{self.best or 0} or more cycles{counted or ''}: {self.why}"
        if self.best is None:
            return f"{self.worst} or fewer cycles as reports of synthesis count{self._also}: {self.why}"
        words = "as reports of synthesis count: each loop at its fewest and its most iterations in all visits"
        return f"{self.best} to {self.worst} cycles {words}{self._also}"

    @property
    def _also(self) -> str:
        return f", and {self.entered}" if self.entered else ""


def uneven(program: LoopProgram) -> bool:
    """Return whether the bounds of a loop depend on the loops around it."""
    loops = all_loops(program.body)
    return any(not bound.is_constant for loop in loops for bound in (*loop.first, *loop.last))
