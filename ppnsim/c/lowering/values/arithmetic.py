"""C's operators on whole numbers that are affine in pieces."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.c.lowering.values.errors import NotAffine
from ppnsim.c.lowering.values.piecewise import Range, Value, plus, quotient, remainder, times
from ppnsim.c.syntax import CType
from ppnsim.loops.expressions import Affine

Ranges = Mapping[str, Range]
OPERATORS = frozenset(("+", "-", "*", "/", "%", "<<", ">>", "&"))


def combined(operator: str, left: Value, right: Value, of: CType, ranges: Ranges) -> Value:
    """Return the value of an operator of `OPERATORS`; ``of`` is the type of its result.

    Raises
    ------
    NotAffine
        If the result is not affine in pieces.

    Examples
    --------
    >>> str(combined("%", Affine.of("i"), Affine.of(4), CType("integer", "int", 32), {"i": (0, 9)}))
    '((i) mod 4)'
    """
    if operator in ("+", "-"):
        return plus(left, right if operator == "+" else times(right, -1))
    if operator == "*" and isinstance(left, Affine) and left.is_constant:
        return times(right, left.constant)
    if not (isinstance(right, Affine) and right.is_constant):
        raise NotAffine(_product(left, right) if operator == "*" else f"'{operator}' by a value that is not constant")
    return _by_constant(operator, left, right.constant, of, ranges)


def _by_constant(operator: str, left: Value, by: int, of: CType, ranges: Ranges) -> Value:
    if operator in ("<<", ">>") and not 0 <= by < max(of.bits, 1):
        raise NotAffine(f"'{operator}' by {by} (a shift is by 0 to {of.bits - 1} bits here)")
    if operator in ("*", "<<"):
        return times(left, by if operator == "*" else 1 << by)
    if not isinstance(left, Affine):
        raise NotAffine(f"'{operator}' of a minimum, a maximum or a choice")
    if operator == ">>":
        return quotient(left, 1 << by, ranges, of.wraps) if of.wraps else left // (1 << by)
    if operator == "&":
        if by < 0 or by & (by + 1):
            raise NotAffine(f"'& {by}' (only masks of the lowest bits are remainders)")
        return left % (by + 1)
    if by == 0:
        raise NotAffine(f"'{operator}' by 0")
    divisor = by % of.wraps if of.wraps else by
    if operator == "%":
        return remainder(left, abs(divisor), ranges, of.wraps)
    return times(quotient(left, abs(divisor), ranges, of.wraps), 1 if divisor > 0 else -1)


def _product(left: Value, right: Value) -> str:
    if isinstance(left, Affine) and isinstance(right, Affine):
        names = sorted(left.iterators()) + sorted(right.iterators())
        kind = "two iterators" if len(names) == 2 else "iterators"
        return f"the product of {kind} ({', '.join(names)}); only sums of iterators times constants can be analysed"
    return "the product of a minimum, a maximum or a choice with an iterator"
