"""Finds the statements of a ``#pragma scop``, and binds variables that are set before it."""

from __future__ import annotations

from contextlib import suppress

from ppnsim.c.lowering.lower import block
from ppnsim.c.lowering.places.bindings import bound_value, moves, target_of
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.c.syntax import SyntaxNode, refuse
from ppnsim.errors import InputError


def declare(node: SyntaxNode, scope: Scope, line: int) -> None:
    """Bind integers and pointers that get their value before a scop; other statements before it are left out."""
    for inner in node.walk():
        if inner.position.line >= line or not inner.children:
            continue
        variable = inner.variable if inner.kind == "declare" else inner.children[0].variable
        if inner.kind == "declare" and variable in scope.steering:
            block([inner], scope, StatementTiming(), line)
        elif inner.kind == "assign" and variable in scope.steering:
            bound_value(inner, scope)
        elif inner.kind in ("declare", "assign") and variable and variable.type.kind == "pointer":
            with suppress(InputError):  # a pointer that the scop does not use may be unsupported
                if variable.scope == "local" and not moves(variable, scope):
                    scope.bindings[variable] = target_of(variable, inner.children[-1], scope)


def within(node: SyntaxNode, first: int, last: int) -> list[SyntaxNode]:
    """Return the outermost statements between two lines; a statement that is only partly between them is refused."""
    found = []
    for child in node.children:
        begins, ends = first < child.position.line < last, first < child.end < last
        if begins and ends:
            found.append(child)
        elif begins or ends:
            words = f"#pragma scop (line {first}) to #pragma endscop (line {last}) hold only a part of this statement"
            refuse(child.position, f"{words}; put both around it, or both into its braces")
        elif child.position.line < first and child.end > last:
            found += within(child, first, last)
    return found
