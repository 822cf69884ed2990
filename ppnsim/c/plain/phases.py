"""Expresses the iteration count of a loop nest, and counters that follow it, by the nest's iterators."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.c.lowering.variables.reaching import sets
from ppnsim.c.plain.cycles import Cycle
from ppnsim.c.plain.evaluate import number_of, step_of
from ppnsim.c.plain.nodes import INT, binary, number
from ppnsim.c.syntax import SyntaxNode, Variable


def phase_of(path: Sequence[SyntaxNode]) -> tuple[SyntaxNode | None, int | None]:
    """Return the number of earlier iterations of the innermost loop, and of all its iterations, None if not known."""
    phase: SyntaxNode | None = None
    trips: int | None = 1
    for loop in reversed(path):
        if trips is None or (past := _earlier_trips(loop)) is None:
            return None, None
        part = past[0] if trips == 1 else binary("*", past[0], number(past[0], trips), INT)
        phase = part if phase is None else binary("+", part, phase, INT)
        trips = None if past[1] is None else trips * past[1]
    return phase, trips


def values_of(loop: SyntaxNode) -> tuple[Variable, list[int]] | None:
    """Return the iterator of a loop and its values, None if they are not known."""
    found = range_of(loop)
    return None if found is None else (found[0], list(found[1]))


def range_of(loop: SyntaxNode) -> tuple[Variable, range] | None:
    """Return the iterator of a loop and its values as a range, None if they are not known."""
    start, _, step, _ = loop.children
    variable = start.variable or (start.children[0].variable if start.children else None)
    past = _earlier_trips(loop)
    if past is None or past[1] is None or variable is None:
        return None
    first, by = number_of(start.children[-1], {}), step_of(step, variable)
    assert first is not None and by is not None
    return variable, range(first, first + by * past[1], by)


def _earlier_trips(loop: SyntaxNode) -> tuple[SyntaxNode, int | None] | None:
    """Return the number of earlier iterations of a loop as an expression of its iterator, and its trip count."""
    start, test, step, body = loop.children
    variable = start.variable or (start.children[0].variable if start.children else None)
    if start.kind not in ("declare", "assign") or variable is None or not start.children:
        return None
    first = start.children[-1]
    by = step_of(step, variable)
    fixed = number_of(first, {}) is not None
    if not by or not fixed or any(sets(each, variable) for each in body.walk()):
        return None
    name = SyntaxNode("name", start.position, variable.type, variable=variable, end=start.end)
    past = binary("-", name, first, INT) if by > 0 else binary("-", first, name, INT)
    if number_of(first, {}) == 0 and by > 0:
        past = name
    if abs(by) > 1:
        past = binary("/", past, number(start, abs(by)), INT)
    return past, _trips(test, variable, number_of(first, {}) or 0, by)


def _trips(test: SyntaxNode, variable: Variable, first: int, by: int) -> int | None:
    """Return the trip count of a loop whose condition compares its iterator with a number."""
    if test.kind != "binary" or len(test.children) != 2 or test.children[0].bare.variable is not variable:
        return None
    last = number_of(test.children[1], {})
    if last is None:
        return None
    ends = {"<": last - 1, "<=": last, ">": last + 1, ">=": last, "!=": last - (1 if by > 0 else -1)}
    return max((ends[test.text] - first) // by + 1, 0) if test.text in ends else None


def expression(cycle: Cycle, phase: SyntaxNode, name: SyntaxNode) -> SyntaxNode:
    """Return ``start + step * ((phase + shift) / every % length)``, converted to the type of the counter."""
    if not cycle.step:
        return number(name, cycle.start, name.type)
    value = phase if not cycle.shift else binary("+", phase, number(name, cycle.shift), INT)
    if cycle.every > 1:
        value = binary("/", value, number(name, cycle.every), INT)
    if cycle.length:
        value = binary("%", value, number(name, cycle.length), INT)
    if cycle.step != 1:
        value = binary("*", value, number(name, cycle.step), INT)
    value = value if not cycle.start else binary("+", value, number(name, cycle.start), INT)
    return SyntaxNode("cast", name.position, name.type, (value,), end=name.end, extent=name.extent)
