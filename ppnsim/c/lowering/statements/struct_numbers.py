"""The numbers of a struct with arrays: members and elements of its place, which are parts of a token of a stream."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from ppnsim.c.lowering.scope import SHADOWED
from ppnsim.c.plain.nodes import number
from ppnsim.c.syntax import CType, SyntaxNode


def has_arrays(of: CType) -> bool:
    """Return whether a struct contains an array that can be copied member by member."""
    parts = [inner for _, inner in of.fields]
    return of.kind == "struct" and not of.shared and any(p.kind == "array" or has_arrays(p) for p in parts)


def number_pairs(whole: SyntaxNode, place: SyntaxNode) -> Iterator[tuple[SyntaxNode, SyntaxNode]]:
    """Yield the number of the passing struct and the number at its place, for each number in the struct."""
    if whole is not place:
        for name, inner in place.type.fields:
            if inner.kind != "array" and not has_arrays(inner):
                yield member_of(whole, name, inner), member_of(place, name, inner)
    yield from _elements(whole, place, place.type)


def array_numbers(token: SyntaxNode, array: SyntaxNode) -> Iterator[tuple[SyntaxNode, SyntaxNode]]:
    """Yield the number of the token and the array element for each number in an array."""
    name, inner = token.type.fields[0]
    sizes, base = _sizes(inner)
    for flat, at in enumerate(product(*map(range, sizes)) if prod(sizes) <= SHADOWED else ()):
        element = array
        for each in at:
            element = element_at(element, number(array, each))
        yield from _numbers(member_of(token, f"{name}.{flat}", base), element, base)


def _elements(token: SyntaxNode, whole: SyntaxNode, of: CType) -> Iterator[tuple[SyntaxNode, SyntaxNode]]:
    """Yield the number of the token and the array element, for each number in the arrays of a struct."""
    for name, inner in of.fields:
        if inner.kind == "array":
            sizes, base = _sizes(inner)
            for flat, at in enumerate(product(*map(range, sizes)) if prod(sizes) <= SHADOWED else ()):
                element = member_of(whole, name, inner)
                for each in at:
                    element = element_at(element, number(whole, each))
                yield from _numbers(member_of(token, f"{name}.{flat}", base), element, base)
        elif has_arrays(inner):
            yield from _elements(member_of(token, name, inner), member_of(whole, name, inner), inner)


def _numbers(part: SyntaxNode, element: SyntaxNode, of: CType) -> Iterator[tuple[SyntaxNode, SyntaxNode]]:
    """Yield the numbers of an element, which may be a struct."""
    if of.kind != "struct":
        yield part, element
        return
    yield from _elements(part, element, of)
    for name, inner in of.fields:
        if inner.kind != "array" and not has_arrays(inner):
            yield from _numbers(member_of(part, name, inner), member_of(element, name, inner), inner)


def _sizes(of: CType) -> tuple[list[int], CType]:
    sizes = []
    while of.kind == "array" and of.element is not None:
        sizes.append(of.size if isinstance(of.size, int) else 0)
        of = of.element
    return sizes, of


def member_of(of: SyntaxNode, name: str, kind: CType) -> SyntaxNode:
    """Return a member of a struct."""
    return SyntaxNode("member", of.position, kind, (of,), name, end=of.end, extent=of.extent)


def element_at(array: SyntaxNode, index: SyntaxNode) -> SyntaxNode:
    """Return an element of an array."""
    assert array.type.element is not None
    return SyntaxNode("index", array.position, array.type.element, (array, index), end=array.end, extent=array.extent)
