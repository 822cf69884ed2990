"""Evaluates C expressions whose variables have known values."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ppnsim.c.kinds import STEPS
from ppnsim.c.syntax import CType, SyntaxNode, Variable

_EXACT = 1 << 24
"""The largest integer up to which a float represents every integer."""


def _quotient(left: int, right: int) -> int:
    """Return a quotient rounded towards zero, as in C."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


_OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "+": int.__add__, "-": int.__sub__, "*": int.__mul__, "&": int.__and__, "|": int.__or__, "^": int.__xor__,
    "/": _quotient, "%": lambda left, right: left - right * _quotient(left, right),
    "<<": int.__lshift__, ">>": int.__rshift__,
    "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "==": int.__eq__, "!=": int.__ne__,
    "&&": lambda left, right: int(bool(left) and bool(right)),
    "||": lambda left, right: int(bool(left) or bool(right)),
}  # fmt: skip


def number_of(node: SyntaxNode, values: Mapping[Variable, int | None]) -> int | None:
    """Return the value of an integer expression, None if it is not known."""
    match node.kind:
        case "integer" | "call":
            return node.value
        case "name" if node.variable is not None:
            if node.variable in values:
                return values[node.variable]
            of, initial = node.variable.type, node.variable.initial
            found = number_of(initial, {}) if of.const and initial is not None else None
            return None if found is None else kept(found, of)
        case "cast" if node.type.kind == "integer":
            inner = number_of(node.children[0], values)
            return None if inner is None else kept(inner, node.type)
        case "choice":
            test = number_of(node.children[0], values)
            return None if test is None else number_of(node.children[1 if test else 2], values)
        case "unary" if node.text in ("-", "+", "!", "~"):
            inner = number_of(node.children[0], values)
            if inner is None:
                return None
            return kept({"-": -inner, "+": inner, "!": int(not inner), "~": ~inner}[node.text], node.type)
        case "binary" if node.text in _OPERATORS:
            return operated(node.text, *(number_of(child, values) for child in node.children), of=node.type)
    return None


def changed_value(node: SyntaxNode, values: Mapping[Variable, int | None]) -> int | None:
    """Return the value that a declaration, an assignment or a step gives its variable, None if it is not known."""
    if node.kind == "declare":
        of = node.variable.type if node.variable is not None else node.type
        found = number_of(node.children[0], values) if node.children else None
        return None if found is None else kept(found, of)
    of = node.children[0].type
    if node.kind == "unary" and node.text in STEPS:
        old = number_of(node.children[0], values)
        return None if old is None else kept(old + (1 if "+" in node.text else -1), of)
    new = number_of(node.children[1], values)
    if new is None or node.text == "=":
        return None if new is None else kept(new, of)
    return operated(node.text[:-1], number_of(node.children[0], values), new, of=of)


def step_of(node: SyntaxNode, variable: Variable) -> int | None:
    """Return the number that a statement adds to a variable, None if it does not always add the same number."""
    target = node.children[0] if node.kind in ("assign", "unary") and node.children else None
    if target is None or target.kind != "name" or target.variable is not variable:
        return None
    if not (adds(node, variable) if node.kind == "assign" else node.text in STEPS):
        return None
    of = target.type
    found = changed_value(node, {variable: 0})
    return found - (1 << of.bits) if found and of.bits and found >= 1 << (of.bits - 1) else found


def adds(change: SyntaxNode, variable: Variable) -> bool:
    """Return whether an assignment adds or subtracts a value that does not depend on the variable itself.

    ``i += i < 6 ? 2 : 5`` does not, nor does ``i = (unsigned char)(i + 1)`` for an ``int``.
    """
    if change.kind != "assign" or change.text not in ("=", "+=", "-="):
        return False
    node = change.children[1]
    if change.text != "=":
        return not _names(node, variable)
    while node.kind != "name":
        sides = [each for each in node.children if _names(each, variable)]
        if node.kind == "cast":
            holds = node.type.kind == "integer" and (not node.type.bits or node.type.bits >= variable.type.bits)
        else:
            left = bool(sides) and sides[0] is node.children[0]
            holds = node.kind == "binary" and (node.text == "+" or (node.text == "-" and left))
        if not holds or len(sides) != 1:
            return False
        (node,) = sides
    return node.variable is variable


def _names(node: SyntaxNode, variable: Variable) -> bool:
    return any(each.kind == "name" and each.variable is variable for each in node.walk())


def operated(operator: str, left: int | None, right: int | None, *, of: CType) -> int | None:
    """Return the result of an operator in a type, None if C does not define it.

    Examples
    --------
    >>> operated("/", -7, 2, of=CType("integer", "int", 32)), operated("/", 7, 0, of=CType("integer", "int", 32))
    (-3, None)
    """
    if left is None or right is None or operator not in _OPERATORS:
        return None
    if (operator in ("/", "%") and not right) or (operator in ("<<", ">>") and not 0 <= right < max(32, of.bits or 64)):
        return None
    if of.kind == "real" and operator == "/" and left % right:
        return None
    return kept(int(_OPERATORS[operator](left, right)), of)


def kept(value: int, of: CType) -> int | None:
    """Return a value after conversion to a type, None for a fixed-point number, which may wrap around or saturate.

    Examples
    --------
    >>> kept(300, CType("integer", "unsigned char", 8)), kept(300, CType("integer", "bool", 8))
    (44, 1)
    """
    if of.kind == "real":
        return value if of.text in ("float", "double") and abs(value) <= _EXACT else None
    if of.kind != "integer" or not of.bits:
        return value
    if of.text == "bool":
        return int(bool(value))
    if 0 <= value < 1 << of.bits - 1:  # the usual case, signed or unsigned
        return value
    low, high = of.limits
    return value if low <= value <= high else (value - low) % (1 << of.bits) + low
