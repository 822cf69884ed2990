"""Gives the values of an iterator that each iteration shifts, or scales by a power of two: ``k <<= 1``."""

from __future__ import annotations

from ppnsim.c.lowering.control.scaled import scaled
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.statements.operations import Reading
from ppnsim.c.plain.joint_counters import may_set
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.errors import InputError
from ppnsim.loops.program import Operation

_KEEPING = frozenset(("+", "*", "/", "%", "<<", ">>", "&"))


def shifted(
    variable: Variable, count: str, start: SyntaxNode | None, head: tuple[SyntaxNode, ...], body: SyntaxNode,
    scope: Scope,
) -> Operation:  # fmt: skip
    """Return the value of an iterator after ``count`` iterations: ``start << count``; else an operation ``data``.

    ``head`` holds the condition and the step. The start must consist of numbers and iterators.
    """
    of = variable.type.text
    unknown = Operation("data", of)
    if start is None or variable.type.kind != "integer" or any(may_set(each, variable) for each in (head[0], body)):
        return unknown
    try:
        reading = Reading(scope)
        first = reading.operation(start)
    except InputError:
        return unknown
    positive = variable.type.limits[0] == 0 or _from_0_on(first, scope)
    step = _step(head[1], variable, positive=positive)
    if step is None or reading.reads or any(each.kind == "data" or _is_open(each) for each in first.walk()):
        return unknown
    way, by = step
    times = Operation("iterator", "int", text=count)
    if by != 1:
        times = Operation("*", "int", (Operation("constant", "int", text=str(by)), times))
    return Operation(way, of, (first, times))


def _is_open(tree: Operation) -> bool:
    return tree.values is not None and tree.values.kind == "data"


def _from_0_on(tree: Operation, scope: Scope) -> bool:
    """Return whether a start is never negative: non-negative numbers and iterators, under operators that keep that."""
    if tree.kind == "constant":
        return not tree.text.startswith("-")
    if tree.kind == "iterator" and tree.values is None:
        return scope.ranges.get(tree.text, (-1, 0))[0] >= 0
    if tree.kind == "iterator" and tree.values is not None:
        return _from_0_on(tree.values, scope)
    return tree.kind in _KEEPING and all(_from_0_on(each, scope) for each in tree.operands)


def _step(step: SyntaxNode, variable: Variable, *, positive: bool) -> tuple[str, int] | None:
    """Return the direction and the bits of a shift, None for other steps.

    A division is a shift only if the variable is ``positive``, that is, never negative; otherwise it rounds towards 0.
    """
    way, number = scaled(step, variable) or ("", 0)
    if number < 1:
        return None
    if way in ("<<", ">>"):
        return way, number
    if number & (number - 1) or (way == "/" and not positive):
        return None
    return ("<<" if way == "*" else ">>"), number.bit_length() - 1
