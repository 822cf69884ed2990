"""What every process does over time: its firings, and under them where the cycles went that it waited."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ppnsim.arrays import Float64Array, Int64Array
from ppnsim.model.cycles import CycleClasses, Label, cycle_classes
from ppnsim.model.timeline import Timeline
from ppnsim.plots.axis import breathing, far_of, mark_stop, outcome, plain, time_axes
from ppnsim.plots.causes import Look, legend_of, looks_of, lost_cycles
from ppnsim.plots.columns import edges_of, shares, view_of
from ppnsim.plots.firings import draw_firings, legend_of_firings
from ppnsim.plots.shapes import rectangles
from ppnsim.plots.style import FAINT, GRID, INK, LABEL, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

_STRIP, _FIRINGS = (0.08, 0.34), (0.38, 0.94)  # of the height of a lane


def gantt(timeline: Timeline, *, window: tuple[int, int] | None = None) -> Figure:
    """Return one lane per process over time: firings above, the classes of its cycles in a strip below.

    A strip is coloured by cause, the channel or resource that is missing; the legend says how many cycles each cost.
    Up to 200 cycles show reading, executing and writing; beyond 800 cycles firings become a density, beyond 2000 a
    column of the picture holds several cycles and the strip shows their shares.

    Parameters
    ----------
    timeline : of a run, deadlocked or not.
    window : cycles ``(first, last + 1)`` to be shown; default all.

    Raises
    ------
    InputError
        If the window shows no cycle of the run.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> figure = gantt(run(predictor()).timeline, window=(0, 40))
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['source', 'transformer', 'sink']
    """
    view = view_of(timeline, window)
    names = [process.name for process in timeline.network.processes]
    classes = [cycle_classes(timeline, name) for name in names]
    total = lost_cycles(classes, view)
    looks, edges = looks_of(total), edges_of(*view)
    figure, axes = _paper(timeline, names, edges)
    for row, (name, each) in enumerate(zip(names, classes, strict=True)):
        floor = -1.0 - row
        lane = floor + _FIRINGS[0], floor + _FIRINGS[1]
        draw_firings(axes, timeline, name, view=view, far=far_of(timeline, view), lane=lane)
        _draw_strip(axes, name, each, edges, looks, floor)
    mark_stop(axes, timeline, view)
    legend = figure.legend(
        handles=legend_of(total, looks) + legend_of_firings(view[1] - view[0]), loc="outside lower center", ncols=4,
        fontsize=SMALL, frameon=False, handleheight=1.1, handlelength=2.4,
    )  # fmt: skip
    verbatim(*legend.get_texts())
    return figure


def _draw_strip(
    axes: Axes, process: str, classes: CycleClasses, edges: Int64Array, looks: Mapping[Label, Look], floor: float
) -> None:
    part = shares(classes, edges)
    upper = np.cumsum(part, axis=1)
    low, high = floor + _STRIP[0], _STRIP[1] - _STRIP[0]
    coarse = bool(np.any(np.diff(edges) > 1))
    for code, label in enumerate(classes.labels):
        columns = np.flatnonzero(part[:, code])
        if not len(columns):
            continue
        bottom, top = upper[columns, code] - part[columns, code], upper[columns, code]
        left, right, under, over = _joined(edges[columns], edges[columns + 1], bottom, top)
        words = " ".join(filter(None, label))
        cells = rectangles(
            axes, left, right, low + high * under, low + high * over,
            **looks[label], label=f"{process}: {words}", zorder=3,
        )  # fmt: skip
        cells.set_rasterized(coarse)  # thousands of slivers make a vector picture large and slow
    axes.add_patch(
        Rectangle(
            (float(edges[0]), low),
            float(edges[-1] - edges[0]),
            high,
            fill=False,
            edgecolor=FAINT,
            linewidth=0.6,
            zorder=4,
        )
    )


def _joined(left: Int64Array, right: Int64Array, low: Float64Array, high: Float64Array) -> list[Float64Array]:
    """Return the rectangles with neighbours of equal height made one."""
    same = (right[:-1] == left[1:]) & (low[:-1] == low[1:]) & (high[:-1] == high[1:])
    begins = np.flatnonzero(np.append(True, ~same))
    ends = np.append(begins[1:], len(left)) - 1
    return [left[begins].astype(float), right[ends].astype(float), low[begins], high[begins]]


def _paper(timeline: Timeline, names: list[str], edges: Int64Array) -> tuple[Figure, Axes]:
    lane = float(np.interp(len(names), [4, 20], [1.15, 0.55]))  # inches
    figure = Figure(figsize=(SLIDE, 2.4 + lane * max(len(names), 2)), layout="constrained", facecolor=PAPER)
    axes = breathing(figure).add_subplot()
    plain(axes)
    axes.set_ylim(-len(names), 0)
    axes.set_yticks([-0.5 - row for row in range(len(names))], [shortened(name, 24) for name in names])
    axes.tick_params(axis="y", length=0, labelsize=LABEL)
    verbatim(*axes.get_yticklabels())
    for row in range(1, len(names)):
        axes.axhline(-row, color=GRID, linewidth=0.8)
    time_axes(axes, axes, timeline, edges, within="each column shows the shares of")
    title = figure.suptitle(
        f"{shortened(timeline.network.name, 60)} · {outcome(timeline)}", size=TITLE, weight="bold", color=INK
    )
    verbatim(title)
    return figure, axes
