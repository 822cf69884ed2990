"""Arrays that keep the numbers of their initialiser."""

from __future__ import annotations

from ppnsim.c.kinds import STEPS
from ppnsim.c.syntax import SyntaxNode, Variable


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
