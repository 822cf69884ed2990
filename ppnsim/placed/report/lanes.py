"""What every process, direction of a link and memory port does over time, as shares of the columns of a picture."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

import numpy as np

from ppnsim.arrays import Float64Array, Int64Array
from ppnsim.messages.model.loggp import MessageCosts
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.timeline import NEVER
from ppnsim.placed.model.links import Link
from ppnsim.placed.model.memory_ports import MemoryPort
from ppnsim.placed.run.record import PlacedRun
from ppnsim.plots.colours import DELAY, EXECUTE, PALETTE
from ppnsim.plots.ticks import unit_of

_COLUMNS = 120
LOOKS = {
    "at work (ii)": EXECUTE, "starved": PALETTE[2], "blocked": PALETTE[0], "draining": DELAY,
    "gap (g)": PALETTE[3], "bytes (G)": PALETTE[4], "overhead (o)": PALETTE[5],
    "requests under way": PALETTE[1],
}  # fmt: skip
_OF_CLASS = {"starting": "at work (ii)", "ii": "at work (ii)", "starved": "starved", "blocked": "blocked",
             "resource": "blocked", "draining": "draining"}  # fmt: skip


Shares = dict[str, Float64Array]  # of every column, by look


def outcome_of(run: PlacedRun) -> str:
    """Return when a run ended, in words."""
    unit, size = unit_of(run.stopped / 1000)
    return "deadlock" if run.finish is None else f"finish {run.finish / 1000 / size:.4g} {unit}"


def edges_of_columns(run: PlacedRun, window: tuple[int, int] | None) -> Float64Array:
    """Return the ends of the columns in picoseconds; none is narrower than a cycle of the slowest clock."""
    first, last = (0, max(run.stopped, 1)) if window is None else window
    slowest = max(float(node.period) for node in run.placement.nodes)
    columns = int(max(1, min(_COLUMNS, (last - first) / slowest)))
    return np.linspace(first, last, columns + 1)


def lanes_of(run: PlacedRun, edges: Float64Array) -> Iterator[tuple[str, Shares]]:
    """Yield each lane by name with the shares of its columns: processes by node, directions of links, memory ports."""
    placement = run.placement
    for node in placement.nodes:
        for process in placement.network.processes:
            if placement.node_of[process.name] == node.name:
                yield f"{node.name}: {process.name}", _process(run, process.name, edges)
    for link in placement.links:
        for source, target in (link.ends, link.ends[::-1]):
            if run.sent(link, source):
                yield f"{link.name}: {source} → {target}", _link(run, link, source, edges)
    for port in placement.ports:
        yield port.name, _port(run, port, edges)


def _process(run: PlacedRun, process: str, edges: Float64Array) -> Shares:
    classes = cycle_classes(run.timeline(process), process)
    cycles = np.floor(edges / float(run.period(process))).astype(np.int64)
    begins = cycles[:-1]
    ends = np.maximum(cycles[1:], begins + 1)  # a window may be shorter than a cycle, which then is what it shows
    counted = (classes.before(ends) - classes.before(begins)) / (ends - begins)[:, None]
    shares: Shares = {}
    for (kind, _), column in zip(classes.labels, counted.T, strict=True):
        if (look := _OF_CLASS.get(kind)) is not None:
            shares[look] = shares.get(look, np.zeros(len(edges) - 1)) + column
    return shares


def _link(run: PlacedRun, link: Link, source: str, edges: Float64Array) -> Shares:
    mine, costs = run.sent(link, source), MessageCosts(link)
    started = np.array([message.started for message in mine], dtype=np.int64)
    gap_ends = started + ceil(link.gap)
    byte_ends = started + np.array([costs[message.size].port_in for message in mine], dtype=np.int64)
    ends = started + np.array([costs[message.size].interval for message in mine], dtype=np.int64)
    return {
        "gap (g)": _covered(started, gap_ends, edges),
        "bytes (G)": _covered(gap_ends, byte_ends, edges),
        "overhead (o)": _covered(byte_ends, ends, edges),
    }


def _port(run: PlacedRun, port: MemoryPort, edges: Float64Array) -> Shares:
    dram = next(memory.dram for memory in run.placement.memories if memory.name == port.memory)
    asked, _, done = run.asked[port.name]
    known = done != NEVER
    ends = (done[known] * (float(dram.clock_ns) * 1000)).astype(np.int64)
    return {"requests under way": _covered(asked[known], ends, edges) / port.outstanding}


def _covered(begins: Int64Array, ends: Int64Array, edges: Float64Array) -> Float64Array:
    """Return how many of the intervals cover each column, on average."""
    area = _area(begins, edges) - _area(ends, edges)
    return np.diff(area) / np.diff(edges)


def _area(times: Int64Array, edges: Float64Array) -> Float64Array:
    """Return the sum of ``edge - time`` over the times before each edge."""
    ordered = np.sort(times).astype(np.float64)
    before = np.searchsorted(ordered, edges)
    sums: Float64Array = np.concatenate([[0.0], np.cumsum(ordered)])
    area: Float64Array = before * edges - sums[before]
    return area
