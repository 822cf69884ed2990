"""Jumps: returns, breaks and continues; a switch as an equivalent chain of ifs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce

from ppnsim.c.kinds import LOOPS, WORDS
from ppnsim.c.syntax import CType, SyntaxNode, Variable, refuse
from ppnsim.opencl.reader.control.changes import opened_blocks

_BOOL = CType("integer", "int", 32)
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


def as_ifs(node: SyntaxNode, value: Variable) -> SyntaxNode:
    """Return a switch as a chain of ifs; ``value`` holds the value that it compares.

    Raises
    ------
    InputError
        If a case goes on into the next one.
    """
    subject = SyntaxNode("name", node.position, value.type, variable=value)
    made = partial(replace, node, kind="binary", type=_BOOL)
    groups = _groups(node)
    chain = replace(node, kind="block", text="", children=())
    for number, (labels, body) in sorted(enumerate(groups), key=lambda each: (not _has_default(each[1][0]), -each[0])):
        ends = [place for place, each in enumerate(body) if leaves(each)]
        if not ends and number + 1 < len(groups):
            refuse(body[-1].position, "a case that goes on into the next one is not followed: end it with break")
        kept = body[: ends[0] + (body[ends[0]].kind == "return")] if ends else body
        for each in (inner for one in kept for inner in early_ends(one) if inner.kind != "return"):
            refuse(each.position, "a break under a condition within a case is not followed: use else")
        block = replace(node, kind="block", text="", children=tuple(kept))
        if _has_default(labels):
            chain = block  # wherever it stands, it is the last alternative
            continue
        tests = (made(text="==", children=(subject, each)) for each in labels)
        test = reduce(lambda one, other: made(text="||", children=(one, other)), tests)
        chain = replace(node, kind="if", text="", children=(test, block, chain))
    return chain


def _groups(node: SyntaxNode) -> list[tuple[list[SyntaxNode], list[SyntaxNode]]]:
    """Return the groups of labels of a switch, each with its statements."""
    groups: list[tuple[list[SyntaxNode], list[SyntaxNode]]] = []
    for statement in node.children[1].children:
        labels, inner = [], statement
        while inner.kind in ("case", "default"):
            labels.append(inner.children[0] if inner.kind == "case" else inner)
            inner = inner.children[-1]
        if labels:
            groups.append((labels, []))
        if groups:
            groups[-1][1].extend(opened_blocks([inner]))
    return groups


def _has_default(labels: Sequence[SyntaxNode]) -> bool:
    return any(each.kind == "default" for each in labels)
