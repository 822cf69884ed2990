"""Defines the policies for reading C: strictly, for process networks, and as high-level synthesis reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ppnsim.c.pragmas.trips import Count
from ppnsim.loops.program import LoopProgram, Node

BranchCycles = Callable[[LoopProgram, Count], Callable[[Sequence[Node]], int]]
"""A function that returns, for a program, a function that counts the cycles of some of its nodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoweringPolicy:
    """The forms of C that a reading accepts in addition to static affine programs.

    Attributes
    ----------
    opens_calls : the body of a function replaces each of its calls, also inside expressions; ``memcpy`` becomes a
        loop. Otherwise only kernels are inlined, and other calls are statements.
    data_conditions : a condition may be data. Then a statement computes it before the ``if``, and a loop with a given
        trip count keeps the reads of its bounds.
    data_subscripts : a subscript may be data, or one of several numbers; then the access is to any element.
    computed_choices : an integer that is a minimum, a maximum or a choice is computed where it is used.
    pointer_offsets : ``a + i`` is a place.
    own_memories : memory behind a pointer without a size has as many elements as there are addresses, variables
        outside of functions belong to the kernel, and a constant table keeps its numbers.
    vendor_types : tokens of streams and single bits of numbers can be read and written.
    polls : a non-blocking access to a stream gets its token, and the test whether a stream is empty is data.
    fills_lists : a list that is shorter than its array of ``ap_`` numbers sets the rest to 0, as for other numbers.
    vendor_pragmas : ``#pragma HLS loop_tripcount`` gives trip counts, and macros count as names of numbers.
    count : which number of iterations counts for a loop that data ends, and which branch with loops for an ``if``
        with a data condition: ``usual``, ``least`` or ``most``.
    cycles : counts the cycles of branches, which then decide; None: the iterations decide.
    on_buses : arguments that directives outside of the source put on buses: function, "" for the kernel, and name.
    copied : the positions of loops of which the hardware has only copies, so that an ``if`` around them skips nothing.
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
    on_buses: frozenset[tuple[str, str]] = frozenset()
    copied: frozenset[str] = frozenset()


STRICT = LoweringPolicy()
TIMED = LoweringPolicy(
    opens_calls=True, data_conditions=True, data_subscripts=True, computed_choices=True, pointer_offsets=True,
    own_memories=True, vendor_types=True, vendor_pragmas=True, polls=True,
)  # fmt: skip
"""For the timing of hardware alone, if the values of tokens make no difference."""
HARDWARE = replace(TIMED, polls=False)
