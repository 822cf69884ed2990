"""Computes the trip count of loops with a constant step and a comparison, without executing each iteration."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from ppnsim.c.executed.expressions import ExpressionRunner
from ppnsim.c.executed.named_variables import called_so, names
from ppnsim.c.executed.places import EndlessLoop
from ppnsim.c.plain.evaluate import step_of
from ppnsim.c.syntax import CType, SyntaxNode, Variable

_MOST = 1 << 48
"""More iterations than hardware executes in a day: a counter of 64 bits that goes round is not counted."""


def stepped(node: SyntaxNode, counter: Variable | None, expressions: ExpressionRunner) -> int | None:
    """Return how often a ``for`` with a constant step runs until a comparison ends it; None for other loops.

    The counter gets its value after the loop.
    """
    if counter is None:
        return None
    _, test, step, _ = node.children
    by, start = step_of(step, counter), expressions.memory.read((counter, ""))
    if not by or not isinstance(start, int) or test.kind != "binary" or test.text not in ("<", "<=", ">", ">=", "!="):
        return None
    left, right = test.children
    end = expressions.number(right)
    if left.bare.variable is not counter or left.bare.kind != "name" or counter in names(right) or end is None:
        return None
    if test.text == "!=":
        return _until(node, (start, end, by), (counter, left), expressions)
    if (by > 0) != (test.text[0] == "<"):
        return None
    count = max(0, -(-(end - start + (test.text[1:] == "=") * (1 if by > 0 else -1)) // by))
    if not all(_holds(each, start) and _holds(each, start + count * by) for each in (counter.type, *_casts(left))):
        return None
    expressions.memory.write((counter, ""), start + count * by)
    return count


def _until(
    node: SyntaxNode, numbers: tuple[int, int, int], counted: tuple[Variable, SyntaxNode], expressions: ExpressionRunner
) -> int | None:  # fmt: skip
    """Return after how many steps a counter is equal to a number, also behind rounds of its unsigned type."""
    (start, end, by), (counter, left) = numbers, counted
    period = counter.type.wraps or 0
    if not all(_holds(each, start) and _holds(each, end) for each in (counter.type, *_casts(left))):
        return None
    count, beside = divmod(end - start, by)
    if beside or count < 0:
        if not period:
            return None  # a signed counter overflows, which C does not define
        common = gcd(by, period)
        if (end - start) % common:
            raise EndlessLoop(called_so(node))
        count = (end - start) // common * pow(by // common, -1, period // common) % (period // common)
    if count > _MOST:
        return None
    expressions.memory.write((counter, ""), end)
    return count


def _casts(node: SyntaxNode) -> Iterator[CType]:
    """Yield the types to which an expression is converted, from the outermost cast inwards."""
    while node.kind == "cast":
        yield node.type
        node = node.children[0]


def _holds(of: CType, number: int) -> bool:
    return of.kind == "integer" and bool(of.bits) and of.limits[0] <= number <= of.limits[1]
