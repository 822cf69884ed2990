"""Polynomials in whole numbers: what counts are, as formulas of the scalar arguments that they depend on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import TypeAlias

Atom: TypeAlias = "str | Divided | Most | Power | Digits | Sum"
Monomial = tuple[Atom, ...]
_MOST_SHIFTED = 64


@dataclass(frozen=True, slots=True)
class Divided:
    """A quotient without its remainder, as C divides: towards 0."""

    of: Polynomial
    by: Polynomial

    def __str__(self) -> str:
        return f"floor({_bare(self.of)}/{_bare(self.by, products=True)})"

    @property
    def parts(self) -> tuple[Polynomial, ...]:
        """What it is made of."""
        return self.of, self.by


@dataclass(frozen=True, slots=True)
class Most:
    """The largest of several numbers."""

    of: tuple[Polynomial, ...]

    def __str__(self) -> str:
        return f"max({', '.join(map(str, self.of))})"

    @property
    def parts(self) -> tuple[Polynomial, ...]:
        """What it is made of."""
        return self.of


@dataclass(frozen=True, slots=True)
class _OfOne:
    of: Polynomial
    parts = property(lambda self: (self.of,))


class Power(_OfOne):
    """A power of 2."""

    def __str__(self) -> str:
        return f"2^{_bare(self.of)}"


@dataclass(frozen=True, slots=True)
class Digits(_OfOne):
    """How many digits a number has to a base: how often it is divided until it is 0; none below 1."""

    base: int = 2

    def __str__(self) -> str:
        return f"bit_length({self.of})" if self.base == 2 else f"digits({self.of}, {self.base})"


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of what a name makes of a polynomial, for the name from 0 to below a number of ``times``."""

    of: Polynomial
    name: str
    times: Polynomial

    def __str__(self) -> str:
        return f"sum({self.of} for {self.name} < {self.times})".replace("each ", "")

    @property
    def parts(self) -> tuple[Polynomial, ...]:
        """What it is made of."""
        return self.of, self.times


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A sum of products of names, quotients and maxima, each with a factor that is a whole number and not 0.

    Examples
    --------
    >>> n, m = Polynomial.of("n"), Polynomial.of("m")
    >>> print(12 + n * (4 + 2 * m), "and", (n + 3).divided(4), "and", (n - 1).positive())
    12 + 4*n + 2*m*n and floor((3 + n)/4) and max(0, -1 + n)
    >>> (12 + n * (4 + 2 * m)).value({"n": 10, "m": 3})
    112
    """

    terms: tuple[tuple[Monomial, int], ...] = ()

    @classmethod
    def of(cls, value: Atom | int) -> Polynomial:
        """Return a number, a name, or what has a name's place in it as a polynomial."""
        if isinstance(value, int):
            return cls((((), value),)) if value else cls()
        return cls((((value,), 1),))

    def __add__(self, other: Polynomial | int) -> Polynomial:
        more = other if isinstance(other, Polynomial) else Polynomial.of(other)
        return _sum([*self.terms, *more.terms])

    __radd__ = __add__

    def __neg__(self) -> Polynomial:
        return Polynomial(tuple((monomial, -factor) for monomial, factor in self.terms))

    def __sub__(self, other: Polynomial | int) -> Polynomial:
        return self + -other

    def __rsub__(self, other: int) -> Polynomial:
        return other + -self

    def __mul__(self, other: Polynomial | int) -> Polynomial:
        more = other if isinstance(other, Polynomial) else Polynomial.of(other)
        return _sum([
            (tuple(sorted((*left, *right), key=str)), one * two)
            for left, one in self.terms for right, two in more.terms
        ])  # fmt: skip

    __rmul__ = __mul__

    @property
    def constant(self) -> int | None:
        """The number that it is, None if it depends on a name."""
        if not self.terms:
            return 0
        return self.terms[0][1] if len(self.terms) == 1 and not self.terms[0][0] else None

    @property
    def names(self) -> frozenset[str]:
        """The names that it depends on."""
        found = frozenset[str]()
        for atom in {atom for monomial, _ in self.terms for atom in monomial}:
            if isinstance(atom, str):
                found |= {atom}
            else:
                bound = {atom.name} if isinstance(atom, Sum) else set()
                found |= frozenset(chain.from_iterable(each.names for each in atom.parts)) - bound
        return found

    @property
    def never_negative(self) -> bool:
        """Whether it is at least 0 for all names from 0 on, as its form shows."""
        return all(
            (factor > 0 and all(isinstance(atom, str) or _never_negative(atom) for atom in monomial))
            or (factor < 0 and len(monomial) == 1 and isinstance(monomial[0], Most)
                and all((-each).never_negative for each in monomial[0].of))
            for monomial, factor in self.terms
        )  # fmt: skip

    def divided(self, by: int | Polynomial) -> Polynomial:
        """Return its quotient by a number that is not 0, without the remainder."""
        by = Polynomial.of(by) if isinstance(by, int) else by
        if (number := by.constant) and all(factor % number == 0 for _, factor in self.terms):
            return Polynomial(tuple((monomial, factor // number) for monomial, factor in self.terms))
        return Polynomial.of(Divided(self, by))

    def positive(self) -> Polynomial:
        """Return the larger one of it and 0."""
        return most(Polynomial(), self)

    def value(self, names: Mapping[str, int]) -> int:
        """Return its value for values of its names; raise ValueError where it divides by 0 or shifts too far."""
        total = 0
        for monomial, factor in self.terms:
            for atom in monomial:
                factor *= _value(atom, names)
            total += factor
        return total

    def replaced(self, by: Mapping[str, Polynomial]) -> Polynomial:
        """Return it with polynomials in place of names."""
        total = Polynomial()
        for monomial, factor in self.terms:
            product = Polynomial.of(factor)
            for atom in monomial:
                product = product * _replaced(atom, by)
            total = total + product
        return total

    def __str__(self) -> str:
        text = ""
        for monomial, factor in self.terms:
            shown: Sequence[Atom | _Least] = monomial
            lows = [_Least(each.of) if isinstance(each, Most) else each for each in monomial]
            if factor < 0 and sum(len(str(each)) for each in lows) < sum(len(str(each)) for each in shown):
                shown, factor = lows, -factor
            parts = [*([str(abs(factor))] if abs(factor) != 1 or not monomial else []), *map(str, shown)]
            sign = " - " if factor < 0 else " + "
            text += (sign if text else sign.strip() if factor < 0 else "") + "*".join(parts)
        return text or "0"


def most(*values: Polynomial) -> Polynomial:
    """Return the largest of some numbers; those that are never larger than another one are left out.

    Examples
    --------
    >>> n = Polynomial.of("n")
    >>> print(most(n + 4, 2 * n, n), "and", most(n, n + 1))
    max(4 + n, 2*n) and 1 + n
    """
    kept = list(dict.fromkeys(values))
    for each in tuple(kept):
        if any(other != each and (other - each).never_negative for other in kept):
            kept.remove(each)
    return kept[0] if len(kept) == 1 else Polynomial.of(Most(tuple(kept)))


@dataclass(frozen=True, slots=True)
class _Least:
    """The least of several numbers, of which the negative ones have a maximum: how that is written."""

    of: tuple[Polynomial, ...]

    def __str__(self) -> str:
        return f"min({', '.join(str(-each) for each in self.of)})"


def _sum(terms: list[tuple[Monomial, int]]) -> Polynomial:
    found: dict[Monomial, int] = {}
    for monomial, factor in terms:
        found[monomial] = found.get(monomial, 0) + factor
    ordered = sorted(found.items(), key=lambda each: (len(each[0]), [str(atom) for atom in each[0]]))
    return Polynomial(tuple((monomial, factor) for monomial, factor in ordered if factor))


def _never_negative(atom: Divided | Most | Power | Digits | Sum) -> bool:
    if isinstance(atom, Most):
        return any(each.never_negative for each in atom.of)
    return isinstance(atom, _OfOne) or all(each.never_negative for each in atom.parts)


def _value(atom: Atom, names: Mapping[str, int]) -> int:
    if isinstance(atom, str):
        return names[atom]
    if isinstance(atom, Most):
        return max(each.value(names) for each in atom.of)
    if isinstance(atom, Power):
        if not 0 <= (exponent := atom.of.value(names)) < _MOST_SHIFTED:
            raise ValueError(f"shifts by {exponent}")
        return 1 << exponent
    if isinstance(atom, Sum):
        return sum(atom.of.value({**names, atom.name: each}) for each in range(atom.times.value(names)))
    whole = atom.of.value(names)
    if isinstance(atom, Digits):
        return next(digits for digits in count() if atom.base**digits > whole)
    by = atom.by.value(names)
    if not by:
        raise ValueError("divides by 0")
    return abs(whole) // abs(by) * (1 if (whole < 0) == (by < 0) else -1)


def _replaced(atom: Atom, by: Mapping[str, Polynomial]) -> Polynomial:
    if isinstance(atom, str):
        return by.get(atom, Polynomial.of(atom))
    if isinstance(atom, Most):
        return most(*(each.replaced(by) for each in atom.of))
    if isinstance(atom, _OfOne):
        new = replace(atom, of=atom.of.replaced(by))
        return Polynomial.of(new if new.of.constant is None else _value(new, {}))
    if isinstance(atom, Sum):
        return Polynomial.of(Sum(atom.of.replaced(by), atom.name, atom.times.replaced(by)))
    return atom.of.replaced(by).divided(atom.by.replaced(by))


def _bare(value: Polynomial, *, products: bool = False) -> str:
    return f"({value})" if len(value.terms) > 1 or (products and "*" in str(value)) else str(value)
