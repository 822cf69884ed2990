"""Runs a network that is placed on several nodes: several clocks, links and memories between them, in picoseconds."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import simpy

from ppnsim.arrays import Int64Array, read_only
from ppnsim.engines.des.channel import RecordingChannel
from ppnsim.engines.des.engine import LAUNCH, Progress, drive, holds_of, passed_of
from ppnsim.engines.des.process import RunningProcess
from ppnsim.engines.des.resources import Arbiter
from ppnsim.engines.des.stage import steps_at_run_time
from ppnsim.engines.program import ProcessProgram, Program
from ppnsim.errors import InputError
from ppnsim.memory.run.system import MemorySystem
from ppnsim.placed.model.links import Message, token_bytes
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.run.bridge import Bridge, LinkDirection
from ppnsim.placed.run.clock import NodeClock
from ppnsim.placed.run.memory_bridge import ReadPort, WritePort
from ppnsim.placed.run.record import PlacedRun, PortRequests

Faces = dict[str, RecordingChannel]


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
    >>> from ppnsim.placed.model.placement import one_node
    >>> run_placed(one_node(chain(firings=20, depth=1))).finish
    510000
    """
    env = simpy.Environment()
    program = Program.of(placement.running)
    clocks = {node.name: NodeClock(env, node.period) for node in placement.nodes}
    directions = {(link.name, source): LinkDirection(link) for link in placement.links for source in link.ends}
    writing, reading = _channels(placement, clocks, directions)
    ports = _ports(placement, env, clocks)
    arbiter_of = {name: Arbiter(clock, placement.network.resources) for name, clock in clocks.items()}  # type: ignore[arg-type]
    processes = [
        _running(number, lowered, placement, program, clocks, writing | ports, reading | ports, arbiter_of)
        for number, lowered in enumerate(program.processes[: len(placement.network.processes)])
    ]
    for process in processes:
        LAUNCH[process.lowered.process.style](process)
    _drive(env, processes, progress)
    run = PlacedRun(
        placement=placement, finish=None,
        passed={process.lowered.process.name: passed_of(process) for process in processes},
        holds={process.lowered.process.name: holds_of(process) for process in processes},
        readable={name: read_only(_cycles(face.writes) + face.forward) for name, face in (reading | ports).items()},
        writable={name: read_only(_cycles(face.releases)) for name, face in (writing | ports).items()},
        messages=tuple(_messages(directions)), asked={name: _asked(port) for name, port in ports.items()},
    )  # fmt: skip
    ends = [run.finish_of(process.name) for process in placement.network.processes]
    return replace(run, finish=max(end for end in ends if end is not None)) if None not in ends else run


def _drive(env: simpy.Environment, processes: list[RunningProcess], progress: Progress | None) -> None:
    """Let the processes run until nothing can happen any more, if times keep to the 64 bits that they are told in."""
    slow = InputError("the run goes on beyond 2**63 picoseconds: a clock or a link is that slow")
    try:
        drive(env, processes, sum(process.firings for process in processes), progress)
    except OverflowError:
        raise slow from None
    if env.now >= 2**63:
        raise slow


def _channels(
    placement: Placement, clocks: Mapping[str, NodeClock], directions: Mapping[tuple[str, str], LinkDirection]
) -> tuple[Faces, Faces]:
    """Return what the writer and what the reader sees of each channel between processes."""
    network = placement.running
    writing: Faces = {}
    reading: Faces = {}
    for channel in placement.network.channels:
        source, target = placement.node_of[channel.source], placement.node_of[channel.target]
        forward, release = network.forward(channel.name), network.release(channel.name)
        if source == target:
            local = RecordingChannel(clocks[source], forward=forward, release=release)  # type: ignore[arg-type]
            writing[channel.name] = reading[channel.name] = local
            continue
        bridge = Bridge(
            channel.name, clocks[source], clocks[target], directions[placement.link_of(channel).name, source],
            forward=forward, release=release, packet=placement.packet.get(channel.name, 1),
            token_bytes=token_bytes(channel), tokens=network.counts[channel.name].written,
        )  # fmt: skip
        writing[channel.name], reading[channel.name] = bridge.writer_face, bridge.reader_face
    return writing, reading


def _ports(
    placement: Placement, env: simpy.Environment, clocks: Mapping[str, NodeClock]
) -> dict[str, ReadPort | WritePort]:
    """Return the ports on memories."""
    network = placement.running
    memories = {
        memory.name: MemorySystem(env, memory.dram, tick=memory.dram.clock_ns * 1000) for memory in placement.memories
    }
    ports: dict[str, ReadPort | WritePort] = {}
    for port in placement.ports:
        memory, clock = memories[port.memory], clocks[placement.node_of[port.process]]
        needed = network.process(port.process).firings * port.per_firing(memory.dram)
        places = port.places(memory.dram, needed)
        if port.write:
            ports[port.name] = WritePort(clock, memory, places, forward=network.forward(port.name))
        else:
            release = network.release(port.name)
            ports[port.name] = ReadPort(clock, memory, places, release=release, outstanding=port.outstanding)
    return ports


def _running(
    number: int, lowered: ProcessProgram, placement: Placement, program: Program, clocks: Mapping[str, NodeClock],
    writing: Mapping[str, RecordingChannel], reading: Mapping[str, RecordingChannel], arbiters: Mapping[str, Arbiter],
) -> RunningProcess:  # fmt: skip
    node = placement.node_of[lowered.process.name]
    # A channel from a process to itself never leaves its node, so that both faces are one.
    read_by = {port.channel for port in lowered.inputs} - {port.channel for port in lowered.outputs}
    seen = [
        (reading if index in read_by else writing)[channel.name]
        for index, channel in enumerate(program.network.channels)
    ]
    clock = clocks[node]
    steps = steps_at_run_time(clock, lowered, seen, program.depths)  # type: ignore[arg-type]
    return RunningProcess(clock, number, lowered, steps, arbiters[node])  # type: ignore[arg-type]


def _messages(directions: Mapping[tuple[str, str], LinkDirection]) -> Iterable[Message]:
    messages = [
        Message(channel, link, source, next(end for end in direction.link.ends if end != source), *rest)
        for (link, source), direction in directions.items()
        for channel, *rest in direction.sent
    ]
    return sorted(messages, key=lambda message: (message.started, message.link, message.source))


def _asked(port: ReadPort | WritePort) -> PortRequests:
    taken, done = ([getattr(request, name) for request in port.requests] for name in ("taken", "done"))
    return PortRequests(*(read_only(np.array(values, dtype=np.int64)) for values in (port.asked, taken, done)))


def _cycles(recorded: array[int]) -> Int64Array:
    return np.array(recorded, dtype=np.int64)
