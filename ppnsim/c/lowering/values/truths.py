"""Evaluates conditions with ``&&`` and ``||``, where one known operand may decide the result."""

from __future__ import annotations

from collections.abc import Callable

from ppnsim.c.kinds import STEPS
from ppnsim.c.lowering.values.piecewise import decided
from ppnsim.c.syntax import SyntaxNode
from ppnsim.errors import InputError
from ppnsim.loops.expressions import All, Condition, Some

_TRUTHS = frozenset(("<", "<=", ">", ">=", "==", "!=", "&&", "||", "!"))


def is_truth(node: SyntaxNode) -> bool:
    """Return whether a node compares or joins conditions, so that its value is 0 or 1."""
    return node.text in _TRUTHS and node.kind in ("binary", "unary")


def is_narrower(node: SyntaxNode) -> bool:
    """Return whether a conversion drops bits of an integer, so that a number other than 0 may become 0."""
    to, of, inner = node.type, node.children[0].type, node.bare
    if is_truth(inner):
        return False
    return to.kind == of.kind == "integer" and to.text != "bool" and of.text != "bool" and to.bits < of.bits


def junction(node: SyntaxNode, condition: Callable[[SyntaxNode], Condition]) -> Condition:
    """Return ``a && b`` or ``a || b``; a known operand may decide the result even if other operands are data.

    Raises
    ------
    InputError
        If an operand is data, and no other operand decides.
    """
    unknown: InputError | None = None
    parts: list[Condition] = []
    for child in node.children:
        try:
            part = condition(child)
        except InputError as reason:
            if unknown is not None or not _is_pure(child):
                raise
            unknown = reason
            continue
        if decided(part) is (node.text == "||"):
            return part
        parts.append(part)
    if unknown is not None:
        raise unknown
    return All(tuple(parts)) if node.text == "&&" else Some(tuple(parts))


def _is_pure(node: SyntaxNode) -> bool:
    changes = ("assign", "call", "token")
    return not any(each.kind in changes or (each.kind == "unary" and each.text in STEPS) for each in node.walk())
