"""Polynomials in whole numbers: what counts are, as formulas of the scalar arguments that they depend on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Monomial = tuple["str | Divided | Most", ...]


@dataclass(frozen=True, slots=True)
class Divided:
    """A quotient without its remainder, as C divides: towards 0."""

    of: Polynomial
    by: int

    def __str__(self) -> str:
        return f"floor({_bare(self.of)}/{self.by})"


@dataclass(frozen=True, slots=True)
class Most:
    """The largest of several numbers."""

    of: tuple[Polynomial, ...]

    def __str__(self) -> str:
        return f"max({', '.join(map(str, self.of))})"


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
    def of(cls, value: str | Divided | Most | int) -> Polynomial:
        """Return a number, a name, a quotient or a maximum as a polynomial."""
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
            inner = (atom.of,) if isinstance(atom, Divided) else atom.of if isinstance(atom, Most) else ()
            found |= {atom} if isinstance(atom, str) else frozenset().union(*(each.names for each in inner))
        return found

    @property
    def quotients(self) -> bool:
        """Whether there is a quotient in it."""
        atoms = {atom for monomial, _ in self.terms for atom in monomial}
        return any(isinstance(x, Divided) or (isinstance(x, Most) and any(y.quotients for y in x.of)) for x in atoms)

    @property
    def never_negative(self) -> bool:
        """Whether it is at least 0 for all names from 0 on, as its form shows."""
        return all(
            factor > 0 and all(isinstance(atom, str) or _never_negative(atom) for atom in monomial)
            for monomial, factor in self.terms
        )

    def divided(self, by: int) -> Polynomial:
        """Return its quotient by a number from 1 on, without the remainder."""
        if all(factor % by == 0 for _, factor in self.terms):
            return Polynomial(tuple((monomial, factor // by) for monomial, factor in self.terms))
        return Polynomial.of(Divided(self, by))

    def positive(self) -> Polynomial:
        """Return the larger one of it and 0."""
        return most(Polynomial(), self)

    def value(self, names: Mapping[str, int]) -> int:
        """Return its value for values of its names."""
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
            parts = [*([str(abs(factor))] if abs(factor) != 1 or not monomial else []), *map(str, monomial)]
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


def _sum(terms: list[tuple[Monomial, int]]) -> Polynomial:
    found: dict[Monomial, int] = {}
    for monomial, factor in terms:
        found[monomial] = found.get(monomial, 0) + factor
    ordered = sorted(found.items(), key=lambda each: (len(each[0]), [str(atom) for atom in each[0]]))
    return Polynomial(tuple((monomial, factor) for monomial, factor in ordered if factor))


def _never_negative(atom: Divided | Most) -> bool:
    if isinstance(atom, Divided):
        return atom.of.never_negative
    return any(each.never_negative for each in atom.of)


def _value(atom: str | Divided | Most, names: Mapping[str, int]) -> int:
    if isinstance(atom, str):
        return names[atom]
    if isinstance(atom, Most):
        return max(each.value(names) for each in atom.of)
    whole = atom.of.value(names)
    return whole // atom.by if whole >= 0 else -(-whole // atom.by)


def _replaced(atom: str | Divided | Most, by: Mapping[str, Polynomial]) -> Polynomial:
    if isinstance(atom, str):
        return by.get(atom, Polynomial.of(atom))
    if isinstance(atom, Most):
        return most(*(each.replaced(by) for each in atom.of))
    return atom.of.replaced(by).divided(atom.by)


def _bare(value: Polynomial) -> str:
    return f"({value})" if len(value.terms) > 1 else str(value)
