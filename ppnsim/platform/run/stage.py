"""One stage as SimPy processes: every node transfers, computes and waits at the end of each iteration (P2.2).

With double buffering (P2.3) a node has three processes, which load, compute and unload different iterations at a time.
Iteration i is loaded once all nodes have computed iteration i - buffers, and computed once its own output buffer is
free: no buffer is ever written while it is in use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from simpy import Environment

from ppnsim.messages.model.schedule import Schedule
from ppnsim.platform.model.nodes import pipeline_cycles
from ppnsim.platform.model.stages import BusTransfer, Stage, Transfer
from ppnsim.platform.model.system import System
from ppnsim.platform.run.links import BusLine, NetworkLine, Record, Steps, Ticks, now

Mark = tuple[int, int]  # start and end in ticks


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What stages share at run time."""

    env: Environment
    system: System
    ticks: Ticks
    networks: dict[str, NetworkLine]
    buses: dict[tuple[str, str], BusLine]  # by bus and device
    record: Record


Participant = tuple[str, list[str]]  # a node that takes part, and the devices that compute for it


@dataclass
class StageRun:
    """A stage on a platform; ``marks`` collects for every step the (start, end) of each node and iteration."""

    parts: Parts
    stage: Stage
    schedules: dict[str, tuple[list[str], Schedule]]
    marks: dict[str, dict[int, list[Mark]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    begun: list[int] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    _rounds: int = 0

    def perform(self) -> Steps:
        """Perform all iterations once."""
        env, stage = self.parts.env, self.stage
        self.begun.append(now(env))
        members = self.members()
        yield from self._pause(stage.configuration, "configuration", [name for name, _ in members], "configuration")
        if stage.overlap:
            yield from self._overlapped(members)
        else:
            for _ in range(stage.iterations):
                number = self._next()
                yield from self._together([self._serial(member, number) for member in members])
        self.ended.append(now(env))

    def members(self) -> list[Participant]:
        """Return the nodes that take part, those that compute first."""
        system, stage = self.parts.system, self.stage
        device = system.group(stage.compute.on, stage.where)
        bus = next((each for each in system.buses if each.device == device.name), None)
        owned: dict[str, list[str]] = {}
        for instance in device.instances():
            owned.setdefault(instance if bus is None else system.host_of(instance, bus), []).append(instance)
        for names, _ in self.schedules.values():
            for name in names:
                owned.setdefault(name, [])
        return list(owned.items())

    def _next(self) -> int:
        self._rounds += 1
        return self._rounds - 1

    def _serial(self, member: Participant, number: int) -> Steps:
        """Do one iteration of a node, one thing after the other."""
        yield from self._transfers(self.stage.inputs, member, number)
        yield from self._compute(member, number)
        yield from self._transfers(self.stage.outputs, member, number)

    def _overlapped(self, members: Sequence[Participant]) -> Steps:
        env, count, buffers = self.parts.env, self.stage.iterations, self.stage.buffers
        first = self._rounds
        self._rounds += count
        names = [name for name, _ in members]
        loaded, computed, unloaded = ({name: [env.event() for _ in range(count)] for name in names} for _ in range(3))

        def load(member: Participant) -> Steps:
            for i in range(count):
                if i >= buffers:
                    yield env.all_of([events[i - buffers] for events in computed.values()])
                yield from self._transfers(self.stage.inputs, member, first + i)
                loaded[member[0]][i].succeed()

        def compute(member: Participant) -> Steps:
            for i in range(count):
                yield loaded[member[0]][i]
                if i >= buffers:
                    yield unloaded[member[0]][i - buffers]
                yield from self._compute(member, first + i)
                computed[member[0]][i].succeed()

        def unload(member: Participant) -> Steps:
            for i in range(count):
                yield computed[member[0]][i]
                yield from self._transfers(self.stage.outputs, member, first + i)
                unloaded[member[0]][i].succeed()

        yield from self._together([do(member) for member in members for do in (load, compute, unload)])

    def _transfers(self, transfers: Sequence[Transfer], member: Participant, number: int) -> Steps:
        if self.stage.blocking:
            for transfer in transfers:
                yield from self._transfer(transfer, member, number)
        else:
            yield from self._together([self._transfer(each, member, number) for each in transfers])

    def _transfer(self, transfer: Transfer, member: Participant, number: int) -> Steps:
        began, what = now(self.parts.env), f"{self.stage.name}.{transfer.name}"
        name, devices = member
        if isinstance(transfer, BusTransfer):
            if not devices:
                return
            yield from self._together([self._bus(transfer, device, what) for device in devices])
        else:
            names, schedule = self.schedules[transfer.name]
            if name not in names:
                return
            rank = names.index(name)
            yield from self.parts.networks[transfer.over].perform(schedule[rank], names, rank, what)
        self._mark(transfer.name, number, began)

    def _bus(self, transfer: BusTransfer, device: str, what: str) -> Steps:
        bus = self.parts.system.bus(transfer.over, what)
        line, blocks = self.parts.buses[bus.name, device], transfer.blocks()
        yield from self._together([line.train(way, blocks, what) for way in bus.directions(transfer.direction)])

    def _compute(self, member: Participant, number: int) -> Steps:
        name, devices = member
        if not devices:
            return
        stage, began, own = self.stage, now(self.parts.env), [name]
        yield from self._pause(stage.preprocessing, "software", own, "preprocessing")
        beside = [self._pause(stage.microprocessor, "software", own, "microprocessor")]
        yield from self._together([self._work(device) for device in devices] + beside)
        yield from self._pause(stage.postprocessing, "software", own, "postprocessing")
        self._mark("t_comp", number, began)

    def _work(self, device: str) -> Steps:
        parts, time, limit = self.parts, *compute_seconds(self.parts.system, self.stage)
        ticks = parts.ticks.of(time)
        began = now(parts.env)
        parts.record(device, limit, f"{self.stage.name}.compute", began, began + ticks)
        yield parts.env.timeout(ticks)

    def _pause(self, time: Fraction, kind: str, names: Sequence[str], what: str) -> Steps:
        if time:
            parts, ticks = self.parts, self.parts.ticks.of(time)
            for name in names:
                parts.record(name, kind, f"{self.stage.name}.{what}", now(parts.env), now(parts.env) + ticks)
            yield parts.env.timeout(ticks)

    def _together(self, steps: Sequence[Steps]) -> Steps:
        yield self.parts.env.all_of([self.parts.env.process(each) for each in steps])

    def _mark(self, step: str, number: int, began: int) -> None:
        self.marks[step][number].append((began, now(self.parts.env)))


def compute_seconds(system: System, stage: Stage) -> tuple[Fraction, str]:
    """Return what one node computes in an iteration, in seconds, and what limits it."""
    work, device = stage.compute, system.group(stage.compute.on, stage.where)
    words = Fraction(0) if device.port is None else Fraction(stage.arriving()) / device.port
    operations = work.elements * work.ops_per_element
    cycles, limit = pipeline_cycles(operations, work.ops_per_cycle, fill=work.fill, words=words)
    return cycles / device.frequency(), limit
