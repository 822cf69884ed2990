"""Represents the value of a method that returns its object, ``return *this``: the object, read after the call."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.clang.methods import name_of
from ppnsim.c.syntax import SyntaxNode, Variable


def behind(first: SyntaxNode | None, value: SyntaxNode) -> SyntaxNode:
    """Return a value that is read after a call, ``(f(), x)``; without a call, the value itself."""
    if first is None:
        return value
    return replace(first, kind="binary", type=value.type, children=(first, value), text=",", spelled="")


def parted(value: SyntaxNode) -> tuple[SyntaxNode | None, SyntaxNode]:
    """Return the call before a value made by `behind`, None for other values, and the value."""
    bare = value.bare
    if bare.kind == "binary" and bare.text == ",":
        first, (then, value) = bare.children[0], parted(bare.children[1])
        return (first if then is None else behind(first, then)), value
    return None, value


def named(value: SyntaxNode) -> tuple[SyntaxNode, SyntaxNode]:
    """Return the declaration of a variable for a temporary whose method returns it, and the name of the variable."""
    variable = Variable("temporary", value.type, "local", value.position, value)
    declared = replace(value, kind="declare", children=(value,), variable=variable, text="", spelled="")
    return declared, name_of(variable, value)


def is_still(place: SyntaxNode) -> bool:
    """Return whether a call leaves a place the same: a named variable, or an element with a local subscript."""
    bare = place.bare
    if bare.kind == "name":
        return True
    if bare.kind == "member" or (bare.kind == "unary" and bare.text == "*"):
        return is_still(bare.children[0])
    if bare.kind == "index":
        return is_still(bare.children[0]) and all(
            each.kind != "name" or (each.variable is not None and each.variable.scope in ("local", "parameter"))
            for each in bare.children[1].walk()
        )
    return False
