"""The window of one process: which of its firings are looked at, and how many of them move so many tokens."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.graph import ProcessGraph
from ppnsim.model.sequence import Sequence


@dataclass(slots=True)
class FiringWindow:
    """The firings (passings, of a scheduled process) of a process on the tape.

    ``total`` are all of them, ``unit`` those after which its rates come round, ``count`` those in the window;
    ``forgotten`` are those before the ``rows`` of cycles that are known, a row for each step; ``seen`` those of the
    rows of which all is in the figures, and ``ahead`` how many more may be looked at.
    """

    total: int
    unit: int
    ahead: int
    rows: list[Int64Array]
    forgotten: int = 0
    seen: int = 0
    count: int = 0

    @property
    def left(self) -> int:
        """The firings that are not forgotten, beyond the window too."""
        return self.total - self.forgotten

    @property
    def known(self) -> int:
        """The firings on the tape that have begun."""
        return max(map(len, self.rows))

    def whole(self, firings: int) -> int:
        """Return as many firings or some more that end with a unit, or with the run."""
        return min(-(-firings // self.unit) * self.unit, self.left)


def unit_of(network: ProcessGraph, process: str) -> int:
    """Return the firings after which a process does the same again."""
    stops = network.stops.get(process)
    written = [len(network.counts[channel.name].put.table) for channel in network.outputs(process)]
    read = [len(network.counts[channel.name].freed.table) for channel in network.inputs(process)]
    return lcm(1 if stops is None else len(stops.at), *written, *read)


def firings_for(moved: Sequence, tokens: int, most: int) -> int:
    """Return how many firings it takes to move so many tokens, ``most`` if no number does."""
    if tokens <= 0:
        return 0
    if not moved.growth:
        return most
    rounds, rest = divmod(tokens - 1, moved.growth)
    return rounds * len(moved.table) + int(np.searchsorted(moved.table, rest, side="right")) + 1
