"""Computes ranges of values for expressions that depend on data, from their types and the conditions around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import add, floordiv, lshift, mul, rshift, sub

from ppnsim.c.kinds import STEPS
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.values.constants import extreme
from ppnsim.c.lowering.values.piecewise import extent
from ppnsim.c.lowering.values.ranges import ValueRange
from ppnsim.c.syntax import CType, SyntaxNode, Variable

_WIDEST = 16
"""Widest type, in bits, whose limits are used as a range: loops do not count to 2^32."""


def reach(node: SyntaxNode, scope: Scope, asked: frozenset[Variable] = frozenset()) -> ValueRange:
    """Return the values that an integer expression can have; conditions are not used for the variables ``asked``."""
    if node.kind == "integer" and node.value is not None:
        return ValueRange(node.value, node.value)
    if node.kind == "cast":
        return held(reach(node.children[0], scope, asked), node.type)
    if node.kind == "name" and node.variable is not None:
        return _named(node.variable, scope, asked)
    return _computed(node, scope, asked)


def _computed(node: SyntaxNode, scope: Scope, asked: frozenset[Variable]) -> ValueRange:
    if node.kind == "choice":
        test, *ways = node.children
        yes, no = (reach(way, under(test, scope, holds=at == 0), asked) for at, way in enumerate(ways))
        return yes.either(no)
    if order := extreme(node, scope.context.unit.functions):
        return held(_extreme(order, *(reach(each, scope, asked) for each in node.children)), node.type)
    if node.kind == "binary" and node.text in _COMBINED and (node.type.kind == "integer" or node.text != "/"):
        left, right = (reach(each, scope, asked) for each in node.children)
        return held(combined(node.text, left, right), node.type)
    return _of_type(node.type)


def under(test: SyntaxNode, scope: Scope, *, holds: bool) -> Scope:
    """Return the scope under a condition that is true or false; the condition limits the variables in it."""
    if any(each.kind == "assign" or (each.kind == "unary" and each.text in STEPS) for each in test.walk()):
        return scope  # it is not known which value of the variable was compared
    found = dict(scope.reached)
    for variable in {each.variable for each in test.walk("name")}:
        if variable is not None and is_own(variable):
            said = _implied(test, variable, scope, frozenset({variable}), holds=holds)
            found[variable] = found.get(variable, ValueRange()).within(said)
    return replace(scope, reached=found)


def is_own(variable: Variable) -> bool:
    """Return whether a variable is an integer that belongs to a function alone, unless its address escapes."""
    return variable.type.kind == "integer" and variable.scope in ("local", "parameter") and not variable.volatile


_HOLDING = ("float", "double")
_COMBINED = frozenset(("+", "-", "*", "/", "%", "<<", ">>", "&"))


def _of_type(of: CType) -> ValueRange:
    if of.kind != "integer" or not of.bits:
        return ValueRange()
    return ValueRange(*of.limits) if of.bits <= _WIDEST else ValueRange(low=0 if of.wraps else None)


def _named(variable: Variable, scope: Scope, asked: frozenset[Variable]) -> ValueRange:
    found = _of_type(variable.type).within(scope.reached.get(variable, ValueRange()))
    known = scope.bindings.get(variable) or scope.context.globals.get(variable)
    if known is not None and not isinstance(known, ArrayPlace):
        return found.within(ValueRange(*extent(known, scope.ranges)))
    if variable in scope.changed:
        return found
    if variable.scope in ("parameter", "global") and variable.name in scope.context.settings:
        return ValueRange(*[scope.context.settings[variable.name]] * 2)
    lasts = variable.scope == "local" or (variable.scope == "global" and variable.type.const)
    if variable.initial is not None and lasts and not _changes(variable.initial, scope):
        found = found.within(held(reach(variable.initial, scope, asked), variable.type))
    if variable in asked:  # ``a < b``: each limit would depend on the other
        return found
    earlier = replace(scope, reached={})
    for test, holds in scope.context.facts:
        found = found.within(_implied(test, variable, earlier, asked | {variable}, holds=holds))
    return found


def held(value: ValueRange, of: CType) -> ValueRange:
    """Return the range of a value after a conversion to a type; a value beyond the limits wraps around."""
    limits = _of_type(of)
    if of.kind == "integer" and of.bits:
        low, high = of.limits
        fits = (value.low is None or low <= value.low) and (value.high is None or value.high <= high)
        return value if fits and limits.within(value) == value else limits
    return value if of.text in _HOLDING or (of.kind == "integer" and limits.within(value) == value) else limits


def _changes(initial: SyntaxNode, scope: Scope) -> bool:
    """Return whether an initialiser may have had another value before, because it names variables that are assigned."""
    return any(each.variable in scope.changed for each in initial.walk() if each.kind == "name")


def converted(node: SyntaxNode, variable: Variable) -> bool | None:
    """Return whether the conversions of a variable turn negative values into large numbers.

    The result is None if the node is not the variable, or converts it to a type that cannot hold all its values.
    """
    turned = False
    while node.kind == "cast":
        inner = node.children[0].type
        if node.type.kind != "integer" or inner.kind != "integer" or 0 < node.type.bits < inner.bits:
            return None
        turned |= bool(node.type.wraps) and not inner.wraps
        if not node.type.wraps and inner.wraps and node.type.bits == inner.bits:
            return None
        node = node.children[0]
    return turned if node.kind == "name" and node.variable is variable else None


_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_DENIED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}


def _implied(
    test: SyntaxNode, variable: Variable, scope: Scope, asked: frozenset[Variable], *, holds: bool
) -> ValueRange:
    """Return the range that a condition implies for a variable."""
    test = test.bare
    if test.kind == "unary" and test.text == "!":
        return _implied(test.children[0], variable, scope, asked, holds=not holds)
    if test.kind != "binary":
        return ValueRange()
    if test.text in ("&&", "||"):
        parts = [_implied(each, variable, scope, asked, holds=holds) for each in test.children]
        return parts[0].within(parts[1]) if (test.text == "&&") == holds else parts[0].either(parts[1])
    if test.text not in _TURNED:
        return ValueRange()
    (left, right), operator = test.children, test.text
    if right.bare.kind == "name" and right.bare.variable is variable:
        left, right, operator = right, left, _TURNED[operator]
    turned = converted(left, variable)
    if turned is None or any(each.variable is variable for each in right.walk()):
        return ValueRange()
    limit = reach(right, scope, asked)
    return _compared(variable, operator if holds else _DENIED[operator], limit, turned=turned)


def _compared(variable: Variable, operator: str, limit: ValueRange, *, turned: bool) -> ValueRange:
    """Return the values of a variable for which a comparison with a limit is true (``turned``: see `converted`)."""
    high = limit.high if operator in ("<", "<=", "==") else None
    low = limit.low if operator in (">", ">=", "==") else None
    if turned:  # negative values become larger than all others
        return (
            ValueRange() if high is None or high > variable.type.limits[1] else ValueRange(0, high - (operator == "<"))
        )
    return ValueRange(
        low + (operator == ">") if low is not None else None, high - (operator == "<") if high is not None else None
    )


def _extreme(order: str, left: ValueRange, right: ValueRange) -> ValueRange:
    """Return the range of the smaller (``<``) or the larger of two numbers."""
    both, one = left.either(right), left.within(right)
    return ValueRange(both.low, one.high) if order == "<" else ValueRange(one.low, both.high)


def _if_both(made: Callable[[int, int], int], left: int | None, right: int | None) -> int | None:
    """Return a number computed from two limits, None if one of them is missing."""
    return None if left is None or right is None else made(left, right)


def combined(operator: str, left: ValueRange, right: ValueRange) -> ValueRange:
    """Return the range of an operator's result; except for ``+`` and ``-``, only for non-negative operands."""
    if operator == "+":
        return ValueRange(_if_both(add, left.low, right.low), _if_both(add, left.high, right.high))
    if operator == "-":
        return ValueRange(_if_both(sub, left.low, right.high), _if_both(sub, left.high, right.low))
    positive = left.low is not None and left.low >= 0
    if operator == "&" and right.low is not None and right.low >= 0:
        return ValueRange(0, right.high)
    if operator == "%" and right.high is not None and right.low is not None and right.low > 0:
        return ValueRange(0 if positive else 1 - right.high, right.high - 1)
    if not positive or right.low is None or right.low < (operator == "/"):
        return ValueRange()
    if (made := _RISING.get(operator)) is not None and (operator == "*" or (right.high or 0) < 64):
        return ValueRange(_if_both(made, left.low, right.low), _if_both(made, left.high, right.high))
    made = _FALLING.get(operator)
    return ValueRange(0) if made is None else _falling(made, left, right)


def _falling(made: Callable[[int, int], int], left: ValueRange, right: ValueRange) -> ValueRange:
    """Return the range of an operator on non-negative numbers whose result falls when its right operand rises."""
    return ValueRange(_if_both(made, left.low, right.high) or 0, _if_both(made, left.high, right.low))


_RISING = {"*": mul, "<<": lshift}
_FALLING = {"/": floordiv, ">>": rshift}
