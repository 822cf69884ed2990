"""A ``continue`` under a condition, as the ``else`` that it stands for."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.syntax import SyntaxNode


def without_continues(body: SyntaxNode) -> SyntaxNode:
    """Return the body of a loop with ``if (c) { A; continue; } B;`` as ``if (c) { A; } else { B; }``.

    Only where the ``if`` is a statement of the body itself: elsewhere a ``continue`` stays, and is refused.
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
    """Return what a branch does before the ``continue`` at its end, None if there is none at its end."""
    statements = branch.children if branch.kind == "block" else (branch,)
    if not statements or statements[-1].kind != "continue":
        return None
    return replace(branch, kind="block", children=statements[:-1])
