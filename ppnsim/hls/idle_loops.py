"""Loops that run no iteration, whatever the data are: the compiler removes them (R5.10)."""

from __future__ import annotations

from ppnsim.hls.loop_names import called, labels_of
from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.hls.structure.counting import steady_trips
from ppnsim.loops.program import Loop, LoopProgram, Node


def without_idle_loops(program: LoopProgram) -> LoopProgram:
    """Return a program without the loops that never run; one that would become empty is returned unchanged.

    A loop whose iterator is read behind it stays, and so does one whose iterations are assumed.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Execution, Loop, Statement
    >>> body = (Execution(Statement(name="s")),)
    >>> loops = [Loop(iterator="i", first=(Affine.of(5),), last=(Affine.of(end),), body=body) for end in (4, 5)]
    >>> len(without_idle_loops(LoopProgram(name="k", arrays=(), body=tuple(loops))).body)
    1
    """

    def gone(node: Node) -> tuple[Node, ...] | None:
        return () if _is_idle(node) else None

    if not any(map(_is_idle, all_loops(program.body))):
        return program
    left = program.rewritten(gone)
    return left if left.body else program


def said_of_idle(before: LoopProgram, after: LoopProgram) -> tuple[str, ...]:
    """Return a sentence for each loop of a program that `without_idle_loops` has removed."""
    if before is after:
        return ()
    idle, labels = filter(_is_idle, all_loops(before.body)), labels_of(before)
    return tuple(dict.fromkeys(f"{called(each, labels)} never runs: it is removed, as synthesis does" for each in idle))


def _is_idle(node: Node) -> bool:
    return isinstance(node, Loop) and not node.leaves and steady_trips(node) == 0
