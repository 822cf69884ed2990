"""Statements that ask the tool for a state of its own, ``ap_wait()``: no state is made of them, which is said."""

from __future__ import annotations

from ppnsim.loops.program import LoopProgram


def waits(program: LoopProgram) -> list[str]:
    """Return a sentence with the lines of a program that wait, if there are any."""
    called = {frame.called for frame in program.frames if frame.path[-1].startswith("ap_wait") and frame.called}
    listed = ", ".join(map(str, sorted(called)))
    return (
        [f"ap_wait in line {listed} takes no state here, and one or as many as it says in hardware"] if called else []
    )
