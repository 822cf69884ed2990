"""A DRAM behind the `m_axi` ports of a network: what each request takes, from a simulation of both together (R12.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import simpy
from simpy.events import Event

from ppnsim.arrays import Int64Array
from ppnsim.engines.des.channel import RecordingChannel
from ppnsim.engines.des.engine import LAUNCH, drive, passed_of
from ppnsim.engines.des.process import RunningProcess
from ppnsim.engines.des.resources import Arbiter
from ppnsim.engines.des.stage import steps_at_run_time
from ppnsim.engines.program import Program
from ppnsim.errors import InputError
from ppnsim.hls.region.ports import ADAPTER
from ppnsim.hls.schedule.buses import BusPort
from ppnsim.hls.structure.element_runs import SOONER
from ppnsim.hls.structure.partitions import BUS_STATES
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.run.system import MemorySystem
from ppnsim.model.elements import Channel, Process
from ppnsim.model.network import Network
from ppnsim.model.timeline import NEVER
from ppnsim.placed.run.clock import NodeClock
from ppnsim.units import clock_period

_OWN = 1 + BUS_STATES - ADAPTER  # cycles of the adapter beside the memory's


class _Requests(RecordingChannel):
    """The way to the memory and back: a token that is written is a request, and can be read when its data are there."""

    def __init__(self, clock: NodeClock, memory: MemorySystem, port: BusPort, dram: Dram) -> None:
        super().__init__(clock, forward=0, release=0)  # type: ignore[arg-type]
        assert port.addresses is not None
        self._clock, self._write, self._port = clock, port.write, memory.port()
        self._each = port.per_piece  # a beat may be wider than a request
        within = dram.request_bytes * np.arange(self._each, dtype=np.int64)
        places = dram.place((port.addresses[:, None] + within).ravel())
        self._bank, self._row = (each.tolist() for each in places)
        self._under_way: list[Event] = []
        self._arrived = 0

    def put(self, count: int, now: int) -> None:  # noqa: ARG002
        """Ask the memory for the next requests."""
        for _ in range(count * self._each):
            number = len(self._under_way)
            request = self._port.request(self._bank[number], self._row[number], write=self._write)
            self._under_way.append(request.completed)
            assert request.completed.callbacks is not None
            request.completed.callbacks.append(self._completed)

    def _completed(self, _: Event) -> None:
        # Banks answer in their own order; data keep that of the requests.
        before = self._arrived // self._each
        while self._arrived < len(self._under_way) and self._under_way[self._arrived].processed:
            self._arrived += 1
        if (count := self._arrived // self._each - before) > 0:
            cycle = self._clock.first_edge_from(int(self._clock.base.now))
            self._clock.at(cycle, partial(RecordingChannel.put, self, count, cycle))


@dataclass(frozen=True, slots=True)
class _Halves:
    """A port's memory process in two: one asks, the other one has the answer."""

    asks: Process
    answers: Process
    between: Channel


def with_memory(network: Network, ports: Sequence[BusPort], dram: Dram) -> tuple[Network, bool]:
    """Return the network with the latency that each request of its ports has in a DRAM.

    Network and DRAM are simulated together, each with its clock; the latencies are those of this simulation. In it no
    request waits for more than it does at the depths of the network. Where these deadlock, the latencies are those of
    unbounded FIFOs; the second value tells so.

    Raises
    ------
    InputError
        If data decides an address, or the arguments do not fit in the memory.
    """
    for port in ports:
        if port.addresses is None:
            words = f"data decides which elements of '{port.arrays[0]}' task '{port.task}' accesses"
            raise InputError(f"{words}, so where they are in the memory is not known", where=str(port.place))
        if (last := int(port.addresses.max()) + port.width) > dram.capacity:
            words = f"the arguments need {last} bytes, and the memory has {dram.capacity}"
            raise InputError(words)
    latencies = _measured(network, ports, dram)
    stuck = latencies is None
    if latencies is None:
        latencies = _measured(network.never_full(), ports, dram)
    if latencies is None:
        return network, True  # no depth helps, so that no latency matters
    timed = {name: tuple(each.tolist()) for name, each in latencies.items()}
    processes = [replace(each, latency=timed[each.name]) if each.name in timed else each for each in network.processes]
    return network.replace(processes=processes), stuck


def _measured(network: Network, ports: Sequence[BusPort], dram: Dram) -> Mapping[str, Int64Array] | None:
    """Return the latency of each request by memory process, in cycles; None after a deadlock."""
    halves = {port.memory.name: _in_two(port) for port in ports}
    between = {half.between.name: port for half, port in zip(halves.values(), ports, strict=True)}
    program = Program.of(_coupled(network, halves))
    env = simpy.Environment()
    clock = NodeClock(env, 1000 * clock_period(network.clock_ns))
    memory = MemorySystem(env, dram, tick=1000 * dram.clock_ns)
    channels = [
        _Requests(clock, memory, between[each.name], dram) if each.name in between
        else _inside(program.network, each, clock)
        for each in program.network.channels
    ]  # fmt: skip
    arbiter = Arbiter(clock, network.resources)  # type: ignore[arg-type]
    running = [
        RunningProcess(clock, number, each, steps_at_run_time(clock, each, channels, program.depths), arbiter)  # type: ignore[arg-type]
        for number, each in enumerate(program.processes)
    ]
    for process in running:
        LAUNCH[process.lowered.process.style](process)
    drive(env, running, program.passings, None)
    passed = {process.lowered.process.name: passed_of(process)[0] for process in running}
    if any(bool((rows == NEVER).any()) for rows in passed.values()):
        return None
    return {name: passed[half.answers.name] - passed[half.asks.name] for name, half in halves.items()}


def _inside(network: Network, channel: Channel, clock: NodeClock) -> RecordingChannel:
    forward, release = network.forward(channel.name), network.release(channel.name)
    return RecordingChannel(clock, forward=forward, release=release)  # type: ignore[arg-type]


def _in_two(port: BusPort) -> _Halves:
    memory = port.memory
    own = _OWN - SOONER * port.write
    asks = replace(memory, name=f"{memory.name} (asks)", latency=own, read=0, write=0)
    answers = replace(memory, name=f"{memory.name} (answers)", latency=0, read=0, write=1)
    between = Channel(name=f"{memory.name} (requests)", source=asks.name, target=answers.name, forward=0, release=0)
    return _Halves(asks, answers, between)


def _coupled(network: Network, halves: Mapping[str, _Halves]) -> Network:
    """Return the network in which each memory process is two, with the way to the memory between them."""
    processes: list[Process] = []
    for process in network.processes:
        half = halves.get(process.name)
        processes += [process] if half is None else [half.asks, half.answers]
    channels = [
        replace(
            each, source=halves[each.source].answers.name if each.source in halves else each.source,
            target=halves[each.target].asks.name if each.target in halves else each.target,
        )
        for each in network.channels
    ]  # fmt: skip
    channels += [half.between for half in halves.values()]
    return network.replace(processes=processes, channels=channels)
