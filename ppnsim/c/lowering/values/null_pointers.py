"""Decides choices that test a null pointer, ``f(x, nullptr)``: the test is known in each call."""

from __future__ import annotations

from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.affine import condition
from ppnsim.c.lowering.values.piecewise import decided
from ppnsim.c.plain.recast import is_test
from ppnsim.c.syntax import SyntaxNode


def set_side(choice: SyntaxNode, scope: Scope) -> SyntaxNode | None:
    """Return the side that a choice takes, ``p ? p[i] : 0``, if it is known whether the pointer is null, else None."""
    tested = any(each.variable in scope.bindings and is_test(each) for each in choice.children[0].walk())
    known = decided(condition(choice.children[0], scope)) if tested else None
    return None if known is None else choice.children[1 if known else 2]
