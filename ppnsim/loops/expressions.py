"""Affine expressions over loop iterators, with whole-number quotients and remainders, and conditions on them.

Parameters of a program are bound before it gets here, so that every name is an iterator. Expressions print themselves
in isl's notation and evaluate themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ppnsim.loops.kept_hash import KeptHash


@dataclass(frozen=True, slots=True)
class Quotient:
    """``floor(of / by)`` with by > 0."""

    of: Affine
    by: int


@dataclass(frozen=True, slots=True)
class Remainder:
    """``of mod by`` in 0 .. by - 1, with by > 0."""

    of: Affine
    by: int


Atom = str | Quotient | Remainder
Ranges = Mapping[str, tuple[int, int]]  # the smallest and the largest value of each iterator


@dataclass(frozen=True, slots=True)
class Affine:
    """``constant + sum of coefficient * atom``; atoms are iterators, quotients and remainders, coefficients not 0.

    Examples
    --------
    >>> i, j = Affine.of("i"), Affine.of("j")
    >>> str(2 * i - j + 3)
    '2*i - j + 3'
    >>> (2 * i - j + 3).value({"i": 4, "j": 1})
    10
    """

    terms: tuple[tuple[Atom, int], ...] = ()
    constant: int = 0

    @classmethod
    def of(cls, value: Atom | int) -> Affine:
        """Return an iterator, a quotient, a remainder or a number as an expression."""
        return cls((), value) if isinstance(value, int) else cls(((value, 1),))

    def __add__(self, other: Affine | int) -> Affine:
        right = Affine.of(other) if isinstance(other, int) else other
        sums = dict(self.terms)
        for atom, coefficient in right.terms:
            sums[atom] = sums.get(atom, 0) + coefficient
        return Affine(tuple((a, c) for a, c in sums.items() if c), self.constant + right.constant)

    def __radd__(self, other: int) -> Affine:
        return self + other

    def __neg__(self) -> Affine:
        return self * -1

    def __sub__(self, other: Affine | int) -> Affine:
        return self + (-other)

    def __rsub__(self, other: int) -> Affine:
        return -self + other

    def __mul__(self, factor: int) -> Affine:
        return Affine(tuple((a, c * factor) for a, c in self.terms if factor), self.constant * factor)

    def __rmul__(self, factor: int) -> Affine:
        return self * factor

    def __floordiv__(self, by: int) -> Affine:
        """Return the whole-number quotient, rounded down; ``by`` > 0."""
        return Affine.of(self.constant // by) if self.is_constant else Affine.of(Quotient(self, by))

    def __mod__(self, by: int) -> Affine:
        """Return the remainder in 0 .. by - 1; ``by`` > 0."""
        known = not any(coefficient % by for _, coefficient in self.terms)  # multiples of it leave nothing
        return Affine.of(self.constant % by) if known else Affine.of(Remainder(self, by))

    def minus(self, other: Affine) -> int | None:
        """Return the difference if it is a number, else None; no expression is built for it.

        Examples
        --------
        >>> i, j = Affine.of("i"), Affine.of("j")
        >>> (i + j + 3).minus(j + i + 1), (i + 3).minus(j + 1)
        (2, None)
        """
        if self.terms != other.terms and dict(self.terms) != dict(other.terms):
            return None
        return self.constant - other.constant

    @property
    def is_constant(self) -> bool:
        """Whether no iterator is in it."""
        return not self.terms

    def iterators(self) -> set[str]:
        """Return the names of all iterators in it."""
        names: set[str] = set()
        for atom, _ in self.terms:
            names |= {atom} if isinstance(atom, str) else atom.of.iterators()
        return names

    def value(self, iterators: Mapping[str, int]) -> int:
        """Return its value at given iterators."""
        return self.constant + sum(c * _value(atom, iterators) for atom, c in self.terms)

    def extent(self, ranges: Ranges) -> tuple[int, int]:
        """Return bounds of its value (not always the tightest ones) from those of the iterators."""
        low = high = self.constant
        for atom, coefficient in self.terms:
            if isinstance(atom, str):
                a, b = ranges[atom]
            elif isinstance(atom, Remainder):
                a, b = 0, atom.by - 1
            else:
                a, b = (end // atom.by for end in atom.of.extent(ranges))
            low += min(a * coefficient, b * coefficient)
            high += max(a * coefficient, b * coefficient)
        return low, high

    def replaced(self, by: Mapping[str, Affine]) -> Affine:
        """Return it with iterators replaced by expressions."""
        constant, same = self.constant, True
        terms: dict[Atom, int] = {}
        for atom, coefficient in self.terms:
            part = _replaced_atom(atom, by)
            if part is None:
                added: tuple[tuple[Atom, int], ...] = ((atom, coefficient),)
            else:
                same, constant = False, constant + part.constant * coefficient
                added = tuple((each, factor * coefficient) for each, factor in part.terms)
            for each, factor in added:
                if left := terms.get(each, 0) + factor:
                    terms[each] = left
                else:
                    terms.pop(each, None)
        return self if same else Affine(tuple(terms.items()), constant)

    def __str__(self) -> str:
        if not self.terms:
            return str(self.constant)
        text = ""
        for atom, c in self.terms:
            sign = ("-" if c < 0 else "") if not text else (" - " if c < 0 else " + ")
            text += sign + (f"{abs(c)}*" if abs(c) != 1 else "") + _text(atom)
        return text if not self.constant else f"{text} {'-' if self.constant < 0 else '+'} {abs(self.constant)}"


def _replaced_atom(atom: Atom, by: Mapping[str, Affine]) -> Affine | None:
    """Return what an iterator, quotient or remainder becomes, None where it stays what it is."""
    if isinstance(atom, str):
        return by.get(atom)
    inner = atom.of.replaced(by)
    if inner is atom.of:
        return None
    return inner // atom.by if isinstance(atom, Quotient) else inner % atom.by


Relation = Literal[">=", "="]


@dataclass(frozen=True, slots=True)
class Compare(KeptHash):
    """``left >= 0`` or ``left = 0``."""

    left: Affine
    relation: Relation = ">="

    __hash__ = KeptHash.__hash__


@dataclass(frozen=True, slots=True)
class All(KeptHash):
    """Every part holds; true if there is none."""

    parts: tuple[Condition, ...] = field(default=())

    __hash__ = KeptHash.__hash__


@dataclass(frozen=True, slots=True)
class Some(KeptHash):
    """At least one part holds; false if there is none."""

    parts: tuple[Condition, ...] = field(default=())

    __hash__ = KeptHash.__hash__


@dataclass(frozen=True, slots=True)
class Not(KeptHash):
    """The part does not hold."""

    part: Condition

    __hash__ = KeptHash.__hash__


Condition = Compare | All | Some | Not


def holds(condition: Condition, iterators: Mapping[str, int]) -> bool:
    """Return whether a condition holds at given iterators.

    Examples
    --------
    >>> holds(All((Compare(Affine.of("i") - 2), Not(Compare(Affine.of("i") % 2, "=")))), {"i": 3})
    True
    """
    if isinstance(condition, Compare):
        value = condition.left.value(iterators)
        return value == 0 if condition.relation == "=" else value >= 0
    if isinstance(condition, All):
        return all(holds(part, iterators) for part in condition.parts)
    if isinstance(condition, Some):
        return any(holds(part, iterators) for part in condition.parts)
    return not holds(condition.part, iterators)


def condition_iterators(condition: Condition) -> set[str]:
    """Return the names of all iterators in a condition."""
    if isinstance(condition, Compare):
        return condition.left.iterators()
    parts = (condition.part,) if isinstance(condition, Not) else condition.parts
    return {name for part in parts for name in condition_iterators(part)}


def isl_text(condition: Condition) -> str:
    """Return a condition in isl's notation.

    Examples
    --------
    >>> isl_text(Some((Compare(Affine.of("i") - 2), Not(Compare(Affine.of("i") % 2, "=")))))
    '(i - 2 >= 0 or not (((i) mod 2) = 0))'
    """
    if isinstance(condition, Compare):
        return f"{condition.left} {condition.relation} 0"
    if isinstance(condition, Not):
        return f"not ({isl_text(condition.part)})"
    word, empty = ("and", "true") if isinstance(condition, All) else ("or", "false")
    return f"({f' {word} '.join(isl_text(part) for part in condition.parts)})" if condition.parts else empty


def _value(atom: Atom, iterators: Mapping[str, int]) -> int:
    if isinstance(atom, str):
        return iterators[atom]
    inner = atom.of.value(iterators)
    return inner // atom.by if isinstance(atom, Quotient) else inner % atom.by


def _text(atom: Atom) -> str:
    if isinstance(atom, str):
        return atom
    return f"floor(({atom.of})/{atom.by})" if isinstance(atom, Quotient) else f"(({atom.of}) mod {atom.by})"
