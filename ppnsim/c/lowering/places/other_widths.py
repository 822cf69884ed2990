"""Memory behind a pointer that is only accessed through pointers to elements of another width."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable


def seen_as(variable: Variable, function: Function, functions: Mapping[str, Function]) -> CType:
    """Return the type of a pointer as all that use it see it: ``(ap_uint<128> *)p`` moves 128 bits at a time.

    It is the pointer's own type if some use is of that, or if two differ.
    """
    found = list(_uses(variable, function, functions, ()))
    first = found[0] if found else None
    if first is None or first.element is None or any(each is None or each.text != first.text for each in found):
        return variable.type
    return replace(variable.type, element=first.element, text=first.text)


def _uses(
    variable: Variable, function: Function, functions: Mapping[str, Function], calls: tuple[str, ...]
) -> Iterator[CType | None]:
    """Yield the pointer type of each use of a parameter, None for its own."""
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
    """Return whether a node makes a pointer one to other elements: ``(const void *)p`` has none."""
    of = node.type
    return node.kind == "cast" and of.kind == "pointer" and of.element is not None and of.element.kind != "void"
