"""Networks whose processes are all scheduled (T3.5), from access to access: work and memory grow with the accesses.

The recurrences of other networks have an edge of each port into every passing of its process. A task of high-level
synthesis may have a hundred FIFOs, and a stop for each start of an iteration: most of these edges bound nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.scheduled_sweeps import swept
from ppnsim.engines.compiled.scheduled_walk import NEVER_THERE, ScheduledWalk, walk_scheduled
from ppnsim.kernel_cache import interpreter
from ppnsim.machine_code.kernels import machine_code
from ppnsim.model.between import AccessCycles, Side
from ppnsim.model.elements import Channel, Process
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.schedule import StepSchedule
from ppnsim.model.step_lists import StepList
from ppnsim.model.timeline import Timeline

_BETWEEN_REPORTS = 5_000_000  # passings
_PER_PASSING = 2e-6  # seconds in Python
_PER_WAIT = 5e-8  # seconds of some sweeps

Access = tuple[Int64Array, Int64Array, Int64Array, Int64Array]
"""Of accesses: the passings that wait, the processes they wait for, the passings of these, and the weights."""


def run_scheduled(network: Network, progress: Callable[[int, int], None] | None = None) -> Run | None:
    """Return the run of a checked network of scheduled processes that read and write in order.

    None of other networks, and of one that deadlocks.

    Examples
    --------
    >>> from ppnsim.model.elements import Channel, Process
    >>> tasks = [Process.scheduled(name="a", steps=9), Process.scheduled(name="b", steps=5)]
    >>> steps = {"write_steps": StepList.of([2, 8]), "read_steps": StepList.of([0, 3])}
    >>> run_scheduled(Network(processes=tasks, channels=[Channel(name="c", source="a", target="b", **steps)])).finish
    11
    """
    if not all(map(_is_plain, network.processes)) or not all(map(_is_in_order, network.channels)):
        return None
    schedules = {name: stops.schedule for name, stops in network.stops.items()}
    # Where firings start a process need not stand still: its other stops are enough.
    places = {name: stops.schedule.in_all_runs(stops.apart) for name, stops in network.stops.items()}
    at = {each: found for channel in network.channels for each, found in _accesses(channel, schedules, places)}
    walk = _walk_of(network, places, at)
    passings = len(walk.cycles)
    found = _swept(walk)
    while not found and _evaluated(walk):
        if progress is not None:
            progress(passings - int((walk.first[1:] - walk.done).sum()), passings)
    if (walk.done < walk.first[1:]).any():
        return None
    rows = np.split(walk.cycles, walk.first[1:-1])
    cycles = AccessCycles(network.stops, places, dict(zip(schedules, rows, strict=True)), at)
    timeline = Timeline(network=network, holds={}, passed=cycles)
    return Run(network=network, engine="compiled", finish=timeline.finish, recorded=timeline)


def _is_plain(process: Process) -> bool:
    return process.schedule is not None and process.resource is None


def _is_in_order(channel: Channel) -> bool:
    steps = channel.write_steps is not None and channel.read_steps is not None
    return steps and channel.read_tokens is None and channel.source != channel.target


def _accesses(
    channel: Channel, schedules: dict[str, StepSchedule], places: dict[str, Int64Array]
) -> Iterator[tuple[tuple[Side, str], Int64Array]]:
    """Yield at which places of its process the accesses of each side of a channel are."""
    sides: tuple[tuple[Side, str, StepList | None], ...] = (
        ("out", channel.source, channel.write_steps), ("in", channel.target, channel.read_steps),
    )  # fmt: skip
    for side, process, steps in sides:
        assert steps is not None
        yield (side, channel.name), np.searchsorted(places[process], schedules[process].in_all_runs(steps.expand()))


def _walk_of(
    network: Network, places: dict[str, Int64Array], at: Mapping[tuple[Side, str], Int64Array]
) -> ScheduledWalk:  # fmt: skip
    first = np.cumsum([0, *map(len, places.values())], dtype=np.int64)
    number = {name: index for index, name in enumerate(places)}

    def accesses() -> Iterator[Access]:
        for channel in network.channels:
            written = at["out", channel.name] + first[number[channel.source]]
            read = at["in", channel.name] + first[number[channel.target]]
            waiting = read[channel.initial :]
            yield _waits(waiting, number[channel.source], written[: len(waiting)], network.forward(channel.name))
            if channel.depth is not None:
                waiting = written[max(0, channel.depth - channel.initial) :]
                freed = np.full(len(waiting), NEVER_THERE, dtype=np.int64)
                releases = read[max(0, channel.initial - channel.depth) :][: len(waiting)]
                freed[: len(releases)] = releases
                yield _waits(waiting, number[channel.target], freed, network.release(channel.name))

    none = np.zeros(0, dtype=np.int64)
    parts = [(none, none, none, none), *accesses()]
    target, source, wanted, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(target, kind="stable")
    count = int(first[-1])
    return ScheduledWalk(
        cycles=np.zeros(count, dtype=np.int64),
        gaps=np.concatenate([np.diff(each, prepend=-1) for each in places.values()]),
        begin=np.searchsorted(target[order], np.arange(count + 1)).astype(np.int64),
        source=source[order], wanted=wanted[order], weights=weights[order], first=first, done=first[:-1].copy(),
        asked=np.full(len(places), -1, dtype=np.int64), missing=np.zeros(len(places), dtype=np.int64),
        queue=np.arange(len(places), dtype=np.int64), control=np.array([0, len(places)], dtype=np.int64),
    )  # fmt: skip


def _waits(waiting: Int64Array, source: int, wanted: Int64Array, weight: int) -> Access:
    return waiting, np.full(len(waiting), source), wanted, np.full(len(waiting), weight)


def _swept(walk: ScheduledWalk) -> bool:
    """Evaluate all passings by sweeps; return False if they do not settle, or would take longer than to compile."""
    seconds = _PER_WAIT * (len(walk.source) + len(walk.cycles))
    return seconds <= interpreter.left and interpreter.timed(swept, walk)


def _evaluated(walk: ScheduledWalk) -> bool:
    """Evaluate some passings; return whether something is left to be tried."""
    left = len(walk.source) + int((walk.first[1:] - walk.done).sum())
    if interpreter.left != 0 and interpreter.takes(_PER_PASSING * left):
        return bool(interpreter.run(walk_scheduled, walk, _BETWEEN_REPORTS))
    return bool(machine_code(walk_scheduled)(walk, _BETWEEN_REPORTS))
