"""The ways to read C: strictly, for process networks, and as high-level synthesis reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ppnsim.c.pragmas.trips import Count
from ppnsim.loops.program import LoopProgram, Node

BranchCycles = Callable[[LoopProgram, Count], Callable[[Sequence[Node]], int]]
"""For a program, what counts the cycles of some nodes of it by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoweringPolicy:
    """What a reading of C accepts beyond static affine programs.

    Attributes
    ----------
    opens_calls : the body of a function replaces each of its calls, also inside expressions; ``memcpy`` is a loop.
        Else only kernels are opened, and other calls are statements.
    data_conditions : a condition may be data. Then a statement computes it before the ``if``, and a loop with a given
        trip count keeps what its bounds read.
    data_subscripts : a subscript may be data, or one of several numbers; the access is to any element then.
    computed_choices : an integer that is a minimum, a maximum or a choice is computed where it is used.
    pointer_offsets : ``a + i`` is a place.
    own_memories : memory behind a pointer without a size has as many elements as there are addresses, and a constant
        table keeps its numbers.
    vendor_types : tokens of streams and single bits of numbers can be read and written.
    polls : an access to a stream that does not wait gets its token, and whether a stream is empty is data.
    fills_lists : a list that is shorter than its array of ``ap_`` numbers gives the others 0, as for other numbers.
    vendor_pragmas : ``#pragma HLS loop_tripcount`` gives trip counts; macros count as names of numbers.
    count : which number of iterations counts of a loop that data ends, and which branch with loops in it of an ``if``
        that data decides: ``usual``, ``least`` or ``most``.
    cycles : those of a branch, by which it is chosen; None: it is chosen by its iterations.
    """

    opens_calls: bool = False
    data_conditions: bool = False
    data_subscripts: bool = False
    computed_choices: bool = False
    pointer_offsets: bool = False
    own_memories: bool = False
    vendor_types: bool = False
    vendor_pragmas: bool = False
    polls: bool = False
    fills_lists: bool = False
    count: Count = "usual"
    cycles: BranchCycles | None = None


STRICT = LoweringPolicy()
TIMED = LoweringPolicy(
    opens_calls=True, data_conditions=True, data_subscripts=True, computed_choices=True, pointer_offsets=True,
    own_memories=True, vendor_types=True, vendor_pragmas=True, polls=True,
)  # fmt: skip
"""For the timing of hardware alone, where it makes no difference which tokens come."""
HARDWARE = replace(TIMED, polls=False)
