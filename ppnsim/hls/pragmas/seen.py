"""Directives with the program that they are for: where they stand in it, and what is around."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from ppnsim.hls.pragmas.directives import all_loops, scope_of
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, Pragma
from ppnsim.hls.structure.unrolling import is_from
from ppnsim.loops.program import LoopProgram


@dataclass(frozen=True, slots=True)
class Seen:
    """A directive with the program that it is for, and all directives on that."""

    found: Pragma
    program: LoopProgram
    asked: DirectivesSoFar


def is_top(found: Pragma, program: LoopProgram) -> bool:
    """Return whether a directive stands in the kernel itself."""
    return not program.frames or found.function == scope_of(program.frames[0])


def has_loops(found: Pragma, program: LoopProgram) -> bool:
    """Return whether there is a loop in the function that a directive stands in."""
    return any(is_from(loop, frame, program.frames) for frame in found.frames for loop in all_loops(program.body))


def in_region(paths: Set[tuple[str, ...]], program: LoopProgram, asked: DirectivesSoFar) -> bool:
    """Return whether functions of these paths are called by a dataflow region."""
    around = {path[:-1] for path in paths}
    callers = [asked.functions.get(scope_of(frame)) for frame in program.frames if frame.path in around]
    return any(each is not None and each.dataflow for each in (*callers, *asked.loops.values()))
