"""Calls of ``ap_wait_until()``, which wait for a condition: the schedule has no such state, and a report says so."""

from __future__ import annotations

from ppnsim.loops.program import LoopProgram


def waits(program: LoopProgram) -> list[str]:
    """Return a sentence with the lines of a program that call ``ap_wait_until``, an empty list if there are none."""
    called = {frame.called for frame in program.frames if frame.path[-1].startswith("ap_wait_until") and frame.called}
    listed = ", ".join(map(str, sorted(called)))
    return [f"ap_wait_until in line {listed} takes no state here, and one or more in hardware"] if called else []
