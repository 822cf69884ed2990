"""Rewrites early exits: a ``continue`` becomes an ``else``, and returns become assignments to a result variable."""

from __future__ import annotations

from collections.abc import Sequence
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


# Lambda expressions, and switches, which are refused later.
_OPAQUE = ("other", "switch")


def without_returns(body: SyntaxNode, result: Variable) -> SyntaxNode:
    """Return a body with ``result = e;`` for each ``return e;``; statements that a return skips move to an ``else``.

    A loop with a return runs to its end, and a statement without effect records that. If nothing that takes time
    follows the loop, a ``left`` statement marks the return, because then numbers alone may decide when the loop ends.
    """
    loops = list(body.walk(*LOOPS))
    inside = {id(found) for loop in loops for found in returns(loop)}
    last = {id(found) for loop in _final_loop(body, loops) for found in returns(loop)}

    def replaced(node: SyntaxNode) -> list[SyntaxNode]:
        words = f"the loop around the return in line {node.position.line} runs to its end"
        said = replace(noted(node, words), kind="left" if id(node) in last else "empty")
        return [*_result_set(node, result), *([said] if id(node) in inside else [])]

    return replace(body, children=tuple(without_exits(body.children, "return", replaced)[0]))


def _final_loop(body: SyntaxNode, loops: Sequence[SyntaxNode]) -> list[SyntaxNode]:
    """Return the loop of a function, if it has only one and nothing but a value is returned after it."""
    if len(loops) != 1 or loops[0] not in body.children:
        return []
    rest = body.children[body.children.index(loops[0]) + 1 :]
    quick = all(each.kind == "return" and not any(part.kind == "call" for part in each.walk()) for each in rest)
    return [*loops] if quick else []


def _result_set(node: SyntaxNode, result: Variable) -> list[SyntaxNode]:
    if not node.children:
        return []
    name = SyntaxNode("name", node.position, result.type, variable=result, end=node.end)
    return [replace(node, kind="assign", text="=", type=result.type, children=(name, node.children[0]))]


def returns(node: SyntaxNode) -> list[SyntaxNode]:
    """Return the return statements in a node, without those in lambda expressions and switches."""
    if node.kind == "return":
        return [node]
    return [found for child in node.children for found in returns(child)] if node.kind not in _OPAQUE else []
