"""Affine forms of iterators while no loop has numbers yet: the subscripts in a loop whose trip count is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.c.syntax import Variable

Term = Variable | str
"""The iterator of a loop inside, or the name of an iterator around."""


@dataclass(frozen=True, slots=True)
class LinearForm:
    """An affine subscript: factors of iterators and a constant."""

    terms: Mapping[Term, int] = field(default_factory=dict)
    constant: int = 0

    def plus(self, other: LinearForm, times: int = 1) -> LinearForm:
        """Return the sum with some times another form."""
        names = {**self.terms, **other.terms}
        sums = {each: self.terms.get(each, 0) + times * other.terms.get(each, 0) for each in names}
        return LinearForm({each: by for each, by in sums.items() if by}, self.constant + times * other.constant)

    def times(self, by: int) -> LinearForm:
        """Return the form times a number."""
        return LinearForm().plus(self, by)


def combined(operator: str, left: LinearForm, right: LinearForm) -> LinearForm | None:
    """Return a sum, difference, product or shift of two forms; None if it is not affine.

    Examples
    --------
    >>> combined("<<", LinearForm({"i": 3}, 1), LinearForm(constant=2))
    LinearForm(terms={'i': 12}, constant=4)
    >>> combined("*", LinearForm({"i": 1}), LinearForm({"j": 1})) is None
    True
    """
    if operator in ("+", "-"):
        return left.plus(right, 1 if operator == "+" else -1)
    if operator == "<<":
        fits = not right.terms and 0 <= right.constant < 32
        return left.times(1 << right.constant) if fits else None
    if not right.terms:
        return left.times(right.constant)
    return right.times(left.constant) if not left.terms else None
