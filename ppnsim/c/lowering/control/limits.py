"""Bounds the trip count of a loop by its first value and bound, or by default arguments of the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.c.lowering.control.assigned import at_loop
from ppnsim.c.lowering.control.loop_heads import constant_step
from ppnsim.c.lowering.control.scaled import scaled
from ppnsim.c.lowering.control.value_ranges import converted, reach
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.ranges import ValueRange
from ppnsim.c.plain.joint_counters import may_set, replaced
from ppnsim.c.plain.nodes import statements
from ppnsim.c.syntax import SyntaxNode, Variable

ASSUMED = 64
"""Iterations of a loop whose trip count neither the source nor the arrays in it tell."""
LIMITLESS = 1 << 62
"""More iterations than any loop has."""


def most_trips(
    head: Sequence[SyntaxNode], variable: Variable, start: SyntaxNode, scope: Scope
) -> int | None:  # fmt: skip
    """Return the most iterations that the first value and the bound of a ``for`` allow, None if there is no limit.

    ``head`` holds the parts of the ``for``: the second is the condition, the third the step. If several conditions must
    be true (``i < 8 && more``), the first one that fails ends the loop.
    """
    test = head[1].bare
    if test.kind == "binary" and test.text == "&&":
        found = (most_trips((head[0], part, head[2]), variable, start, scope) for part in test.children)
        return min((each for each in found if each is not None), default=None)
    step, scales = constant_step(head[2], variable, scope), scaled(head[2], variable)
    if (step is None and scales is None) or test.kind != "binary" or test.text not in ("<", "<=", ">", ">=", "!="):
        return None
    turned, begin, end = converted(test.children[0], variable), reach(start, scope), reach(test.children[1], scope)
    if turned is None or (turned and not _stays_above(test.text, step, begin, end)):
        return None
    if step is None:
        return None if scales is None else _most_scaled(test.text, variable, scales, begin, end)
    return _most_stepped(test.text, variable, step, begin, end)


def most_done(node: SyntaxNode, scope: Scope) -> int | None:
    """Return the most iterations of a ``do`` that counts, None without a limit; the first iteration is not tested."""
    if (counted := as_counting(node, scope)) is None:
        return None
    loop, variable, scope = counted
    found = most_trips(loop.children, variable, loop.children[0], scope)
    return None if found is None else max(1, found)


def as_counting(node: SyntaxNode, scope: Scope) -> tuple[SyntaxNode, Variable, Scope] | None:
    """Return a ``do`` whose body ends with a step of the tested counter as a ``for``, the counter, and what is known.

    The counter has its first value from the code before the loop. The ``for`` would also test the first iteration.
    """
    body, test = node.children
    *inner, last = statements(body) or (body,)
    name = last.children[0].bare if last.kind in ("unary", "assign") else last
    variable = name.variable if name.kind == "name" else None
    if variable is None or any(may_set(each, variable, scope.context.unit.functions) for each in (*inner, test)):
        return None
    if any(each.kind == "continue" for each in body.walk()):
        return None
    loop = replace(node, kind="for", children=(name, test, last, replace(body, kind="block", children=tuple(inner))))
    return loop, variable, at_loop(node, scope, variable)


def _stays_above(operator: str, step: int | None, begin: ValueRange, end: ValueRange) -> bool:
    """Return whether a counter that a test converts to an unsigned number is never negative in the test."""
    falls = (step or 1) < 0
    ends = not falls or (step == -1 and operator in (">", "!="))
    return ends and begin.low is not None and begin.low >= 0 and end.low is not None and end.low >= 0


def _most_stepped(operator: str, variable: Variable, step: int, begin: ValueRange, end: ValueRange) -> int | None:
    """Return the most iterations of a counter with a constant step, None if it may overflow its type."""
    low, high = variable.type.limits if variable.type.kind == "integer" else (-LIMITLESS, LIMITLESS)
    first, near, last = (begin.low, end.low, end.high) if step > 0 else (begin.high, end.high, end.low)
    if first is None or last is None or operator[0] == (">" if step > 0 else "<"):
        return None
    if operator == "!=" and (abs(step) != 1 or not _starts_before(begin, end, rising=step > 0)):
        return None
    if step < 0:  # mirror a falling counter at 0
        first, near, last, high = -first, None if near is None else -near, -last, -low
    beyond = operator in ("<=", ">=")
    if abs(step) == 1 and (near is None or near + beyond <= high):
        last = min(last, high - beyond)  # a loop that ends compares with a number that its type can hold
    trips = max(0, -(-(last + beyond - first) // abs(step)))
    numbers = begin.low == begin.high and end.low == end.high
    furthest = first + trips * abs(step) if numbers else last + beyond + abs(step) - 1
    return None if furthest > high else trips


def _starts_before(begin: ValueRange, end: ValueRange, *, rising: bool) -> bool:
    """Return whether a counter starts before its end, so that it meets the end."""
    one, other = (begin.high, end.low) if rising else (end.high, begin.low)
    return one is not None and other is not None and one <= other


def _most_scaled(
    operator: str, variable: Variable, scales: tuple[str, int], begin: ValueRange, end: ValueRange
) -> int | None:
    """Return the most iterations of a counter that is multiplied or divided, None if it may never reach its end."""
    if variable.type.kind != "integer" or not 0 < scales[1] < LIMITLESS or operator == "!=":
        return None
    by = scales[1] if scales[0] in ("*", "/") else 1 << min(scales[1], 64)
    rising = scales[0] in ("*", "<<")
    value, last = (begin.low, end.high) if rising else (begin.high, end.low)
    if value is None or last is None or by < 2 or value < 1 or operator[0] != ("<" if rising else ">"):
        return None
    last += 0 if operator[1:] else (-1 if rising else 1)
    if not rising and last < 1:
        return None  # 0 stays 0
    trips = 0
    while value <= last if rising else value >= last:
        trips, value = trips + 1, value * by if rising else value // by
    return None if value > variable.type.limits[1] else trips


def by_defaults(node: SyntaxNode, variable: Variable, start: SyntaxNode, scope: Scope) -> int | None:
    """Return how often a loop runs for the default arguments of the kernel, None if its bounds have no default.

    The default of a parameter that the kernel assigns is not used.
    """
    parts = (start, node.children[1])
    names = {each.variable for part in parts for each in part.walk() if each.variable is not None}
    by = {
        each: each.initial for each in names
        if each.scope == "parameter" and each.initial is not None and each not in scope.changed
    }  # fmt: skip
    if not by or len(scope.path) > 1:
        return None
    first, test = (replaced(part, by) for part in parts)
    return most_trips((first, test, node.children[2]), variable, first, scope)
