"""Conditions on iterators, taken apart."""

from __future__ import annotations

from ppnsim.loops.expressions import All, Compare, Condition, Not, Some


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
    """Return the conditions whose conjunction is the condition."""
    test = positive(test)
    return [inner for part in test.parts for inner in conjuncts(part)] if isinstance(test, All) else [test]


def positive(test: Condition) -> Condition:
    """Return a condition with each ``not`` moved inwards; only equalities keep one."""
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
