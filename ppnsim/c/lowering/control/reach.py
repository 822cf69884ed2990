"""The values that an expression of data can have: from its types, and from the conditions around it."""

from __future__ import annotations

from ppnsim.c.lowering.control.value_ranges import COMBINED, ValueRange, combined, either, extreme_of
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.values.constants import extreme
from ppnsim.c.lowering.values.piecewise import extent
from ppnsim.c.syntax import CType, SyntaxNode, Variable

_WIDEST = 16
"""Bits of a type up to which its limits say anything: nobody counts to 2^32."""


def reach(node: SyntaxNode, scope: Scope, asked: frozenset[Variable] = frozenset()) -> ValueRange:
    """Return the values that a whole-number expression can have; conditions say nothing of the variables ``asked``."""
    if node.kind == "integer" and node.value is not None:
        return ValueRange(node.value, node.value)
    if node.kind == "cast":
        return held(reach(node.children[0], scope, asked), node.type)
    if node.kind == "name" and node.variable is not None:
        return _named(node.variable, scope, asked)
    return _computed(node, scope, asked)


def _computed(node: SyntaxNode, scope: Scope, asked: frozenset[Variable]) -> ValueRange:
    if node.kind == "choice":
        test, yes, no = node.children
        return either(_chosen(test, yes, scope, asked, holds=True), _chosen(test, no, scope, asked, holds=False))
    if node.kind == "call" and (sign := extreme(node, scope.context.unit.functions)):
        parts = [reach(each, scope, asked) for each in node.children]
        return held(extreme_of(min if sign == "<" else max, parts), node.type)
    if node.kind == "binary" and node.text in COMBINED and (node.type.kind == "integer" or node.text != "/"):
        left, right = (reach(each, scope, asked) for each in node.children)
        return held(combined(node.text, left, right), node.type)
    return _of_type(node.type)


_HOLDING = ("float", "double")


def _of_type(of: CType) -> ValueRange:
    if of.kind != "integer" or not of.bits:
        return ValueRange()
    return ValueRange(*of.limits) if of.bits <= _WIDEST else ValueRange(low=0 if of.wraps else None)


def _named(variable: Variable, scope: Scope, asked: frozenset[Variable]) -> ValueRange:
    found = _of_type(variable.type)
    known = scope.bindings.get(variable) or scope.context.globals.get(variable)
    if known is not None and not isinstance(known, ArrayPlace):
        return found.within(ValueRange(*extent(known, scope.ranges)))
    if variable in scope.changed:
        # A test that was made earlier saw what the variable had then.
        return found if asked else found.within(ValueRange(*scope.limits.get(variable, ())))
    if variable.scope in ("parameter", "global") and variable.name in scope.context.settings:
        return ValueRange(*[scope.context.settings[variable.name]] * 2)
    if variable.initial is not None and variable.scope == "local" and not _changes(variable.initial, scope):
        found = found.within(held(reach(variable.initial, scope, asked), variable.type))
    if variable in asked:  # ``a < b``: the limit of each would be that of the other
        return found
    for test, holds in scope.context.facts:
        found = found.within(said(test, variable, scope, asked | {variable}, holds=holds))
    return found


def _chosen(
    test: SyntaxNode, node: SyntaxNode, scope: Scope, asked: frozenset[Variable], *, holds: bool
) -> ValueRange:  # fmt: skip
    """Return the values of a branch of ``a < b ? a : b``: those of a variable are as its test says."""
    found, variable = reach(node, scope, asked), node.bare.variable
    if variable is None or variable in asked or converted(node, variable) is not False:
        return found
    return found.within(said(test, variable, scope, asked | {variable}, holds=holds))


def held(value: ValueRange, of: CType) -> ValueRange:
    """Return what a type holds of a value: one beyond its limits wraps round, and fixed point may, too."""
    limits = _of_type(of)
    return value if of.text in _HOLDING or (of.kind == "integer" and limits.within(value) == value) else limits


def _changes(initial: SyntaxNode, scope: Scope) -> bool:
    """Return whether an initialiser may have had another value where it stands, as it names what is assigned."""
    return any(each.variable in scope.changed for each in initial.walk() if each.kind == "name")


def converted(node: SyntaxNode, variable: Variable) -> bool | None:
    """Return whether the conversions of a variable turn what is below 0 into large numbers.

    None: the node is not the variable, or is one in a type that does not hold all of its values.
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


def said(
    test: SyntaxNode, variable: Variable, scope: Scope, asked: frozenset[Variable] = frozenset(), *, holds: bool
) -> ValueRange:  # fmt: skip
    """Return what a condition says of a variable."""
    test = test.bare
    if test.kind == "unary" and test.text == "!":
        return said(test.children[0], variable, scope, asked, holds=not holds)
    if test.kind != "binary":
        return ValueRange()
    if test.text in ("&&", "||"):
        parts = [said(each, variable, scope, asked, holds=holds) for each in test.children]
        both = (test.text == "&&") == holds
        return parts[0].within(parts[1]) if both else either(*parts)
    if test.text not in _TURNED:
        return ValueRange()
    left, right = test.children
    operator = test.text
    if right.bare.kind == "name" and right.bare.variable is variable:
        left, right, operator = right, left, _TURNED[operator]
    turned = converted(left, variable)
    if turned is None or any(each.variable is variable for each in right.walk()):
        return ValueRange()
    operator = operator if holds else _DENIED[operator]
    limit = reach(right, scope, asked)
    high = limit.high if operator in ("<", "<=", "==") else None
    low = limit.low if operator in (">", ">=", "==") else None
    if turned:  # what is below 0 is larger than any other
        return (
            ValueRange() if high is None or high > variable.type.limits[1] else ValueRange(0, high - (operator == "<"))
        )
    return ValueRange(
        low + (operator == ">") if low is not None else None, high - (operator == "<") if high is not None else None
    )
