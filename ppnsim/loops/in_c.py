"""Operators of C on polynomials."""

from __future__ import annotations

from ppnsim.loops.polynomials import Polynomial, Power

_MOST_SHIFTED = 32


def combined(operator: str, left: Polynomial, right: Polynomial, *, signed: bool) -> Polynomial | None:
    """Return the result of an operator of C, None where it is no formula.

    Without a sign, what is below 0 goes round.

    Examples
    --------
    >>> n = Polynomial.of("n")
    >>> print(combined("/", n + 3, Polynomial.of(4), signed=True), combined("-", n, n + 1, signed=False))
    floor((3 + n)/4) None
    >>> print(combined("&", n + 7, Polynomial.of(~7), signed=True))
    8*floor((7 + n)/8)
    """
    by = right.constant
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right if signed or (left - right).never_negative else None
    if operator == "*":
        return left * right
    if operator in ("/", "%") and by != 0 and (by is None or by > 0):
        quotient = left.divided(right)
        return quotient if operator == "/" else left - right * quotient
    if operator == "&":
        return _masked(left, by) if by is not None and left.never_negative else None
    if by is not None and not 0 <= by < _MOST_SHIFTED:
        return None
    power = Polynomial.of(Power(right) if by is None else 1 << by)
    if operator == ">>" and left.never_negative:
        return left.divided(power)
    return left * power if operator == "<<" else None


def _masked(value: Polynomial, mask: int) -> Polynomial | None:
    """Return the low bits of a number from 0 on, or what is left without them, ``x & 7`` and ``x & ~7``."""
    block = mask + 1 if mask >= 0 else -mask
    if block & (block - 1):
        return None
    rest = block * value.divided(block)
    return value - rest if mask >= 0 else rest
