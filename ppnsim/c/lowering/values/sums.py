"""Sums that subscripts are: their numbers are added at once, as compilers add them."""

from __future__ import annotations

from ppnsim.c.lowering.scope import Sum
from ppnsim.c.syntax import SyntaxNode
from ppnsim.loops.expressions import Affine


def split(parts: Sum) -> tuple[list[SyntaxNode], Affine]:
    """Return the expressions that a sum adds, and the rest; numbers in them are in the rest if there is one."""
    values = [_number(each) if isinstance(each, SyntaxNode) else each for each in parts]
    known = sum((each for each in values if isinstance(each, Affine)), Affine.of(0))
    computed = [each for each in values if isinstance(each, SyntaxNode)]
    if known == Affine.of(0):
        return computed, known
    divided = [_without_number(each) for each in computed]
    return [each for each, _ in divided], sum((number for _, number in divided), known)


def _number(node: SyntaxNode) -> SyntaxNode | Affine:
    """Return a number of the source as a number, other expressions as they are."""
    value = node.bare.value if node.bare.kind == "integer" else None
    return node if value is None else Affine.of(value)


def _without_number(node: SyntaxNode) -> tuple[SyntaxNode, Affine]:
    """Return ``x`` and 1 for ``x + 1``, an expression itself and 0 if it adds no number."""
    inner = node.bare
    if inner.kind == "binary" and inner.text in ("+", "-") and inner.type.kind == "integer":
        number = _number(inner.children[1])
        if isinstance(number, Affine):
            return inner.children[0], number * (1 if inner.text == "+" else -1)
    return node, Affine.of(0)
