"""Waits of the source: ``ap_wait()`` and ``ap_wait_n(5)`` take states (R3.14), ``ap_wait_until(x)`` takes none."""

from __future__ import annotations

from ppnsim.loops.program import LoopProgram, Operation, Statement

WAITS = ("ap_wait", "ap_wait_n")
"""Functions of the vendor's ``ap_utils.h`` that take a state, or as many as they are given."""


def states_of(statement: Statement) -> int | None:
    """Return the states of a wait, None for other statements; a number that data decides is one state.

    Examples
    --------
    >>> states_of(Statement(name="w", function="ap_wait")), states_of(Statement(name="s"))
    (1, None)
    """
    if statement.function not in WAITS:
        return None
    given = _given(statement)
    return int(given.text) if given is not None and not _is_data(statement) else 1


def waits(program: LoopProgram) -> list[str]:
    """Return sentences with the lines of the waits of a program whose states are not known."""
    until = {frame.called for frame in program.frames if frame.path[-1].startswith("ap_wait_until") and frame.called}
    data = {each.position.line for each in program.statements() if each.function in WAITS and _is_data(each)}
    found = [
        ("ap_wait_until", until, "takes no state here, and one or more in hardware"),
        ("ap_wait_n", data, "takes one state here, and as many as data say in hardware"),
    ]
    return [f"{name} in line {', '.join(map(str, sorted(lines)))} {words}" for name, lines, words in found if lines]


def _given(statement: Statement) -> Operation | None:
    """Return the number that a wait is given."""
    return next(iter(statement.value.operands), None) if statement.value is not None else None


def _is_data(statement: Statement) -> bool:
    """Return whether data, or an iterator, says how long a wait is."""
    given = _given(statement)
    return given is not None and not (given.kind == "constant" and given.text.isdecimal())
