"""Pointers that data moves: behind ``int *p = h + x[i]`` each ``*p`` is an element of ``h``, and the offset is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.c.lowering.variables.reaching import sets
from ppnsim.c.plain.nodes import INT, binary, with_children
from ppnsim.c.plain.pointers import is_declaration
from ppnsim.c.syntax import SyntaxNode, Variable

_MEMORY = ("index", "token", "call")


def with_elements(body: SyntaxNode) -> SyntaxNode:
    """Return a function's body in which what a pointer at an offset by data names is an element of its array.

    ``int *p = h + x[i]; y[i] = p[1];`` becomes ``int p = x[i]; y[i] = h[p + 1];``, and ``*(h + x[i])`` becomes
    ``h[x[i]]``. A pointer that is changed, or whose array is, stays as it is.
    """
    return _rewritten(body, _data(body))


def _data(body: SyntaxNode) -> frozenset[Variable]:
    """Return the variables whose values come from memory."""
    found: frozenset[Variable] = frozenset()
    given = [
        (target, each.children[-1])
        for each in body.walk()
        if each.kind in ("declare", "assign") and each.children
        and (target := each.variable if each.kind == "declare" else each.children[0].variable) is not None
    ]  # fmt: skip
    while True:
        more = frozenset(target for target, value in given if _is_data(value, found))
        if more <= found:
            return found
        found |= more


def _is_data(node: SyntaxNode, known: frozenset[Variable]) -> bool:
    return any(
        each.kind in _MEMORY or (each.kind == "unary" and each.text == "*") or each.variable in known
        for each in node.walk()
    )


def _rewritten(node: SyntaxNode, data: frozenset[Variable]) -> SyntaxNode:
    plain = with_children(node, tuple(_rewritten(each, data) for each in node.children))
    if plain.kind == "unary" and plain.text == "*" and (found := _moved(plain.children[0], data)) is not None:
        return _element(*found, plain)
    if plain.kind != "block" or is_declaration(plain):
        return plain
    nodes = [inner for each in plain.children for inner in (each.children if is_declaration(each) else (each,))]
    changed = False
    for at, each in enumerate(nodes):
        variable = each.variable
        if each.kind != "declare" or variable is None or variable.type.kind != "pointer" or not each.children:
            continue
        moved = _moved(each.children[0], data)
        if moved is not None and variable.scope == "local" and _lasts(variable, moved[0], nodes[at + 1 :]):
            offset = Variable(variable.name, INT, "local", variable.position)
            nodes[at] = replace(each, type=INT, variable=offset, children=(moved[1],))
            nodes[at + 1 :] = [_used(later, variable, moved[0], offset) for later in nodes[at + 1 :]]
            changed = True
    return with_children(plain, nodes) if changed else plain


def _moved(pointer: SyntaxNode, data: frozenset[Variable]) -> tuple[SyntaxNode, SyntaxNode] | None:
    """Return the array and the offset of ``h + x[i]`` or ``&h[x[i]]``, None of other pointers."""
    pointer = pointer.bare
    if pointer.kind == "unary" and pointer.text == "&":
        pointer = pointer.children[0].bare
        if pointer.kind != "index":
            return None
    elif pointer.kind != "binary" or pointer.text != "+":
        return None
    array, offset = (each.bare for each in pointer.children)
    while array.kind == "binary" and array.text == "+":  # (h + x[i]) + 1
        array, first = (each.bare for each in array.children)
        offset = binary("+", first, offset, INT)
    is_array = array.kind == "name" and array.type.kind in ("array", "pointer") and "&" not in array.type.text
    is_moved = is_array and offset.type.kind == "integer" and _is_data(offset, data)
    return (array, offset) if is_moved else None


def _element(array: SyntaxNode, offset: SyntaxNode, near: SyntaxNode) -> SyntaxNode:
    return SyntaxNode("index", near.position, near.type, (array, offset), end=near.end, extent=near.extent)


def _lasts(pointer: Variable, array: SyntaxNode, behind: Sequence[SyntaxNode]) -> bool:
    """Return whether neither a pointer nor its array is changed behind, and only elements of it are named."""
    uses = [inner for each in behind for inner in each.walk()]
    if any(sets(each, variable) for each in uses for variable in (pointer, array.variable) if variable is not None):
        return False
    mentions = sum(each.kind == "name" and each.variable is pointer for each in uses)
    return mentions == sum(_names(each, pointer) for each in uses)


def _names(node: SyntaxNode, pointer: Variable) -> bool:
    """Return whether a node is an element behind a pointer: ``*p`` or ``p[1]``."""
    is_one = node.kind == "index" or (node.kind == "unary" and node.text == "*")
    return is_one and node.children[0].bare.variable is pointer


def _used(node: SyntaxNode, pointer: Variable, array: SyntaxNode, offset: Variable) -> SyntaxNode:
    """Return a statement with elements of the array for those behind a pointer."""
    plain = with_children(node, tuple(_used(each, pointer, array, offset) for each in node.children))
    if not _names(plain, pointer):
        return plain
    at = SyntaxNode("name", plain.position, INT, variable=offset, end=plain.end, extent=plain.extent)
    if plain.kind == "index":
        at = binary("+", at, plain.children[1], INT)
    return _element(array, at, plain)
