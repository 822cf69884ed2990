"""Runs a network that is placed on several nodes: several clocks, links between them, in picoseconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import simpy
from simpy.core import EmptySchedule

from ppnsim.engines.des import elastic, flushable, frozen
from ppnsim.engines.des.bridge import Bridge, Direction
from ppnsim.engines.des.channel import RecordingChannel
from ppnsim.engines.des.clock import NodeClock
from ppnsim.engines.des.process import RunningProcess
from ppnsim.engines.des.resources import Arbiter
from ppnsim.engines.des.stage import steps_at_run_time
from ppnsim.engines.program import ProcessProgram, Program
from ppnsim.model.sequence import Int64Array, read_only
from ppnsim.model.timeline import NEVER
from ppnsim.platform.mapping import Message, Placement

Progress = Callable[[int, int], None]

_LAUNCH = {"elastic": elastic.launch, "flushable": flushable.launch, "frozen": frozen.launch}
_EVENTS_BETWEEN_REPORTS = 50_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlacedRun:
    """What a placed network did.

    Attributes
    ----------
    placement : what ran, and where.
    finish : when the last firing ended, in picoseconds; None if something never happened.
    passed : per process, the cycle of its node's clock in which firing n passed step k, `NEVER` if it did not.
    messages : in order of their start.
    """

    placement: Placement
    finish: int | None
    passed: Mapping[str, Int64Array]
    messages: tuple[Message, ...]

    def start(self, process: str) -> Int64Array:
        """Return the start of every firing in picoseconds, `NEVER` if it did not happen."""
        cycles = self.passed[process][0]
        return _times(cycles, NodeClock(simpy.Environment(), self._period(process)))

    def finish_of(self, process: str) -> int | None:
        """Return when the last firing of a process ended, in picoseconds."""
        steps = self.placement.network.steps[process]
        rows = self.passed[process][steps.ending_steps]
        if (rows == NEVER).any():
            return None
        return NodeClock(simpy.Environment(), self._period(process)).edge(int(rows.max()) + steps.write)

    def stuck(self) -> list[str]:
        """Return the processes that did not pass all their steps, in order of declaration."""
        return [name for name, rows in self.passed.items() if (rows == NEVER).any()]

    def _period(self, process: str) -> Fraction:
        node = self.placement.node_of[process]
        return next(each.period for each in self.placement.nodes if each.name == node)


def run_placed(placement: Placement, *, progress: Progress | None = None) -> PlacedRun:
    """Run a placed network to its end, or until nothing can happen any more.

    On one node all cycles are those of `ppnsim.run`.

    Parameters
    ----------
    placement : the network, the nodes and where each process is.
    progress : called now and then with firings started and firings in all.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> from ppnsim.platform.mapping import one_node
    >>> run_placed(one_node(chain(firings=20, depth=1))).finish
    510000
    """
    env = simpy.Environment()
    program = Program.of(placement.network)
    clocks = {node.name: NodeClock(env, node.period) for node in placement.nodes}
    directions = {(link.name, source): Direction(link) for link in placement.links for source in link.ends}
    writing, reading = _channels(placement, clocks, directions)
    arbiter_of = {name: Arbiter(clock, placement.network.resources) for name, clock in clocks.items()}  # type: ignore[arg-type]
    processes = [
        _running(number, lowered, placement, program, clocks, writing, reading, arbiter_of)
        for number, lowered in enumerate(program.processes)
    ]
    for process in processes:
        _LAUNCH[process.lowered.process.style](process)
    _drive(env, processes, program.firings, progress)
    return _result(placement, processes, directions)


def _channels(
    placement: Placement, clocks: Mapping[str, NodeClock], directions: Mapping[tuple[str, str], Direction]
) -> tuple[list[RecordingChannel], list[RecordingChannel]]:
    """Return what the writer and what the reader sees of each channel."""
    network = placement.network
    writing: list[RecordingChannel] = []
    reading: list[RecordingChannel] = []
    for channel in network.channels:
        source, target = placement.node_of[channel.source], placement.node_of[channel.target]
        forward, release = network.forward(channel.name), network.release(channel.name)
        if source == target:
            local = RecordingChannel(clocks[source], forward=forward, release=release)  # type: ignore[arg-type]
            writing.append(local)
            reading.append(local)
            continue
        bridge = Bridge(
            channel.name, clocks[source], clocks[target], directions[placement.link_of(channel).name, source],
            forward=forward, release=release, packet=placement.packet.get(channel.name, 1),
            token_bytes=max(1, -(-channel.width // 8)), tokens=network.flows[channel.name].written,
        )  # fmt: skip
        writing.append(bridge.writer_face)
        reading.append(bridge.reader_face)
    return writing, reading


def _running(
    number: int, lowered: ProcessProgram, placement: Placement, program: Program, clocks: Mapping[str, NodeClock],
    writing: list[RecordingChannel], reading: list[RecordingChannel], arbiters: Mapping[str, Arbiter],
) -> RunningProcess:  # fmt: skip
    node = placement.node_of[lowered.process.name]
    written_by = {port.channel for port in lowered.outputs}
    read_by = {port.channel for port in lowered.inputs}
    seen = [
        # A channel from a process to itself never leaves its node, so that both faces are one.
        writing[index] if index in written_by else reading[index] if index in read_by else writing[index]
        for index in range(len(writing))
    ]
    clock = clocks[node]
    steps = steps_at_run_time(clock, lowered, seen, program.depths)  # type: ignore[arg-type]
    return RunningProcess(clock, number, lowered, steps, arbiters[node])  # type: ignore[arg-type]


def _drive(env: simpy.Environment, processes: list[RunningProcess], firings: int, progress: Progress | None) -> None:
    try:
        while True:
            for _ in range(_EVENTS_BETWEEN_REPORTS):
                env.step()
            if progress is not None:
                progress(sum(len(process.steps[0].passed) for process in processes), firings)
    except EmptySchedule:
        pass


def _result(
    placement: Placement, processes: list[RunningProcess], directions: Mapping[tuple[str, str], Direction]
) -> PlacedRun:
    passed = {}
    for process in processes:
        rows = np.full((len(process.steps), process.firings), NEVER, dtype=np.int64)
        for row, step in zip(rows, process.steps, strict=True):
            row[: len(step.passed)] = step.passed
        passed[process.lowered.process.name] = read_only(rows)
    messages = [
        Message(channel, link, source, next(end for end in direction.link.ends if end != source), *rest)
        for (link, source), direction in directions.items()
        for channel, *rest in direction.sent
    ]
    messages.sort(key=lambda message: (message.started, message.link, message.source))
    run = PlacedRun(placement=placement, finish=None, passed=passed, messages=tuple(messages))
    ends = [run.finish_of(process.name) for process in placement.network.processes]
    if any(end is None for end in ends):
        return run
    finish = max(end for end in ends if end is not None)
    return PlacedRun(placement=placement, finish=finish, passed=passed, messages=tuple(messages))


def _times(cycles: Int64Array, clock: NodeClock) -> Int64Array:
    return np.array([NEVER if cycle == NEVER else clock.edge(int(cycle)) for cycle in cycles], dtype=np.int64)
