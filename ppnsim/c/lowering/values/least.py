"""Bounds affine values from below by the loops and conditions around them: ``i - j`` in a triangle is at least 0."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.conditions import conjuncts, positive
from ppnsim.c.lowering.values.piecewise import Value, extent
from ppnsim.loops.expressions import Affine, Compare


def least(value: Value, scope: Scope) -> int:
    """Return a number that a value is never below in the loops around it, in which the iterators have their bounds.

    An iterator alone has the range of all its visits. Here the bound of the inner iterator is put in its place, so that
    ``i - j`` with ``j <= i`` is known not to be negative, and so is ``i - 3`` under ``if (i >= 3)``.
    """
    if not isinstance(value, Affine):
        return extent(value, scope.ranges)[0]
    tests = (each for test in scope.context.holding for each in conjuncts(positive(test)))
    held = [each.left for each in tests if isinstance(each, Compare) and each.relation == ">="]
    return max(_least(each, scope, scope.context.open_iterators) for each in (value, *(value - part for part in held)))


def _least(value: Affine, scope: Scope, names: Sequence[str]) -> int:
    """Return the largest of the lower bounds that the iterators ``names``, the innermost last, give a value."""
    found = value.extent(scope.ranges)[0]
    for at in reversed(range(len(names))):
        factor = dict(value.terms).get(names[at], 0)
        if factor and names[at] in scope.context.bounds:
            low, high = scope.context.bounds[names[at]]
            here = Affine.of(names[at])
            ends = (value + (end - here) * factor for end in (low if factor > 0 else high))
            return max(found, *(_least(each, scope, names[:at]) for each in ends))
    return found
