"""Rewrites loops over the elements of an array, ``for (int &x : a)``, as loops over the indices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ppnsim.c.clang.methods import name_of
from ppnsim.c.clang.temporaries import is_temporary
from ppnsim.c.plain.nodes import INT, binary, block_of, elements_of, number, statements, with_children
from ppnsim.c.syntax import Function, SyntaxNode, Variable

_LANES = "ppnsim_lane"
"""The member of our ``hls::vector`` that holds its lanes."""


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


def held_range(whole: SyntaxNode, functions: Mapping[str, Function]) -> tuple[tuple[SyntaxNode, ...], SyntaxNode]:
    """Return the array of a range, behind the declaration of the temporary that holds it, ``for (int x : s.read().m)``.

    The range of an ``hls::vector`` are its lanes.
    """
    before: tuple[SyntaxNode, ...] = ()
    root = whole = elements_of(whole)
    while root.kind in ("member", "index"):
        root = root.children[0]
    if root.type.kind == "struct" and is_temporary(root, functions):
        held = Variable("range", root.type, "local", root.position, root)
        before = (replace(root, kind="declare", children=(root,), variable=held, text="", spelled="", value=None),)
        whole = _with_root(whole, name_of(held, root))
    lanes = dict(whole.type.fields).get(_LANES)
    if lanes is not None and len(whole.type.fields) == 1:
        whole = replace(whole, kind="member", type=lanes, children=(whole,), text=_LANES, variable=None)
    return before, whole


def _with_root(place: SyntaxNode, root: SyntaxNode) -> SyntaxNode:
    """Return a place in another object."""
    if place.kind not in ("member", "index"):
        return root
    return with_children(place, (_with_root(place.children[0], root), *place.children[1:]))


def _with_element(node: SyntaxNode, variable: Variable, by: SyntaxNode) -> SyntaxNode:
    """Return code in which an element replaces the reference to it."""
    if node.kind == "name" and node.variable is variable:
        return replace(by, position=node.position)
    return with_children(node, tuple(_with_element(child, variable, by) for child in node.children))
