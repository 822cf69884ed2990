"""Statements that shift, multiply or divide a variable by a number: ``k <<= 1``, ``x = x / 10``."""

from __future__ import annotations

from ppnsim.c.lowering.variables.reaching import sets
from ppnsim.c.plain.evaluate import number_of
from ppnsim.c.syntax import SyntaxNode, Variable

_SCALING = ("*", "/", "<<", ">>")


def scaled(change: SyntaxNode, variable: Variable) -> tuple[str, int] | None:
    """Return the operator and the number by which a statement changes a variable, None for other statements.

    ``x >>= 3`` and ``x = x >> 3`` are ``(">>", 3)``.
    """
    if change.kind != "assign" or not sets(change, variable):
        return None
    operator, value = change.text.removesuffix("="), change.children[1].bare
    if not operator:
        if value.kind != "binary" or value.children[0].bare.variable is not variable:
            return None
        operator, value = value.text, value.children[1].bare
    by = number_of(value, {})
    return None if by is None or operator not in _SCALING else (operator, by)
