"""Whole numbers as functions of work item and iteration: sums of atoms, which can be evaluated for many at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine

Numbers = NDArray[np.int64]
ZERO = Affine.of(0)


def _quotient(a: Any, b: Any) -> Any:
    if np.any(b == 0):
        raise InputError("divides by 0")
    return np.sign(a) * np.sign(b) * (abs(a) // abs(b))  # C rounds towards 0


def _shift(a: Any, b: Any) -> Any:
    if np.any(b < 0) or np.any(b > 62):
        raise InputError("shifts by less than 0 or more than 62 bits")
    return a << b


_OPERATORS: Mapping[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b), "<<": _shift, ">>": lambda a, b: a >> np.clip(b, 0, 63),
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b, "~": lambda a: ~a,
    "<": lambda a, b: 1 * (a < b), "<=": lambda a, b: 1 * (a <= b), ">": lambda a, b: 1 * (a > b),
    ">=": lambda a, b: 1 * (a >= b), "==": lambda a, b: 1 * (a == b), "!=": lambda a, b: 1 * (a != b),
    "&&": lambda a, b: 1 * ((a != 0) & (b != 0)), "||": lambda a, b: 1 * ((a != 0) | (b != 0)),
    "!": lambda a: 1 * (a == 0), "?:": lambda c, a, b: np.where(c != 0, a, b), "min": np.minimum, "max": np.maximum,
}  # fmt: skip


class Atoms:
    """The atoms of a kernel.

    An atom is a symbol (a work item's number, an iteration), an operation on others that is not a sum, or unknown
    data, with the reason why.

    Examples
    --------
    >>> atoms, item = Atoms(), Affine.of("item")
    >>> half = atoms.apply("/", item, Affine.of(2))
    >>> str(atoms.apply("+", half, Affine.of(1))), sorted(atoms.leaves(half))
    ('(item / 2) + 1', ['item'])
    >>> atoms.value(half, {"item": np.arange(4)})
    array([0, 0, 1, 1])
    """

    def __init__(self) -> None:
        self.made: dict[str, tuple[str, tuple[Affine, ...]]] = {}
        self.reasons: dict[str, str] = {}
        self.arguments: set[str] = set()  # unknown, but the same for all work items
        self.shared: set[str] = set()  # the same for neighbouring work items: arguments, and what all of them load

    def unknown(self, reason: str) -> Affine:
        """Return an unknown number."""
        name = f"?{len(self.reasons)}"
        self.reasons[name] = reason
        return Affine.of(name)

    def argument(self, name: str, reason: str) -> Affine:
        """Return a scalar argument without a value."""
        self.reasons[name] = reason
        self.arguments.add(name)
        self.shared.add(name)
        return Affine.of(name)

    def apply(self, operator: str, *operands: Affine) -> Affine:
        """Return the result of an operator of C on integers, or of min, max and ``?:``."""
        if all(each.is_constant for each in operands):
            return Affine.of(int(_OPERATORS[operator](*(np.int64(each.constant) for each in operands))))
        if (result := _linear(operator, operands)) is not None:
            # Terms are sorted so that equal sums compare equal.
            return Affine(tuple(sorted(result.terms, key=lambda term: str(term[0]))), result.constant)
        name = f"({f' {operator} '.join(map(str, operands))})" if len(operands) > 1 else f"{operator}({operands[0]})"
        self.made[name] = (operator, operands)
        return Affine.of(name)

    def leaves(self, number: Affine) -> set[str]:
        """Return the symbols and unknown atoms that a number is made of."""
        found: set[str] = set()
        for atom, _ in number.terms:
            name = str(atom)
            inner = self.made[name][1] if name in self.made else ()
            found |= self.all_leaves(inner) if inner else {name}
        return found

    def decide(self, test: Affine) -> set[str]:
        """Return the symbols on which a condition depends; terms on both sides of ``<`` cancel.

        Examples
        --------
        >>> atoms, item, round = Atoms(), Affine.of("item"), Affine.of("round")
        >>> atoms.decide(atoms.apply("<", item + round, item + 8))
        {'round'}
        """
        found: set[str] = set()
        for atom, _ in test.terms:
            operator, operands = self.made.get(str(atom), ("", ()))
            if operator in ("<", "<=", ">", ">=", "==", "!="):
                found |= self.leaves(operands[0] - operands[1])
            elif operator in ("&&", "||", "!"):
                found |= {leaf for each in operands for leaf in self.decide(each)}
            else:
                found |= self.leaves(Affine.of(atom))
        return found

    def all_leaves(self, numbers: Iterable[Affine]) -> set[str]:
        """Return the leaves of several numbers."""
        return {leaf for each in numbers for leaf in self.leaves(each)}

    def is_private(self, number: Affine) -> bool:
        """Return whether neighbouring work items have data of their own in a number."""
        return any(each in self.reasons and each not in self.shared for each in self.leaves(number))

    def reason(self, number: Affine) -> str | None:
        """Return why a number is not known, None if it is."""
        return next((self.reasons[each] for each in sorted(self.leaves(number)) if each in self.reasons), None)

    def coefficient(self, number: Affine, symbol: str) -> int | None:
        """Return by how much a number grows with a symbol, None if that is not constant."""
        if any(symbol in self.leaves(Affine.of(atom)) for atom, _ in number.terms if atom != symbol):
            return None
        return dict(number.terms).get(symbol, 0)

    def value(self, number: Affine, symbols: Mapping[str, Numbers]) -> Numbers:
        """Return the values of a number for values of its symbols; unknown atoms count 0."""
        result: Any = np.int64(number.constant)
        for atom, factor in number.terms:
            name = str(atom)
            if name in self.made:
                operator, operands = self.made[name]
                result = result + factor * _OPERATORS[operator](*(self.value(each, symbols) for each in operands))
            elif name in symbols:
                result = result + factor * symbols[name]
        return np.asarray(result, dtype=np.int64)


def _linear(operator: str, operands: tuple[Affine, ...]) -> Affine | None:
    """Return the result as a sum of the same atoms, None if it is not one."""
    if len(operands) != 2:
        return None
    left, right = operands
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*" and left.is_constant:
        return right * left.constant
    return _by_constant(operator, left, right.constant) if right.is_constant else None


def _by_constant(operator: str, number: Affine, by: int) -> Affine | None:
    match operator:
        case "*":
            return number * by
        case "<<" | ">>" | "|" | "^" if by == 0:
            return number
        case "<<" if 0 < by < 63:
            return number * (1 << by)
        case ">>" if 0 < by < 63:
            return _quotient_of_all(number, 1 << by)
        case "/" if by > 0:
            return _quotient_of_all(number, by)
        case "%" if by > 0 and _quotient_of_all(number, by) is not None:
            return ZERO
    return None


def _quotient_of_all(number: Affine, by: int) -> Affine | None:
    """Return a sum divided by a positive constant, None unless it divides every part."""
    if number.constant % by or any(factor % by for _, factor in number.terms):
        return None
    return Affine(tuple((atom, factor // by) for atom, factor in number.terms), number.constant // by)
