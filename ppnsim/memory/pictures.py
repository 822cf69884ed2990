"""Curves of a memory as a picture: simulated points, the analytic law as a line, and where the two part."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from ppnsim.memory.run.curves import SWEEPS, CurvePoint
from ppnsim.plots.axis import breathing, plain
from ppnsim.plots.style import GRID, INK, LABEL, PALETTE, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

_MARKERS = "osD^vP*X"
_ABREAST = 3  # panels side by side
_WIDE = 16  # a range from which on an axis is logarithmic


def memory_figure(name: str, points: Sequence[CurvePoint]) -> Figure:
    """Return the picture of the sweeps of some points: for each a panel of bandwidth, and one of latency under it.

    Parameters
    ----------
    name : of the memory.

    Examples
    --------
    >>> given = {"sweep": "banks", "series": "random", "bandwidth": 2.5, "latency": 80.0, "law": 2.6, "because": ""}
    >>> points = [CurvePoint(x=banks, **given) for banks in (1, 2)]
    >>> [axes.get_ylabel() for axes in memory_figure("DDR4", points).axes]
    ['bandwidth [GB/s]', 'latency [ns]']
    """
    shown = [sweep for sweep in SWEEPS.values() if any(point.sweep == sweep.name for point in points)]
    rows = max(1, -(-len(shown) // _ABREAST))
    across = min(_ABREAST, max(len(shown), 1))
    size = (max(SLIDE * 0.6, SLIDE * across / 2.2), 6.5 * rows + 0.5)
    figure = breathing(Figure(figsize=size, layout="constrained", facecolor=PAPER))
    panels = figure.subplots(2 * rows, across, squeeze=False, height_ratios=(3, 1) * rows)
    for place, sweep in enumerate(shown):
        row, column = divmod(place, _ABREAST)
        own = [point for point in points if point.sweep == sweep.name]
        above, below = panels[2 * row][column], panels[2 * row + 1][column]
        _bandwidth(above, own)
        _latency(below, own)
        for axes in (above, below):
            _axis(axes, [point.x for point in own])
        below.set_xlabel(sweep.x, size=LABEL, color=INK)
        above.set_title(sweep.name, size=LABEL, color=INK, loc="left")
    for row in range(rows):
        panels[2 * row][0].set_ylabel("bandwidth [GB/s]", size=LABEL, color=INK)
        panels[2 * row + 1][0].set_ylabel("latency [ns]", size=LABEL, color=INK)
    for axes in panels.T.reshape(across, rows, 2)[:, -1][len(shown) - across * (rows - 1) :].flat:
        axes.set_axis_off()
    words = f"{shortened(name, 50)} · one channel · points simulated, lines the laws"
    title = figure.suptitle(words, size=TITLE, weight="bold", color=INK)
    verbatim(title)
    return figure


def _series(points: Sequence[CurvePoint]) -> dict[str, list[CurvePoint]]:
    found: dict[str, list[CurvePoint]] = {}
    for point in points:
        found.setdefault(point.series, []).append(point)
    return found


def _bandwidth(axes: Axes, points: Sequence[CurvePoint]) -> None:
    for number, (series, own) in enumerate(_series(points).items()):
        colour = PALETTE[number % len(PALETTE)]
        at = [point.x for point in own]
        axes.plot(at, [point.law for point in own], color=colour, linewidth=1.6, zorder=2)
        # The residual as a thin line from the law to the point.
        axes.vlines(at, [point.law for point in own], [point.bandwidth for point in own], color=colour,
                    linewidth=0.9, linestyle=":", zorder=1)  # fmt: skip
        axes.plot(at, [point.bandwidth for point in own], color=colour, linestyle="", markersize=6,
                  marker=_MARKERS[number % len(_MARKERS)], label=series, zorder=3)  # fmt: skip
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=SMALL, frameon=False)


def _latency(axes: Axes, points: Sequence[CurvePoint]) -> None:
    for number, own in enumerate(_series(points).values()):
        axes.plot([point.x for point in own], [point.latency for point in own], linewidth=1.2, markersize=4,
                  color=PALETTE[number % len(PALETTE)], marker=_MARKERS[number % len(_MARKERS)])  # fmt: skip
    axes.set_ylim(bottom=0)


def _axis(axes: Axes, at: Sequence[float]) -> None:
    plain(axes)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    if min(at) > 0 and max(at) / min(at) >= _WIDE:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.tick_params(axis="x", which="minor", bottom=False)
