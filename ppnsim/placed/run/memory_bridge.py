"""The channel between a process and a memory: a face in the process's cycles, and requests to the bank queue behind it.

`platform.memory_ports` says what happens when; this is the machinery.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial

from simpy.events import Event

from ppnsim.arrays import Int64Array
from ppnsim.engines.des.channel import RecordingChannel
from ppnsim.memory.run.system import MemoryRequest, MemorySystem
from ppnsim.placed.run.clock import NodeClock, at

Places = tuple[Int64Array, Int64Array]  # bank and row of each request


class _Port(RecordingChannel, ABC):
    """What both kinds share: requests in order to one port of the memory.

    ``asked`` has the time (ps) of each request, ``requests`` what the memory did with it.
    """

    def __init__(
        self, clock: NodeClock, memory: MemorySystem, places: Places, *, write: bool, forward: int, release: int
    ) -> None:
        super().__init__(clock, forward=forward, release=release)  # type: ignore[arg-type]
        self._clock, self._write = clock, write
        self._port = memory.port()
        self._bank, self._row = (values.tolist() for values in places)
        self.asked: list[int] = []
        self.requests: list[MemoryRequest] = []

    def _ask(self, count: int) -> None:
        """Ask for the next requests, or for as many as there are left."""
        first = len(self.requests)
        for number in range(first, min(first + count, len(self._bank))):
            self.asked.append(int(self._clock.base.now))
            request = self._port.request(self._bank[number], self._row[number], write=self._write)
            self.requests.append(request)
            assert request.completed.callbacks is not None
            request.completed.callbacks.append(self._completed)

    @abstractmethod
    def _completed(self, _: Event) -> None:
        """Give a token to the reader, or a slot to the writer."""


class ReadPort(_Port):
    """What a process reads from a memory (N3.1); ``outstanding`` requests are asked for at cycle 0."""

    def __init__(
        self, clock: NodeClock, memory: MemorySystem, places: Places, *, release: int, outstanding: int
    ) -> None:
        super().__init__(clock, memory, places, write=False, forward=0, release=release)
        self._arrived = 0
        at(clock.base, 0, partial(self._ask, outstanding))

    def free(self, count: int, now: int) -> None:
        """Release slots in this cycle; the requests that take them are made when they are free."""
        super().free(count, now)
        self._clock.at(now + self.release, partial(self._ask, count))

    def _completed(self, _: Event) -> None:
        # Banks answer in their own order; tokens keep theirs.
        before = self._arrived
        while self._arrived < len(self.requests) and self.requests[self._arrived].completed.processed:
            self._arrived += 1
        if self._arrived > before:
            cycle = self._clock.first_edge_from(int(self._clock.base.now))
            self._clock.at(cycle, partial(RecordingChannel.put, self, self._arrived - before, cycle))


class WritePort(_Port):
    """What a process writes to a memory (N3.2); a slot is free once the memory has accepted what was in it."""

    def __init__(self, clock: NodeClock, memory: MemorySystem, places: Places, *, forward: int) -> None:
        super().__init__(clock, memory, places, write=True, forward=forward, release=0)

    def put(self, count: int, now: int) -> None:
        """Take tokens that are written in this cycle; the memory is asked `forward` cycles later."""
        super().put(count, now)
        self._clock.at(now + self.forward, partial(self._ask, count))

    def _completed(self, _: Event) -> None:
        cycle = self._clock.first_edge_from(int(self._clock.base.now))
        self._clock.at(cycle, partial(RecordingChannel.free, self, 1, cycle))
