"""Accesses that leave their array."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.errors import InputError
from ppnsim.loops.points import iterators_of
from ppnsim.loops.polyhedra import first_outside
from ppnsim.loops.program import Access, LoopProgram, Statement


def check_bounds(program: LoopProgram) -> None:
    """Raise InputError for the first access in program order that is outside its array.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Array, Execution, Loop
    >>> after = Access("a", (Affine.of("i") + 1,))
    >>> body = (Execution(Statement(name="s", writes=(after,))),)
    >>> loop = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(3),), body=body)
    >>> check_bounds(LoopProgram(name="k", arrays=(Array(name="a", shape=(4,)),), body=(loop,)))
    Traceback (most recent call last):
    ppnsim.errors.InputError: statement 's': 'a[i + 1]' is outside 'a[4]' at i = 3
    """
    found = first_outside(program)
    if found is None:
        return
    statement, around, _ = list(program.placed())[found.statement]
    access = (statement.reads if found.side == "R" else statement.writes)[found.number]
    raise outside(program, statement, access, dict(zip(iterators_of(around), found.vector, strict=True)))


def outside(program: LoopProgram, statement: Statement, access: Access, at: Mapping[str, int]) -> InputError:
    """Return the error for an access that is outside its array at some values of the iterators."""
    there = ", ".join(f"{name} = {value}" for name, value in at.items()) or "this place"
    where = f"{statement.position}: " if statement.position.line else ""
    array = access.array + "".join(f"[{extent}]" for extent in program.array(access.array).shape)
    return InputError(f"{where}statement '{statement.name}': '{access}' is outside '{array}' at {there}")
