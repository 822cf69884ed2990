"""Axes over time, with cycles below and nanoseconds or longer units above, and shapes to draw on them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import PathPatch, StepPatch
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator, ScalarFormatter, StrMethodFormatter

from ppnsim.arrays import Float64Array, Int64Array
from ppnsim.model.timeline import Timeline
from ppnsim.plots.style import ALARM, FAINT, GRID, INK, LABEL, SMALL
from ppnsim.plots.ticks import unit_of

_NUMBER = "{x:,.12g}"

_PARAMETERS = {
    **dict.fromkeys(("depth", "initial", "packet"), "tokens"), "width": "bits",
    **dict.fromkeys(("ii", "latency", "forward", "release", "read", "write"), "cycles"),
}  # fmt: skip
_OUTLINE = (Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY)
_CORNERS = len(_OUTLINE)  # of a rectangle, the first one twice
_BEYOND = 0.05  # of the width, shown after a deadlock


def duration(cycles: int, clock_ns: float) -> str:
    """Return cycles and time in words.

    Examples
    --------
    >>> duration(83, 10)
    '83 cycles (830 ns)'
    """
    unit, size = unit_of(cycles * clock_ns)
    return f"{cycles:,} cycle{'' if cycles == 1 else 's'} ({cycles * clock_ns / size:.4g} {unit})"


def outcome(timeline: Timeline) -> str:
    """Return how a run ended, in words."""
    if timeline.complete:
        return f"finish {duration(timeline.finish, timeline.network.clock_ns)}"
    return f"deadlock: stands still from cycle {timeline.stopped:,}"


def far_of(timeline: Timeline, view: tuple[int, int]) -> float:
    """Return where the time axis ends, in cycles: with the view, or a little later to show that nothing follows."""
    first, last = view
    if timeline.complete or last < timeline.stopped:
        return last
    return last + max(1.0, _BEYOND * (last - first))


def time_axes(top: Axes, bottom: Axes, timeline: Timeline, edges: Int64Array, *, within: str) -> None:
    """Give axes that share x their two time axes: cycles at the ``bottom``, time at the ``top``.

    Where a column of the picture (``edges``) holds several cycles, ``within`` says what it shows of them.
    """
    width = int(edges[1] - edges[0])
    first, far = edges[0], far_of(timeline, (int(edges[0]), int(edges[-1])))
    bottom.set_xlim(first, far)
    bottom.set_xlabel(f"time [cycles]{f' · {within} {width:,} cycles' if width > 1 else ''}", size=LABEL, color=INK)
    bottom.xaxis.set_major_locator(MaxNLocator(nbins=10, integer=True, steps=[1, 2, 5, 10]))
    bottom.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    unit, size = unit_of(far * timeline.network.clock_ns)
    factor = timeline.network.clock_ns / size
    above = top.secondary_xaxis("top", functions=(partial(np.multiply, factor), partial(np.multiply, 1 / factor)))
    above.xaxis.set_major_formatter(StrMethodFormatter(_NUMBER))
    above.set_xlabel(f"time [{unit}]", size=SMALL, color=FAINT)
    above.tick_params(labelsize=SMALL, colors=FAINT)


def breathing(figure: Figure) -> Figure:
    """Give a figure with constrained layout some air at its borders; return it."""
    engine = figure.get_layout_engine()
    if isinstance(engine, ConstrainedLayoutEngine):
        engine.set(w_pad=0.12, h_pad=0.1)
    return figure


def plain(axes: Axes, *, grid: Literal["x", "both"] = "x") -> None:
    """Leave of the frame what carries something, with a light grid over time, or over ``both`` axes; group digits."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=SMALL, colors=INK)
    axes.grid(axis=grid, color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    plain_numbers(axes)


def with_unit(parameter: str) -> str:
    """Return the label of an axis along which a parameter of a network varies: with its unit, if it has one.

    Examples
    --------
    >>> with_unit("short*.depth"), with_unit("split.ii"), with_unit("NI")
    ('short*.depth [tokens]', 'split.ii [cycles]', 'NI')
    """
    unit = _PARAMETERS.get(parameter.rpartition(".")[2] if "." in parameter else "")
    return f"{parameter} [{unit}]" if unit else parameter


def plain_numbers(axes: Axes) -> None:
    """Write numbers at both axes with their thousands apart, and none as its difference from an offset."""
    for axis in (axes.xaxis, axes.yaxis):
        if isinstance(axis.get_major_formatter(), ScalarFormatter):
            axis.set_major_formatter(StrMethodFormatter(_NUMBER))


def mark_stop(axes: Axes, timeline: Timeline, view: tuple[int, int]) -> None:
    """Mark where a deadlock stands still, if there is one in view."""
    if far_of(timeline, view) > view[1]:
        axes.axvline(timeline.stopped, color=ALARM, linewidth=2, linestyle=(0, (4, 2)), label="deadlock", zorder=5)
        axes.axvspan(timeline.stopped, far_of(timeline, view), color=ALARM, alpha=0.08, linewidth=0, zorder=0)


def apart(heights: Sequence[float], *, gap: float) -> list[float]:
    """Return the heights of the texts of lines, moved down so far that none is nearer to another than ``gap``.

    Of equal heights the first stays on top.

    Examples
    --------
    >>> apart([0.5, 0.25, 0.25], gap=0.125)
    [0.5, 0.25, 0.125]
    """
    placed, ceiling = list(heights), float("inf")
    for index in sorted(range(len(heights)), key=lambda index: (-heights[index], index)):
        placed[index] = ceiling = min(heights[index], ceiling - gap)
    return placed


def rectangles(
    axes: Axes, left: Float64Array, right: Float64Array, low: Float64Array, high: Float64Array, **look: Any
) -> PathPatch:
    """Draw rectangles between x ``left`` and ``right``, y ``low`` and ``high``, all of one look; return them.

    They are one path: matplotlib takes 20 microseconds for each path of a collection, half a millisecond with a hatch.
    `boxes_of` gives the rectangles back.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> one, two = np.array([1.0]), np.array([2.0])
    >>> drawn = rectangles(Figure().add_subplot(), one, two, one, two)
    >>> drawn.get_path().vertices.tolist()
    [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0], [1.0, 1.0]]
    """
    corners = np.empty((len(left), _CORNERS, 2))
    corners[:, :, 0] = np.stack([left, right, right, left, left], axis=1)
    corners[:, :, 1] = np.stack([low, low, high, high, low], axis=1)
    codes = np.tile(np.array(_OUTLINE, dtype=np.uint8), len(left))
    drawn = PathPatch(Path(corners.reshape(-1, 2), codes), **{"edgecolor": "none"} | look)
    axes.add_artist(drawn)
    return drawn


def boxes_of(drawn: PathPatch) -> Float64Array:
    """Return left, low, right and high of each of the rectangles that `rectangles` drew.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> one, two = np.array([1.0]), np.array([2.0])
    >>> boxes_of(rectangles(Figure().add_subplot(), one, two, one, two)).tolist()
    [[1.0, 1.0, 2.0, 2.0]]
    """
    corners = np.asarray(drawn.get_path().vertices, dtype=np.float64).reshape(-1, _CORNERS, 2)
    return np.concatenate([corners[:, 0], corners[:, 2]], axis=1)


def stairs(
    axes: Axes, values: Float64Array | Int64Array, edges: Float64Array | Int64Array, *,
    baseline: Any = 0, fill: bool = False, color: str, **look: Any,
) -> None:  # fmt: skip
    """Draw steps as ``axes.stairs`` does, on axes whose limits are set: finding them takes seconds at 2000 columns.

    Neighbours of equal height are one step, as most are in the steady state of a run.
    """
    heights = np.stack([values] if baseline is None else [values, np.broadcast_to(baseline, len(values))])
    starts = np.flatnonzero(np.append(True, (np.diff(heights) != 0).any(axis=0)))
    low = heights[-1, starts] if np.ndim(baseline) else baseline
    look = {"linewidth": 0, "facecolor": color} | look if fill else {"edgecolor": color} | look
    axes.add_artist(StepPatch(heights[0, starts], np.append(edges[starts], edges[-1]), baseline=low, fill=fill, **look))
