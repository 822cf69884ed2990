"""Rewrites a ``switch`` as a chain of ``if``; each case has the statements into which it falls through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ppnsim.c.plain.exits import without_exits
from ppnsim.c.plain.nodes import BOOL, binary, block_of, statements
from ppnsim.c.syntax import SyntaxNode, refuse

_LABELS = ("case", "default")
_MOST = 200  # nested tests; the functions that read them recurse once for each


def chain_of(node: SyntaxNode) -> SyntaxNode:
    """Return the chain; its conditions compare the value of the switch, which must have no side effect."""
    value, body = node.children[0], node.children[-1]
    groups: list[tuple[list[SyntaxNode | None], list[SyntaxNode]]] = []
    for child in _opened(statements(body)):
        labels: list[SyntaxNode | None] = []
        while child.kind in _LABELS:
            labels.append(child if child.kind == "case" else None)
            child = child.children[-1]
        if labels:
            groups.append((labels, []))
        elif not groups:
            refuse(child.position, "a statement of a switch before its first case")
        groups[-1][1].append(child)
    tests: list[tuple[SyntaxNode, SyntaxNode]] = []
    otherwise: SyntaxNode | None = None
    for place, (labels, _) in enumerate(groups):
        through = [each for _, more in groups[place:] for each in more]
        inner = block_of(node, without_exits(through, "break", lambda _: [])[0])
        if None in labels:
            otherwise = inner
        tested = [_chosen(value, label) for label in labels if label is not None]
        if None not in labels:
            test = tested[0]
            for other in tested[1:]:
                test = binary("||", test, other, BOOL)
            tests.append((test, inner))
    if len(tests) > _MOST:
        words = (
            f"a switch of {len(tests)} cases (at most {_MOST}): divide it, as in if (x < 100) switch .. else switch .."
        )
        refuse(node.position, words)
    found = otherwise or block_of(node, ())
    for test, inner in reversed(tests):
        found = SyntaxNode("if", node.position, node.type, (test, inner, found), end=node.end, extent=node.extent)
    return found


def _chosen(value: SyntaxNode, case: SyntaxNode) -> SyntaxNode:
    """Return whether a value matches a case; ``case 1 ... 5:`` of GNU C has a range of values."""
    first, *last = case.children[:-1]
    if not last:
        return binary("==", value, first, BOOL)
    return binary("&&", binary(">=", value, first, BOOL), binary("<=", value, last[0], BOOL), BOOL)


def _opened(nodes: Sequence[SyntaxNode]) -> Iterator[SyntaxNode]:
    """Yield the statements of a switch; a block with cases is opened: ``case 0: { a(); case 1: b(); }``."""
    for child in nodes:
        inner = child
        while inner.kind in _LABELS:
            inner = inner.children[-1]
        if inner.kind == "block" and any(each.kind in _LABELS for each in inner.children):
            first, *rest = inner.children
            yield from _opened((_labelled(child, first), *rest))
        else:
            yield child


def _labelled(case: SyntaxNode, statement: SyntaxNode) -> SyntaxNode:
    """Return a statement with the labels of a case."""
    if case.kind not in _LABELS:
        return statement
    return replace(case, children=(*case.children[:-1], _labelled(case.children[-1], statement)))
