"""Formulas in products of loop bounds, fitted exactly: polynomials over the rationals, and least squares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from ppnsim.errors import InputError

Monomial = tuple[tuple[str, int], ...]  # (variable, exponent from 1 on), in order of the variables
Point = Mapping[str, int | Fraction]


@dataclass(frozen=True, slots=True)
class Formula:
    """A sum of products of variables with rational factors; no factor is 0.

    Examples
    --------
    >>> i, j = Formula.variable("I"), Formula.variable("J")
    >>> print((i + 2) * j - i * j + 1)
    2*J + 1
    """

    terms: Mapping[Monomial, Fraction]

    @staticmethod
    def variable(name: str) -> Formula:
        """Return a variable by itself."""
        return Formula({((name, 1),): Fraction(1)})

    @staticmethod
    def sum(terms: Iterable[tuple[Monomial, Fraction]]) -> Formula:
        """Return the sum of products that may occur several times."""
        collected: dict[Monomial, Fraction] = {}
        for monomial, factor in terms:
            collected[monomial] = collected.get(monomial, Fraction(0)) + factor
        return Formula({monomial: factor for monomial, factor in collected.items() if factor})

    def __add__(self, other: Formula | int) -> Formula:
        return Formula.sum([*self.terms.items(), *_formula(other).terms.items()])

    def __sub__(self, other: Formula | int) -> Formula:
        return self + _formula(other) * -1

    def __mul__(self, other: Formula | int) -> Formula:
        return Formula.sum(
            (_product(one, two), factor * more)
            for one, factor in self.terms.items()
            for two, more in _formula(other).terms.items()
        )

    __radd__, __rmul__ = __add__, __mul__

    def at(self, point: Point) -> Fraction:
        """Return its value where the variables have these values."""
        return sum((factor * value(monomial, point) for monomial, factor in self.terms.items()), Fraction(0))

    def __str__(self) -> str:
        ordered = sorted(self.terms.items(), key=lambda term: (-sum(power for _, power in term[0]), term[0]))
        words = " + ".join(_shown(monomial, factor) for monomial, factor in ordered) or "0"
        return words.replace("+ -", "- ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A fitted formula, and how far it is from the values that it was fitted to at most."""

    formula: Formula
    residual: Fraction

    @property
    def exact(self) -> bool:
        """Whether the formula gives every value."""
        return not self.residual


def value(monomial: Monomial, point: Point) -> Fraction:
    """Return the value of a product."""
    return prod((Fraction(point[name]) ** power for name, power in monomial), start=Fraction(1))


def monomials(groups: Sequence[Sequence[str]], degree: int = 1) -> list[Monomial]:
    """Return all products with nothing or one variable of each group, to a power up to ``degree``.

    A group holds what stands for one loop: its bound, and perhaps its rounds when it is unrolled.

    Examples
    --------
    >>> monomials([["I"], ["J", "J/U"]])
    [(), (('J', 1),), (('J/U', 1),), (('I', 1),), (('I', 1), ('J', 1)), (('I', 1), ('J/U', 1))]
    """
    choices = [[(), *(((name, power),) for name in group for power in range(1, degree + 1))] for group in groups]
    return [sum(chosen, ()) for chosen in product(*choices)]


def fit(points: Sequence[Point], values: Sequence[int | Fraction], basis: Sequence[Monomial]) -> Fit:
    """Return the formula over a basis that is nearest to the values in the sense of least squares, exactly.

    Raises
    ------
    InputError
        If the points cannot tell the products of the basis apart; it names one that follows from others.

    Examples
    --------
    >>> points = [{"I": 2, "J": 3}, {"I": 2, "J": 4}, {"I": 5, "J": 3}, {"I": 5, "J": 4}]
    >>> print(fit(points, [3 * p["I"] * p["J"] + 2 for p in points], monomials([["I"], ["J"]])).formula)
    3*I*J + 2
    """
    rows = [[value(monomial, point) for monomial in basis] for point in points]
    width = len(basis)
    system = [
        [
            *(sum((row[i] * row[j] for row in rows), Fraction(0)) for j in range(width)),
            sum((row[i] * known for row, known in zip(rows, values, strict=True)), Fraction(0)),
        ]
        for i in range(width)
    ]
    factors = _solved(system, basis, len(points))
    formula = Formula.sum(zip(basis, factors, strict=True))
    worst = max((abs(formula.at(point) - known) for point, known in zip(points, values, strict=True)), default=0)
    return Fit(formula=formula, residual=Fraction(worst))


def _solved(system: list[list[Fraction]], basis: Sequence[Monomial], points: int) -> list[Fraction]:
    """Return the solution of a square system by elimination in fractions."""
    for column in range(len(system)):
        pivot = next((row for row in range(column, len(system)) if system[row][column]), None)
        if pivot is None:
            raise InputError(
                f"{points} points cannot tell {_shown(basis[column], Fraction(1))} from other products of bounds "
                "(vary each bound by itself)"
            )
        system[column], system[pivot] = system[pivot], system[column]
        head = system[column][column]
        system[column] = [each / head for each in system[column]]
        for row in range(len(system)):
            share = system[row][column]
            if row != column and share:
                system[row] = [a - share * b for a, b in zip(system[row], system[column], strict=True)]
    return [row[-1] for row in system]


def _formula(given: Formula | int) -> Formula:
    return given if isinstance(given, Formula) else Formula.sum([((), Fraction(given))])


def _product(one: Monomial, two: Monomial) -> Monomial:
    powers: dict[str, int] = dict(one)
    for name, power in two:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted(powers.items()))


def _shown(monomial: Monomial, factor: Fraction) -> str:
    parts = [name if power == 1 else f"{name}^{power}" for name, power in monomial]
    if factor == -1 and parts:
        return "-" + "*".join(parts)
    return "*".join(parts if factor == 1 and parts else [str(factor), *parts])
