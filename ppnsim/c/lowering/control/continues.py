"""A ``continue`` under a condition, rewritten as an ``else``."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.syntax import SyntaxNode


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
