"""Waits of the source: ``ap_wait()`` and ``ap_wait_n(5)`` take states (R3.14), ``ap_wait_until(x)`` takes none."""

from __future__ import annotations

from ppnsim.loops.program import LoopProgram, Statement

WAITS = ("ap_wait", "ap_wait_n")
"""Functions of the vendor's ``ap_utils.h`` that take a state, or as many as they are given."""


def states_of(statement: Statement) -> int | None:
    """Return the states of a wait, None for other statements; a number that is not known is one state.

    Examples
    --------
    >>> states_of(Statement(name="w", function="ap_wait")), states_of(Statement(name="s"))
    (1, None)
    """
    if statement.function not in WAITS:
        return None
    given = statement.value.operands if statement.value is not None else ()
    return int(given[0].text) if given and given[0].kind == "constant" and given[0].text.isdecimal() else 1


def waits(program: LoopProgram) -> list[str]:
    """Return a sentence with the lines of a program that call ``ap_wait_until``, an empty list if there are none."""
    called = {frame.called for frame in program.frames if frame.path[-1].startswith("ap_wait_until") and frame.called}
    listed = ", ".join(map(str, sorted(called)))
    return [f"ap_wait_until in line {listed} takes no state here, and one or more in hardware"] if called else []
