"""Bounds loops that shift or divide a variable until it is 0: the bits of its type limit the trip count."""

from __future__ import annotations

from ppnsim.c.lowering.control.scaled import scaled
from ppnsim.c.plain.evaluate import number_of
from ppnsim.c.plain.joint_counters import may_set
from ppnsim.c.plain.nodes import statements
from ppnsim.c.syntax import SyntaxNode, Variable


def most_halvings(node: SyntaxNode) -> tuple[int, Variable] | None:
    """Return the most iterations of a loop that ends when a variable is 0, and the variable; None for other loops.

    Each iteration shifts the variable right, or divides it by one number, and does not change it otherwise: ``while (x)
    { n += x & 1; x >>= 1; }`` runs at most 32 times for an ``int``. A shifted negative number never becomes 0.
    """
    parts = {"while": (0, 1, ()), "do": (1, 0, ()), "for": (1, 3, (2,))}.get(node.kind)
    if parts is None:
        return None
    test, body, stepped = parts
    variable, positive = _until_zero(node.children[test])
    if variable is None or variable.scope not in ("local", "parameter") or not variable.type.bits:
        return None
    if variable.type.kind != "integer" or any(each.kind == "continue" for each in node.walk()):
        return None
    inner = [*statements(node.children[body]), *(node.children[at] for at in stepped)]
    changes = [each for each in inner if may_set(each, variable)]
    found = _divisor(changes[0], variable) if len(changes) == 1 and not may_set(node.children[test], variable) else None
    if found is None:
        return None
    by, shifted = found
    least, most = variable.type.limits
    left, trips = most if positive or shifted else max(most, -least), 0
    while left:
        left, trips = left // by, trips + 1
    return trips, variable


def _until_zero(test: SyntaxNode) -> tuple[Variable | None, bool]:
    """Return the variable that a test compares with 0, and whether the test asks for a positive number."""
    bare = test.bare
    positive = bare.text == ">"
    if bare.kind == "binary" and bare.text in ("!=", ">") and number_of(bare.children[1], {}) == 0:
        bare = bare.children[0].bare
    return (bare.variable if bare.kind == "name" else None), positive


def _divisor(change: SyntaxNode, variable: Variable) -> tuple[int, bool] | None:
    """Return the number by which a statement divides a variable, and whether it shifts; None for other statements."""
    operator, by = scaled(change, variable) or ("", 0)
    if operator == ">>" and 0 < by < variable.type.bits:
        return 1 << by, True
    return (by, False) if operator == "/" and by > 1 else None
