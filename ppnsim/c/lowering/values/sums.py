"""Splits sums in subscripts: their constants are added together, as compilers do."""

from __future__ import annotations

from ppnsim.c.lowering.scope import Sum
from ppnsim.c.syntax import SyntaxNode
from ppnsim.loops.expressions import Affine


def split(parts: Sum) -> tuple[list[SyntaxNode], Affine]:
    """Return the computed terms of a sum, and its affine rest; a rest other than 0 takes the terms' constants."""
    values = [_number(each) if isinstance(each, SyntaxNode) else each for each in parts]
    known = sum((each for each in values if isinstance(each, Affine)), Affine.of(0))
    computed = [each for each in values if isinstance(each, SyntaxNode)]
    if known == Affine.of(0):
        return computed, known
    divided = [_without_number(each) for each in computed]
    return [each for each, _ in divided], sum((number for _, number in divided), known)


def _number(node: SyntaxNode) -> SyntaxNode | Affine:
    """Return the value of a number in the source; return other expressions unchanged."""
    value = node.bare.value if node.bare.kind == "integer" else None
    return node if value is None else Affine.of(value)


def _without_number(node: SyntaxNode) -> tuple[SyntaxNode, Affine]:
    """Return ``x`` and 1 for ``x + 1``; return the expression itself and 0 if it adds no constant."""
    inner = node.bare
    if inner.kind == "binary" and inner.text in ("+", "-") and inner.type.kind == "integer":
        number = _number(inner.children[1])
        if isinstance(number, Affine):
            return inner.children[0], number * (1 if inner.text == "+" else -1)
    return node, Affine.of(0)
