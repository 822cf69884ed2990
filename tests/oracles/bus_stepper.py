"""A naive stepper of tasks with `m_axi` ports, cycle by cycle, from the words of R12, without `ppnsim.hls`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from ppnsim.memory.model.dram import Dram
from ppnsim.memory.run.bank_queue import BankQueue, Transaction
from ppnsim.units import edge

OWN, LATENCY_ON_THE_WAY = (4, 1), 4  # of a read, and of a write


@dataclass
class SteppedPort:
    """A port; ``steps`` and ``addresses`` of its accesses in order, ``longest`` beats of a burst, ``share`` of them.

    ``waits`` is the step in which code waits for the responses to all that is written, -1: the last one of the task.
    """

    bundle: str
    write: bool
    steps: Sequence[int]
    addresses: Sequence[int]
    width: int
    longest: int
    share: int
    latency: int
    piece: int = 0
    waits: int = -1
    # Beats: the burst and the piece that each is of, and the first beat of its run.
    burst: list[int] = field(default_factory=list)
    part: list[int] = field(default_factory=list)
    run: list[int] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)  # cycle of each request of the task (read: pieces, write: bursts)
    asked: list[int] = field(default_factory=list)  # by piece: when the memory process started
    answered: dict[int, int] = field(default_factory=dict)  # by piece: when its answer is there
    begun: list[int] = field(default_factory=list)  # by beat
    passed: list[int] = field(default_factory=list)  # by beat: read: data are in the buffer; write: beat is out
    taken: list[int] = field(default_factory=list)  # by beat: read: by the task; write: from the buffer
    stored: list[int] = field(default_factory=list)  # by beat: write: into the buffer

    def __post_init__(self) -> None:
        for beat, address in enumerate(self.addresses):
            before = self.addresses[beat - 1] if beat else -1
            new_run = not beat or address != before + self.width
            self.run.append(beat if new_run else self.run[-1])
            length = sum(each == self.burst[-1] for each in self.burst) if self.burst else 0
            new_burst = new_run or address // 4096 != before // 4096 or length == self.longest
            self.burst.append((self.burst[-1] + 1 if self.burst else 0) if new_burst else self.burst[-1])
            new_part = new_burst or (self.piece and address // self.piece != before // self.piece)
            self.part.append((self.part[-1] + 1 if self.part else 0) if new_part else self.part[-1])

    def first_of(self, what: Sequence[int], number: int) -> int:
        return what.index(number)

    def last_of(self, what: Sequence[int], number: int) -> int:
        return len(what) - 1 - what[::-1].index(number)

    @property
    def pieces(self) -> int:
        return self.part[-1] + 1

    @property
    def bursts(self) -> int:
        return self.burst[-1] + 1

    def burst_of(self, part: int) -> int:
        return self.burst[self.first_of(self.part, part)]

    # -- memory -----------------------------------------------------------------------------------------------------

    def memory(self, now: int) -> None:
        """Start the next request, if it was made and a credit is there."""
        part = len(self.asked)
        if part == self.pieces or (self.asked and self.asked[-1] >= now):
            return
        if self.write:
            last = self.last_of(self.part, part)
            ready = len(self.passed) > last and self.passed[last] + 1 <= now
        else:
            ready = len(self.requests) > part and self.requests[part] + 1 <= now
            first = part == 0 or self.burst_of(part) != self.burst_of(part - 1)
            ready = ready and (not first or self.credit(self.burst_of(part), now))
        if ready:
            self.asked.append(now)

    def credit(self, burst: int, now: int) -> bool:
        """Return whether a burst may be under way: those that are ``share`` before it have come back."""
        before = burst - self.share
        if before < 0:
            return True
        if self.write:
            part = self.part[self.last_of(self.burst, before)]
            return part in self.answered and self.answered[part] + 1 <= now
        last = self.last_of(self.burst, before)
        return len(self.passed) > last and self.passed[last] + 1 <= now

    # -- bus ----------------------------------------------------------------------------------------------------------

    def finish_beat(self, now: int) -> None:
        """Let the beat that is on its way pass, a cycle after it began, if there is room."""
        beat = len(self.passed)
        if len(self.begun) <= beat or self.begun[beat] + 1 > now:
            return
        room = self.share * self.longest
        if self.write or beat < room or (len(self.taken) > beat - room and self.taken[beat - room] + 1 <= now):
            self.passed.append(now)

    def can_begin(self, now: int) -> bool:
        beat = len(self.begun)
        if beat == len(self.addresses) or len(self.passed) < beat or (self.begun and self.begun[-1] >= now):
            return False
        if not self.write:
            part = self.part[beat]
            return part in self.answered and self.answered[part] + 1 <= now
        if len(self.stored) <= beat or self.stored[beat] + 1 > now:
            return False
        burst = self.burst[beat]
        if beat != self.first_of(self.burst, burst):
            return True
        return len(self.requests) > burst and self.requests[burst] + 1 <= now and self.credit(burst, now)

    def begin(self, now: int) -> None:
        self.begun.append(now)
        if self.write:
            self.taken.append(now)


@dataclass
class SteppedTask:
    """A task: its steps, the FIFOs that it takes from and puts into by step, and its ports."""

    span: int
    takes: Mapping[int, str]
    puts: Mapping[int, str]
    ports: Sequence[SteppedPort]
    at: int = 0

    def due(self, now: int, fifos: Mapping[str, SteppedFifo]) -> bool:
        """Return whether all accesses of the step can happen."""
        step = self.at
        if step in self.takes and not fifos[self.takes[step]].has(now):
            return False
        if step in self.puts and not fifos[self.puts[step]].room(now):
            return False
        for port in self.ports:
            for beat, issued in enumerate(port.steps):
                if port.write and issued == step:
                    room = port.share * port.longest
                    if beat >= room and not (len(port.taken) > beat - room and port.taken[beat - room] + 1 <= now):
                        return False
                arrived = len(port.passed) > beat and port.passed[beat] + 1 <= now
                if not port.write and issued + port.latency == step and not arrived:
                    return False
            if port.write and step == (port.waits if port.waits >= 0 else self.span - 1):
                last = port.pieces - 1
                if last not in port.answered or port.answered[last] + 1 > now:
                    return False
        return True

    def act(self, now: int, fifos: Mapping[str, SteppedFifo]) -> None:
        step = self.at
        if step in self.takes:
            fifos[self.takes[step]].taken.append(now)
        if step in self.puts:
            fifos[self.puts[step]].put.append(now)
        for port in self.ports:
            for beat, issued in enumerate(port.steps):
                if port.write and issued == step:
                    port.stored.append(now)
                    if beat == port.last_of(port.burst, port.burst[beat]):
                        port.requests.append(now)
                elif not port.write and issued == step and port.run[beat] == beat:
                    mine = [k for k in range(len(port.steps)) if port.run[k] == beat]
                    port.requests += [now] * len({port.part[k] for k in mine})
                if not port.write and issued + port.latency == step:
                    port.taken.append(now)
        self.at += 1


@dataclass
class SteppedFifo:
    depth: int
    put: list[int] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)

    def has(self, now: int) -> bool:
        return len(self.put) > len(self.taken) and self.put[len(self.taken)] + 1 <= now

    def room(self, now: int) -> bool:
        before = len(self.put) - self.depth
        return before < 0 or (len(self.taken) > before and self.taken[before] + 1 <= now)


class SteppedMemory:
    """A DRAM whose clocks run beside the cycles: all ports in turn, then completions, then commands (M2.2)."""

    def __init__(self, dram: Dram, ports: Sequence[SteppedPort], cycle_ps: Fraction) -> None:
        self.dram, self.ports, self.cycle_ps = dram, ports, cycle_ps
        self.channels = [BankQueue(dram.delays) for _ in range(dram.channels)]
        self.clock = 0
        self.sent = [0] * len(ports)
        self.under_way: list[tuple[int, int, Transaction]] = []
        self.done: list[set[int]] = [set() for _ in ports]
        self.order: list[list[tuple[int, Transaction]]] = [[] for _ in ports]

    def ask(self, number: int, address: int) -> None:
        bank, row = (int(each[0]) for each in self.dram.place(np.array([address])))
        self.order[number].append((bank, Transaction(bank % self.dram.total_banks, row, self.ports[number].write)))

    def until(self, time: int, *, including: bool) -> None:
        tick = 1000 * self.dram.clock_ns
        while edge(tick, self.clock) < time or (including and edge(tick, self.clock) == time):
            self._one(self.clock)
            self.clock += 1

    def _one(self, now: int) -> None:
        for offset in range(len(self.ports)):
            number = (now + offset) % len(self.ports)
            while self.sent[number] < len(self.order[number]):
                bank, access = self.order[number][self.sent[number]]
                if not self.channels[bank // self.dram.total_banks].take(access, now):
                    break
                self.under_way.append((number, self.sent[number], access))
                self.sent[number] += 1
        for number, part, access in list(self.under_way):
            if 0 <= access.done <= now:
                self.done[number].add(part)
                self.under_way.remove((number, part, access))
        for channel in self.channels:
            channel.clock(now)


def stepped(
    tasks: Sequence[SteppedTask], fifos: Mapping[str, SteppedFifo], *, dram: Dram | None = None,
    cycle_ps: Fraction = Fraction(10_000), most: int = 20_000,
) -> int | None:  # fmt: skip
    """Return the cycle in which all tasks have ended, None if they have not after ``most`` cycles."""
    ports = [port for task in tasks for port in task.ports]
    memory = SteppedMemory(dram, ports, cycle_ps) if dram else None
    for now in range(most):
        time = edge(cycle_ps, now)
        if memory:
            memory.until(time, including=False)
        moved = [task for task in tasks if task.at < task.span and task.due(now, fifos)]
        for port in ports:
            port.memory(now)
            port.finish_beat(now)
        granted: set[tuple[str, bool]] = set()
        for port in ports:
            if (port.bundle, port.write) not in granted and port.can_begin(now):
                port.begin(now)
                granted.add((port.bundle, port.write))
        for task in moved:
            task.act(now, fifos)
        for number, port in enumerate(ports):
            for part, start in enumerate(port.asked):
                if memory and start + OWN[port.write] == now:
                    memory.ask(number, port.addresses[port.first_of(port.part, part)])
        if memory:
            memory.until(time, including=True)
        for number, port in enumerate(ports):
            part = len(port.answered)
            if part >= len(port.asked):
                continue
            fixed = port.asked[part] + port.latency - LATENCY_ON_THE_WAY <= now
            if (part in memory.done[number]) if memory else fixed:
                port.answered[part] = now
        if all(task.at == task.span for task in tasks):
            return now + 1
    return None
