"""The channel of the SimPy engine (T2.1 to T2.5): it records writes and releases, and wakes whoever waits for one."""

from __future__ import annotations

from array import array

from simpy import Environment
from simpy.events import NORMAL, Event, EventPriority

# After everything else in the cycle: SimPy's own events have priority 0 and 1.
END_OF_CYCLE = EventPriority(2)


class Signal(Event):
    """An event that is fired once, a number of cycles ahead."""

    def fire(self, delay: int, priority: EventPriority = NORMAL) -> None:
        """Let the event happen ``delay`` cycles from now."""
        self._ok = True
        self._value = None
        self.env.schedule(self, priority, delay)


class RecordingChannel:
    """A bounded or unbounded store of tokens, in order or not: the rules need no more than counts and cycles.

    ``writes[i]`` is the cycle in which the i-th written token was written; ``releases[i]`` the cycle from which the
    i-th slot that became free can be written again. Both ascend: producer and consumer pass their ports in order.
    """

    __slots__ = (
        "_env", "_reader", "_reader_needs", "_writer", "_writer_needs", "forward", "release", "releases", "writes",
    )  # fmt: skip

    def __init__(self, env: Environment, *, forward: int, release: int) -> None:
        self._env = env
        self.forward = forward
        self.release = release
        self.writes = array("q")
        self.releases = array("q")
        self._reader: Signal | None = None
        self._writer: Signal | None = None
        self._reader_needs = self._writer_needs = 0

    def written(self, token: int) -> Signal:
        """Return the event of token ``token`` (index among the written ones) becoming readable."""
        self._reader, self._reader_needs = Signal(self._env), token
        return self._reader

    def released(self, slot: int) -> Signal:
        """Return the event of release ``slot`` (index among all releases) taking effect."""
        self._writer, self._writer_needs = Signal(self._env), slot
        return self._writer

    def put(self, count: int, now: int) -> None:
        """Record that ``count`` tokens are written in this cycle."""
        writes = self.writes
        if count == 1:
            writes.append(now)
        else:
            writes.extend(array("q", (now,)) * count)
        if self._reader is not None and len(writes) > self._reader_needs:
            self._reader.fire(self.forward)
            self._reader = None

    def free(self, count: int, now: int) -> None:
        """Record that ``count`` tokens are read for the last time in this cycle."""
        releases, at = self.releases, now + self.release
        if count == 1:
            releases.append(at)
        else:
            releases.extend(array("q", (at,)) * count)
        if self._writer is not None and len(releases) > self._writer_needs:
            self._writer.fire(releases[self._writer_needs] - now)
            self._writer = None
