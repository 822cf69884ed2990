"""Finds memory that is only accessed through pointers to elements of another width than its declared type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable


def seen_as(variable: Variable, function: Function, functions: Mapping[str, Function]) -> CType:
    """Return the pointer type that all uses of a pointer share: ``(ap_uint<128> *)p`` moves 128 bits at a time.

    It is the pointer's own type if some use has that type, or if two uses differ.
    """
    found = list(_uses(variable, function, functions, ()))
    first = found[0] if found else None
    if first is None or first.element is None or any(each is None or each.text != first.text for each in found):
        return variable.type
    return replace(variable.type, element=first.element, text=first.text)


def _uses(
    variable: Variable, function: Function, functions: Mapping[str, Function], calls: tuple[str, ...]
) -> Iterator[CType | None]:
    """Yield the pointer type of each use of a parameter, None for its own type."""
    for node in function.walk():
        for place, child in enumerate(node.children):
            if child.kind != "name" or child.variable is not variable:
                continue
            called = functions.get(node.text) if node.kind == "call" else None
            if called is not None and called.body is not None and node.text not in calls:
                parameters = called.parameters[place : place + 1]
                yield from (use for each in parameters for use in _uses(each, called, functions, (*calls, node.text)))
            else:
                yield node.type if _is_of_elements(node) else None


def _is_of_elements(node: SyntaxNode) -> bool:
    """Return whether a cast gives a pointer to elements of another type: ``(const void *)p`` has no elements."""
    of = node.type
    return node.kind == "cast" and of.kind == "pointer" and of.element is not None and of.element.kind != "void"
