"""Cycles of scheduled processes at their accesses, from which those of all their other stops follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.schedule import Stops

Side = Literal["in", "out"]


@dataclass(frozen=True, eq=False)
class AccessCycles(Mapping[str, Int64Array]):
    """What a `Timeline` keeps of a complete run of scheduled processes only: the cycles of their accesses.

    A process stands still at accesses alone; from one to the next it goes a step in each cycle. The cycles of all stops
    of a process, shape ``(1, passings)``, are put together when somebody asks for them: starts of firings are stops,
    and often a hundred times as many as accesses.

    Attributes
    ----------
    stops : of each process.
    places : per process, the pipeline steps of its accesses over all runs, its first step and the last of each run.
    cycles : when each of them was passed.
    accesses : per side and channel, at which of the places of its process each access is.
    """

    stops: Mapping[str, Stops]
    places: Mapping[str, Int64Array]
    cycles: Mapping[str, Int64Array]
    accesses: Mapping[tuple[Side, str], Int64Array]
    _known: dict[str, Int64Array] = field(default_factory=dict)

    def __getitem__(self, process: str) -> Int64Array:
        if process not in self._known:
            rows = self.of_steps(process, self.stops[process].places)[None]
            rows.flags.writeable = False
            self._known[process] = rows
        return self._known[process]

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def of_steps(self, process: str, steps: Int64Array) -> Int64Array:
        """Return the cycles of pipeline steps of a process, counted over all runs."""
        return between(self.places[process], self.cycles[process], steps)

    def of_accesses(self, process: str, side: Side, channel: str) -> Int64Array:
        """Return the cycles in which a process accesses a channel."""
        cycles: Int64Array = self.cycles[process][self.accesses[side, channel]]
        return cycles

    def due(self, process: str) -> Int64Array:
        """Return the cycle from which each place of a process was due: after the step before it, 0 for the first."""
        found = np.zeros_like(self.cycles[process])
        np.add(self.cycles[process][:-1], np.diff(self.places[process]), out=found[1:])
        return found


def between(places: Int64Array, cycles: Int64Array, steps: Int64Array) -> Int64Array:
    """Return the cycles of steps, of which those at some places are known: from one to the next, one step a cycle.

    Examples
    --------
    >>> between(np.array([0, 4]), np.array([2, 9]), np.array([0, 3, 4, 5])).tolist()
    [2, 5, 9, 10]
    """
    before = np.searchsorted(places, steps, side="right")
    before -= 1
    found: Int64Array = (cycles - places)[before]
    found += steps
    return found
