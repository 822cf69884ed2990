"""Moves the statements before a ``break`` to after the loop: ``while (..) { if (c) { sum += x; break; } .. }``.

The addition happens once, and on no path through an iteration, so that hardware has its states after the loop (R5.22).
"""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.kinds import LOOPS
from ppnsim.c.plain.nodes import BOOL, assign, block_of, number, statements, with_children
from ppnsim.c.syntax import SyntaxNode, Variable

_WORK, _KEPT = ("binary", "call"), (*LOOPS, "break", "continue", "return", "token", "declare", "switch")
"""Statements that take time (constants and copies stay in the loop), and statements that must stay inside."""


def with_last_behind(loop: SyntaxNode) -> tuple[SyntaxNode, ...]:
    """Return a loop, with the statements before its exit moved after it, under a flag that records the exit.

    They are moved only if the exit ends an ``if`` that is a statement of the loop's body, and if the statements before
    the exit take time and use no variable of the loop.
    """
    if len(loop.children) != {"for": 4, "while": 2, "do": 2}.get(loop.kind):
        return (loop,)  # an unsupported head is refused later, if the function is needed
    at = 0 if loop.kind == "do" else len(loop.children) - 1
    before, made, behind = list[SyntaxNode](), list[SyntaxNode](), list[SyntaxNode]()
    own = _own(loop, loop.children[:at] if loop.kind == "for" else ())
    for node in statements(loop.children[at]):
        last = statements(node.children[1]) if node.kind == "if" else ()
        if len(last) < 2 or last[-1].kind != "break" or not _movable(last[:-1], own):
            made.append(node)
            continue
        flag = Variable("left", BOOL, "local", node.position)
        name = SyntaxNode("name", node.position, BOOL, variable=flag, end=node.end, extent=node.extent)
        before.append(SyntaxNode("declare", node.position, BOOL, (), variable=flag, end=node.end, extent=node.extent))
        before.append(assign(name, number(node, 0, BOOL)))
        taken = block_of(node.children[1], (assign(name, number(node, 1, BOOL)), last[-1]))
        made.append(with_children(node, (node.children[0], taken, *node.children[2:])))
        behind.append(replace(node, children=(name, block_of(node.children[1], last[:-1]))))
    if not behind:
        return (loop,)
    body = block_of(loop.children[at], made)
    return (*before, with_children(loop, (*loop.children[:at], body, *loop.children[at + 1 :])), *behind)


def _movable(nodes: tuple[SyntaxNode, ...], own: set[Variable]) -> bool:
    """Return whether statements take time, have no loops and exits, and use no variable of the loop."""
    every = [each for node in nodes for each in node.walk()]
    if any(each.kind in _KEPT for each in every):
        return False
    works = any(each.kind in _WORK or (each.kind == "assign" and each.text != "=") for each in every)
    return works and not any(each.variable in own for each in every if each.variable is not None)


def _own(loop: SyntaxNode, head: tuple[SyntaxNode, ...]) -> set[Variable]:
    """Return the variables that a loop declares, and the variables in the head of a ``for``."""
    named = [each for node in head for each in node.walk("name")]
    return {each.variable for each in (*named, *loop.walk("declare")) if each.variable is not None}
