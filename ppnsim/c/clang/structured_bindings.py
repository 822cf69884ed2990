"""Reads structured bindings of C++17, ``auto [a, b] = f();``: the names of the parts of an object or an array."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ppnsim.c.clang.library import number_of
from ppnsim.c.clang.tuples import is_spelled
from ppnsim.c.plain.nodes import number
from ppnsim.c.syntax import SyntaxNode


def place_of(cursor: Any) -> tuple[str, int, str]:
    """Return a key that identifies a name, because clang gives a binding no kind and no definition."""
    at = cursor.location
    return (at.file.name if at.file else "", at.offset, str(cursor.spelling))


def parts(cursor: Any, whole: SyntaxNode) -> Mapping[tuple[str, int, str], SyntaxNode]:
    """Return the member or the element of an object for each name of a declaration."""
    named = [each for each in cursor.get_children() if each.kind.name == "UNEXPOSED_DECL"]
    return dict(zip(map(place_of, named), _each(whole), strict=False))


def _each(whole: SyntaxNode) -> Iterator[SyntaxNode]:
    if is_spelled(whole):
        yield from whole.children
        return
    of = whole.type.element if whole.type.kind == "pointer" else whole.type
    if of is None:
        return
    if of.kind == "array" and of.element is not None:
        for at in range(of.size if isinstance(of.size, int) else 0):
            yield SyntaxNode("index", whole.position, of.element, (whole, number(whole, at)), end=whole.end)
    for name, inner in of.fields if of.kind == "struct" else ():
        held = inner.element if inner.kind == "pointer" and inner.text.endswith("&") and inner.element else inner
        yield SyntaxNode("member", whole.position, held, (whole,), name, end=whole.end)


def named_in(cursor: Any, body: Any) -> Iterator[Any]:
    """Yield the variables that the head of a statement declares, if the head or the body names them."""
    first, last = cursor.extent.start.offset, body.extent.start.offset
    seen: set[int] = set()
    for each in cursor.walk_preorder():
        found = each.referenced if each.kind.name == "DECL_REF_EXPR" else None
        if found is None or found.kind.name != "VAR_DECL" or found.location.file.name != cursor.location.file.name:
            continue
        if first < found.location.offset < last and number_of(found) not in seen:
            seen.add(number_of(found))
            yield found
