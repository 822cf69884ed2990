"""Running counts that come round: a table of one period, however many firings there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
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
        return _ones(count) if self.is_one_each else np.diff(self.first(count), prepend=0)

    def raised(self, by: int) -> Sequence:
        """Return the sequence with a number added to each value."""
        return Sequence(self.table + by, self.growth)

    def last(self, count: int) -> int:
        """Return the value of firing ``count - 1``, 0 if there is none."""
        if not count or not len(self.table):
            return 0
        rounds, phase = divmod(count - 1, len(self.table))
        return int(self.table[phase]) + rounds * self.growth


class LateSequence(Sequence):
    """A sequence whose table is made when somebody asks for it: a long one, of which often only totals are asked.

    Examples
    --------
    >>> late = LateSequence(2, 3, lambda: np.array([2, 3]))
    >>> late.last(4), late.first(5).tolist()
    (6, [2, 3, 5, 6, 8])
    """

    __slots__ = ("_known", "_make", "_period", "_raised")
    _known: Int64Array | None
    _make: Callable[[], Int64Array]
    _period: int
    _raised: int

    def __init__(self, period: int, growth: int, make: Callable[[], Int64Array], raised: int = 0) -> None:
        """Keep how to make a table of one period, whose last value is ``growth``; ``raised`` is added to each value."""
        given = {"_period": period, "growth": growth, "_make": make, "_raised": raised, "_known": None}
        for name, value in given.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return repr(Sequence(self.table, self.growth))

    def __reduce__(self) -> tuple[type[Sequence], tuple[Int64Array, int]]:
        return Sequence, (self.table, self.growth)

    @property
    def table(self) -> Int64Array:
        """One period, int64, read-only."""
        known = self._known
        if known is None:
            known = read_only(self._make() + self._raised)
            object.__setattr__(self, "_known", known)
        return known

    @property
    def is_one_each(self) -> bool:
        """Whether it counts firings: its values are 1, 2, 3, ..."""
        return self._period == 1 and super().is_one_each

    def last(self, count: int) -> int:
        """Return the value of firing ``count - 1``, 0 if there is none."""
        rounds, rest = divmod(count, self._period)
        return super().last(count) if rest or not count else rounds * self.growth + self._raised

    def raised(self, by: int) -> LateSequence:
        """Return the sequence with a number added to each value."""
        return LateSequence(self._period, self.growth, self._make, self._raised + by)


@lru_cache(maxsize=64)
def _ones(count: int) -> Int64Array:
    """Return so many ones, which take the memory of one: points of a sweep ask for the same ones again and again."""
    return np.broadcast_to(np.int64(1), count)


def _counting(first: int, step: int, count: int) -> Int64Array:
    """Return ``first``, ``first + step``, ...: the same array for all channels that count so, while one needs it."""
    found = _COUNTED.get((first, step, count))
    if found is None:
        found = np.arange(first, first + count * step, step, dtype=np.int64)
        found.flags.writeable = False
        _COUNTED[first, step, count] = found
    return found
