"""Ways out in the middle, rewritten: a ``continue`` as an ``else``, several returns as assignments to a result."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.kinds import LOOPS
from ppnsim.c.plain.exits import without_exits
from ppnsim.c.plain.nodes import noted
from ppnsim.c.syntax import SyntaxNode, Variable


def without_continues(body: SyntaxNode) -> SyntaxNode:
    """Return the body of a loop with ``if (c) { A; continue; } B;`` as ``if (c) { A; } else { B; }``.

    The ``if`` must be a statement of the body itself; a ``continue`` elsewhere stays, and is refused later.
    """
    if body.kind != "block":
        return body
    for place, node in enumerate(body.children):
        if node.kind != "if" or not (kept := _before_continue(node.children[1])):
            continue
        rest = replace(node, kind="block", children=(*node.children[2:], *body.children[place + 1 :]), end=body.end)
        choice = replace(node, children=(node.children[0], kept, without_continues(rest)), end=body.end)
        return replace(body, children=(*body.children[:place], choice))
    return body


def _before_continue(branch: SyntaxNode) -> SyntaxNode | None:
    """Return a branch without the ``continue`` at its end, None if it does not end with one."""
    statements = branch.children if branch.kind == "block" else (branch,)
    if not statements or statements[-1].kind != "continue":
        return None
    return replace(branch, kind="block", children=statements[:-1])


# Functions inside an expression; a switch is refused as what it is.
_OPAQUE = ("other", "switch")


def without_returns(body: SyntaxNode, result: Variable) -> SyntaxNode:
    """Return a body with ``result = e;`` for each ``return e;``; statements that a return skips move to an ``else``.

    A loop with a return in it runs to its end; a statement without effect says so.
    """
    loops = [node for node in body.walk() if node.kind in LOOPS]
    inside = {id(found) for loop in loops for found in returns(loop)}

    def replaced(node: SyntaxNode) -> list[SyntaxNode]:
        words = f"the loop around the return in line {node.position.line} runs to its end"
        return [*_given(node, result), *([noted(node, words)] if id(node) in inside else [])]

    return replace(body, children=tuple(without_exits(body.children, "return", replaced)[0]))


def _given(node: SyntaxNode, result: Variable) -> list[SyntaxNode]:
    if not node.children:
        return []
    name = SyntaxNode("name", node.position, result.type, variable=result, end=node.end)
    return [replace(node, kind="assign", text="=", type=result.type, children=(name, node.children[0]))]


def returns(node: SyntaxNode) -> list[SyntaxNode]:
    """Return the returns in a node; functions inside an expression and switches are not looked into."""
    if node.kind == "return":
        return [node]
    return [found for child in node.children for found in returns(child)] if node.kind not in _OPAQUE else []
