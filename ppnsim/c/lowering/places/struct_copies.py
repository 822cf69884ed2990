"""Refuses copies of whole structs whose member arrays are accessed element by element.

A struct is one token, but a member array is an array of its own, because its elements are accessed one by one. A copy
of the token would lose the flow through these elements.
"""

from __future__ import annotations

from collections.abc import Iterator

from ppnsim.c.lowering.places.elements import place
from ppnsim.c.lowering.scope import Context, Scope
from ppnsim.c.syntax import SyntaxNode, refuse
from ppnsim.errors import InputError


def note_copies(node: SyntaxNode, scope: Scope) -> None:
    """Record the structs that a statement copies, or passes to an opaque function."""
    for part in _whole(node):
        try:
            array = place(part, scope).array
        except InputError:
            continue  # what it is, the statement itself will say
        scope.context.copies.setdefault(array, node)


def check_copies(context: Context) -> None:
    """Refuse a program in which a struct is copied and an array in it is accessed on its own."""
    for array, path in context.spelling.members.values():
        if array in context.copies:
            node = context.copies[array]
            refuse(
                node.position,
                f"'{node}' copies a struct of '{array}' whole, and its array '{path}' is accessed on its own: "
                "the copy would lose what flows through the array; copy the members one by one",
            )


def _whole(node: SyntaxNode) -> Iterator[SyntaxNode]:
    for inner in node.walk():
        if inner.kind in ("assign", "declare") and inner.type.kind == "struct":
            yield from inner.children
        elif inner.kind == "call":
            yield from (each.bare for each in inner.children if each.bare.type.base().kind == "struct")
