"""Initialiser lists with numbers: ``{-1 - 3, 2 * N, 1.0 / 3}`` holds constants, as a list of literals does."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.kinds import BITS
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.affine import read
from ppnsim.c.lowering.values.reals import real_of
from ppnsim.c.syntax import SyntaxNode
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine

_OTHERS = ~sum(BITS[kind] for kind in ("list", "integer", "real", "cast", "unary", "string"))


def is_literal(values: SyntaxNode) -> bool:
    """Return whether a list, or a value of it, consists of literals."""
    return not values.held & _OTHERS


def with_literals(values: SyntaxNode, scope: Scope) -> SyntaxNode:
    """Return a list in which constant expressions are their numbers (R1.1 of hls); values that data decide stay."""
    if is_literal(values):  # usually
        return values
    if values.kind == "list":
        return replace(values, children=tuple(with_literals(child, scope) for child in values.children))
    return _number(values, scope)


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
