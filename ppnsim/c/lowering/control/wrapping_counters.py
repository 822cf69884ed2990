"""Refuses loops whose counter overflows its type: such a loop wraps around or never ends, and is not affine."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.affine import value
from ppnsim.c.lowering.values.least import least
from ppnsim.c.lowering.values.piecewise import Range, Value, extent
from ppnsim.c.syntax import SyntaxNode, Variable, refuse
from ppnsim.loops.expressions import Affine, Compare, Condition

_ORDERED = ("<", "<=", ">", ">=")
_NARROW = 16
"""Widest type, in bits, in which a loop may wrap around if its bounds are not numbers."""
_GROWING = ("+", "-", "*", "<<")
_UNKNOWN = 1 << 60
"""Values from here on are of iterators without known ends."""


def check_ends(
    test: SyntaxNode, variable: Variable, counts: tuple[int, Value], last: Sequence[Affine], ends: Sequence[Range]
) -> None:  # fmt: skip
    """Raise InputError if the type of an iterator cannot hold the value after its last one.

    Parameters
    ----------
    counts : the step and the first value.
    last, ends : the last values, each with its least and its largest value.
    """
    (low, high), (step, start) = variable.type.limits, counts
    up = step > 0
    end = min(each[0] for each in ends) if up else max(each[1] for each in ends)
    first = start.constant if isinstance(start, Affine) and start.is_constant else None
    beyond = end + (1 if up else -1)
    if first is not None and all(each.is_constant for each in last):
        beyond = first + max(0, (end - first) // step + 1) * step
    elif variable.type.bits <= _NARROW:
        beyond = (min(each[1] for each in ends) if up else max(each[0] for each in ends)) + step
    if beyond > high if up else beyond < low:
        limit = f"is never more than {high}" if up else f"is never less than {low}"
        words = "always holds" if end + 1 > high or end - 1 < low else "holds again behind a round"
        refuse(test.position, f"condition '{test}' {words}: '{variable.name}' of type {variable.type.text} {limit}")


def check_casts(test: SyntaxNode, variable: Variable, counts: tuple[str, int], scope: Scope) -> None:
    """Raise InputError if a conversion in the test of a loop changes its counter, ``(signed char)i < 101``.

    ``counts`` holds the name of the iterator, whose range is already known, and its step.
    """
    name, step = counts
    first, last = scope.ranges[name]
    scope.ranges[name] = (first + min(step, 0), last + max(step, 0))  # also the value for which the test fails
    try:
        for each in test.walk("cast"):
            if not _is_narrowing(each) or all(part.variable is not variable for part in each.walk()):
                continue
            low, high = extent(value(each.children[0], scope, "bound"), scope.ranges)
            if low < each.type.limits[0] or high > each.type.limits[1]:
                words = f"'{each.children[0]}' may not fit into the {each.type.bits} bits of '{each.type.text}'"
                refuse(test.position, f"condition '{test}' is not affine: {words}")
    finally:
        scope.ranges[name] = (first, last)


def _is_narrowing(cast: SyntaxNode) -> bool:
    """Return whether a conversion to a narrow type may change a number of its operand's type."""
    of, inner = cast.type, cast.children[0].type
    if not of.kind == inner.kind == "integer" or of.text in ("bool", "_Bool"):
        return False
    few = 0 < of.bits <= _NARROW and inner.bits > 0
    return few and (of.limits[0] > inner.limits[0] or of.limits[1] < inner.limits[1])


def check_way(test: SyntaxNode, way: Affine, variable: Variable, scope: Scope) -> None:
    """Raise InputError if a loop with ``!=`` starts beyond its end, or may do so in a type that goes round.

    A wide signed counter would overflow, which C does not define: that nothing is counted there is an assumption.
    ``way`` is the distance from the first value to the end, in the direction of the steps.
    """
    if extent(way, scope.ranges)[1] >= 0 and least(way, scope) >= 0:
        return
    if extent(way, scope.ranges)[1] < 0 or variable.type.bits <= _NARROW or variable.type.wraps:
        words = "the loop counts away from its end, and goes round"
        refuse(test.position, f"condition '{test}' does not say how often it holds: {words}")
    line = test.position.line
    scope.context.assumed[f"{test.position} way"] = (
        f"the loop in line {line} has no iteration where '{variable.name}' starts beyond its end in '{test}': it would "
        f"overflow, which C does not define; write '<' or '>' if it may"
    )


def started(
    test: SyntaxNode, variable: Variable, begin: Value, step: int, ends: Sequence[Range], scope: Scope
) -> tuple[Condition, ...]:  # fmt: skip
    """Return the condition for a loop to start whose unsigned counter may start below 0, at a number near its largest.

    No ``i < n`` holds there, if n is far from that number. For other tests the loop is not affine: InputError.
    """
    low = extent(begin, scope.ranges)[0]
    lowest = low if step > 0 else min(low, min(end[0] for end in ends) + step)
    if variable.type.limits[0] < lowest < 0 and any(_turns(each, variable) for each in test.walk()):
        refuse(test.position, f"condition '{test}' makes numbers below 0 large ones")
    if not variable.type.wraps or low >= 0 or (below := least(begin, scope)) >= 0:
        return ()
    far = -variable.type.wraps < below and min(end[1] for end in ends) < variable.type.wraps + below
    if step < 0 or not far or not isinstance(begin, Affine) or not _is_plain_bound(test, variable):
        words = f"'{variable.name}' may start below 0, which {variable.type.text} makes a large number"
        refuse(test.position, f"condition '{test}' is not affine: {words}")
    return (Compare(begin),)


def _is_plain_bound(test: SyntaxNode, variable: Variable) -> bool:
    """Return whether a test compares the value of a counter alone, ``i < n`` or ``i < n && i < 9``, by its order."""
    if test.kind == "binary" and test.text == "&&":
        return all(_is_plain_bound(each, variable) for each in test.children)
    if test.kind != "binary" or test.text not in _ORDERED:
        return False
    sides = [each for each in test.children if any(part.variable is variable for part in each.walk())]
    kept = (each.kind == "name" or each.type.wraps or each.type.bits > variable.type.bits for each in sides)
    return all(kept) and all(each.bare.kind == "name" for each in sides)


def _turns(node: SyntaxNode, variable: Variable) -> bool:
    """Return whether a part of a test converts a signed variable, which may be negative, to an unsigned number."""
    return node.kind == "cast" and bool(node.type.wraps) and not variable.type.wraps and node.bare.variable is variable


def check_sides(test: SyntaxNode, name: str, at: Sequence[Affine], scope: Scope) -> None:
    """Refuse an unsigned side of a test that may be below 0: ``j < i - 3`` from ``i = 0`` on.

    ``at`` are the values of the iterator ``name`` with which a sum of it is least. One that rises starts elsewhere
    (`started`).
    """
    for each in test.walk():
        for side in each.children if each.text in _ORDERED and each.children[0].type.wraps else ():
            known = value(side, scope, "bound")
            if not isinstance(known, Affine) or (known == Affine.of(name) and len(at) > 1):
                continue
            if any(least(known.replaced({name: end}), scope) < 0 for end in at):
                words = f"'{side}' may be below 0, which {side.type.text} makes a large number"
                refuse(test.position, f"condition '{test}' is not affine: {words}")


def check_products(head: Sequence[SyntaxNode], variable: Variable, scope: Scope) -> None:
    """Raise InputError if a wide number in the head of a loop, without its iterator, may be beyond its type.

    It goes round in hardware, so that it is not affine: ``(i + 1) * 65536 * 65537``.
    """
    for each in (part for parts in head for part in parts.walk("binary")):
        of = each.type
        if each.text not in _GROWING or of.kind != "integer" or of.bits <= _NARROW:
            continue
        if any(part.variable is variable for part in each.walk()):
            continue
        found = value(each, scope, "bound")
        low, high = extent(found, scope.ranges)
        within = of.limits[0] - of.wraps <= low and high <= of.limits[1]  # unsigned numbers below 0 are congruent
        if not within and low > -_UNKNOWN and high < _UNKNOWN:
            beyond = high if high > of.limits[1] else low
            words = f"'{each}' may be {beyond}, which {of.text} of {of.bits} bits does not hold"
            refuse(each.position, f"bound '{each}' is not affine: {words}")
