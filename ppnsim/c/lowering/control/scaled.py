"""Recognises statements that shift, multiply or divide a variable by a number: ``k <<= 1``, ``x = x / 10``."""

from __future__ import annotations

from ppnsim.c.lowering.variables.reaching import sets
from ppnsim.c.plain.evaluate import number_of
from ppnsim.c.syntax import SyntaxNode, Variable

_SCALING = ("*", "/", "<<", ">>")


def scaled(change: SyntaxNode, variable: Variable) -> tuple[str, int] | None:
    """Return the operator and the number by which a statement changes a variable, None for other statements.

    ``x >>= 3`` and ``x = x >> 3`` are ``(">>", 3)``, ``x = 2 * x`` is ``("*", 2)``.
    """
    if change.kind != "assign" or not sets(change, variable):
        return None
    operator, value = change.text.removesuffix("="), change.children[1].bare
    if not operator:
        if value.kind != "binary":
            return None
        operator, sides = value.text, [each.bare for each in value.children]
        if operator == "*" and sides[1].variable is variable:
            sides.reverse()
        if sides[0].variable is not variable or sides[0].kind != "name":
            return None
        value = sides[1]
    by = number_of(value, {})
    return None if by is None or operator not in _SCALING else (operator, by)
