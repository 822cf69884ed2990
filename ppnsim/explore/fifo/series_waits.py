"""What the writes into the first of some FIFOs in series wait for: a read of the last one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.explore.fifo.series_steps import BEFORE, Fifo, Middle


class SeriesPart(NamedTuple):
    """FIFOs of a series between which tokens may be moved: the price of one, and the cycles between two at least."""

    fifos: int
    price: int
    between: int


@dataclass(frozen=True, eq=False)
class SeriesWait:
    """What writes into the first of some FIFOs in series wait for: ``parts`` are the numbers of these."""

    parts: range
    fifos: Sequence[Fifo]
    middles: Sequence[Middle]

    @cached_property
    def _takes(self) -> Int64Array:
        """The firing of the last reader that takes each token; the last is for those that it leaves."""
        left = self.fifos[-1].left
        firing = np.repeat(np.arange(len(left), dtype=np.int64), np.diff(left, prepend=0))
        return np.append(firing, len(left))

    @classmethod
    def over(cls, fifos: Sequence[Fifo]) -> SeriesWait:
        """Return the wait over FIFOs in series of one part."""
        return cls(range(1), fifos, [Middle(*pair) for pair in pairwise(fifos)])

    def for_(self, parts: Sequence[SeriesPart], most: Sequence[int], longer: int) -> tuple[Int64Array, Int64Array]:
        """Return for each firing of the writer that of the last reader that it waits for, and the cycles between.

        Parts hold the most that they can, in whichever of their FIFOs; the wait is ``longer`` than it is then.
        """
        first = self.fifos[0]
        left = first.level[first.writes]
        cycles = np.full(len(left), longer + sum(fifo.release for fifo in self.fifos), dtype=np.int64)
        middles = iter([None, *self.middles])
        for part, tokens in zip(parts, most, strict=True):
            spare = 0
            for _ in range(part.fifos):
                if (middle := next(middles)) is not None:
                    shift, lag = middle.behind(left, spare)
                    left, cycles = left + shift, cycles + lag
                if spare == 0:
                    spare = tokens - part.fifos
                    left = left - spare
                left = np.where(left > 1, left - 1, BEFORE)
        index, weight = np.full(len(first.level), -1, dtype=np.int64), np.zeros(len(first.level), dtype=np.int64)
        waits = left >= 1
        index[first.writes[waits]] = self._takes[np.minimum(left[waits], len(self._takes)) - 1]
        weight[first.writes[waits]] = cycles[waits]
        return index, weight
