"""Jumps: returns, breaks and continues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.c.kinds import LOOPS, WORDS
from ppnsim.c.syntax import CType, SyntaxNode, refuse

_BOOL = CType("integer", "int", 32)


def leaves(node: SyntaxNode) -> bool:
    """Return whether a statement always ends with a return, break or continue."""
    if node.kind == "block":
        return bool(node.children) and leaves(node.children[-1])
    if node.kind == "if":
        return len(node.children) == 3 and all(leaves(each) for each in node.children[1:])
    return node.kind in ("return", "break", "continue")


def without_jump(*sides: Sequence[SyntaxNode]) -> bool:
    """Return whether no side of an if jumps out of it; refuse a side that does so in some cases only."""
    jumps = [each for side in sides for node in side for each in _jumps(node, inside=False)]
    if not jumps:
        return True
    for side in sides:
        for node in side:
            inner = next(_jumps(node, inside=False), None)
            if inner is not None and not leaves(node):
                refuse(
                    inner.position,
                    f"{WORDS[inner.kind]} under two conditions is not followed: join them with &&, or use else",
                )
    return False


def _jumps(node: SyntaxNode, *, inside: bool) -> Iterator[SyntaxNode]:
    """Yield the returns and continues that leave a statement; a break ends only its own loop or switch."""
    if node.kind == "return" or (node.kind == "continue" and not inside):
        yield node
    inside = inside or node.kind in LOOPS
    for child in node.children:
        yield from _jumps(child, inside=inside)


def early_ends(body: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the breaks and returns that end a loop before its condition does."""
    if body.kind in ("return", "break"):
        yield body
    if body.kind == "switch":
        yield from (each for each in body.walk() if each.kind == "return")
        return
    for child in body.children:
        if child.kind in LOOPS:
            yield from (each for each in child.walk() if each.kind == "return")
        else:
            yield from early_ends(child)


def last_of(nodes: Sequence[SyntaxNode]) -> SyntaxNode | None:
    """Return the last statement, inside blocks too."""
    last = nodes[-1] if nodes else None
    return last_of(last.children) if last is not None and last.kind == "block" else last
