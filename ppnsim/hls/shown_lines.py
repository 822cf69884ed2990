"""Lines as the user knows them: what stands in a header of ours is where the user calls it."""

from __future__ import annotations

from pathlib import Path

from ppnsim.loops.program import LoopProgram, Position

_OWN = str(Path(__file__).parents[1] / "c" / "clang" / "headers")


def shown_line(position: Position, program: LoopProgram) -> int:
    """Return the line of a place, or that of the call of a function of ours that it is in, if there is one such call.

    Examples
    --------
    >>> shown_line(Position("k.cpp", 7, 1), LoopProgram(name="k", arrays=(), body=()))
    7
    """
    if not position.file.startswith(_OWN):
        return position.line
    calls = {
        frame.called for frame in program.frames
        if frame.position.file == position.file and frame.position.line <= position.line <= frame.end
    }  # fmt: skip
    return calls.pop() if len(calls) == 1 and 0 not in calls else position.line
