"""What happened when: the cycle in which every firing passed every step of its process, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from ppnsim.arrays import Int64Array, read_only
from ppnsim.methods import TimelineMethods
from ppnsim.model.between import AccessCycles
from ppnsim.model.network import Network
from ppnsim.model.schedule import Stops

NEVER = -1  # cycle of something that did not happen, in a run that deadlocked


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Timeline(TimelineMethods):
    """Cycles of all firings and tokens of a run; arrays are int64 and read-only, `NEVER` marks what did not happen.

    Attributes
    ----------
    network : what ran.
    passed : per process, the cycle in which firing n passed step k, shape ``(steps, firings)``; of a scheduled process
        the cycle of each of its stops, shape ``(1, passings)``. A firing of it is its start, and takes one cycle.
    holds : per flushable process, the ``[first, last + 1)`` cycles in which it was held, shape ``(holds, 2)``.
    """

    network: Network
    passed: Mapping[str, Int64Array]
    holds: Mapping[str, Int64Array]
    _known: dict[tuple[str, str], Int64Array] = field(init=False, default_factory=dict)

    def __eq__(self, other: object) -> bool:
        """Return whether the other one has the same cycles, of the same network."""
        if not isinstance(other, Timeline) or self.network != other.network:
            return self is other
        pairs = ((self.passed, other.passed), (self.holds, other.holds))
        return all(
            one.keys() == two.keys() and all(np.array_equal(rows, two[name]) for name, rows in one.items())
            for one, two in pairs
        )

    def __hash__(self) -> int:
        return hash(self.network)

    def __repr__(self) -> str:
        firings, name = self.network.firings, self.network.name
        return f"<Timeline: {self.stopped} cycles, {firings} firings of network '{name}'>"

    def start(self, process: str) -> Int64Array:
        """Return the cycle of step 0 of every firing."""
        cycles: Int64Array = self.passed[process][0]
        stops = self.network.stops.get(process)
        return cycles if stops is None else cycles[stops.starts]

    def step_cycles(self, process: str, steps: Int64Array) -> Int64Array:
        """Return the cycles of pipeline steps of a scheduled process, counted over all runs, of a complete run."""
        if isinstance(self.passed, AccessCycles):
            return self.passed.of_steps(process, steps)
        passing, apart = self.network.stops[process].last_before(steps)
        cycles: Int64Array = self.passed[process][0][passing] + apart
        return cycles

    def execute(self, process: str) -> Int64Array:
        """Return the first execute cycle of every firing: start + read latency."""
        return self._later(self.start(process), self.network.steps[process].read)

    def write(self, process: str) -> Int64Array:
        """Return the cycle of step RL of every firing."""
        if process in self.network.stops:
            return self.start(process)
        cycles: Int64Array = self.passed[process][self.network.steps[process].write_step]
        return cycles

    def end(self, process: str) -> Int64Array:
        """Return the cycle after every firing's last output: write latency after it (after RL if none is later)."""
        steps = self.network.steps[process]
        if steps.stops is not None:
            return self._later(self.start(process), steps.write)
        rows = self.passed[process][steps.ending_steps]
        last = rows[0] if len(rows) == 1 else rows.max(axis=0)
        if not self.complete:
            last = np.where((rows == NEVER).any(axis=0), NEVER, last)
        return self._later(last, steps.write)

    def token_writes(self, channel: str) -> Int64Array:
        """Return the cycle in which each written token is written, shape ``(written,)``; initial tokens have none."""
        if isinstance(self.passed, AccessCycles):
            return self._accesses(channel, "out")
        if self.network.counts[channel].put.is_one_each:
            return self._port(channel, "out")
        return self._port(channel, "out")[self.writers(channel)]

    def token_reads(self, channel: str) -> Int64Array:
        """Return the cycle of each read, in the order of `reading_pairs`, shape ``(reads,)``."""
        return self._port(channel, "in")[self.reading_pairs(channel)[:, 0]]

    def writers(self, channel: str) -> Int64Array:
        """Return the producer firing (passing, if it is scheduled) of each written token."""
        return self.network.counts[channel].writing_firings(self._passings(channel, "out"))

    def reading_pairs(self, channel: str) -> Int64Array:
        """Return ``(consumer firing or passing, token)`` of each read, shape ``(reads, 2)``."""
        return self.network.counts[channel].reading_pairs(self._passings(channel, "in"))

    def releases(self, channel: str) -> Int64Array:
        """Return the cycles from which slots can be written again, ascending, for the tokens released in the run."""
        if isinstance(self.passed, AccessCycles):
            return self._accesses(channel, "in") + self.network.release(channel)
        freed = self.network.counts[channel].freed
        times = self._port(channel, "in")
        happened = slice(None) if self.complete else times != NEVER
        cycles = times[happened] + self.network.release(channel)
        if freed.is_one_each:
            return cycles
        counts = np.diff(freed.first(self._passings(channel, "in")), prepend=0)
        return np.repeat(cycles, counts[happened])

    @cached_property
    def finish(self) -> int:
        """The largest end of any firing that ended, in cycles."""
        return max(self.last_end(process.name) for process in self.network.processes)

    @cached_property
    def stopped(self) -> int:
        """The first cycle from which nothing happens any more: the finish, or where a deadlock stands still."""
        if self.complete:
            return self.finish
        stops = self.network.stops
        return max(stands_from(rows, stops.get(name)) for name, rows in self.passed.items())

    @cached_property
    def complete(self) -> bool:
        """Whether every firing passed every step."""
        return isinstance(self.passed, AccessCycles) or all(
            bool((rows != NEVER).all()) for rows in self.passed.values()
        )

    def ends(self, process: str) -> Int64Array:
        """Return the end of every firing, or the cycle after each stop of a scheduled process."""
        return self._later(self.passed[process][0], 1) if process in self.network.stops else self.end(process)

    def last_end(self, process: str) -> int:
        """Return the largest end of a firing of a process, or of its last run if it is scheduled; `NEVER` if none."""
        steps = self.network.steps[process]
        if self.complete and steps.stops is None:
            rows = self.passed[process]
            return max(int(rows[step].max()) for step in steps.ending_steps) + steps.write
        if self.complete and steps.stops is not None:
            schedule = steps.stops.schedule
            last = np.array([schedule.steps * schedule.runs - 1], dtype=np.int64)
            return int(self.step_cycles(process, last)[0]) + 1
        ends = self.ends(process)
        return int(ends[-1] if steps.stops is not None else ends.max())

    def _accesses(self, channel: str, side: Literal["in", "out"]) -> Int64Array:
        """Return the cycles of the accesses to a channel, of `AccessCycles`; figures ask for them again and again."""
        if (channel, side) not in self._known:
            ends = self.network.channel(channel)
            process = ends.source if side == "out" else ends.target
            assert isinstance(self.passed, AccessCycles)
            self._known[channel, side] = read_only(self.passed.of_accesses(process, side, channel))
        return self._known[channel, side]

    def _passings(self, channel: str, side: str) -> int:
        ends = self.network.channel(channel)
        return self.network.passings_of(ends.source if side == "out" else ends.target)

    def _port(self, channel: str, side: str) -> Int64Array:
        """Return the cycle in which each firing (passing) of one end of a channel comes to its port there."""
        ends = self.network.channel(channel)
        process = ends.source if side == "out" else ends.target
        at_step: Int64Array = self.passed[process][self.network.steps[process].port[side, channel]]
        return at_step

    def _later(self, cycles: Int64Array, by: int) -> Int64Array:
        if not by:
            return cycles
        return cycles + by if self.complete else np.where(cycles == NEVER, NEVER, cycles + by)


def stands_from(rows: Int64Array, stops: Stops | None) -> int:
    """Return the first cycle from which a process does not move; a scheduled one moves on to its next stop.

    ``rows`` are the cycles in which it passed its steps (`Timeline.passed`), ``stops`` those of a scheduled process.
    """
    passed = int(np.count_nonzero(rows[0] != NEVER))
    if stops is None or not 0 < passed < stops.passings:
        return 1 + int(rows.max())
    return int(rows[0, passed - 1] + stops.gaps[passed])
