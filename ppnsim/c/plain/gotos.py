"""Rewrites ``goto`` to a label further down: the skipped statements become the other branch of the ``if`` around it.

A label that a ``goto`` names is a block with the name as its text. A ``goto`` out of a loop is like a ``break``: the
loop runs to its end, which is reported, unless known numbers alone decide when it is left. A ``goto`` to a label above
is refused.
"""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.kinds import LOOPS
from ppnsim.c.plain.exits import without_exits
from ppnsim.c.plain.nodes import noted, with_children
from ppnsim.c.syntax import SyntaxNode


def without_gotos(body: SyntaxNode) -> SyntaxNode:
    """Return the plain body of a function without each ``goto`` whose label is further down in a block around it."""
    if not any(body.walk("goto")):
        return body
    body = with_children(body, [without_gotos(each) for each in body.children])
    if body.kind != "block":
        return body
    nodes = list(body.children)
    for at, label in enumerate(body.children):
        place = at - len(body.children)
        before = nodes[:place]
        if label.kind == "block" and label.text and any(_goes_to(each, label.text) for each in before):
            nodes[:place] = _skipping(before, label.text)
    return with_children(body, nodes)


def _goes_to(node: SyntaxNode, label: str) -> bool:
    return any(each.kind == "goto" and each.text == label for each in node.walk())


def _skipping(nodes: list[SyntaxNode], label: str) -> list[SyntaxNode]:
    """Return the statements before a label without the ``goto`` to the label."""
    apart = [_hidden(each, label) for each in nodes]
    inside = {id(each) for node in apart for each in _in_loops(node)}
    last = apart[-1]
    ends = last.kind in LOOPS and not any(each.kind in LOOPS for child in last.children for each in child.walk())
    only = {id(each) for each in _in_loops(last)} if ends else set[int]()

    def replaced(node: SyntaxNode) -> list[SyntaxNode]:
        words = f"the loop around the goto in line {node.position.line} runs to its end"
        said = replace(noted(node, words), kind="left" if id(node) in only else "empty")
        return [said] if id(node) in inside else []

    return [_shown(each) for each in without_exits(apart, "goto", replaced)[0]]


def _in_loops(node: SyntaxNode, *, inside: bool = False) -> list[SyntaxNode]:
    """Return the ``goto`` statements in the loops of a statement."""
    own = [node] if inside and node.kind == "goto" else []
    return own + [found for each in node.children for found in _in_loops(each, inside=inside or node.kind in LOOPS)]


def _hidden(node: SyntaxNode, label: str) -> SyntaxNode:
    """Return a statement in which ``goto`` statements to other labels are hidden, so that they are no exits."""
    if node.kind == "goto" and node.text != label:
        return replace(node, kind="other", spelled="goto")
    return with_children(node, [_hidden(each, label) for each in node.children])


def _shown(node: SyntaxNode) -> SyntaxNode:
    if node.kind == "other" and node.spelled == "goto":
        return replace(node, kind="goto", spelled="")
    return with_children(node, [_shown(each) for each in node.children])
