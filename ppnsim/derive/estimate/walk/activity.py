"""The number of active executes per cycle: changes in narrow integers, and in a wide table where these overflow."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array

LARGEST = 2**29  # cycles: 512 MiB, or 1 GiB
ABSOLUTE, UNBOUNDED = np.int8, np.int16  # counts: a process begins one execute per cycle in the absolute estimate
FULL: dict[type, int] = {np.int8: 2**6, np.int16: 2**14}  # a count that is moved to the table
_SMALLEST, _GROWTH = 20, 3  # bits of a size: of the first one, and from one to the next
_BLOCK = 2**17


class Activity:
    """Changes of the number of active executes, by cycle.

    A compiled kernel counts in ``dense``; the table holds all other changes. Both hold the change at cycle c: +1 where
    an execute begins, -1 where it has ended.
    """

    def __init__(self, dtype: type[np.int8 | np.int16]) -> None:
        self.dtype, self.full = dtype, FULL[dtype]
        self.table: defaultdict[int, int] = defaultdict(int)
        self.dense: NDArray[np.int8 | np.int16] = np.zeros(0, dtype=dtype)
        self.lost = False

    def grow(self, cycles: int, used: int) -> None:
        """Make room for some cycles, at most LARGEST; the first ``used`` ones are in use."""
        steps = -(-max(0, (cycles - 1).bit_length() - _SMALLEST) // _GROWTH)  # large ones: what is kept is copied
        size = min(LARGEST, 1 << _SMALLEST + _GROWTH * steps)
        if size > len(self.dense):
            larger = np.zeros(size, dtype=self.dtype)
            kept = min(used, len(self.dense))
            larger[:kept] = self.dense[:kept]  # not all of it: untouched zeros cost no memory
            self.dense = larger

    def give_up(self) -> None:
        """Count no longer."""
        self.dense, self.lost = np.zeros(0, dtype=self.dtype), True

    def spilled(self, spill: Int64Array) -> None:
        """Add the overflows of a kernel: their number, then their cycles, inverted where the count was negative."""
        for cycle in spill[1 : 1 + int(spill[0])].tolist():
            self.table[cycle if cycle >= 0 else ~cycle] += self.full if cycle >= 0 else -self.full
        spill[0] = 0

    def maximum(self, cycles: int) -> int | None:
        """Return the largest number of active executes in ``cycles`` cycles; None if counting ended earlier."""
        if self.lost or (len(self.dense) and len(self.dense) < cycles):
            return None
        at = np.array(sorted(self.table), dtype=np.int64)
        change = np.array([self.table[cycle] for cycle in at.tolist()], dtype=np.int64)
        if not len(self.dense):
            return int(np.cumsum(change).max(initial=0))
        most = active = 0
        for start in range(0, cycles, _BLOCK):
            block = self.dense[start : min(start + _BLOCK, cycles)].astype(np.int64)
            here = slice(*np.searchsorted(at, [start, start + len(block)]))
            block[at[here] - start] += change[here]
            np.cumsum(block, out=block)
            most = max(most, active + int(block.max()))
            active += int(block[-1])
        return most
