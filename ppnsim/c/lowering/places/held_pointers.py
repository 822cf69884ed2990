"""Follows pointers in objects: ``view.data = port`` in a constructor makes ``view.data[i]`` an element of ``port``."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.executed.memory import is_part
from ppnsim.c.lowering.places.elements import place, pointer
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.plain.nodes import assign, with_inherited
from ppnsim.c.syntax import SyntaxNode, refuse


def holds(node: SyntaxNode, scope: Scope) -> bool:
    """Bind a pointer member of an object to its target; return whether an assignment was such a binding.

    A target that depends on a loop is not bound, nor is a member of an element of an array of objects.

    Raises
    ------
    InputError
        If the member is already bound to another target.
    """
    target, value = node.children
    if target.kind != "member" or target.type.kind != "pointer" or node.text != "=":
        return False
    if not scope.context.policy.vendor_types or value.bare.kind not in ("name", "unary", "index", "member", "binary"):
        return False
    owner = place(target, scope, held=False)
    if owner.subscripts or owner.random or owner.pointer:
        return False
    to = replace(place(value.bare, scope), pointer=True) if "&" in target.type.text else pointer(value, scope)
    if to.random or not all(each.is_constant for each in to.subscripts):
        return False
    _bind(owner.array, owner.path, to, node, scope)
    return True


def member_pointers(node: SyntaxNode) -> tuple[SyntaxNode, ...]:
    """Return the assignments to the members for an assignment of a list to an object with pointers or references."""
    target, value = node.children
    if value.bare.kind != "list" or target.type.kind != "struct" or target.kind == "token" or node.text != "=":
        return ()
    if not any(of.kind == "pointer" for _, of in target.type.fields):
        return ()
    values = with_inherited(value.bare, target.type).children
    places = (replace(target, kind="member", type=of, children=(target,), text=name) for name, of in target.type.fields)
    return tuple(assign(to, each) for to, each in zip(places, values, strict=False))


def copies_held(node: SyntaxNode, scope: Scope, to: ArrayPlace | None = None) -> None:
    """Bind the pointers and references in the copy ``to`` of a struct to the targets of the original."""
    target, value = node.children
    if not scope.context.held or target.type.kind != "struct" or node.text != "=" or value.bare.kind not in _PLACES:
        return
    to, source = place(target, scope) if to is None else to, place(value.bare, scope)
    for (array, path), held in list(scope.context.held.items()):
        if array == source.array and is_part(f".{path}", f".{source.path}".rstrip(".")):
            if to.subscripts or to.random:
                words = f"'{node}' copies an object that points into '{held.array}' to one of several"
                refuse(node.position, f"{words}; use an object of its own for each array")
            path = f"{to.path}.{path.removeprefix(source.path).lstrip('.')}".lstrip(".")
            _bind(to.array, path, held, node, scope)


_PLACES = ("name", "member", "index", "unary")


def _bind(array: str, path: str, to: ArrayPlace, node: SyntaxNode, scope: Scope) -> None:
    before = scope.context.held.setdefault((array, path), to)
    if before != to:
        words = f"'{node.children[0]}' may point into '{before.array}' or into '{to.array}' after '{node}'"
        refuse(node.position, f"{words}; use an object of its own for each array")
