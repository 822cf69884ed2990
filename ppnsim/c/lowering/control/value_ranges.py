"""The least and the largest value of an expression, and what operators make of those of their operands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import add, floordiv, lshift, mul, rshift, sub

COMBINED = frozenset(("+", "-", "*", "/", "%", "<<", ">>", "&"))
"""Operators of two numbers whose values are followed."""


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The least and the largest value of an expression; None where it has no bound."""

    low: int | None = None
    high: int | None = None

    def within(self, other: ValueRange) -> ValueRange:
        """Return the values that are in both.

        Examples
        --------
        >>> ValueRange(0, 255).within(ValueRange(high=64))
        ValueRange(low=0, high=64)
        """
        lows = [each for each in (self.low, other.low) if each is not None]
        highs = [each for each in (self.high, other.high) if each is not None]
        return ValueRange(max(lows, default=None), min(highs, default=None))


def extreme_of(of: Callable[[Iterable[int]], int], parts: Sequence[ValueRange]) -> ValueRange:
    """Return the values of ``min`` or ``max``: one side bounds it alone on one end."""
    lows = [each.low for each in parts if each.low is not None]
    highs = [each.high for each in parts if each.high is not None]
    return ValueRange(
        of(lows) if lows and (of is max or len(lows) == len(parts)) else None,
        of(highs) if highs and (of is min or len(highs) == len(parts)) else None,
    )


def either(left: ValueRange, right: ValueRange) -> ValueRange:
    """Return the values that are in one of two."""
    return ValueRange(_both(min, left.low, right.low), _both(max, left.high, right.high))


def _both(made: Callable[[int, int], int], left: int | None, right: int | None) -> int | None:
    """Return a number made of two limits, None where one of them is not there."""
    return None if left is None or right is None else made(left, right)


def combined(operator: str, left: ValueRange, right: ValueRange) -> ValueRange:
    """Return the values of an operator; of all but ``+`` and ``-``, only those of numbers from 0 on are followed."""
    if operator == "+":
        return ValueRange(_both(add, left.low, right.low), _both(add, left.high, right.high))
    if operator == "-":
        return ValueRange(_both(sub, left.low, right.high), _both(sub, left.high, right.low))
    positive = left.low is not None and left.low >= 0
    if operator == "&" and right.low is not None and right.low >= 0:
        return ValueRange(0, right.high)
    if operator == "%" and right.high is not None and right.low is not None and right.low > 0:
        return ValueRange(0 if positive else 1 - right.high, right.high - 1)
    if not positive or right.low is None or right.low < (operator == "/"):
        return ValueRange()
    made = _RISING.get(operator)
    if made is not None and (operator == "*" or (right.high or 0) < 64):
        return ValueRange(_both(made, left.low, right.low), _both(made, left.high, right.high))
    made = _FALLING.get(operator)
    return ValueRange(0) if made is None else _falling(made, left, right)


def _falling(made: Callable[[int, int], int], left: ValueRange, right: ValueRange) -> ValueRange:
    """Return the values of an operator of numbers from 0 on whose result falls with its right side."""
    return ValueRange(_both(made, left.low, right.high) or 0, _both(made, left.high, right.low))


_RISING = {"*": mul, "<<": lshift}
_FALLING = {"/": floordiv, ">>": rshift}
