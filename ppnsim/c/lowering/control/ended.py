"""The tests that end a loop whose variables say where: ``if (x[i] == y) { found = i; break; }`` (R4.10 of hls)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.c.kinds import LOOPS
from ppnsim.c.syntax import SyntaxNode
from ppnsim.loops.expressions import condition_iterators
from ppnsim.loops.program import Execution, Guard, Node


def ended_by(node: SyntaxNode, body: Sequence[Node]) -> tuple[str, ...]:
    """Return the variables that hold the tests before a way out of a loop, of those whose branch sets a variable.

    ``node`` is the loop's body in C, and ``body`` what it was lowered to.
    """
    lines = {f"if@{line}" for line in _lines(node)}
    found = (name for name in _set_under(body) if name.partition("_")[0] in lines) if lines else ()
    return tuple(dict.fromkeys(found))


def _lines(node: SyntaxNode) -> Iterator[int]:
    """Yield the lines of each ``if`` with a way out right in one of its branches."""
    for child in node.children if node.kind == "if" else ():
        if any(each.kind == "left" for each in (child, *(child.children if child.kind == "block" else ()))):
            yield node.position.line
    for child in node.children:
        if child.kind not in LOOPS:
            yield from _lines(child)


def _set_under(body: Sequence[Node]) -> Iterator[str]:
    """Yield the data of each condition under which a variable is set, not in loops inside."""
    for node in body:
        if isinstance(node, Guard):
            inside = [each for each in (*node.body, *node.otherwise) if isinstance(each, Execution)]
            if any(not (w.subscripts or w.random) for each in inside for w in each.statement.writes):
                yield from sorted(condition_iterators(node.condition))
            yield from _set_under((*node.body, *node.otherwise))
