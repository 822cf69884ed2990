"""Splits choices of places: ``f(c ? a : b)`` becomes ``if (c) f(a); else f(b);``; each branch has its own array."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.nodes import assign, block_of, with_children
from ppnsim.c.syntax import Function, SyntaxNode, converted

_STATEMENTS = frozenset(("assign", "call", "return", "cast", "unary", "declare", "choice"))
_BODIES = {"block": 0, "if": 1, "for": 3, "while": 1, "switch": 1, "case": 1, "default": 0}
"""The index of the first child that is a statement, for each kind of statement."""


def with_ways(node: SyntaxNode, functions: Mapping[str, Function]) -> SyntaxNode:
    """Return a statement without choices of arrays, pointers, streams and references; both sides become statements.

    All choices with the same test share one condition. A choice whose test has a side effect is kept, and refused where
    the place is needed.
    """
    if node.kind == "block":
        return with_children(node, tuple(each for child in node.children for each in _split(child, functions)))
    if node.kind == "do":
        return with_children(node, (_as_one(node.children[0], functions), *node.children[1:]))
    first = _BODIES.get(node.kind)
    if first is not None:
        inner = (_as_one(child, functions) for child in node.children[first:])
        return with_children(node, (*node.children[:first], *inner))
    return _as_one(node, functions)


def _as_one(node: SyntaxNode, functions: Mapping[str, Function]) -> SyntaxNode:
    """Return the result as one statement, for a branch or a body."""
    found = _split(node, functions)
    return found[0] if len(found) == 1 else block_of(node, found)


def _split(node: SyntaxNode, functions: Mapping[str, Function]) -> tuple[SyntaxNode, ...]:
    if node.kind not in _STATEMENTS:
        return (with_ways(node, functions) if node.kind in ("do", *_BODIES) else node,)
    choice = next((each for each in _places(node, functions) if _is_pure(each.children[0])), None)
    if choice is None:
        return (node,)
    if node.kind == "declare":
        return _declared(node, functions)
    test, once = choice.children[0], any(each.kind == "call" for each in choice.children[0].walk())
    same = [choice] if once else [each for each in node.walk() if _has_test(each, test)]
    branches = (block_of(node, _split(_with_side(node, same, side), functions)) for side in (1, 2))
    return (SyntaxNode("if", node.position, children=(test, *branches), end=node.end, extent=node.extent),)


def _declared(node: SyntaxNode, functions: Mapping[str, Function]) -> tuple[SyntaxNode, ...]:
    """Return a declaration, and the assignment of its value, whose choices become statements."""
    variable = node.variable
    if variable is None or variable.scope != "local" or variable.type.kind not in ("integer", "real"):
        return (node,)
    name = SyntaxNode("name", node.position, variable.type, variable=variable, end=node.end, extent=node.extent)
    return (replace(node, children=()), *_split(assign(name, node.children[0]), functions))


def _places(node: SyntaxNode, functions: Mapping[str, Function]) -> Iterator[SyntaxNode]:
    """Yield the choices in a statement that select a place which is accessed, not only a value."""
    for each in node.walk("choice", "assign", "unary", "call"):
        if each.kind == "choice" and each.type.kind in ("pointer", "array", "stream"):
            yield each
        if each.kind == "assign" or (each.kind == "unary" and each.text in (*STEPS, "&")):
            yield from _root(each.children[0])
        function = functions.get(each.text) if each.kind == "call" else None
        for parameter, argument in zip(function.parameters if function else (), each.children, strict=False):
            of = parameter.type
            if "&" in of.text and of.element is not None and not of.element.const:
                yield from _root(argument)


def _root(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the choice with which a place begins, if there is one."""
    while node.kind in ("index", "member", "cast", "bits") or (node.kind == "unary" and node.text in ("&", "*")):
        node = node.children[0]
    if node.kind == "choice":
        yield node


def _is_pure(test: SyntaxNode) -> bool:
    return not any(
        each.kind in ("assign", "token") or (each.kind == "unary" and each.text in STEPS) for each in test.walk()
    )


def _has_test(node: SyntaxNode, test: SyntaxNode) -> bool:
    return node.kind == "choice" and str(node.children[0]) == str(test)


def _with_side(node: SyntaxNode, choices: Sequence[SyntaxNode], side: int) -> SyntaxNode:
    """Return a statement in which one side replaces each of some choices."""
    if any(node is each for each in choices):
        return converted(_with_side(node.children[side], choices, side), node.type)
    return with_children(node, tuple(_with_side(child, choices, side) for child in node.children))
