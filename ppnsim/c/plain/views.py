"""Describes views of an array as numbers of another width: accesses through such a pointer use parts of elements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ppnsim.c.kinds import STEPS
from ppnsim.c.layout import offset_of
from ppnsim.c.plain.nodes import number, with_children
from ppnsim.c.plain.widths_in_memory import fit, number_at, plus, stored, times
from ppnsim.c.syntax import CType, SyntaxNode, Variable


@dataclass(frozen=True, slots=True)
class View:
    """An array of numbers of ``wide`` bits from an element on, ``&a[first]``, seen as numbers of another width."""

    array: SyntaxNode
    first: SyntaxNode
    wide: int


def view_of(node: SyntaxNode, known: Mapping[Variable, View]) -> View | None:
    """Return the view to which a pointer of another width refers, None for other expressions."""
    if node.kind == "name" and node.variable is not None and node.variable in known:
        return known[node.variable]
    of = node.type.element
    if node.kind != "cast" or node.type.kind != "pointer" or of is None or of.kind not in ("integer", "struct"):
        return None
    array, first = _start(node.bare)
    base = array.type.element
    named = array.kind in ("name", "member") and array.type.kind in ("array", "pointer")
    if not named or base is None or base.kind != "integer" or "&" in array.type.text:
        return None
    other = of.kind == "struct" or (fit(of.bits, base.bits) and of.bits != base.bits)
    return View(array, first, base.bits) if other and not _has_effects(first) else None


def _start(pointer: SyntaxNode) -> tuple[SyntaxNode, SyntaxNode]:
    """Return the array into which a pointer points, and the first element: ``&a[k]``, ``a + k``, ``a``."""
    if pointer.kind == "unary" and pointer.text == "&" and pointer.children[0].kind == "index":
        array, first = pointer.children[0].children
        return array, first
    if pointer.kind == "binary" and pointer.text == "+" and pointer.children[0].kind == "name":
        array, first = pointer.children
        return array, first
    return pointer, number(pointer, 0)


def _has_effects(node: SyntaxNode) -> bool:
    return any(each.kind in ("call", "assign", "token") or each.text in STEPS for each in node.walk())


def seen_through(node: SyntaxNode, known: Mapping[Variable, View]) -> SyntaxNode:
    """Return code in which accesses through views are bits of elements, or several elements joined."""
    if node.kind == "member":
        base, at = _pointed(node.children[0])
        view = view_of(base, known) if base is not None else None
        if base is not None and base.type.element is not None and view is not None:
            return _member(node, base.type.element, seen_through(at, known), view) or node
    plain = with_children(node, tuple(seen_through(each, known) for each in node.children))
    base, at = _pointed(plain)
    if base is None:
        return stored(plain)
    view, of = view_of(base, known), base.type.element
    if view is None or of is None:
        return plain
    if plain.type.kind == "struct":
        parts = [replace(plain, kind="member", type=t, text=name) for name, t in plain.type.fields]
        every = [found for each in parts if (found := _member(each, of, at, view)) is not None]
        return replace(plain, kind="list", children=tuple(every), text="") if len(every) == len(parts) else plain
    return number_at(plain, view.array, view.first, at) or plain


def _member(node: SyntaxNode, struct: CType, at: SyntaxNode, view: View) -> SyntaxNode | None:
    """Return a member of a struct element, None if its offset in the array is not that of a number."""
    first = offset_of(struct, node.text) if node.type.kind == "integer" else None
    if first is None or first % node.type.bits or struct.bits % node.type.bits:
        return None
    place = plus(times(at, struct.bits // node.type.bits), number(at, first // node.type.bits))
    return number_at(node, view.array, view.first, place)


def _pointed(node: SyntaxNode) -> tuple[SyntaxNode | None, SyntaxNode]:
    """Return the pointer and the index of an element, for ``p[i]``, ``*(p + i)`` and ``p->``; None for others."""
    if node.kind == "index":
        return node.children[0], node.children[1]
    if node.kind == "unary" and node.text == "*":
        base = node.children[0]
        if base.kind == "binary" and base.text == "+":
            return base.children[0], base.children[1]
        return base, number(node, 0)
    return node if node.kind in ("name", "cast") and node.type.kind == "pointer" else None, number(node, 0)
