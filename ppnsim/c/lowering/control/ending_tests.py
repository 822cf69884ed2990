"""Finds tests that end a loop and set variables: ``if (x[i] == y) { found = i; break; }`` (R4.10 of hls)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.c.kinds import LOOPS
from ppnsim.c.syntax import SyntaxNode
from ppnsim.loops.expressions import condition_iterators
from ppnsim.loops.program import Execution, Guard, Loop, Node


def ended_by(node: SyntaxNode, body: Sequence[Node], loaded: int = 0) -> tuple[str, ...]:
    """Return the variables with the results of tests before an early exit, if a branch of the test sets a variable.

    ``node`` is the loop's body in C, and ``body`` is its lowered form. ``loaded`` is the line of a test in the loop's
    head of an element that each iteration loads, 0 without one; such a test ends the loop whatever is set.
    """
    lines = {f"if@{line}" for line in _lines(node)}
    found = (name for name in _set_under(body) if name.partition("_")[0] in lines) if lines else ()
    written = (access.array for each in body if isinstance(each, Execution) for access in each.statement.writes)
    heads = [name for name in written if loaded and name.partition("_")[0] == f"if@{loaded}"]
    return tuple(dict.fromkeys((*found, *heads[-1:])))  # the head test of a ``do`` follows tests in the same line


def _lines(node: SyntaxNode, *, inside: bool = False) -> Iterator[int]:
    """Yield the lines of each ``if`` with an early exit from a loop in one of its branches, also in a nested ``if``.

    ``inside`` another loop, a ``break`` ends that loop only, and a ``return`` also ends the loops around it.
    """
    # `without_returns` writes these words.
    if node.kind == "if" and any(not inside or "around the return" in each.text for each in _ways_out(node)):
        yield node.position.line
    for child in node.children:
        yield from _lines(child, inside=inside or child.kind in LOOPS)


def _ways_out(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the early exits in a statement, but not those in its loops."""
    for child in node.children:
        if is_way_out(child):
            yield child
        elif child.kind in ("block", "if"):
            yield from _ways_out(child)


def is_way_out(node: SyntaxNode) -> bool:
    """Return whether a statement stands for a ``break`` or a ``return`` out of a loop that runs to its end."""
    return node.kind == "left" or (node.kind == "empty" and node.text.startswith("the loop around the "))


def has_way_out(node: SyntaxNode, *, inside: bool = False) -> bool:
    """Return whether the body of a loop leaves it; ``inside`` another loop, a ``break`` leaves only that loop."""
    if is_way_out(node):
        return not inside or "around the break" not in node.text
    return any(has_way_out(each, inside=inside or each.kind in LOOPS) for each in node.children)


def _set_under(body: Sequence[Node]) -> Iterator[str]:
    """Yield the data of each condition under which a variable is set, also in an inner loop."""
    for node in body:
        if isinstance(node, Guard):
            if any(map(_sets, (*node.body, *node.otherwise))):
                yield from sorted(condition_iterators(node.condition))
            yield from _set_under((*node.body, *node.otherwise))
        elif isinstance(node, Loop):
            yield from _set_under(node.body)


def _sets(node: Node) -> bool:
    """Return whether a node sets a variable, under any further conditions, but not in a loop; a test does not count."""
    if isinstance(node, Guard):
        return any(map(_sets, (*node.body, *node.otherwise)))
    written = node.statement.writes if isinstance(node, Execution) else ()
    return any(not (w.subscripts or w.random or "@" in w.array) for w in written)
