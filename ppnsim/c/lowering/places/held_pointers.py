"""Pointers that objects hold: ``view.data = port`` in a constructor makes ``view.data[i]`` an element of ``port``."""

from __future__ import annotations

from ppnsim.c.lowering.places.elements import place, pointer
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.syntax import SyntaxNode, refuse


def holds(node: SyntaxNode, scope: Scope) -> bool:
    """Let a member of one object stand for the place that it is set to; return whether an assignment does so.

    A place that depends on a loop, and a member of an element of an array of objects, do not stand for one place.

    Raises
    ------
    InputError
        If the member already stands for another place.
    """
    target, value = node.children
    if target.kind != "member" or target.type.kind != "pointer" or node.text != "=":
        return False
    if not scope.context.policy.vendor_types or value.bare.kind not in ("name", "unary", "index", "member", "binary"):
        return False
    owner = place(target, scope, held=False)
    if owner.subscripts or owner.random or owner.pointer:
        return False
    to = pointer(value, scope)
    if to.random or not all(each.is_constant for each in to.subscripts):
        return False
    before = scope.context.held.setdefault((owner.array, owner.path), to)
    if before != to:
        words = f"'{target}' may point into '{before.array}' or into '{to.array}' after '{node}'"
        refuse(node.position, f"{words}; use an object of its own for each array")
    return True
