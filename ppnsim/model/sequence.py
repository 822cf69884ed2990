"""A number per firing, stored once per repetition: the compact form in which counts of tokens are kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array, read_only


@dataclass(frozen=True, slots=True)
class Sequence:
    """``value(n) = table[n mod P] + (n div P) * growth``: a table of one period P and its growth per period.

    A cyclic rate needs one entry per phase however many firings there are; an explicit list is one long period.

    Examples
    --------
    >>> Sequence(np.array([2, 3]), growth=3).first(5).tolist()
    [2, 3, 5, 6, 8]
    """

    table: Int64Array
    growth: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", read_only(self.table))

    def first(self, count: int) -> Int64Array:
        """Return the values of firings 0 .. count-1 (int64, shape ``(count,)``)."""
        period = len(self.table)
        if not period or not count:
            return np.zeros(count, dtype=np.int64)
        firing = np.arange(count, dtype=np.int64)
        return self.table[firing % period] + (firing // period) * self.growth

    def last(self, count: int) -> int:
        """Return the value of firing ``count - 1``, 0 if there is none."""
        if not count or not len(self.table):
            return 0
        rounds, phase = divmod(count - 1, len(self.table))
        return int(self.table[phase]) + rounds * self.growth
