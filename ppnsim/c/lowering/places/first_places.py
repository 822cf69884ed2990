"""Follows global and static pointers that a declaration sets: ``int *p = a;`` outside of functions makes p[i] a[i]."""

from __future__ import annotations

from collections.abc import Callable

from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.refusals import in_object
from ppnsim.c.syntax import SyntaxNode, Variable, refuse

_PLACES = frozenset(("name", "index", "member", "unary", "binary"))


def first_place(variable: Variable, node: SyntaxNode, scope: Scope) -> SyntaxNode | None:
    """Return the expression to which a declaration sets a pointer or a reference that lasts, None for other names.

    Null pointers, strings and results of calls are no places.

    Raises
    ------
    InputError
        If code changes the pointer, and this use comes before its first assignment.
    """
    if variable.type.kind != "pointer" or variable.scope not in ("global", "static") or variable.initial is None:
        return None
    start = variable.initial.bare
    in_all = variable.scope == "global"
    if start.kind not in _PLACES or variable in (scope.context.globals if in_all else scope.bindings):
        return None
    if "&" not in variable.type.text and variable in (scope.context.changed_globals if in_all else scope.changed):
        words = f"'{variable.name}' starts at '{start}' and is changed later, so that its place in a call is not known"
        refuse(node.position, f"{words}; set it in the function before it is used, '{variable.name} = {start};'")
    return start


def check_followed(node: SyntaxNode) -> None:
    """Refuse the elements behind a pointer of a table that lasts: `plain.pointer_tables` resolves local tables only."""
    table = node.children[0].variable if node.kind == "index" and node.children[0].kind == "name" else None
    if node.type.kind == "pointer" and table is not None and table.type.kind == "array" and table.initial is not None:
        refuse(node.position, f"'{node}' is a pointer of a table, which is not followed from here; name its array")


def followed(node: SyntaxNode, to: ArrayPlace, itself: Callable[[], ArrayPlace]) -> ArrayPlace:
    """Return the place behind a node; refuse a pointer to a struct that an object keeps and nothing has bound."""
    of = node.type.element if node.kind == "member" and node.type.kind == "pointer" else None
    if of is not None and of.kind == "struct" and to == itself():
        refuse(node.position, in_object(node))
    return to
