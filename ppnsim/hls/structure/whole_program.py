"""Facts about all arrays and calls of a program, which the tasks of a dataflow region share."""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.hls.library.types import Format
from ppnsim.hls.structure.last_only import all_counted
from ppnsim.loops.program import LoopProgram


@dataclass(frozen=True, slots=True)
class WholeProgram:
    """Facts that do not depend on a program's code, nor on directives.

    Attributes
    ----------
    real : arrays of floating-point numbers.
    memories : local arrays in memories.
    streams : FIFOs.
    tokens : FIFOs, and arrays that are volatile.
    counted : arrays of which every access is visible in hardware; None if no loop may be removed (R1.10).
    """

    real: frozenset[str]
    memories: frozenset[str]
    streams: frozenset[str]
    tokens: frozenset[str]
    counted: frozenset[str] | None

    @classmethod
    def of(cls, program: LoopProgram) -> WholeProgram:
        """Return the facts about a program.

        Raises
        ------
        InputError
            If the type of an array's elements has no format in hardware.
        """
        arrays = program.arrays
        formats = {array.name: Format.held(array, f"'{array.name}' of {program.name}") for array in arrays}
        return cls(
            real=frozenset(name for name, each in formats.items() if each.real),
            memories=frozenset(each.name for each in arrays if each.role == "local" and each.shape and not each.stream),
            streams=frozenset(each.name for each in arrays if each.stream),
            tokens=frozenset(each.name for each in arrays if each.stream or each.volatile),
            counted=all_counted(program),
        )
