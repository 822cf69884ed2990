"""Handles initialiser lists that are shorter than their arrays."""

from __future__ import annotations

from ppnsim.c.lowering.scope import Scope
from ppnsim.c.syntax import CType, SyntaxNode


def some_of(of: CType, values: SyntaxNode, scope: Scope) -> tuple[SyntaxNode, ...]:
    """Return the values of a list that is shorter than its array of ``ap_`` numbers, if the other elements stay as is.

    The default constructor makes the other elements; it does nothing before release 2023.2 (R5.11 of hls).
    """
    if scope.context.policy.fills_lists:
        return ()
    size, row = of.size, of.element is not None and of.element.kind != "array"
    vendors = of.base().text.startswith("ap_") and not of.base().const and scope.context.policy.own_memories
    if not row or not vendors or not isinstance(size, int) or values.kind != "list":
        return ()
    return values.children if len(values.children) < size else ()
