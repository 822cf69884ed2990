"""Reads integer expressions of a kernel's scalar arguments and of iterators as polynomials."""

from __future__ import annotations

from ppnsim.c.lowering.places.arrays import variable_place
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.values.constants import extreme
from ppnsim.c.plain.evaluate import number_of
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.loops.expressions import Affine
from ppnsim.loops.in_c import combined
from ppnsim.loops.polynomials import Polynomial, most
from ppnsim.loops.summed import ITERATOR, least, of_iterators


def from_0_on(value: Polynomial, scope: Scope) -> bool:
    """Return whether a value is never negative; a signed variable that is not an argument may be negative."""
    if not value.never_negative:
        return False
    of_loops = {name.removeprefix(ITERATOR) for name in value.names if name.startswith(ITERATOR)}
    named = [scope.context.arrays[name.partition(".")[0]] for name in value.names if not name.startswith(ITERATOR)]
    return all(x.role == "parameter" or x.type.startswith(("unsigned", "ap_uint")) for x in named) and all(
        scope.ranges.get(each, (-1, 0))[0] >= 0 for each in of_loops
    )


def value_of(node: SyntaxNode, scope: Scope) -> Polynomial | None:
    """Return the polynomial of an expression of numbers, scalar arguments and iterators, None for others."""
    if (known := number_of(node, {})) is not None:
        return Polynomial.of(known)
    if node.kind == "cast":
        return _converted(node, node.children[0], scope)
    if node.kind == "name" and node.variable is not None:
        return _named(node, node.variable, scope)
    if node.kind == "member" or (node.kind == "unary" and node.text == "*"):
        return _struct_member(node, scope)
    if node.kind == "choice" or extreme(node, scope.context.unit.functions):
        return _extreme_of_two(node, scope)
    return _operated(node, scope) if node.type.kind == "integer" else None


def _operated(node: SyntaxNode, scope: Scope) -> Polynomial | None:
    """Return the value of an operator on integers."""
    if node.kind == "unary" and node.text in ("-", "+") and not node.type.wraps:
        inner = value_of(node.children[0], scope)
        return inner if inner is None or node.text == "+" else -inner
    if node.kind == "binary" and len(node.children) == 2:
        left, right = (value_of(each, scope) for each in node.children)
        if left is not None and right is not None:
            return combined(node.text, left, right, signed=not node.type.wraps)
    return None


def _converted(node: SyntaxNode, inner: SyntaxNode, scope: Scope) -> Polynomial | None:
    """Return the value of a conversion between integer types that keeps the value."""
    if inner.kind == "integer" and inner.value is not None and node.type.kind == "integer":
        low, high = node.type.limits
        return Polynomial.of(inner.value) if low <= inner.value <= high else None
    kept = node.type.kind == inner.type.kind == "integer" and node.type.bits >= min(inner.type.bits, 32)
    value = value_of(inner, scope) if kept else None
    goes_round = node.type.wraps and not inner.type.wraps and value is not None and not from_0_on(value, scope)
    return None if goes_round else value


def _extreme_of_two(node: SyntaxNode, scope: Scope) -> Polynomial | None:
    """Return the value of a ``min`` or ``max``, also if it is written as a choice: ``a < b ? a : b``."""
    operator, compared, ends = extreme(node, scope.context.unit.functions), node.children, node.children
    if node.kind == "choice":
        test = node.children[0].bare
        operator, compared, ends = test.text, test.children, node.children[1:]
    if operator not in ("<", "<=", ">", ">="):
        return None
    first, second, yes, no = (value_of(each, scope) for each in (*compared, *ends))
    if yes is None or no is None or (yes, no) not in ((first, second), (second, first)):
        return None
    return (least if (operator[0] == "<") == (first == yes) else most)(yes, no)


def _struct_member(node: SyntaxNode, scope: Scope) -> Polynomial | None:
    """Return the polynomial of a struct member, ``p.n``, or of a pointer's target."""
    whole = node.children[0].bare
    known = None if whole.variable is None else scope.bindings.get(whole.variable)
    if not isinstance(known, ArrayPlace) or known.path or known.random or node.type.kind != "integer":
        return None
    member = f".{node.text}" if node.kind == "member" else ""
    return None if scope.context.arrays[known.array].shape else Polynomial.of(known.array + member)


def _named(node: SyntaxNode, variable: Variable, scope: Scope) -> Polynomial | None:
    """Return the polynomial of a variable: its known number, or its name in the program."""
    if variable in scope.formulas:
        return scope.formulas[variable]
    known = scope.bindings.get(variable) or scope.context.globals.get(variable)
    if known is None and variable.scope == "parameter" and variable.type.kind == "integer" and not (
        variable in scope.counters or variable in scope.finished
    ):  # fmt: skip
        known = variable_place(variable, node, scope)  # the argument has no name yet
    if isinstance(known, Affine):
        return of_iterators(known)
    if isinstance(known, ArrayPlace) and not (known.subscripts or known.path or known.random):
        whole = node.type.kind == "integer" and not scope.context.arrays[known.array].shape
        return Polynomial.of(known.array) if whole else None
    return None
