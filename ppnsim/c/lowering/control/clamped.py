"""The values of variables behind statements that limit them: ``if (n > 8) n = 8;``, ``n = std::min(n, 8);``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ppnsim.c.lowering.control.reach import held, reach, said
from ppnsim.c.lowering.control.value_ranges import either
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.variables.reaching import set_by
from ppnsim.c.syntax import SyntaxNode, Variable


def with_limits(nodes: Iterable[SyntaxNode], scope: Scope) -> Iterator[SyntaxNode]:
    """Yield statements in their order; at each, ``scope.limits`` has what those before it say of what they assign.

    A statement that assigns a variable, also a loop around the next ones, takes away what was known of it. Nothing is
    known of one that a reference, a pointer or a called function may change. What a block learns ends with it.
    """
    before = dict(scope.limits)
    for node in nodes:
        limits = _limits(node, scope)
        if scope.limits:
            for each in node.walk():
                if (variable := set_by(each)) is not None:
                    scope.limits.pop(variable, None)
        yield node
        scope.limits |= limits
    scope.limits = before


def _limits(node: SyntaxNode, scope: Scope) -> dict[Variable, tuple[int | None, int | None]]:
    """Return what is known of a variable behind an assignment to it, or behind an ``if`` with one alone."""
    clamp = node.kind == "if" and len(node.children) == 2
    change = node.children[1] if clamp else node
    while change.kind == "block" and len(change.children) == 1:
        change = change.children[0]
    variable = set_by(change) if change.kind == "assign" and change.text == "=" else None
    if variable is None or variable not in scope.changed or variable in scope.others:
        return {}
    found = reach(change.children[1], scope)
    if clamp:
        kept = reach(change.children[0], scope).within(said(node.children[0], variable, scope, holds=False))
        found = either(found, kept)
    found = held(found, variable.type)
    return {} if found.low is found.high is None else {variable: (found.low, found.high)}
