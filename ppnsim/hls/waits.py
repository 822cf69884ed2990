"""Calls of ``ap_wait()``, which ask the tool for a state: the schedule has no such state, and a report says so."""

from __future__ import annotations

from ppnsim.loops.program import LoopProgram


def waits(program: LoopProgram) -> list[str]:
    """Return a sentence with the lines of a program that call ``ap_wait``, an empty list if there are none."""
    called = {frame.called for frame in program.frames if frame.path[-1].startswith("ap_wait") and frame.called}
    listed = ", ".join(map(str, sorted(called)))
    return (
        [f"ap_wait in line {listed} takes no state here, and one or as many as it says in hardware"] if called else []
    )
