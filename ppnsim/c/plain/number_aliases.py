"""Replaces pointers and references that always stand for one number by the number, and marks other aliased numbers.

``int *q = &w; *q += 5;`` becomes ``w += 5;``, so that every change of w is visible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.nodes import block_of, with_children
from ppnsim.c.syntax import SyntaxNode, Variable


def with_first_names(body: SyntaxNode) -> SyntaxNode:
    """Return a function body in which numbers have one name; numbers with other aliases are marked as ``pointed``."""
    while meant := _aliases(body):
        body = _replaced(body, meant)
    others = {each: replace(each, pointed=True) for each in pointed_in(body) if not each.pointed}
    return _renamed(body, others) if others else body


def without_moved_pointers(body: SyntaxNode) -> SyntaxNode:
    """Return a function body in which statements that move a pointer through a reference to it are refused."""
    target = body.children[0].bare if body.kind == "assign" or (body.kind == "unary" and body.text in STEPS) else None
    of = "" if target is None or target.kind != "name" or target.variable is None else target.variable.type.text
    if target is not None and "*&" in of.replace(" ", "").replace("const", ""):
        words = f"'{target}', a reference to a pointer, that moves the pointer (move the pointer itself)"
        return replace(body, kind="other", children=(), text=words)
    return with_children(body, [without_moved_pointers(each) for each in body.children])


def _aliases(body: SyntaxNode) -> dict[Variable, SyntaxNode]:
    """Return the local pointers and references that are set once, to a number, with the name of the number."""
    found, lost = dict[Variable, SyntaxNode](), set[Variable | None]()
    for node in body.walk():
        if node.kind == "declare" and node.variable is not None and (named := _number(node)) is not None:
            found[node.variable] = named
        lost |= _other_uses(node)
    lost -= {each for each in found if "&" in each.type.text}  # a change of a reference changes its number
    of_others = {each.variable for each in found.values()}  # a reference to a reference is resolved in the next round
    return {each: name for each, name in found.items() if each not in lost and each not in of_others}


def _other_uses(node: SyntaxNode) -> set[Variable | None]:
    """Return the pointers that a node sets, or uses as more than a pointer to a single number."""
    if node.kind == "declare":
        of = node.variable.type.text if node.variable is not None else ""
        return {each.variable for each in node.walk()} if "*&" in of.replace(" ", "") else set()
    if node.kind == "binary" or (node.kind == "index" and node.children[1].value != 0):
        return {each.bare.variable for each in node.children if each.type.kind == "pointer"}
    target = (
        node.children[0] if node.kind == "assign" or (node.kind == "unary" and node.text in (*STEPS, "&")) else node
    )
    return {target.variable} if target is not node and target.kind == "name" and "&" not in target.type.text else set()


def _number(declared: SyntaxNode) -> SyntaxNode | None:
    """Return the name of the number that initialises a local pointer or reference, None for other declarations."""
    variable = declared.variable
    if variable is None or variable.scope != "local" or variable.type.kind != "pointer" or not declared.children:
        return None
    first = declared.children[0]
    if "&" not in variable.type.text:
        if first.kind != "unary" or first.text != "&":
            return None
        first = first.children[0]
    named = first.variable if first.kind == "name" else None
    return first if named is not None and named.type.kind == "integer" else None


def _replaced(node: SyntaxNode, meant: Mapping[Variable, SyntaxNode]) -> SyntaxNode:
    """Return a node in which the names of numbers replace the pointers and references to them."""
    if node.variable is not None and node.variable in meant:
        if node.kind == "declare":
            return block_of(node, ())
        name = replace(meant[node.variable], position=node.position, end=node.end, extent=node.extent)
        if "&" in node.variable.type.text:
            return name
        return replace(node, kind="unary", text="&", variable=None, children=(name,))
    made = with_children(node, tuple(_replaced(each, meant) for each in node.children))
    if made is node or not made.children or made.children[0].kind != "unary" or made.children[0].text != "&":
        return made
    at = made.children[1].value if made.kind == "index" else None
    stands = (made.kind == "unary" and made.text == "*") or at == 0
    return made.children[0].children[0] if stands else made


def pointed_in(body: SyntaxNode) -> set[Variable]:
    """Return the numbers to which a pointer or a reference may refer, except through arguments of calls alone."""
    found, given = set[Variable | None](), set[int]()
    for node in body.walk("call", "unary", "declare"):
        if node.kind == "call":
            given |= {id(each.bare) for each in node.children}
        if node.kind == "unary" and node.text == "&" and id(node) not in given:
            found.add(node.children[0].variable if node.children[0].kind == "name" else None)
        of = node.variable.type if node.kind == "declare" and node.variable is not None else None
        if of is not None and "&" in of.text and not of.points_to_const and node.children:
            found.add(node.children[0].bare.variable)
    return {each for each in found if each is not None and each.type.kind == "integer"}


def _renamed(node: SyntaxNode, others: Mapping[Variable, Variable]) -> SyntaxNode:
    made = with_children(node, tuple(_renamed(each, others) for each in node.children))
    other = others.get(made.variable) if made.variable is not None else None
    return made if other is None else replace(made, variable=other)
