"""The tests that end a loop whose variables say where: ``if (x[i] == y) { found = i; break; }`` (R4.10 of hls)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.c.kinds import LOOPS
from ppnsim.c.syntax import SyntaxNode
from ppnsim.loops.expressions import condition_iterators
from ppnsim.loops.program import Execution, Guard, Loop, Node


def ended_by(node: SyntaxNode, body: Sequence[Node], loaded: int = 0) -> tuple[str, ...]:
    """Return the variables that hold the tests before a way out of a loop, of those whose branch sets a variable.

    ``node`` is the loop's body in C, and ``body`` what it was lowered to. ``loaded`` is the line of a test in the
    loop's head of what each iteration loads, which ends it whatever is set; 0 without one.
    """
    lines = {f"if@{line}" for line in _lines(node)}
    found = (name for name in _set_under(body) if name.partition("_")[0] in lines) if lines else ()
    written = (access.array for each in body if isinstance(each, Execution) for access in each.statement.writes)
    heads = [name for name in written if loaded and name.partition("_")[0] == f"if@{loaded}"]
    return tuple(dict.fromkeys((*found, *heads[-1:])))  # that of a ``do`` follows tests in the same line


def _lines(node: SyntaxNode, *, inside: bool = False) -> Iterator[int]:
    """Yield the lines of each ``if`` with a way out of a loop in one of its branches, be it under a further ``if``.

    ``inside`` another loop, a ``break`` ends that one alone, and a ``return`` the loops around, too.
    """
    # The words are those of `without_returns`.
    if node.kind == "if" and any(not inside or "around the return" in each.text for each in _ways_out(node)):
        yield node.position.line
    for child in node.children:
        yield from _lines(child, inside=inside or child.kind in LOOPS)


def _ways_out(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the ways out under a statement, but not those in its loops."""
    for child in node.children:
        if is_way_out(child):
            yield child
        elif child.kind in ("block", "if"):
            yield from _ways_out(child)


def is_way_out(node: SyntaxNode) -> bool:
    """Return whether a statement stands for a ``break`` or a ``return`` out of a loop that runs to its end."""
    return node.kind == "left" or (node.kind == "empty" and node.text.startswith("the loop around the "))


def has_way_out(node: SyntaxNode, *, inside: bool = False) -> bool:
    """Return whether the body of a loop leaves it; ``inside`` another loop, a ``break`` leaves that one alone."""
    if is_way_out(node):
        return not inside or "around the break" not in node.text
    return any(has_way_out(each, inside=inside or each.kind in LOOPS) for each in node.children)


def _set_under(body: Sequence[Node]) -> Iterator[str]:
    """Yield the data of each condition under which a variable is set, be it in a loop inside."""
    for node in body:
        if isinstance(node, Guard):
            if any(map(_sets, (*node.body, *node.otherwise))):
                yield from sorted(condition_iterators(node.condition))
            yield from _set_under((*node.body, *node.otherwise))
        elif isinstance(node, Loop):
            yield from _set_under(node.body)


def _sets(node: Node) -> bool:
    """Return whether a variable is set, under whatever further conditions, but not in a loop; a test is none."""
    if isinstance(node, Guard):
        return any(map(_sets, (*node.body, *node.otherwise)))
    written = node.statement.writes if isinstance(node, Execution) else ()
    return any(not (w.subscripts or w.random or "@" in w.array) for w in written)
