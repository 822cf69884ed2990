"""A run across nodes over time: a lane for every process, direction of a link and memory port, and how it was taken."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ppnsim.arrays import Float64Array, Int64Array
from ppnsim.messages.model.loggp import MessageCosts
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.timeline import NEVER
from ppnsim.placed.model.links import Link
from ppnsim.placed.model.memory_ports import MemoryPort
from ppnsim.placed.run.record import PlacedRun
from ppnsim.plots import style
from ppnsim.plots.axis import breathing, plain, unit_of
from ppnsim.plots.style import shortened, verbatim

_COLUMNS = 120
_LANE = (0.12, 0.88)  # of its height
_LOOKS = {
    "at work (ii)": style.EXECUTE, "starved": style.PALETTE[2], "blocked": style.PALETTE[0], "draining": style.DELAY,
    "gap (g)": style.PALETTE[3], "bytes (G)": style.PALETTE[4], "overhead (o)": style.PALETTE[5],
    "requests under way": style.PALETTE[1],
}  # fmt: skip
_OF_CLASS = {"starting": "at work (ii)", "ii": "at work (ii)", "starved": "starved", "blocked": "blocked",
             "resource": "blocked", "draining": "draining"}  # fmt: skip


_Shares = dict[str, Float64Array]  # of every column, by look


def placed_figure(run: PlacedRun, words: str = "", *, window: tuple[int, int] | None = None) -> Figure:
    """Return one lane per process (by node), per direction of a link that carries something, and per memory port.

    A column of a lane shows the shares of its time: a process is at work (its initiation interval runs), starved (a
    token is missing), blocked (a slot is, or a unit of a resource), or draining; the port of a link is taken by its
    gap, by bytes or by overhead; a memory port has requests under way, as a share of its outstanding limit.

    Parameters
    ----------
    run : finished or deadlocked.
    words : a line below the title.
    window : picoseconds to be shown; default all.

    Examples
    --------
    >>> from ppnsim.placed.run.network import run_placed
    >>> from ppnsim.model.builders import chain
    >>> from ppnsim.placed.model.placement import one_node
    >>> figure = placed_figure(run_placed(one_node(chain(firings=20, length=2))))
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['node: p0', 'node: p1']
    """
    edges = _edges(run, window)
    lanes = list(_lanes(run, edges))
    figure = Figure(figsize=(style.SLIDE, 2.2 + 0.62 * max(len(lanes), 3)), layout="constrained", facecolor=style.PAPER)
    axes = breathing(figure).add_subplot()
    plain(axes)
    unit, size = unit_of(float(edges[-1]) / 1000)
    at = edges / (1000 * size)
    used: dict[str, None] = {}
    for row, (_, shares) in enumerate(lanes):
        _draw(axes, shares, at, -1.0 - row, used)
    _label(axes, [shortened(name, 34) for name, _ in lanes], at, unit)
    if run.finish is None and edges[-1] >= run.stopped:
        axes.axvline(at[-1], color=style.ALARM, linewidth=3, label="deadlock")
    head = f"{shortened(run.placement.network.name, 50)} · {outcome_of(run)}"
    title = figure.suptitle(head, size=style.TITLE, weight="bold", color=style.INK)
    below = axes.set_title(words, size=style.SMALL, color=style.FAINT, loc="left", wrap=True)
    verbatim(title, below, *axes.get_yticklabels())
    handles = [Patch(facecolor=_LOOKS[look], label=look) for look in _LOOKS if look in used]
    figure.legend(
        handles=handles, loc="outside lower center", ncols=len(handles) or 1, fontsize=style.SMALL, frameon=False
    )
    return figure


def outcome_of(run: PlacedRun) -> str:
    """Return when a run ended, in words."""
    unit, size = unit_of(run.stopped / 1000)
    return "deadlock" if run.finish is None else f"finish {run.finish / 1000 / size:.4g} {unit}"


def _edges(run: PlacedRun, window: tuple[int, int] | None) -> Float64Array:
    """Return the ends of the columns in picoseconds; none is narrower than a cycle of the slowest clock."""
    first, last = (0, max(run.stopped, 1)) if window is None else window
    slowest = max(float(node.period) for node in run.placement.nodes)
    columns = int(max(1, min(_COLUMNS, (last - first) / slowest)))
    return np.linspace(first, last, columns + 1)


def _lanes(run: PlacedRun, edges: Float64Array) -> Iterator[tuple[str, _Shares]]:
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


def _process(run: PlacedRun, process: str, edges: Float64Array) -> _Shares:
    classes = cycle_classes(run.timeline(process), process)
    cycles = np.floor(edges / float(run.period(process))).astype(np.int64)
    counted = np.diff(classes.before(cycles), axis=0) / np.diff(cycles)[:, None]
    shares: _Shares = {}
    for (kind, _), column in zip(classes.labels, counted.T, strict=True):
        if (look := _OF_CLASS.get(kind)) is not None:
            shares[look] = shares.get(look, np.zeros(len(edges) - 1)) + column
    return shares


def _link(run: PlacedRun, link: Link, source: str, edges: Float64Array) -> _Shares:
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


def _port(run: PlacedRun, port: MemoryPort, edges: Float64Array) -> _Shares:
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


def _draw(axes: Axes, shares: _Shares, at: Float64Array, floor: float, used: dict[str, None]) -> None:
    low = np.full(len(at) - 1, floor + _LANE[0])
    for look in _LOOKS:
        share = shares.get(look)
        if share is None or not (share > 0).any():
            continue
        used[look] = None
        high = low + np.clip(share, 0, 1) * (_LANE[1] - _LANE[0])
        axes.stairs(high, at, baseline=low, fill=True, facecolor=_LOOKS[look], linewidth=0, zorder=3)
        low = high


def _label(axes: Axes, names: list[str], at: Float64Array, unit: str) -> None:
    axes.set_ylim(-len(names), 0)
    axes.set_yticks([-0.5 - row for row in range(len(names))], names)
    axes.tick_params(axis="y", length=0, labelsize=style.LABEL)
    for row in range(1, len(names)):
        axes.axhline(-row, color=style.GRID, linewidth=0.8)
    axes.set_xlim(at[0], at[-1])
    axes.set_xlabel(f"time [{unit}]", size=style.LABEL, color=style.INK)
