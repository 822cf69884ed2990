"""Useful and lost cycles as stacked bars, one per process, size or unroll factor.

Source: da Silva et al., A Lost Cycles Analysis for Performance Prediction using High-Level Synthesis, figure 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from ppnsim.plots.axis import breathing
from ppnsim.plots.style import DELAY, EXECUTE, INK, LABEL, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

COLOURS = {
    "useful": EXECUTE, "initialisation": "#E69F00", "memory": "#0072B2", "starved": "#56B4E9",
    "blocked": "#D55E00", "control": "#009E73",
    "contention": "#CC79A7", "idle": DELAY,
}  # fmt: skip


def lost_cycles_figure(name: str, bars: Mapping[str, Mapping[str, int]], *, axis: str = "") -> Figure:
    """Return the picture: cycles by part, stacked, for every bar by its label.

    Parts are the fields of a `CycleSplit` or a `ProcessSplit`; parts that no bar has are left out. ``axis`` names the
    bars; without it they lie, because names of processes are long.

    Examples
    --------
    >>> figure = lost_cycles_figure("mm", {"4": {"useful": 64, "memory": 128, "control": 0}}, axis="size")
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['useful', 'memory']
    """
    tall = 5.4 if axis else max(2.6, 1.3 + 0.42 * len(bars))
    figure = Figure(figsize=(SLIDE, min(tall, 60)), layout="constrained", facecolor=PAPER)
    axes = breathing(figure).add_subplot()
    stacked(axes, bars, upright=bool(axis))
    if axis:
        axes.set_xlabel(axis, size=LABEL, color=INK)
    else:
        axes.invert_yaxis()
    axes.tick_params(labelsize=SMALL, colors=INK)
    axes.spines[["top", "right"]].set_visible(False)
    if axes.containers:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=SMALL)
    title = f"{shortened(name, 60)} · useful and lost cycles"
    verbatim(figure.suptitle(title, size=TITLE, weight="bold", color=INK), *axes.get_yticklabels())
    return figure


def stacked(axes: Axes, bars: Mapping[str, Mapping[str, int]], *, upright: bool) -> None:
    """Draw the bars into axes: upright or lying, the useful cycles first."""
    labels: Sequence[str] = [shortened(label) for label in bars]
    places = range(len(bars))
    bottom = [0] * len(bars)
    for part, colour in COLOURS.items():
        heights = [parts.get(part, 0) for parts in bars.values()]
        if any(heights):
            draw: dict[str, Any] = {"edgecolor": PAPER, "linewidth": 0.6, "color": colour, "label": part}
            if upright:
                axes.bar(places, heights, 0.72, bottom=bottom, **draw)
            else:
                axes.barh(places, heights, 0.72, left=bottom, **draw)
            bottom = [low + more for low, more in zip(bottom, heights, strict=True)]
    across, along = (axes.xaxis, axes.yaxis) if upright else (axes.yaxis, axes.xaxis)
    across.set_ticks(places, labels)
    along.set_label_text("cycles", size=LABEL, color=INK)
    along.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
