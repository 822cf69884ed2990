"""Puts braces into initialiser lists that leave them out: ``{1, 2, 3}`` of a struct with an array is ``{{1, 2}, 3}``.

C 2011 6.7.9 p20 and C++ [dcl.init.aggr] say which values belong to which part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import repeat

from ppnsim.c.plain.nodes import NUMBERS, with_children
from ppnsim.c.syntax import CType, SyntaxNode


def with_braces(made: SyntaxNode) -> SyntaxNode:
    """Return a list in which each part of its object has its own value or its own list."""
    of = made.type
    if of.shared or not any(part.kind in ("struct", "array") for part in (of.element, *_members(of)) if part):
        return made
    flat = any(each.kind != "list" for each in made.children)
    given = zip(_parts(of), made.children, strict=False)
    if not flat or any(part.kind in NUMBERS and each.kind == "list" for part, each in given):
        return made  # the list of a base stands before the members
    rest = list(made.children)
    return with_children(made, [*_taken(of, rest), *rest])


def _taken(of: CType, rest: list[SyntaxNode]) -> Iterator[SyntaxNode]:
    """Yield a value for each part of an object, and take these values away from the rest."""
    for part in _parts(of):
        if not rest:
            return
        first = rest[0]
        if _fits(first, part):
            yield rest.pop(0)
        else:
            inner = (*_taken(part, rest),)
            yield replace(first, kind="list", type=part, children=inner, text="", value=None, variable=None)


def _parts(of: CType) -> Iterator[CType]:
    if of.kind == "array" and of.element is not None:
        return repeat(of.element, of.size) if isinstance(of.size, int) else repeat(of.element)
    return iter(_members(of))


def _members(of: CType) -> list[CType]:
    return [part for _, part in of.fields] if of.kind == "struct" else []


def _fits(given: SyntaxNode, part: CType) -> bool:
    """Return whether a value is that of a part, and not that of the first number or object in the part."""
    if given.kind == "list" or part.kind not in ("struct", "array") or part.shared or given.type.text == part.text:
        return True
    if given.type.kind in NUMBERS:
        return False
    return given.type.kind != "struct" or given.type.text not in _firsts(part)


def _firsts(of: CType) -> Iterator[str]:
    """Yield the type of the first part of an object, that of the first part of this part, and so on."""
    while (first := next(_parts(of), None)) is not None:
        yield first.text
        of = first
