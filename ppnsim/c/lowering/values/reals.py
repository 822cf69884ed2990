"""Evaluates constant expressions of real numbers, as compilers fold them: ``ceil(log2(n))`` of a constant."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Mapping, Sequence, Set

from ppnsim.c.lowering.values.piecewise import Value
from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine

_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "ceil": math.ceil, "floor": math.floor, "trunc": math.trunc, "fabs": abs, "sqrt": math.sqrt, "pow": math.pow,
    "log2": math.log2, "log": math.log, "log10": math.log10, "exp2": lambda of: math.pow(2, of), "exp": math.exp,
    "round": lambda of: math.copysign(math.floor(abs(of) + 0.5), of),
}  # fmt: skip
_OPERATORS: Mapping[str, Callable[[float, float], float]] = {
    "+": float.__add__, "-": float.__sub__, "*": float.__mul__, "/": float.__truediv__,
}  # fmt: skip
_ROUNDED = {"<": math.ceil, ">=": math.ceil, "<=": math.floor, ">": math.floor}
"""How to round a real bound so that an integer compares with the result as with the real number."""
_EXACT = {"float": 1 << 24, "double": 1 << 53}
"""The largest integer up to which a real type represents every integer."""
_FIXED = re.compile(r"ap_(u?)fixed<(\d+), *(-?\d+)\b")
_DIGITS = 53
"""Most bits of a fixed-point type whose numbers a double represents exactly."""
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


def real_of(node: SyntaxNode, read: Callable[[SyntaxNode], Value], changed: Set[Variable]) -> float | None:
    """Return the value of an expression of real numbers, None if it is not known.

    Parameters
    ----------
    read : returns the value of an integer expression; raises InputError if the value is not known.
    changed : variables that may have had another value when a constant was computed from them.
    """
    try:
        found = _value(node, read, changed)
        return None if found is None or not math.isfinite(found) else _kept(found, node.type)
    except (InputError, ValueError, OverflowError, ZeroDivisionError, TypeError):
        return None


def _in_fixed(value: float, of: CType) -> float | None:
    """Return a number that a fixed-point type represents exactly, None for a number that it rounds or that overflows.

    The rounding and overflow modes of the type are not considered here.

    Examples
    --------
    >>> [_in_fixed(each, CType("real", "ap_fixed<8,4>", 8)) for each in (2.5, 2.51, 8.0)]
    [2.5, None, None]
    """
    match = _FIXED.match(of.text)
    if match is None or int(match[2]) > _DIGITS:
        return None
    bits, steps = int(match[2]), math.ldexp(value, int(match[2]) - int(match[3]))
    least = 0 if match[1] else -(1 << bits - 1)
    return value if steps.is_integer() and least <= steps < least + (1 << bits) else None


def of_library(
    node: SyntaxNode, functions: Mapping[str, Function], read: Callable[[SyntaxNode], Value], changed: Set[Variable]
) -> float | None:  # fmt: skip
    """Return the value of a real expression that calls library functions only, None for other expressions."""
    calls = [part.text for part in node.walk() if part.kind == "call"] if node.type.kind == "real" else []
    library = bool(calls) and all(each in functions and functions[each].system for each in calls)
    return real_of(node, read, changed) if library else None


def _value(node: SyntaxNode, read: Callable[[SyntaxNode], Value], changed: Set[Variable]) -> float | None:
    if node.kind != "call" and node.type.kind == "integer":
        number = read(node)
        return float(number.constant) if isinstance(number, Affine) and number.is_constant else None
    if node.type.kind != "real" or (node.type.text not in ("float", "double") and not _FIXED.match(node.type.text)):
        return None
    if node.kind == "real":
        return float(node.text)
    if node.kind == "name" and node.variable is not None:
        initial = made_once(node.variable, changed)
        return None if initial is None else real_of(initial, read, changed)
    parts = [real_of(child, read, changed) for child in node.children]
    given = [each for each in parts if each is not None]
    return _operated(node, given) if given and len(given) == len(parts) else None


def made_once(variable: Variable, changed: Set[Variable]) -> SyntaxNode | None:
    """Return the initialiser of a constant, None if its variables may change or there is no initialiser."""
    if not variable.type.const or variable.scope == "parameter" or variable.initial is None:
        return None
    kept = all(each.variable not in changed for each in variable.initial.walk("name"))
    return variable.initial if kept else None


def _operated(node: SyntaxNode, given: Sequence[float]) -> float | None:
    """Return the value of an operator or of a library function, None for others."""
    match node.kind:
        case "cast":
            return given[0]
        case "unary" if node.text in ("-", "+"):
            return -given[0] if node.text == "-" else given[0]
        case "binary" if node.text in _OPERATORS:
            return _OPERATORS[node.text](given[0], given[1])
        case "call":
            name = node.text.rpartition("::")[2]
            function = _FUNCTIONS.get(name, _FUNCTIONS.get(name.removesuffix("f")))
            return None if function is None else float(function(*given))
    return None


def sides(node: SyntaxNode, read: Callable[[SyntaxNode], Value], changed: Set[Variable]) -> tuple[Value, Value]:
    """Return the sides of a comparison as integers; an equivalent integer bound replaces a known real number.

    ``i < 2.5`` becomes ``i < 3``.
    """
    left, right = node.children
    if "real" not in (left.type.kind, right.type.kind):
        return read(left), read(right)
    known = real_of(left, read, changed), real_of(right, read, changed)
    if known[0] is not None and known[1] is not None:
        return Affine.of((known[0] > known[1]) - (known[0] < known[1])), Affine.of(0)
    for side, beside, operator in ((left, known[1], node.text), (right, known[0], _MIRRORED[node.text])):
        if beside is None or not _is_exact(side, beside) or (bound := rounded(operator, beside)) is None:
            continue
        whole = read(side.children[0] if side.type.kind == "real" else side)
        return (whole, Affine.of(bound)) if side is left else (Affine.of(bound), whole)
    return read(left), read(right)


def _is_exact(node: SyntaxNode, beside: float) -> bool:
    """Return whether an integer that is converted to real compares with a number like the integer itself.

    The conversion keeps the order of numbers, and is exact within the digits of the real type.
    """
    if node.type.kind == "integer":  # no conversion next to fixed point
        return True
    of = node.children[0].type if node.kind == "cast" else node.type
    return of.kind == "integer" and abs(beside) < _EXACT.get(node.type.text, 0)


def _kept(value: float, of: CType) -> float | None:
    """Return a value after conversion to a type, None if that depends on the modes of fixed point.

    Examples
    --------
    >>> _kept(0.1, CType("real", "double", 64)), _kept(0.1, CType("real", "float", 32))
    (0.1, 0.10000000149011612)
    """
    if _FIXED.match(of.text):
        return _in_fixed(value, of)
    return float(struct.unpack("f", struct.pack("f", value))[0]) if of.text == "float" else value


def rounded(operator: str, value: float) -> int | None:
    """Return the integer n for which ``x operator n`` equals ``x operator value`` for every integer x.

    Examples
    --------
    >>> rounded("<", 2.5), rounded("<=", 2.5), rounded("==", 3.0), rounded("==", 2.5)
    (3, 2, 3, None)
    """
    if operator in _ROUNDED:
        return _ROUNDED[operator](value)
    return int(value) if value.is_integer() else None
