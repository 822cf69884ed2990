"""Rewrites early exits of loops: the statements that an exit skips become the other branch of the ``if`` around it.

A schedule does not know the value of a condition. Therefore a loop with a ``break`` or a ``return`` runs to its end,
which the report tells, unless known numbers alone decide when a ``break`` is taken (`ppnsim.c.executed`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from ppnsim.c.kinds import LOOPS, Kind
from ppnsim.c.plain.nodes import BOOL, assign, block_of, noted, number, statements, with_children
from ppnsim.c.syntax import SyntaxNode, Variable

Exit = Callable[[SyntaxNode], list[SyntaxNode]]
_MOST = 4000
"""Most nodes that may be copied into the branches of an ``if``; otherwise a flag skips the code after an exit."""
_IN_A_ROW = 32
"""Most statements with exits that are nested in branches of each other; a flag skips the statements after them."""


def without_exits(nodes: Sequence[SyntaxNode], kind: Kind, replaced: Exit) -> tuple[list[SyntaxNode], bool]:
    """Return statements without exits of one kind, and whether they always end with such an exit.

    Parameters
    ----------
    kind : ``break`` or ``continue`` of the loop around the statements; ``return`` or ``goto`` also in inner loops.
    replaced : returns the statements that replace an exit.
    """
    end = next((place for place, node in enumerate(nodes) if node.kind == kind), len(nodes))
    nodes = nodes[: end + 1]  # the statements after it are dead code
    leaving = [_has_exit(node, kind) for node in nodes]
    places = [place for place, leaves in enumerate(leaving[:-1]) if leaves]
    if len(places) > _IN_A_ROW:
        return _by_flag(nodes, places[_IN_A_ROW - 1 :: _IN_A_ROW], kind, replaced)
    found: list[SyntaxNode] = []
    for place, node in enumerate(nodes):
        if node.kind == kind:
            return [*found, *replaced(node)], True
        if not leaving[place]:
            found.append(node)
        elif node.kind in LOOPS:
            found.append(_loop_without_exits(node, kind, replaced))
        elif node.kind == "if":
            choice, ends = _choice(node, nodes[place + 1 :], kind, replaced)
            return [*found, *choice], ends
        else:
            inner, ends = without_exits((*node.children, *nodes[place + 1 :]), kind, replaced)
            return [*found, *inner], ends
    return found, False


def _choice(
    node: SyntaxNode, rest: Sequence[SyntaxNode], kind: Kind, replaced: Exit
) -> tuple[list[SyntaxNode], bool]:  # fmt: skip
    """Return an ``if`` with exits; each branch continues with the statements after the ``if``."""
    if _continues_after(node, kind):
        copies = 1 << sum(_continues_after(each, kind) for each in rest)
        if copies * sum(1 for each in rest for _ in each.walk()) > _MOST:
            return _by_flag((node, *rest), [0], kind, replaced)
    places = (*node.children[1:], _empty_else(node, rest))[:2]
    branches = [statements(each) for each in (*node.children[1:], None)[:2]]
    made, ends = [], True
    for place, each in zip(places, branches, strict=True):
        body, end = without_exits((*each, *rest), kind, replaced)
        made.append(block_of(place, body))
        ends = ends and end
    return [replace(node, children=(node.children[0], *made))], ends


def _continues_after(node: SyntaxNode, kind: Kind) -> bool:
    """Return whether an ``if`` has exits, and control may reach the code after it from either branch."""
    branches = (*node.children[1:], None)[:2]
    return node.kind == "if" and _has_exit(node, kind) and not any(_exits(statements(each), kind) for each in branches)


def _by_flag(
    nodes: Sequence[SyntaxNode], last: Sequence[int], kind: Kind, replaced: Exit
) -> tuple[list[SyntaxNode], bool]:  # fmt: skip
    """Return statements without exits; a flag guards the statements after each of the ``last`` places."""
    near = nodes[0]
    flag = Variable("left", BOOL, "local", near.position)
    name = SyntaxNode("name", near.position, BOOL, variable=flag, end=near.end, extent=near.extent)
    made, ends = [replace(name, kind="declare", children=(number(near, 0, BOOL),))], False
    for first, end in pairwise((0, *(each + 1 for each in last), len(nodes))):
        inner, ends = without_exits(
            nodes[first:end], kind, lambda each: [assign(name, number(each, 1, BOOL)), *replaced(each)]
        )
        go = replace(name, kind="unary", text="!", children=(name,), variable=None)
        made += [replace(nodes[first], kind="if", children=(go, block_of(nodes[first], inner)))] if first else inner
    return made, ends


def _empty_else(node: SyntaxNode, rest: Sequence[SyntaxNode]) -> SyntaxNode:
    """Return an empty branch in the lines after an ``if`` without ``else``, which no other branch has."""
    first, last = (rest[0].position.line, rest[-1].end) if rest else (node.end, node.end)
    return replace(block_of(node, ()), position=replace(node.position, line=first), end=last)


def skips_rest(node: SyntaxNode) -> bool:
    """Return whether the other branch of an ``if`` is not an ``else`` of the source, but code that an exit skips."""
    return node.extent > (0, 0) and any(each.extent == node.extent for each in node.children[2:3])


def _exits(nodes: Sequence[SyntaxNode], kind: Kind) -> bool:
    """Return whether statements always end with an exit; code after an ``if`` is visited only once."""
    for node in nodes:
        if node.kind == kind:
            return True
        if node.kind in LOOPS or not _has_exit(node, kind):
            continue
        if node.kind == "if":
            ends = all(_exits(statements(each), kind) for each in (*node.children[1:], None)[:2])
        else:
            ends = _exits(node.children, kind)
        if ends:
            return True
    return False


def _loop_without_exits(node: SyntaxNode, kind: Kind, replaced: Exit) -> SyntaxNode:
    """Return a loop whose body has no exits from the loops around it."""
    at = 0 if node.kind == "do" else len(node.children) - 1
    body, _ = without_exits(statements(node.children[at]), kind, replaced)
    made = (*node.children[:at], block_of(node.children[at], body), *node.children[at + 1 :])
    return replace(node, children=made)


def _has_exit(node: SyntaxNode, kind: Kind) -> bool:
    """Return whether a statement has an exit from the loop, or the function, that contains it."""
    if node.kind == kind:
        return True
    if kind not in ("return", "goto") and (node.kind in LOOPS or (kind == "break" and node.kind == "switch")):
        return False
    return any(_has_exit(child, kind) for child in node.children)


def to_its_end(body: SyntaxNode) -> tuple[SyntaxNode, bool]:
    """Return the body of a loop without ``continue`` and ``break``, and whether it always leaves the loop.

    A statement without effect, ``left``, replaces a ``break`` and records the assumption.
    """
    nodes, _ = without_exits(statements(body), "continue", lambda _: [])
    words = "the loop around the {} in line {} runs to its end"  # "test": data may end the loop (`whiles`)
    nodes, ends = without_exits(nodes, "break", lambda n: [_left(n, words.format(n.text or "break", n.position.line))])
    return nodes[0] if body.kind != "block" and len(nodes) == 1 else block_of(body, nodes), ends


def once(body: SyntaxNode) -> SyntaxNode:
    """Return the body of a loop that runs once; its exits go to the end of the body."""
    if body.kind == "left":
        return replace(body, kind="empty", text="")
    return body if body.kind in LOOPS else with_children(body, tuple(map(once, body.children)))


def _left(node: SyntaxNode, text: str) -> SyntaxNode:
    return replace(noted(node, text), kind="left")
