"""Rewrites pointer conversions: parts of a wide number become bits of it, and addresses become numbers."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.plain.nodes import INT, binary, number, with_children
from ppnsim.c.syntax import CType, SyntaxNode, Variable, unsigned

_NOTHING = ("CXX_NULL_PTR_LITERAL_EXPR", "GNU_NULL_EXPR")

_SET = unsigned(64)
"""The type of a null test; it is compared by identity, so that no other 64-bit number is confused with it."""


def with_bits(node: SyntaxNode) -> SyntaxNode:
    """Return a statement with ``*((short *)&w + j)`` and ``((short *)&w)[j]`` as bits of ``w``: 16 j to 16 j + 15.

    The address of a pointer, ``(uintptr_t)p``, becomes a number that comes from outside, like the register that holds
    it; ``if (p)`` and ``p != NULL`` test it. The address ``(uintptr_t)nullptr`` is 0.
    """
    if not node.children:
        return node
    plain = _tested(with_children(node, tuple(map(with_bits, node.children))))
    if plain.kind == "cast" and plain.type.kind == "integer" and _is_pointer(plain.bare):
        return _address(plain.bare, plain.type)
    if plain.kind == "cast" and plain.type.kind == "integer" and plain.bare.text in _NOTHING:
        return number(plain, 0, plain.type)
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


def _tested(node: SyntaxNode) -> SyntaxNode:
    """Return a condition in which addresses replace pointers that are compared with null: ``p``, ``!p``, ``p == 0``."""
    at: tuple[int, ...] = ()
    if node.kind in ("if", "while", "choice", "for"):
        at = (int(node.kind == "for"),)
    elif node.kind == "unary" and node.text == "!":
        at = (0,)
    elif node.kind == "binary" and node.text in ("&&", "||", "==", "!="):
        at = (0, 1)
        pointers = [each for each in node.children if _is_pointer(each.bare)]
        if node.text in ("==", "!=") and not (pointers and any(map(is_nothing, node.children))):
            return node
    children = list(node.children)
    for each in at:
        if _is_pointer(children[each].bare):
            children[each] = _address(children[each].bare, _SET)
        elif at == (0, 1) and node.text in ("==", "!=") and is_nothing(children[each]):
            children[each] = number(children[each], 0, _SET)
    return with_children(node, children)


def is_nothing(node: SyntaxNode) -> bool:
    """Return whether an expression is ``NULL``, ``nullptr`` or 0."""
    inner = node.bare
    return inner.value == 0 or inner.text in _NOTHING


def is_test(node: SyntaxNode) -> bool:
    """Return whether a name stands for a test whether a pointer is not null."""
    return node.kind == "name" and node.type is _SET


def tests_of(body: SyntaxNode, pointer: Variable) -> set[Variable]:
    """Return the variables that stand for tests of a pointer; their value is 0 if the pointer is null."""
    named = {each.variable for each in body.walk() if is_test(each)}
    return {each for each in named if each is not None and each.name == f"address of {pointer.name}"}


def _address(pointer: SyntaxNode, of: CType) -> SyntaxNode:
    address = Variable(f"address of {pointer}", of, "global", pointer.position)
    return SyntaxNode("name", pointer.position, of, variable=address, end=pointer.end, extent=pointer.extent)


def in_turn(node: SyntaxNode) -> SyntaxNode:
    """Return a statement in which a comma between assignments is no concatenation: ``a = 1, b = 2;``."""
    if not node.children:
        return node
    plain = with_children(node, tuple(map(in_turn, node.children)))
    at = {"block": range(len(plain.children)), "for": (0, 2, 3), "while": (1,), "do": (0,)}.get(plain.kind, ())
    at = range(1, len(plain.children)) if plain.kind == "if" else at
    children = [_apart(each) if number in at else each for number, each in enumerate(plain.children)]
    return with_children(plain, children)


def _apart(node: SyntaxNode) -> SyntaxNode:
    inner = node.bare
    if inner.kind != "join" and not (inner.kind == "binary" and inner.text == ","):
        return node
    return replace(inner, kind="binary", text=",", children=tuple(map(_apart, inner.children)))


def _pointed(node: SyntaxNode) -> SyntaxNode | None:
    """Return the number to which a pointer of another type points, None for other expressions."""
    inner = node.bare
    if node.kind != "cast" or node.type.kind != "pointer" or inner.kind != "unary" or inner.text != "&":
        return None
    place = inner.children[0]
    return place if place.kind == "name" and place.type.kind == "integer" else None


def _is_pointer(node: SyntaxNode) -> bool:
    return node.kind == "name" and node.type.kind == "pointer"
