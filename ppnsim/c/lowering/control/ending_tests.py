"""Finds tests that end a loop and set variables: ``if (x[i] == y) { found = i; break; }`` (R4.10 of hls)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ppnsim.c.kinds import BITS, LOOPS
from ppnsim.c.lowering.places.arrays import place_of_argument
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.values.piecewise import Value
from ppnsim.c.lowering.variables.reaching import is_set_first
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.loops.expressions import condition_iterators
from ppnsim.loops.program import Execution, Guard, Loop, Node

TAKEN = "taken when its loop has run as often as it is counted"
"""The text of an exit that known numbers decide: no data ends the loop, and nothing is told about it."""


def ended_by(node: SyntaxNode, body: Sequence[Node], loaded: int = 0, *, known: bool = False) -> tuple[str, ...]:
    """Return the variables with the results of tests before an early exit, if a branch of the test sets a variable.

    ``node`` is the loop's body in C, and ``body`` is its lowered form. ``loaded`` is the line of a test in the loop's
    head of an element that each iteration loads, 0 without one; such a test ends the loop whatever is set. If
    ``known``, code after the loop reads its iterator, so that each test before an early exit counts.
    """
    loaded = loaded or tested_line(node)
    lines = {f"if@{line}" for line in _lines(node)}
    written = [access.array for each in body if isinstance(each, Execution) for access in each.statement.writes]
    found = (name for name in (written if known else _set_under(body)) if name.partition("_")[0] in lines)
    heads = [name for name in written if loaded and name.partition("_")[0] == f"if@{loaded}"]
    return tuple(dict.fromkeys((*found, *heads[-1:])))  # the head test of a ``do`` follows tests in the same line


def left_in(variable: Variable | None, before: Mapping[Variable, ArrayPlace | Value], scope: Scope) -> str:
    """Return the array in which code after a loop reads its iterator, as it was bound ``before``; "" for none."""
    found = before.get(variable) or place_of_argument(variable, scope) if variable is not None else None
    if variable is None or not isinstance(found, ArrayPlace):
        return ""
    scope.bindings[variable] = found
    return found.array


def is_read_behind(variable: Variable | None, loop: SyntaxNode, body: SyntaxNode | None) -> bool:
    """Return whether statements after a loop read a variable before they set it again."""
    return variable is not None and body is not None and not is_set_first(variable, _behind(body, loop) or ())


def _behind(node: SyntaxNode, loop: SyntaxNode) -> list[SyntaxNode] | None:
    """Return the outermost statements after a loop, None if the loop is not in the node.

    Extents do not order them: all statements of a macro have the same one. The ``else`` of the loop is not after it.
    """
    for at, child in enumerate(node.children):
        found = child.kind in LOOPS and (child.position, child.extent) == (loop.position, loop.extent)
        inner = [] if found else _behind(child, loop)
        if inner is not None:
            return inner if node.kind == "if" else [*inner, *node.children[at + 1 :]]
    return None


def _lines(node: SyntaxNode, *, inside: bool = False) -> Iterator[int]:
    """Yield the lines of each ``if`` with an early exit from a loop in one of its branches, also in a nested ``if``.

    ``inside`` another loop, a ``break`` ends that loop only, and a ``return`` also ends the loops around it.
    """
    inside = inside or node.kind in LOOPS
    # `without_returns` writes these words.
    if node.kind == "if" and any(not inside or "around the return" in each.text for each in _ways_out(node)):
        yield node.position.line
    for child in node.children if node.held & BITS["if"] else ():
        yield from _lines(child, inside=inside)


def _ways_out(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the early exits in a statement, but not those in its loops."""
    for child in node.children:
        if is_way_out(child) and child.text != TAKEN:
            yield child
        elif child.kind in ("block", "if"):
            yield from _ways_out(child)


def is_way_out(node: SyntaxNode) -> bool:
    """Return whether a statement stands for a ``break`` or a ``return`` out of a loop that runs to its end."""
    return node.kind == "left" or (node.kind == "empty" and node.text.startswith("the loop around the "))


def tested_line(node: SyntaxNode) -> int:
    """Return the line of a test of data that was moved from a loop's head into its body (`ended_by_data`), or 0."""
    if node.kind == "left" and "around the test" in node.text:
        return node.position.line
    inner = () if node.kind in LOOPS or not node.held & BITS["left"] else node.children
    return next((line for line in map(tested_line, inner) if line), 0)


def has_way_out(node: SyntaxNode, *, inside: bool = False) -> bool:
    """Return whether the body of a loop leaves it; a ``break`` or test ``inside`` another loop leaves only that one."""
    if is_way_out(node):
        return not inside or not any(f"around the {word}" in node.text for word in ("break", "test"))
    if not node.held & (BITS["left"] | BITS["empty"]):
        return False
    return any(has_way_out(each, inside=inside or node.kind in LOOPS) for each in node.children)


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
