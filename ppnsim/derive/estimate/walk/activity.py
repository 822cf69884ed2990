"""How many executes are active per cycle: changes counted in narrow integers, and where those overflow, in a table."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array

FULL = 2**14  # a count that reaches this is moved to the table
LARGEST = 2**29  # cycles: 1 GiB
_BLOCK = 2**17


class Activity:
    """Changes of the number of active executes, by cycle.

    ``dense`` is what a compiled kernel counts in, the tables are everything else. Both are int16 or int64 changes at
    cycle c: +1 where an execute begins, -1 where it has ended.
    """

    def __init__(self) -> None:
        self.table: defaultdict[int, int] = defaultdict(int)
        self.dense: NDArray[np.int16] = np.zeros(0, dtype=np.int16)
        self.lost = False

    def grow(self, cycles: int, used: int) -> None:
        """Make room for as many cycles as asked for, up to LARGEST; the first ``used`` ones hold something."""
        size = min(LARGEST, max(2**20, 1 << (cycles - 1).bit_length()))
        if size > len(self.dense):
            larger = np.zeros(size, dtype=np.int16)
            kept = min(used, len(self.dense))
            larger[:kept] = self.dense[:kept]  # not all of it: untouched zeros cost no memory
            self.dense = larger

    def give_up(self) -> None:
        """Count no longer."""
        self.dense, self.lost = np.zeros(0, dtype=np.int16), True

    def spilled(self, spill: Int64Array) -> None:
        """Take over what a kernel moved out of ``dense``: a count, then cycles, inverted where the count was -FULL."""
        for cycle in spill[1 : 1 + int(spill[0])].tolist():
            self.table[cycle if cycle >= 0 else ~cycle] += FULL if cycle >= 0 else -FULL
        spill[0] = 0

    def maximum(self, cycles: int) -> int | None:
        """Return the most executes at once over ``cycles`` cycles; None if counting did not reach that far."""
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
