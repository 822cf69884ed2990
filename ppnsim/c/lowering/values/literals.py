"""Initialiser lists with numbers: ``{-1 - 3, 2 * N, 1.0 / 3}`` holds constants, as a list of literals does."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.kinds import BITS
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.affine import read
from ppnsim.c.lowering.values.reals import real_of
from ppnsim.c.plain.nodes import wrapped
from ppnsim.c.syntax import CType, SyntaxNode
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine

_OTHERS = ~sum(BITS[kind] for kind in ("list", "integer", "real", "cast", "unary", "string"))


def is_literal(values: SyntaxNode) -> bool:
    """Return whether a list, or a value of it, consists of literals."""
    return not values.held & _OTHERS


def with_literals(values: SyntaxNode, scope: Scope, of: CType) -> SyntaxNode:
    """Return a list in which constant expressions are their numbers (R1.1 of hls); values that data decide stay.

    Elements of the integer type ``of`` keep their lowest bits of these numbers.
    """
    if values.kind == "list":
        if is_literal(values) and _fits(values, of):  # usually
            return values
        return replace(values, children=tuple(with_literals(child, scope, of) for child in values.children))
    found = values if is_literal(values) and of.kind != "integer" else _number(values, scope)
    if found.kind != "integer" or found.value is None or of.kind != "integer" or not of.bits:
        return found
    return replace(found, value=wrapped(found.value, of))


def _fits(values: SyntaxNode, of: CType) -> bool:
    """Return whether elements of an integer type hold all literals of a list; others are not looked at."""
    if of.kind != "integer" or not of.bits:
        return True
    least, most = of.limits
    if least == 0 and values.held & BITS["unary"]:
        return False
    return all(each.value is None or each.value <= most for each in values.walk("integer"))


def _number(node: SyntaxNode, scope: Scope) -> SyntaxNode:
    """Return the literal of a constant expression, and other expressions as they are."""
    if node.type.kind == "real":
        value = real_of(node, lambda part: read(part, scope), scope.changed)
        return node if value is None else SyntaxNode("real", node.position, node.type, text=repr(value))
    try:
        found = read(node, scope)
    except InputError:
        return node
    if not isinstance(found, Affine) or not found.is_constant:
        return node
    return SyntaxNode("integer", node.position, node.type, value=found.constant)
