"""Rewrites loops over the elements of an array, ``for (int &x : a)``, as loops over the indices."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.clang.methods import name_of
from ppnsim.c.plain.nodes import INT, binary, block_of, number, statements, with_children
from ppnsim.c.syntax import SyntaxNode, Variable


def over_elements(array: SyntaxNode, element: Variable, body: SyntaxNode, loop: SyntaxNode) -> SyntaxNode:
    """Return a loop over an array, at the position of ``loop``; ``element`` is a copy of an element or a reference."""
    counter = Variable("at", INT, "local", loop.position)
    name = name_of(counter, loop)
    assert array.type.element is not None
    assert isinstance(array.type.size, int)
    one = SyntaxNode("index", loop.position, array.type.element, (array, name), end=loop.end, extent=array.extent)
    if "&" in element.type.text:
        inner = block_of(body, statements(_with_element(body, element, one)))
    else:
        copy = SyntaxNode("declare", loop.position, element.type, (one,), variable=element, end=loop.position.line)
        inner = block_of(body, (copy, *statements(body)))
    start = SyntaxNode("declare", loop.position, INT, (number(loop, 0),), variable=counter, end=loop.position.line)
    test = binary("<", name, number(loop, array.type.size), INT)
    step = SyntaxNode("unary", loop.position, INT, (name,), "++", end=loop.position.line)
    return replace(loop, children=(start, test, step, inner))


def _with_element(node: SyntaxNode, variable: Variable, by: SyntaxNode) -> SyntaxNode:
    """Return code in which an element replaces the reference to it."""
    if node.kind == "name" and node.variable is variable:
        return replace(by, position=node.position)
    return with_children(node, tuple(_with_element(child, variable, by) for child in node.children))
