"""Defines the range of an integer expression: its smallest and largest value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The smallest and the largest value of an expression; None if there is no bound."""

    low: int | None = None
    high: int | None = None

    def within(self, other: ValueRange) -> ValueRange:
        """Return the range of values that are in both ranges.

        Examples
        --------
        >>> ValueRange(0, 255).within(ValueRange(high=64))
        ValueRange(low=0, high=64)
        """
        lows = [each for each in (self.low, other.low) if each is not None]
        highs = [each for each in (self.high, other.high) if each is not None]
        return ValueRange(max(lows, default=None), min(highs, default=None))

    def either(self, other: ValueRange) -> ValueRange:
        """Return the smallest range that contains both ranges.

        Examples
        --------
        >>> ValueRange(0, 8).either(ValueRange(5))
        ValueRange(low=0, high=None)
        """
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return ValueRange(low, high)
