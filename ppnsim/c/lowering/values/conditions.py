"""Takes conditions on iterators apart."""

from __future__ import annotations

from ppnsim.loops.expressions import All, Compare, Condition, Not, Some


def conjuncts(test: Condition) -> list[Condition]:
    """Return the conditions whose conjunction is the condition."""
    test = positive(test)
    return [inner for part in test.parts for inner in conjuncts(part)] if isinstance(test, All) else [test]


def positive(test: Condition) -> Condition:
    """Return a condition with each ``not`` moved inwards; only equalities keep a ``not``."""
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
