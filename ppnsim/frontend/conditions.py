"""Reads C conditions as conditions on iterators."""

from __future__ import annotations

from ppnsim.affine.expressions import Affine, All, Compare, Condition, Not, Some
from ppnsim.frontend.affine_reader import NotAffine, read
from ppnsim.frontend.piecewise import at_most, equal, plus
from ppnsim.frontend.scope import Scope, refuse
from ppnsim.frontend.syntax import Node

_ONE = Affine.of(1)


def guard(node: Node, scope: Scope) -> Condition:
    """Return the condition of an ``if``; raise InputError with the reason where it is not affine."""
    try:
        return condition(node, scope)
    except NotAffine as reason:
        return refuse(
            node.position,
            f"condition '{node}' is not affine: {reason}; a choice between values can be written with '?:'; for "
            "timing alone, '#pragma ppnsim tripcount(1)' before it executes the body, tripcount(0) the else",
        )


def condition(node: Node, scope: Scope) -> Condition:
    """Return a condition; raise NotAffine with the reason."""
    if node.kind == "cast":
        return condition(node.children[0], scope)
    if node.kind == "unary" and node.text == "!":
        return Not(condition(node.children[0], scope))
    if node.kind == "binary" and node.text in ("&&", "||"):
        parts = tuple(condition(child, scope) for child in node.children)
        return All(parts) if node.text == "&&" else Some(parts)
    if node.kind == "binary" and node.text in ("<", "<=", ">", ">=", "==", "!="):
        left, right = (read(child, scope) for child in node.children)
        match node.text:
            case "<":
                return at_most(plus(left, _ONE), right)
            case "<=":
                return at_most(left, right)
            case ">":
                return at_most(plus(right, _ONE), left)
            case ">=":
                return at_most(right, left)
        return equal(left, right) if node.text == "==" else Not(equal(left, right))
    return Not(equal(read(node, scope), Affine.of(0)))


def decided(test: Condition) -> bool | None:
    """Return the value of a condition that depends on no iterator, None for others."""
    if isinstance(test, Compare):
        if not test.left.is_constant:
            return None
        return test.left.constant == 0 if test.relation == "=" else test.left.constant >= 0
    if isinstance(test, Not):
        inner = decided(test.part)
        return None if inner is None else not inner
    known = [decided(part) for part in test.parts]
    stop = isinstance(test, Some)
    if stop in known:
        return stop
    return None if None in known else not stop
