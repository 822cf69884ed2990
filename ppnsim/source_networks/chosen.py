"""Which function of a source is meant where nobody says it: the one with the dataflow region."""

from __future__ import annotations

from collections.abc import Sequence, Set

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Directives, all_loops, scope_of
from ppnsim.loops.program import LoopProgram


def has_region(program: LoopProgram, directives: Directives) -> bool:
    """Return whether a directive makes a function or a loop of a program a dataflow region."""
    functions = [directives.functions.get(scope_of(frame)) for frame in program.frames]
    asked = [*functions, *(directives.of(loop) for loop in all_loops(program.body))]
    return any(each is not None and each.dataflow for each in asked)


def taken(
    read: Sequence[tuple[LoopProgram, Directives]], top: Set[str] = frozenset()
) -> tuple[LoopProgram, Directives, tuple[str, ...]]:
    """Return the function that is meant: the only one, the one of ``#pragma HLS top``, or with a dataflow region.

    Raises
    ------
    InputError
        If it is none or several of them.
    """
    if len(read) == 1:
        return *read[0], ()
    tops = [each for each in read if each[0].name in top]
    found = tops or [each for each in read if has_region(*each)]
    if len(found) != 1:
        only([program for program, _ in read])
    why = "it is the one of '#pragma HLS top'" if tops else "no other one has a dataflow region"
    names = ", ".join(program.name for program, _ in read)
    words = f"function '{found[0][0].name}' is taken of those that no other calls ({names}): {why}"
    return *found[0], (f"{words}; --function takes another",)


def only(programs: Sequence[LoopProgram], top: Set[str] = frozenset()) -> LoopProgram:
    """Return the only function that no other calls, or the one of ``#pragma HLS top``.

    Raises
    ------
    InputError
        If there are several, with their names.
    """
    tops = [each for each in programs if each.name in top]
    if len(tops) == 1:
        return tops[0]
    if len(programs) > 1:
        names = ", ".join(program.name for program in programs)
        raise InputError(f"holds {len(programs)} kernels: choose one with --function ({names})")
    return programs[0]
