"""Splits statements with a choice that the iterators decide: the choice becomes control, like an ``if``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.statements.operations import Reading
from ppnsim.c.lowering.values.affine import condition
from ppnsim.c.lowering.values.piecewise import decided
from ppnsim.c.syntax import SyntaxNode, converted
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Guard, Node

_TRUTHS = frozenset(("<", "<=", ">", ">=", "==", "!=", "&&", "||", "!"))
"""Operators whose value is 0 or 1."""


def by_choice(node: SyntaxNode, scope: Scope, make: Callable[[SyntaxNode], Node]) -> tuple[Node, ...]:
    """Return the nodes that ``make`` makes of a statement, for each side of every choice of data under an affine test.

    ``b[i] = (i > 0 ? a[i - 1] : 0) + a[i];`` reads ``a[i - 1]`` only if ``i > 0``. Under a policy of computed choices,
    hardware has a multiplexer instead. All choices of the same test take the same side. ``&&`` and ``||`` decide
    whether their second operand is evaluated; a choice inside a test decides the test of another choice.
    """
    nodes = list(node.walk())
    tests = {inner for each in nodes if each.kind == "choice" for inner in each.children[0].walk()}
    decisive = (
        c for c in nodes
        if _test(c, scope) is not None and (c in tests or any(_reads(s, scope) for s in c.children[1:]))
    )  # fmt: skip
    found = None if scope.context.policy.computed_choices else next(decisive, None)
    test = _test(found, scope) if found is not None else None
    if test is None:
        return (make(node),)
    known = decided(test)
    yes = by_choice(_taken(node, test, 1, scope), scope, make) if known is not False else ()
    no = by_choice(_taken(node, test, 2, scope), scope, make) if known is not True else ()
    return (Guard(test, yes, no),) if known is None else yes or no


def _test(node: SyntaxNode, scope: Scope) -> Condition | None:
    """Return the test of a choice, or of ``&&`` and ``||``; None for other nodes and for data-dependent tests."""
    chooses = node.kind == "choice" or (node.kind == "binary" and node.text in ("&&", "||"))
    try:
        return condition(node.children[0], scope) if chooses else None
    except InputError:  # it depends on data, or the statement itself will report the error
        return None


def _reads(node: SyntaxNode, scope: Scope) -> bool:
    reading = Reading(scope)
    try:
        reading.operation(node)
    except InputError:
        return False
    return bool(reading.reads)


def _taken(node: SyntaxNode, test: Condition, side: int, scope: Scope) -> SyntaxNode:
    """Return a statement in which one side replaces each choice of a test."""
    if _test(node, scope) == test:
        return _taken(_side(node, side), test, side, scope)
    return replace(node, children=tuple(_taken(child, test, side, scope) for child in node.children))


def _side(node: SyntaxNode, side: int) -> SyntaxNode:
    """Return the value of a choice if its test is true (side 1) or false (side 2)."""
    if node.kind == "choice":
        return converted(node.children[side], node.type)
    if (side == 1) != (node.text == "&&"):
        return SyntaxNode("integer", node.position, node.type, value=2 - side)
    second = node.children[1]
    zero = SyntaxNode("integer", node.position, node.type, value=0)
    return second if second.text in _TRUTHS else replace(node, text="!=", children=(second, zero))
