"""Time of a platform run in whole ticks.

A tick is the largest fraction of a second of which every time of the run is a multiple, so nothing is rounded. Only
fair sharing rounds: an end moves up to the next tick (P2.1).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm

from simpy import Environment

from ppnsim.messages.model.loggp import Duration


def now(env: Environment) -> int:
    """Return the time in ticks, which SimPy only knows as a number."""
    return int(env.now)


class Ticks:
    """Seconds as whole ticks.

    Examples
    --------
    >>> ticks = Ticks([Fraction(1, 4), Fraction(1, 6)])
    >>> ticks.of(Fraction(1, 4)), ticks.seconds(24)
    (3, Fraction(2, 1))
    """

    def __init__(self, times: Iterable[Duration]) -> None:
        self.per_second = lcm(1, *(time.denominator for time in times))

    def of(self, time: Duration) -> int:
        """Return a time in ticks."""
        ticks = Fraction(time) * self.per_second
        assert ticks.denominator == 1, "every time of a run is known to the constructor"
        return ticks.numerator

    def seconds(self, ticks: int) -> Fraction:
        """Return ticks in seconds."""
        return Fraction(ticks, self.per_second)
