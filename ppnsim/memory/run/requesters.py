"""Traffic as SimPy processes at the ports of a `MemorySystem`: the definition of what a run of traffic means."""

from __future__ import annotations

from collections.abc import Generator
from fractions import Fraction

import numpy as np
from simpy import AllOf, Environment
from simpy.events import Event

from ppnsim.arrays import Int64Array, read_only
from ppnsim.engines.des.channel import Signal
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.traffic import Requests, Traffic
from ppnsim.memory.run.record import MemoryRun, drawn
from ppnsim.memory.run.system import MemoryRequest, MemorySystem, RequestPort

_Process = Generator[Event, None, None]


def run_memory_in_simpy(dram: Dram, traffic: Traffic) -> MemoryRun:
    """Run traffic in SimPy; `engines.memory.run_memory` gives the same clocks faster."""
    dram, traffic = dram.checked(), traffic.checked(dram.checked())
    requests, arrival = drawn(dram, traffic)
    env = Environment()
    work = _Work(env, MemorySystem(env, dram), traffic, requests, arrival)
    work.start()
    env.run(until=work.finished)
    asked = work.asked
    last = work.memory.clock_now
    taken = np.array([request.taken if request else -1 for request in asked], dtype=np.int64)
    ends = [request.done if request and 0 <= request.done <= last else -1 for request in asked]
    done = np.array(ends, dtype=np.int64)
    if len(arrival):
        taken = np.where(taken >= 0, arrival, -1)
    return MemoryRun(dram=dram, traffic=traffic, requests=requests, taken=read_only(taken), done=read_only(done))


class _Work:
    """The requesters of one run."""

    def __init__(
        self, env: Environment, memory: MemorySystem, traffic: Traffic, requests: Requests, arrival: Int64Array
    ) -> None:
        self.env, self.memory, self.traffic = env, memory, traffic
        self._requests, self._arrival = requests, arrival
        self.asked: list[MemoryRequest | None] = [None] * len(requests.bank)
        self.finished = Signal(env)
        self._completed = 0
        self._next = 0

    def start(self) -> None:
        """Start the processes."""
        pace = self.traffic.port
        port = self.memory.port(pace.gap(self.memory.dram) if pace else Fraction(0))
        if self.traffic.pattern == "chain":
            ports = [port, *(self.memory.port() for _ in range(self.traffic.outstanding - 1))]
            for each in ports:
                self.env.process(self._chain(each))
        elif self.traffic.mode == "open":
            self.env.process(self._arrivals(port))
        else:
            self._slot = Signal(self.env)
            self.env.process(self._closed(port))

    def _ask(self, port: RequestPort) -> MemoryRequest:
        number = self._next
        self._next += 1
        bank, row, write = (int(column[number]) for column in self._requests)
        request = port.request(bank, row, write=bool(write))
        self.asked[number] = request
        assert request.completed.callbacks is not None
        request.completed.callbacks.append(self._count)
        return request

    def _count(self, _: Event) -> None:
        self._completed += 1
        if self._completed == self.traffic.requests:
            self.finished.fire(0)
        if self.traffic.mode == "closed" and self.traffic.pattern != "chain" and not self._slot.triggered:
            self._slot.fire(0)

    def _chain(self, port: RequestPort) -> _Process:
        while self._next + self.traffic.burst <= len(self.asked):
            burst = [self._ask(port) for _ in range(self.traffic.burst)]
            yield AllOf(self.env, [request.completed for request in burst])

    def _arrivals(self, port: RequestPort) -> _Process:
        for clock in self._arrival.tolist():
            if clock > self.env.now:
                yield self.env.timeout(clock - self.env.now)
            self._ask(port)

    def _closed(self, port: RequestPort) -> _Process:
        """Keep the limit under way."""
        while self._next < len(self.asked):
            while self._next - self._completed >= self.traffic.outstanding:
                yield self._slot
                self._slot = Signal(self.env)
            self._ask(port)
