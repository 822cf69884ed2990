"""Running counts that come round: a table of one period, however many firings there are."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakValueDictionary

import numpy as np

from ppnsim.arrays import Int64Array, read_only

_COUNTED: WeakValueDictionary[tuple[int, int, int], Int64Array] = WeakValueDictionary()


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

    @property
    def is_one_each(self) -> bool:
        """Whether it counts firings: its values are 1, 2, 3, ..."""
        return self.growth == 1 and self.table.tolist() == [1]

    def first(self, count: int) -> Int64Array:
        """Return the values of firings 0 .. count-1 (int64, shape ``(count,)``); nobody may write to them."""
        period = len(self.table)
        if not period or not count:
            return np.zeros(count, dtype=np.int64)
        if period == 1 and self.growth > 0:
            return _counting(int(self.table[0]), self.growth, count)
        rounds = np.arange(-(-count // period), dtype=np.int64) * self.growth
        return (self.table[:count] + rounds[:, None]).ravel()[:count]

    def each(self, count: int) -> Int64Array:
        """Return by how much each of the firings 0 .. count-1 raises the value; nobody may write to it."""
        return np.broadcast_to(1, count) if self.is_one_each else np.diff(self.first(count), prepend=0)

    def last(self, count: int) -> int:
        """Return the value of firing ``count - 1``, 0 if there is none."""
        if not count or not len(self.table):
            return 0
        rounds, phase = divmod(count - 1, len(self.table))
        return int(self.table[phase]) + rounds * self.growth


def _counting(first: int, step: int, count: int) -> Int64Array:
    """Return ``first``, ``first + step``, ...: the same array for all channels that count so, while one needs it."""
    found = _COUNTED.get((first, step, count))
    if found is None:
        found = np.arange(first, first + count * step, step, dtype=np.int64)
        found.flags.writeable = False
        _COUNTED[first, step, count] = found
    return found
