"""The firings of one process in its lane: bars stacked where they overlap, or a density where they are too many."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch, PathPatch, StepPatch

from ppnsim.arrays import Float64Array, Int64Array
from ppnsim.model.metrics import executions, moves, touching
from ppnsim.model.timeline import NEVER, Timeline
from ppnsim.plots.axis import boxes_of, rectangles, stairs
from ppnsim.plots.columns import counted
from ppnsim.plots.style import ACCESS, DELAY, EXECUTE, FAINT, PAPER, SMALL, text_width
from ppnsim.units import counted as counted_in_words

_STAGES = 200  # cycles in view up to which read and write have shades of their own
_BARS = 800  # cycles in view up to which firings are drawn one by one
_STACK = 8  # more at a time are drawn as a density
_NUMBER = 8.0  # points, the number of a firing in its bar
MOST_ENTRIES = 3  # of a legend
_MORE = 1 + 1e-9  # than what is equal but for rounding


def legend_of_firings(axes: Axes, cycles: int) -> list[Patch]:
    """Return the entries of a legend for what is drawn of firings when this many cycles are in view."""
    drawn = {str(each.get_label()).split(" of ")[0] for each in _bars(axes) if len(boxes_of(each))}
    entries = [Patch(label="executes", facecolor=EXECUTE)]
    if cycles <= _STAGES and drawn & {"reads", "writes"}:
        entries.append(Patch(label="reads or writes", facecolor=ACCESS))
    if cycles <= _BARS and _held_up(axes, drawn):
        waits = "held up in the pipeline" if cycles <= _STAGES else "reads, writes or held up"
        entries.append(Patch(label=waits, facecolor=DELAY, edgecolor=FAINT, linewidth=0.6))
    return entries


def _held_up(axes: Axes, drawn: set[str]) -> bool:
    """Return whether firings take longer than what is drawn over them."""
    return "delays" in drawn and _area(axes, "delays") > _MORE * sum(
        _area(axes, each) for each in ("reads", "writes", "executions")
    )


def _area(axes: Axes, words: str) -> float:
    boxes = [boxes_of(each) for each in _bars(axes) if str(each.get_label()).startswith(f"{words} of ")]
    return float(sum((each[:, 2:] - each[:, :2]).prod(axis=1).sum() for each in boxes))


def _bars(axes: Axes) -> list[PathPatch]:
    return [each for each in axes.patches if isinstance(each, PathPatch) and not isinstance(each, StepPatch)]


def stacked(first: Float64Array, last: Float64Array) -> Int64Array:
    """Return a row for each interval ``[first, last)``, the lowest that is free; starts must ascend.

    Examples
    --------
    >>> stacked(np.array([0.0, 1, 2, 5]), np.array([4.0, 3, 4, 6])).tolist()
    [0, 1, 2, 0]
    """
    free: list[int] = []
    busy: list[tuple[float, int]] = []
    rows = np.zeros(len(first), dtype=np.int64)
    for index, (begin, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        while busy and busy[0][0] <= begin:
            heappush(free, heappop(busy)[1])
        row = heappop(free) if free else len(busy)
        rows[index] = row
        heappush(busy, (end, row))
    return rows


def draw_firings(
    axes: Axes, timeline: Timeline, process: str, *, edges: Int64Array, far: float, lane: tuple[float, float]
) -> str:
    """Draw the firings between the outer edges and the heights of the ``lane``; return the words right of it, or "".

    Those that never end go on to ``far``.

    Of a scheduled process the cycles in which it moves are drawn, as one bar up to where it stands still.
    """
    first, last = view = int(edges[0]), int(edges[-1])
    if (stops := timeline.network.stops.get(process)) is not None and last - first <= _BARS:
        begin, end = moves(timeline, process, stops)
        begins = np.flatnonzero(np.append(True, begin[1:] > end[:-1])) if len(begin) else begin
        left, right = begin[begins], end[np.append(begins[1:] - 1, len(end) - 1)] if len(begin) else end
        shown = (left < last) & (right > first)
        look = {"facecolor": EXECUTE, "linewidth": 0, "label": f"executions of {process}", "zorder": 3}
        low = np.full(int(shown.sum()), lane[0])
        rectangles(axes, left[shown].astype(float), right[shown].astype(float), low, low - lane[0] + lane[1], **look)
        return ""
    if last - first > _BARS:
        return _draw_density(axes, timeline, process, edges, lane)
    shown = touching(timeline, process, view)
    start, end = timeline.start(process)[shown], timeline.end(process)[shown]
    until = np.where(end == NEVER, far, np.maximum(end, start + 0.2))  # a firing that takes no time is still seen
    rows = stacked(start.astype(float), until)
    if len(rows) and rows.max() >= _STACK:
        return _draw_density(axes, timeline, process, edges, lane)
    if len(rows):
        height = (lane[1] - lane[0]) / (int(rows.max()) + 1)
        tops = (lane[1] - rows * height).astype(np.float64)
        bars = _bars_of(timeline, process, shown, until, tops, 0.9 * height)
        _draw_bars(axes, bars, process, last - first)
    return ""


@dataclass(frozen=True, slots=True, eq=False)
class _Bars:
    """Firings and the cycles between which each of them reads, executes and writes; their heights in the picture."""

    firings: Int64Array
    start: Float64Array
    execute: Float64Array
    executed: Float64Array
    write: Float64Array
    until: Float64Array
    low: Float64Array
    high: Float64Array


def _bars_of(
    timeline: Timeline, process: str, shown: Int64Array, until: Float64Array, high: Float64Array, height: float
) -> _Bars:
    execute, write = timeline.execute(process)[shown].astype(float), timeline.write(process)[shown]
    latencies = np.broadcast_to(timeline.network.steps[process].latencies, timeline.start(process).shape)[shown]
    # Beyond where a deadlock stands still nothing executes, and a firing that takes no time is all execution.
    executed = np.minimum(execute + np.where(until < execute + 1, 1, latencies), np.minimum(until, timeline.stopped))
    return _Bars(
        firings=shown, start=timeline.start(process)[shown].astype(float), execute=execute,
        executed=np.maximum(executed, execute), write=np.where(write == NEVER, until, write), until=until,
        low=high - height, high=high,
    )  # fmt: skip


def _draw_bars(axes: Axes, bars: _Bars, process: str, cycles: int) -> None:
    stages = [("delays of", bars.start, bars.until, DELAY)]
    if cycles <= _STAGES:
        stages += [("reads of", bars.start, bars.execute, ACCESS), ("writes of", bars.write, bars.until, ACCESS)]
    stages.append(("executions of", bars.execute, bars.executed, EXECUTE))
    for words, left, right, colour in stages:
        some = right > left
        look = {"facecolor": colour, "linewidth": 0, "label": f"{words} {process}", "zorder": 3}
        rectangles(axes, left[some], right[some], bars.low[some], bars.high[some], **look)
    frame = {"facecolor": "none", "edgecolor": PAPER, "linewidth": 0.6, "label": f"firings of {process}", "zorder": 4}
    rectangles(axes, bars.start, bars.until, bars.low, bars.high, **frame)
    figure = axes.get_figure(root=True)
    assert figure is not None
    room = 72 * figure.get_size_inches() * axes.get_position().size  # points
    tall = room[1] * float(bars.high[0] - bars.low[0]) / -axes.get_ylim()[0]
    wide = room[0] * float((bars.executed - bars.execute).min()) / cycles
    # Only where the numbers of all bars in the lane fit; some with and some without would look like a meaning.
    if tall > _NUMBER and text_width(str(bars.firings[-1]), _NUMBER) < 0.9 * wide:
        _write_numbers(axes, bars)


def _write_numbers(axes: Axes, bars: _Bars) -> None:
    look: dict[str, Any] = {"ha": "center", "va": "center_baseline", "clip_on": True, "zorder": 5}
    across, up = (bars.execute + bars.executed) / 2, (bars.low + bars.high) / 2
    for firing, x, y in zip(bars.firings.tolist(), across.tolist(), up.tolist(), strict=True):
        axes.text(x, y, str(firing), size=_NUMBER, color=PAPER, **look)


def _draw_density(axes: Axes, timeline: Timeline, process: str, edges: Int64Array, lane: tuple[float, float]) -> str:
    begins, ends = executions(timeline, process)
    columns = counted([begins], [ends], edges)
    most = int(columns.most.max())
    if not most:
        return ""
    height = lane[0] + (lane[1] - lane[0]) * columns.mean / most
    stairs(axes, height, edges, baseline=lane[0], fill=True, color=EXECUTE, label=f"executions of {process}", zorder=3)
    beside, words = axes.get_yaxis_transform(), counted_in_words(most, "firing")
    for at, mark in ((lane[1], words), (lane[0], "0")):  # the scale of the heights
        axes.plot([1.0, 1.004], [at, at], transform=beside, color=FAINT, linewidth=0.8, clip_on=False)
        axes.text(1.007, at, mark, transform=beside, size=SMALL - 1, color=FAINT, va="center")
    return words
