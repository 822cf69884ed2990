"""Handles accesses through pointers to another number type: hardware wires the bits and does not convert them."""

from __future__ import annotations

from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.syntax import CType, SyntaxNode, refuse

_NUMBERS = ("integer", "real")


def stored_as(target: ArrayPlace, of: CType, node: SyntaxNode, scope: Scope) -> str:
    """Return the stored type of a number that is accessed through a pointer of another type, "" if both are equal.

    ``*(unsigned *)&f`` gives the bits of f, which is an element, a variable or a member of a struct. The C writer does
    not support such accesses. Members of a union share their bits anyway.
    """
    owner = scope.context.spelling.owners.get(target.array)
    base = (owner.type if owner else scope.context.spelling.types.get(target.array, of)).base()
    if target.path and base.kind in _NUMBERS:  # a pointer to a struct or a union
        _check_struct(node, base, target)
    if scope.context.arrays[target.array].type == of.text:  # all accesses use this type
        return ""
    if target.path and base.kind in _NUMBERS:
        scope.context.spelling.recast.append(node)
    for name in target.path.split(".") if target.path else ():
        base = base if base.shared else dict(base.fields).get(name, of).base()
    is_other = base.text != of.text and of.kind in _NUMBERS and base.kind in (*_NUMBERS, "struct")
    if not is_other or base.shared or (target.path and (base.kind == "struct" or node.kind == "member")):
        return ""
    if base.bits != of.bits:
        words = f"'{node}' takes {base.bits} bits of '{target.array}' ({base.text}) for {of.bits} bits ({of.text})"
        words += "; a pointer of another type needs elements of the same size: declare the array with elements of that"
        refuse(
            node.position, f"{words} type, or put the value together of elements, as in a[0] | (a[1] << {base.bits})"
        )
    scope.context.spelling.recast.append(node)
    return base.text if target.path else scope.context.arrays[target.array].type


def _check_struct(node: SyntaxNode, base: CType, target: ArrayPlace) -> None:
    """Refuse a member of a struct that spans several elements of an array of numbers."""
    outer = node
    while outer.kind == "member":
        outer = outer.children[0]
    struct = outer.type.base()
    if struct.kind == "struct" and struct.bits > base.bits:
        words = f"'{node}' takes elements of '{target.array}' ({base.text}) for {struct.text} of {struct.bits} bits"
        refuse(node.position, f"{words}; write the elements, as a[k + 1], or copy them to the members of a variable")
