"""Evaluates constant tables and calls: ``N[2]`` of ``const int N[] = {4, 8, 16}`` is 16, and ``twice(8)`` is 16."""

from __future__ import annotations

from collections.abc import Callable

from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.constants import Formulas
from ppnsim.c.lowering.values.piecewise import Value
from ppnsim.c.lowering.variables.reaching import is_table
from ppnsim.c.plain.nodes import wrapped
from ppnsim.c.syntax import SyntaxNode
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine


def entry(node: SyntaxNode, scope: Scope, read: Callable[[SyntaxNode, Scope], Value]) -> int | None:
    """Return an element of a constant table at a constant index, None for other elements."""
    places: list[Value] = []
    while node.kind == "index":
        places.insert(0, read(node.children[1], scope))
        node = node.children[0]
    table = node.variable
    if table is None or table.initial is None or table in scope.changed or not is_table(table, scope.function.body):
        return None
    found = table.initial
    for at in places:
        known = at.constant if found.kind == "list" and isinstance(at, Affine) and at.is_constant else -1
        if not 0 <= known < len(found.children):
            return None
        found = found.children[known]
    number, of = _number(found, scope, read), table.type.base()
    return number if number is None or of.kind != "integer" or not of.bits else wrapped(number, of)


def _number(node: SyntaxNode, scope: Scope, read: Callable[[SyntaxNode, Scope], Value]) -> int | None:
    """Return the value of an integer that the compiler knows, None for data."""
    if node.kind == "integer" or node.type.kind != "integer":
        return node.value if node.kind == "integer" else None
    if not all(each.variable is not None and each.variable.type.const for each in node.walk("name")):
        return None
    try:
        found = read(node, scope)
    except InputError:
        return None
    return found.constant if isinstance(found, Affine) and found.is_constant else None


def called_value(node: SyntaxNode, scope: Scope, read: Callable[[SyntaxNode, Scope], Value]) -> int | None:
    """Return the value of a call with constant arguments, None if it is data."""
    try:
        given = [read(child, scope) for child in node.children]
    except InputError:
        given = []
    known = tuple(each.constant for each in given if isinstance(each, Affine) and each.is_constant)
    return Formulas(scope.context.unit.functions).called(node, known)
