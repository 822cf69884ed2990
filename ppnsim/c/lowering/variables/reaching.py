"""Whether the text shows which assignment of a variable each use sees, and which arrays keep their initialiser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ppnsim.c.kinds import NON_AFFINE, STEPS
from ppnsim.c.syntax import SyntaxNode, Variable


class _Unknown(Exception):
    """A use may see one of several assignments."""


def followed(variable: Variable, body: SyntaxNode, *, known: bool = False) -> bool:
    """Return whether each use of a variable sees the last assignment before it in the text.

    Then the variable can stand for the assigned value: after ``k = i + 1;`` all uses mean ``i + 1`` until the next
    assignment. This fails after a branch or loop that assigns the variable, and at the head of such a loop, where the
    value comes from the previous iteration. ``known``: it has a value before, as a parameter has.
    """
    return is_set_first(variable, (body,), known=known)


def is_set_first(variable: Variable, nodes: Iterable[SyntaxNode], *, known: bool = False) -> bool:
    """Return whether statements, one after the other, assign a variable before each use of it."""
    try:
        for node in nodes:
            known = _after(node, variable, known=known)
    except _Unknown:
        return False
    return True


def _after(node: SyntaxNode, variable: Variable, *, known: bool) -> bool:
    """Return whether the assignment is known after a node; raise _Unknown at a use where it is not."""
    match node.kind:
        case "name":
            if node.variable is variable and not known:
                raise _Unknown
            return known
        case "assign" if _is(node.children[0], variable):
            known_before = _after(node.children[1], variable, known=known)
            if node.text != "=" and not known_before:
                raise _Unknown
            return True
        case "unary" if _is(node.children[0], variable) and node.text in (*STEPS, "&"):
            if node.text == "&" or not known:
                raise _Unknown  # what knows its address may change it
            return True
        case "declare" if node.variable is variable:
            for child in node.children:
                _after(child, variable, known=known)
            return bool(node.children)
    if node.kind == "for" or node.kind in NON_AFFINE or is_choice(node):
        return _branching(node, variable, known=known)
    for child in (*extents(node), *node.children):
        known = _after(child, variable, known=known)
    return known


def _branching(node: SyntaxNode, variable: Variable, *, known: bool) -> bool:
    if is_choice(node):
        known = _after(node.children[0], variable, known=known)
        ends = [_after(child, variable, known=known) for child in node.children[1:]]
        return known and all(ends) and not any(_changed(child, variable) for child in node.children[1:])
    parts = list(node.children)
    if node.kind == "for" and parts:
        start = parts.pop(0)
        known = _after(start, variable, known=known)
        if _changed(start, variable):  # it is the iterator: a number in the body, and gone afterwards
            for part in parts:
                _after(part, variable, known=True)
            return False
    changed = any(_changed(part, variable) for part in parts)
    inside = known and not changed
    if node.kind == "for" and len(parts) > 1:
        parts = [parts[0], *parts[2:], parts[1]]  # the step comes after the body
    for part in parts:
        inside = _after(part, variable, known=inside)
    return known and not changed


def is_choice(node: SyntaxNode) -> bool:
    """Return whether the first child of a node decides which of the others are executed."""
    return node.kind in ("if", "choice") or (node.kind == "binary" and node.text in ("&&", "||"))


def extents(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the expressions in the type of a declared variable or of a conversion: extents of arrays."""
    of = node.variable.type if node.kind == "declare" and node.variable else node.type if node.kind == "cast" else None
    while of is not None:
        if isinstance(of.size, SyntaxNode):
            yield of.size
        of = of.element


def _changed(node: SyntaxNode, variable: Variable) -> bool:
    return any(sets(inner, variable) for inner in node.walk())


def sets(node: SyntaxNode, variable: Variable) -> bool:
    """Return whether a node itself assigns or declares a variable."""
    steps = node.kind == "assign" or (node.kind == "unary" and node.text in STEPS)
    return _is(node.children[0], variable) if steps else node.kind == "declare" and node.variable is variable


def _is(node: SyntaxNode, variable: Variable) -> bool:
    return node.kind == "name" and node.variable is variable


def is_table(variable: Variable, body: SyntaxNode | None) -> bool:
    """Return whether an array is constant: declared as such, or local to a function that only reads single elements."""
    if variable.type.kind != "array" or variable.type.base().const:
        return variable.type.kind == "array"
    if variable.scope != "local" or body is None:
        return False
    mentions = elements = 0
    for node in body.walk():
        mentions += node.kind == "name" and node.variable is variable
        elements += node.kind == "index" and _root(node) is variable and node.type.kind == "integer"
        changes = node.kind == "assign" or (node.kind == "unary" and node.text in (*STEPS, "&"))
        if changes and _root(node.children[0]) is variable:
            return False
    return mentions == elements


def _root(node: SyntaxNode) -> Variable | None:
    while node.kind == "index":
        node = node.children[0]
    return node.variable if node.kind == "name" else None
