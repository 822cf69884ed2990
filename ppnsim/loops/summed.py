"""Sums of polynomials over the iterations of a loop: closed where they can be, else as they are; and least ones."""

from __future__ import annotations

from ppnsim.loops.expressions import Affine
from ppnsim.loops.polynomials import Most, Polynomial, Sum, most

ITERATOR = "each "
"""Begins the name of an iterator in a formula: a scalar may be called the same."""
_HIGHEST = 2
"""The degree up to which sums of powers are written out."""


def of_iterators(value: Affine) -> Polynomial | None:
    """Return an expression of iterators as a polynomial, None if a quotient or a remainder is in it.

    Examples
    --------
    >>> print(of_iterators(2 * Affine.of("i") + 3))
    3 + 2*each i
    """
    total = Polynomial.of(value.constant)
    for atom, factor in value.terms:
        if not isinstance(atom, str):
            return None
        total = total + factor * Polynomial.of(ITERATOR + atom)
    return total


def summed(value: Polynomial, name: str, times: Polynomial) -> Polynomial:
    """Return the sum of the values that a name makes of a polynomial, for the name from 0 to below ``times``.

    Maxima with 0 are left out where the ends show that they are none: ``max(0, n - i)`` for ``i < n``.

    Examples
    --------
    >>> n, m, i = Polynomial.of("n"), Polynomial.of("m"), Polynomial.of("i")
    >>> print(summed((n - i).positive() + 3, "i", n), "and", summed((m - i).positive(), "i", n))
    -floor((-n + n*n)/2) + 3*n + n*n and sum(max(0, -i + m) for i < n)
    """
    total, open_ = Polynomial(), Polynomial()
    for monomial, factor in _plain(value, name, times).terms:
        rest = Polynomial(((tuple(each for each in monomial if each != name), factor),))
        degree = sum(each == name for each in monomial)
        if name in rest.names or degree > _HIGHEST:
            open_ = open_ + Polynomial(((monomial, factor),))
        else:
            total = total + rest * _powers(degree, times)
    return total + Polynomial.of(Sum(open_, name, times)) if open_.terms else total


def _powers(degree: int, times: Polynomial) -> Polynomial:
    """Return the sum of powers of the numbers below another one."""
    if degree == 0:
        return times
    return (times * times - times).divided(2) if degree == 1 else (
        (times * times - times) * (2 * times - 1)
    ).divided(6)  # fmt: skip


def _plain(value: Polynomial, name: str, times: Polynomial) -> Polynomial:
    """Return a value with what is never below 0 in place of its maximum with 0."""
    total = Polynomial()
    for monomial, factor in value.terms:
        product = Polynomial.of(factor)
        for atom in monomial:
            inner = _without_zero(atom, name, times) if isinstance(atom, Most) else None
            product = product * (Polynomial.of(atom) if inner is None else inner)
        total = total + product
    return total


def _without_zero(atom: Most, name: str, times: Polynomial) -> Polynomial | None:
    """Return what a maximum with 0 is of if it is linear in a name and not below 0 at both ends, else None."""
    others = [each for each in atom.of if each.terms]
    if len(others) != 1 or len(atom.of) != 2:
        return None
    inside = others[0]
    powers = [[each == name for each in monomial].count(True) for monomial, _ in inside.terms]
    rest = Polynomial(tuple(each for each, power in zip(inside.terms, powers, strict=True) if not power))
    if max(powers) > 1 or name in rest.names:
        return None
    last, shift = _some(times)
    ends = (inside.replaced({name: Polynomial()}), inside.replaced({name: last - 1}))
    return inside if all(each.replaced(shift).never_negative for each in ends) else None


def _some(times: Polynomial) -> tuple[Polynomial, dict[str, Polynomial]]:
    """Return a number of iterations if there are some, and what its name is then: ``n - 3`` is positive from 4 on."""
    if len(times.terms) == 1 and len(times.terms[0][0]) == 1 and times.terms[0][1] == 1:
        (atom,) = times.terms[0][0]
        if isinstance(atom, Most) and len(atom.of) == 2 and not all(each.terms for each in atom.of):
            times = next(each for each in atom.of if each.terms)
    names = [(monomial[0], factor) for monomial, factor in times.terms if monomial]
    if len(names) == 1 and isinstance(names[0][0], str) and names[0][1] == 1 and len(times.terms) <= 2:
        name = names[0][0]
        least = 1 - (times - Polynomial.of(name)).value({})
        return times, {name: Polynomial.of(name) + max(0, least)}
    return times, {}


def least(*values: Polynomial) -> Polynomial:
    """Return the least of some numbers.

    Examples
    --------
    >>> n = Polynomial.of("n")
    >>> print(least(n, Polynomial.of(64)), "and", 3 + 2 * least(n, n + 1))
    min(n, 64) and 3 + 2*n
    """
    return -most(*(-each for each in values))
