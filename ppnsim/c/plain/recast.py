"""Conversions of pointers: parts of a wide number as the bits that they are, and addresses as numbers."""

from __future__ import annotations

from ppnsim.c.plain.nodes import INT, binary, number, with_children
from ppnsim.c.syntax import SyntaxNode, Variable


def with_bits(node: SyntaxNode) -> SyntaxNode:
    """Return a statement with ``*((short *)&w + j)`` and ``((short *)&w)[j]`` as bits of ``w``: 16 j to 16 j + 15.

    The address of a pointer, ``(uintptr_t)p``, is a number that comes from outside, as its register does.
    """
    plain = with_children(node, tuple(map(with_bits, node.children)))
    if plain.kind == "cast" and plain.type.kind == "integer" and _is_pointer(plain.bare):
        address = Variable(f"address of {plain.bare}", plain.type, "global", plain.position)
        return SyntaxNode("name", plain.position, plain.type, variable=address, end=plain.end, extent=plain.extent)
    if plain.kind == "index":
        base, at = plain.children
    elif plain.kind == "unary" and plain.text == "*":
        base, at = plain.children[0], number(plain, 0)
        if base.kind == "binary" and base.text == "+":
            base, at = base.children
    else:
        return plain
    wide = _pointed(base)
    narrow = plain.type.bits
    if wide is None or not narrow or wide.type.bits <= narrow or wide.type.bits % narrow:
        return plain
    low = binary("*", at, number(at, narrow), INT)
    high = binary("+", low, number(at, narrow - 1), INT)
    return SyntaxNode("bits", plain.position, plain.type, (wide, high, low), end=plain.end, extent=plain.extent)


def _pointed(node: SyntaxNode) -> SyntaxNode | None:
    """Return the number that a pointer of another type points to, None for other expressions."""
    inner = node.bare
    if node.kind != "cast" or node.type.kind != "pointer" or inner.kind != "unary" or inner.text != "&":
        return None
    place = inner.children[0]
    return place if place.kind == "name" and place.type.kind == "integer" else None


def _is_pointer(node: SyntaxNode) -> bool:
    return node.kind == "name" and node.type.kind == "pointer"
