"""Ways out in the middle, rewritten: a ``continue`` as an ``else``, several returns as assignments to a result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.c.syntax import SyntaxNode, Variable, refuse


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

    Raises
    ------
    InputError
        If a return is in a loop, or in a branch that does not always return.
    """
    return replace(body, children=tuple(_sequence(body.children, result)[0]))


def _sequence(nodes: Sequence[SyntaxNode], result: Variable) -> tuple[list[SyntaxNode], bool]:
    """Return statements, and whether they end with a return."""
    found: list[SyntaxNode] = []
    for place, node in enumerate(nodes):
        if node.kind == "return":
            return [*found, *_given(node, result)], True
        if node.kind == "block":
            inner, ends = _sequence(node.children, result)
            found.append(replace(node, children=tuple(inner)))
            if ends:
                return found, True
        elif node.kind == "if" and any(returns(child) for child in node.children[1:]):
            choice, ends = _choice(node, nodes[place + 1 :], result)
            return [*found, choice], ends
        elif returns(node):
            refuse(node.position, "a return in a loop; let the loop go on and keep the result in a variable")
        else:
            found.append(node)
    return found, False


def _choice(node: SyntaxNode, rest: Sequence[SyntaxNode], result: Variable) -> tuple[SyntaxNode, bool]:
    """Return an ``if`` with a return in it; the statements behind it move to the branches without a return."""
    branches = []
    for branch in (*node.children[1:], None)[:2]:
        inner = () if branch is None else branch.children if branch.kind == "block" else (branch,)
        found, ends = _sequence(inner, result)
        if not ends and any(returns(each) for each in inner):
            refuse(node.position, "a return in a branch that may go on as well; give both ends of it a return")
        branches.append((found, ends))
    (yes, first), (no, second) = branches
    ends = first and second
    if not ends:
        more, ends = _sequence(rest, result)
        if not first:
            yes = yes + more
        else:
            no = no + more
    blocks = [replace(node, kind="block", children=tuple(each)) for each in (yes, no)]
    return replace(node, children=(node.children[0], *blocks)), ends


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
