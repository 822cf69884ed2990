"""Compares two pointers into one array by their subscripts: ``p < a + 8`` is ``i < 8`` for a p at ``a[i]``."""

from __future__ import annotations

from ppnsim.c.lowering.places.elements import pointer
from ppnsim.c.lowering.scope import Scope, Sum
from ppnsim.c.syntax import SyntaxNode, refuse


def compared(node: SyntaxNode, scope: Scope) -> tuple[Sum, ...]:
    """Return the subscripts that stand for the operands of an operation on two pointers, none for other operands.

    Raises
    ------
    InputError
        If the pointers point into different arrays, or into different rows of one.
    """
    parts = [child.bare for child in node.children]
    if any(each.type.kind not in ("pointer", "array") for each in parts):
        return ()
    left, right = (pointer(each, scope) for each in parts)
    if left.array != right.array or left.computed[:-1] != right.computed[:-1] or not left.computed:
        words = f"'{node}' compares places in '{left.array}' and in '{right.array}'"
        refuse(node.position, f"{words}; compare the subscripts of elements of one row")
    return left.computed[-1], right.computed[-1]
