"""Curves of a memory as a picture: simulated points, the analytic law as a line, and where the two part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from ppnsim.plots.axis import breathing, plain
from ppnsim.plots.style import GRID, INK, LABEL, PALETTE, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

_MARKERS = "osD^vP*X"
_WIDE = 16  # a range from which on an axis is logarithmic


def memory_figure(name: str, sweeps: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Return the picture of sweeps, a panel of bandwidth for each with one of latency under it.

    Parameters
    ----------
    name : of the memory.
    sweeps : what each sweep varies, with its unit.
    rows : ``sweep``, ``series``, ``x``, ``bandwidth_GBps``, ``latency_ns`` and ``law_GBps`` of every point.

    Examples
    --------
    >>> row = {"sweep": "banks", "series": "random", "bandwidth_GBps": 2.5, "latency_ns": 80.0, "law_GBps": 2.6}
    >>> rows = [row | {"x": banks} for banks in (1, 2)]
    >>> [axes.get_ylabel() for axes in memory_figure("DDR4", {"banks": "banks of a channel"}, rows).axes]
    ['bandwidth [GB/s]', 'latency [ns]']
    """
    shown = [sweep for sweep in sweeps if any(row["sweep"] == sweep for row in rows)]
    size = (max(SLIDE * 0.6, SLIDE * len(shown) / 2.2), 7.5)
    figure = breathing(Figure(figsize=size, layout="constrained", facecolor=PAPER))
    panels = figure.subplots(2, max(len(shown), 1), squeeze=False, height_ratios=(3, 1))
    for column, sweep in enumerate(shown):
        own = [row for row in rows if row["sweep"] == sweep]
        above, below = panels[0][column], panels[1][column]
        _bandwidth(above, own)
        _latency(below, own)
        for axes in (above, below):
            _axis(axes, [row["x"] for row in own])
        below.set_xlabel(sweeps[sweep], size=LABEL, color=INK)
        above.set_title(sweep, size=LABEL, color=INK, loc="left")
    panels[0][0].set_ylabel("bandwidth [GB/s]", size=LABEL, color=INK)
    panels[1][0].set_ylabel("latency [ns]", size=LABEL, color=INK)
    words = f"{shortened(name, 50)} · one channel · points simulated, lines the laws"
    title = figure.suptitle(words, size=TITLE, weight="bold", color=INK)
    verbatim(title)
    return figure


def _series(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["series"], []).append(row)
    return found


def _bandwidth(axes: Axes, rows: Sequence[Mapping[str, Any]]) -> None:
    for number, (series, own) in enumerate(_series(rows).items()):
        colour = PALETTE[number % len(PALETTE)]
        at = [row["x"] for row in own]
        axes.plot(at, [row["law_GBps"] for row in own], color=colour, linewidth=1.6, zorder=2)
        # The residual as a thin line from the law to the point.
        axes.vlines(at, [row["law_GBps"] for row in own], [row["bandwidth_GBps"] for row in own], color=colour,
                    linewidth=0.9, linestyle=":", zorder=1)  # fmt: skip
        axes.plot(at, [row["bandwidth_GBps"] for row in own], color=colour, linestyle="", markersize=6,
                  marker=_MARKERS[number % len(_MARKERS)], label=series, zorder=3)  # fmt: skip
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=SMALL, frameon=False)


def _latency(axes: Axes, rows: Sequence[Mapping[str, Any]]) -> None:
    for number, own in enumerate(_series(rows).values()):
        axes.plot([row["x"] for row in own], [row["latency_ns"] for row in own], linewidth=1.2, markersize=4,
                  color=PALETTE[number % len(PALETTE)], marker=_MARKERS[number % len(_MARKERS)])  # fmt: skip
    axes.set_ylim(bottom=0)


def _axis(axes: Axes, at: Sequence[float]) -> None:
    plain(axes)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    if min(at) > 0 and max(at) / min(at) >= _WIDE:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.tick_params(axis="x", which="minor", bottom=False)
