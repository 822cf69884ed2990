"""Reads C conditions as conditions on iterators."""

from __future__ import annotations

from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.affine import NotAffine, read
from ppnsim.c.lowering.values.piecewise import at_most, below, equal, plus
from ppnsim.c.syntax import SyntaxNode, refuse
from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not, Some

_ONE = Affine.of(1)


def guard(node: SyntaxNode, scope: Scope) -> Condition:
    """Return the condition of an ``if``; raise InputError with the reason where it is not affine."""
    try:
        return condition(node, scope)
    except NotAffine as reason:
        return refuse(
            node.position,
            f"condition '{node}' is not affine: {reason}; a choice between values can be written with '?:'; for "
            "timing alone, '#pragma ppnsim tripcount(1)' before it executes the body, tripcount(0) the else",
        )


def condition(node: SyntaxNode, scope: Scope, *, bound: bool = False) -> Condition:
    """Return a condition; raise NotAffine with the reason.

    As the ``bound`` of a loop, unsigned numbers are compared as if none of them were below 0: with a wrapped one the
    loop would hardly end.
    """
    if node.kind == "cast":
        return condition(node.children[0], scope, bound=bound)
    if node.kind == "unary" and node.text == "!":
        return Not(condition(node.children[0], scope, bound=bound))
    if node.kind == "binary" and node.text in ("&&", "||"):
        parts = tuple(condition(child, scope, bound=bound) for child in node.children)
        return All(parts) if node.text == "&&" else Some(parts)
    if node.kind == "binary" and node.text in ("<", "<=", ">", ">=", "==", "!="):
        left, right = (read(child, scope) for child in node.children)
        if node.children[0].type.wraps and node.text not in ("==", "!=") and not bound:
            smaller = below(*((left, right) if node.text in ("<", ">=") else (right, left)), scope.ranges)
            return smaller if node.text in ("<", ">") else Not(smaller)
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


def conjuncts(test: Condition) -> list[Condition]:
    """Return what must hold all together for a condition to hold."""
    test = positive(test)
    return [inner for part in test.parts for inner in conjuncts(part)] if isinstance(test, All) else [test]


def positive(test: Condition) -> Condition:
    """Return a condition with each ``not`` pushed down to equalities, which are the only ones to keep it."""
    if isinstance(test, Compare):
        return test
    if isinstance(test, All | Some):
        return type(test)(tuple(positive(part) for part in test.parts))
    inner = test.part
    if isinstance(inner, Not):
        return positive(inner.part)
    if isinstance(inner, Compare):
        return Compare(-inner.left - 1) if inner.relation == ">=" else test
    turned = tuple(positive(Not(part)) for part in inner.parts)
    return Some(turned) if isinstance(inner, All) else All(turned)


def iterators_of(test: Condition) -> set[str]:
    """Return the iterators in a condition."""
    if isinstance(test, Compare):
        return test.left.iterators()
    parts = (test.part,) if isinstance(test, Not) else test.parts
    return {name for part in parts for name in iterators_of(part)}
