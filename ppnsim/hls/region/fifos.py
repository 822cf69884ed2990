"""FIFO statistics of a run: tokens held, cycles full and empty, and the tasks that waited."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.hls.schedule.buses import BusPort
from ppnsim.hls.schedule.model import RegionNetwork
from ppnsim.model.access_waits import Stalls, stalls
from ppnsim.model.between import AccessCycles
from ppnsim.model.cycles import waiting_cycles
from ppnsim.model.run import Run
from ppnsim.model.summary import CycleCounts, cycle_counts, most_held
from ppnsim.model.timeline import NEVER


@dataclass(frozen=True, slots=True)
class FifoUse:
    """The use of a FIFO in a run of the network.

    Attributes
    ----------
    held : the most tokens at one time.
    full, empty : cycles of the run in which the FIFO was full, and in which it was empty.
    writer_waited, reader_waited : cycles in which its writer waited for room, and its reader for a token.
    """

    name: str
    source: str
    target: str
    depth: int
    held: int
    full: int
    empty: int
    writer_waited: int
    reader_waited: int


def fifo_uses(region: RegionNetwork, outcome: Run) -> list[FifoUse]:
    """Return the use of each FIFO, in the order of the network."""
    timeline, found = outcome.timeline, []
    channels = [region.network.channel(name) for name in region.of_kind("fifo")]
    waits = _waits(outcome, {task for each in channels for task in (each.source, each.target)})
    for channel in channels:
        name = channel.name
        writes, depth = timeline.token_writes(name), channel.depth or 0
        full, empty = _full_and_empty(writes[writes != NEVER], timeline.releases(name), depth, timeline.stopped)
        blocked = waits[channel.source].blocked.get(name, 0)
        starved = waits[channel.target].starved.get(name, 0)
        held = most_held(outcome, name)
        found.append(FifoUse(name, channel.source, channel.target, depth, held, full, empty, blocked, starved))
    return found


def longest_port_wait(region: RegionNetwork, outcome: Run) -> tuple[BusPort, int] | None:
    """Return the port for which its task waits longest, and the cycles of these waits; None without ports."""
    ports, found = region.buses.ports, []
    waits = _waits(outcome, {port.task for port in ports}) if ports else {}
    for port in ports:
        names, mine = {channel.name for channel in port.channels}, waits[port.task]
        held = (cycles for table in (mine.starved, mine.blocked) for name, cycles in table.items() if name in names)
        found.append((port, sum(held)))
    return max(found, key=lambda each: each[1], default=None)


def _waits(outcome: Run, tasks: Collection[str]) -> Mapping[str, CycleCounts | Stalls]:
    """Return the cycles in which tasks wait, by the awaited object; other cycles are not classified."""
    if isinstance(passed := outcome.recorded.passed, AccessCycles):  # a complete run, no repetition is skipped
        return stalls(outcome.recorded, passed)
    return {task: cycle_counts(outcome, waiting_cycles(outcome.recorded, task)) for task in tasks}


def _full_and_empty(puts: Int64Array, freed: Int64Array, depth: int, end: int) -> tuple[int, int]:
    """Return the cycles before ``end`` in which a FIFO is full and empty, from the ascending cycles of its changes.

    Examples
    --------
    >>> _full_and_empty(np.array([1, 2, 6]), np.array([4, 5, 8]), 2, 10)
    (2, 4)
    """
    full = _cycles(puts[max(depth - 1, 0) :], freed, end) if depth else 0
    empty = _cycles(freed, puts[1:], end)
    return full, empty + (min(int(puts[0]), end) if len(puts) else end)


def _cycles(changes: Int64Array, others: Int64Array, end: int) -> int:
    """Return the cycles from each change of one kind to the change of the other kind that ends the state.

    After the token that fills a FIFO, its first token leaves next; after its last token has left, the next one comes.
    """
    until = np.full(len(changes), end, dtype=np.int64)
    known = others[: len(changes)]
    until[: len(known)] = np.minimum(known, end)
    return int(np.maximum(until - changes, 0).sum())
