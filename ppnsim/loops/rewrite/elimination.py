"""The bounds of two loops in exchanged order, found by elimination in the inequalities of their iterations."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from ppnsim.loops.expressions import Affine, Quotient, Ranges
from ppnsim.loops.program import Loop


class NotSolvableError(Exception):
    """The bounds of two loops cannot be written in exchanged order; the text is the reason."""


def other_way_round(outer: Loop, inner: Loop, ranges: Ranges) -> Loop:
    """Return two loops over the same pairs of values with the inner loop outside; the body does not change.

    If no bound of the inner loop depends on the outer iterator, the loops change places. Otherwise all bounds are
    inequalities ``a i + b j + rest >= 0``. Solved for i, they bound the new inner loop, which therefore visits exactly
    the old pairs. With i eliminated (Fourier and Motzkin), they bound the new outer loop. For some values of the outer
    iterator the inner loop may be empty.

    Parameters
    ----------
    ranges : smallest and largest value of each iterator further out; bounds that can never be the tightest are left
        out.

    Raises
    ------
    NotSolvableError
        If a bound depends on the outer iterator through a remainder or several quotients, or one of the strides is
        not 1 or -1.

    Examples
    --------
    >>> i, j = Affine.of("i"), Affine.of("j")
    >>> outer = Loop(iterator="i", first=(Affine.of(1),), last=(Affine.of(4),))
    >>> turned = other_way_round(outer, Loop(iterator="j", first=(i + 1,), last=(i + 4,)), {})
    >>> [[str(bound) for bound in bounds] for bounds in (turned.first, turned.last)]
    [['2'], ['8']]
    >>> [[str(bound) for bound in bounds] for bounds in (turned.body[0].first, turned.body[0].last)]
    [['1', 'j - 4'], ['4', 'j - 1']]
    """
    i, j = outer.iterator, inner.iterator
    if not any(i in bound.iterators() for bound in (*inner.first, *inner.last)):
        return replace(inner, body=(replace(outer, body=inner.body),))
    for loop in (outer, inner):
        if abs(loop.step) != 1:
            raise NotSolvableError(f"loop '{loop.iterator}' has stride {loop.step} and '{j}' has bounds with '{i}'")
    known = [*_inequalities(outer), *(_without_quotient(each, i) for each in _inequalities(inner))]
    lower = [each for each in known if _factor(each, i) > 0]
    upper = [each for each in known if _factor(each, i) < 0]
    free = [each for each in known if not _factor(each, i)]
    free += [low * -_factor(high, i) + high * _factor(low, i) for low, high in product(lower, upper)]
    outside = _bounded(inner, [each for each in free if _factor(each, j)], ranges)
    inside = _bounded(outer, known, {**ranges, j: value_range(outside, ranges)})
    return replace(outside, body=(replace(inside, body=inner.body),))


def value_range(loop: Loop, ranges: Ranges) -> tuple[int, int]:
    """Return the smallest and the largest value of an iterator, from those of the iterators further out."""
    low, high = _ends(loop)
    return max(bound.extent(ranges)[0] for bound in low), min(bound.extent(ranges)[1] for bound in high)


def _ends(loop: Loop) -> tuple[tuple[Affine, ...], tuple[Affine, ...]]:
    return (loop.first, loop.last) if loop.step > 0 else (loop.last, loop.first)


def _inequalities(loop: Loop) -> list[Affine]:
    """Return expressions that are at least 0 for all values of a loop with stride 1 or -1."""
    (low, high), value = _ends(loop), Affine.of(loop.iterator)
    return [*(value - bound for bound in low), *(bound - value for bound in high)]


def _without_quotient(inequality: Affine, name: str) -> Affine:
    """Return the same inequality with an iterator outside of quotients.

    With q = floor(e / n): q + rest >= 0 if and only if e + n rest >= 0, and rest - q >= 0 if and only if
    n rest + n - 1 - e >= 0.
    """
    while True:
        others = [(atom, c) for atom, c in inequality.terms if not isinstance(atom, str)]
        inside = [(atom, c) for atom, c in others if name in atom.of.iterators()]
        if not inside:
            return inequality
        (atom, c), *more = inside
        if more or abs(c) != 1 or not isinstance(atom, Quotient):
            raise NotSolvableError(f"a bound with '{Affine(tuple(inside))}' cannot be solved for '{name}'")
        rest = inequality - Affine.of(atom) * c
        inequality = rest * atom.by + (atom.of if c > 0 else atom.by - 1 - atom.of)


def _bounded(loop: Loop, inequalities: list[Affine], ranges: Ranges) -> Loop:
    """Return a loop with the bounds that inequalities set for its iterator."""
    name, lower, upper = loop.iterator, [], []
    for each in inequalities:
        factor = _factor(each, name)
        rest = each - Affine.of(name) * factor
        if factor > 0:
            lower.append(_divided(factor - 1 - rest, factor))
        elif factor < 0:
            upper.append(_divided(rest, -factor))
    low, high = _tightest(lower, ranges, sign=-1), _tightest(upper, ranges, sign=1)
    first, last = (low, high) if loop.step > 0 else (high, low)
    return replace(loop, first=first, last=last)


def _divided(value: Affine, by: int) -> Affine:
    """Return floor(value / by), without a quotient where nothing is rounded."""
    if any(factor % by for _, factor in value.terms):
        return value // by
    return Affine(tuple((atom, factor // by) for atom, factor in value.terms), value.constant // by)


def _tightest(bounds: list[Affine], ranges: Ranges, *, sign: int) -> tuple[Affine, ...]:
    """Return the bounds that can be the tightest; ``sign`` is 1 for upper bounds, -1 for lower ones."""
    kept: list[Affine] = []
    for bound in bounds:
        if any(((bound - other) * sign).extent(ranges)[0] >= 0 for other in kept):
            continue
        kept = [other for other in kept if ((other - bound) * sign).extent(ranges)[0] < 0]
        kept.append(bound)
    return tuple(kept)


def _factor(value: Affine, name: str) -> int:
    return dict(value.terms).get(name, 0)
