"""Rewrites a ``switch`` as a chain of ``if``; each case has the statements into which it falls through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ppnsim.c.plain.exits import without_exits
from ppnsim.c.plain.nodes import BOOL, binary, block_of, statements
from ppnsim.c.syntax import SyntaxNode, refuse

_Group = tuple[list[SyntaxNode | None], list[SyntaxNode]]
"""The labels of a case, None for the default, and its statements."""
_LABELS = ("case", "default")
_JUMPS = ("break", "return", "continue", "goto")
_MOST = 200  # nested tests; the functions that read them recurse once for each


def chain_of(node: SyntaxNode) -> SyntaxNode:
    """Return the chain; its conditions compare the value of the switch, which must have no side effect."""
    value, body = node.children[0], node.children[-1]
    groups: list[_Group] = []
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
    for run in _runs(groups):
        if not any(None in labels for labels, _ in run):
            tests.append((_any(value, _labels(run)), _once(node, _run_of(node, value, run))))
            continue
        for place, (labels, _) in enumerate(run):
            inner = _once(node, [each for _, more in run[place:] for each in more])
            if None in labels:
                otherwise = inner
            else:
                tests.append((_any(value, _labels([run[place]])), inner))
    if len(tests) > _MOST:
        words = (
            f"a switch of {len(tests)} cases (at most {_MOST}): divide it, as in if (x < 100) switch .. else switch .."
        )
        refuse(node.position, words)
    found = otherwise or block_of(node, ())
    for test, inner in reversed(tests):
        found = _if(node, test, inner, found)
    return found


def _runs(groups: Sequence[_Group]) -> Iterator[list[_Group]]:
    """Yield the cases that fall through into each other, up to the one that does not."""
    run: list[_Group] = []
    for group in groups:
        run.append(group)
        if _jumps(group[1]):
            yield run
            run = []
    yield from [run] if run else []


def _jumps(nodes: Sequence[SyntaxNode]) -> bool:
    """Return whether statements surely end with a jump, also in the block or the branches that they end with."""
    last = nodes[-1] if nodes else None
    if last is None or last.kind in _JUMPS:
        return last is not None
    ways = [statements(each) for each in last.children[1:]] if last.kind == "if" else []
    return _jumps(last.children) if last.kind == "block" else len(ways) > 1 and all(map(_jumps, ways))


def _labels(run: Sequence[_Group]) -> list[SyntaxNode]:
    return [each for labels, _ in run for each in labels if each is not None]


def _run_of(node: SyntaxNode, value: SyntaxNode, run: Sequence[_Group]) -> list[SyntaxNode]:
    """Return the statements of such cases, each of them once: ``if (x == 0 || x == 1) { if (x == 0) a(); b(); } c();``.

    Each test stands before the statements that may change what it tests.
    """
    before, (_, own) = run[:-1], run[-1]
    if not before:
        return list(own)
    inner = block_of(node, _run_of(node, value, before))
    test = _any(value, _labels(before))
    return [_if(node, test, inner), *own]


def _once(node: SyntaxNode, inner: Sequence[SyntaxNode]) -> SyntaxNode:
    """Return the statements of a case without the exits from its switch."""
    return block_of(node, without_exits(inner, "break", lambda _: [])[0])


def _if(node: SyntaxNode, test: SyntaxNode, *ways: SyntaxNode) -> SyntaxNode:
    return SyntaxNode("if", node.position, node.type, (test, *ways), end=node.end, extent=node.extent)


def _any(value: SyntaxNode, labels: Sequence[SyntaxNode]) -> SyntaxNode:
    """Return whether a value matches one of some cases."""
    test = _chosen(value, labels[0])
    for other in labels[1:]:
        test = binary("||", test, _chosen(value, other), BOOL)
    return test


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
