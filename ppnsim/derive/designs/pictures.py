"""The design space between absolute and unbounded throughput: finish against processes, with the explored designs.

Source: van Teijlingen 2014, figure 1.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from ppnsim.plots.axis import breathing
from ppnsim.plots.style import FAINT, INK, LABEL, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

Place = tuple[int, int]  # processes, finish in cycles

_WALK, _FRONT, _RULE, _UNBOUNDED, _CLOSED = "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#DDE3E8"
_NEAR = 0.06, 0.055  # of the width and height: labels nearer than that are left out

_RIGHT = 0.9  # of the width: labels beyond that stand on the left of their places


def design_space(
    name: str, *, start: Place, unbounded: Place, bound: int | None = None, points: Sequence[Place] = (),
    walk: Sequence[Place] = (), front: Sequence[Place] = (), rules: Mapping[str, Place] | None = None,
    busy: int | None = None,
) -> Figure:  # fmt: skip
    """Return the picture of a design space.

    Parameters
    ----------
    name : of the program.
    start, unbounded : the two ends: the program as it is, and one process per execution.
    bound : the earliest finish if the statements that are not tried stay as they are.
    points, walk, front : all designs, the designs of the walk in order, and the Pareto front.
    rules : designs by name.
    busy : execute cycles in all, for the axis of the average parallelism.

    Examples
    --------
    >>> figure = design_space("f", start=(2, 90), unbounded=(40, 30), front=[(2, 90), (4, 50)], bound=45)
    >>> [text.get_text() for text in figure.axes[0].texts][:3]
    ['absolute throughput: 90 cycles', 'unbounded throughput: 30 cycles', 'statements that stay: 45 cycles']
    """
    figure = Figure(figsize=(SLIDE, 7.0), layout="constrained", facecolor=PAPER)
    axes = breathing(figure).add_subplot()
    everything = [start, unbounded, *points, *walk, *front, *(rules or {}).values()]
    _scale(axes, everything)
    _bounds(axes, start, unbounded, bound)
    if points:
        x, y = zip(*points, strict=True)
        axes.scatter(x, y, s=14, color=FAINT, alpha=0.35, linewidths=0, label="looked at")
    if front:
        ends = [*front, (int(axes.get_xlim()[1]), front[-1][1])]
        x, y = zip(*ends, strict=True)
        axes.step(x, y, where="post", color=_FRONT, linewidth=1.8, zorder=4)
        axes.scatter(x[:-1], y[:-1], s=46, color=_FRONT, zorder=5, label="best for its processes")
        axes.fill_between(x, y, axes.get_ylim()[1], step="post", color=_FRONT, alpha=0.07, linewidth=0, zorder=0)
    if walk:
        axes.plot(*zip(*walk, strict=True), color=_WALK, linewidth=1.6, marker="o", markersize=4.5, zorder=6)
        axes.plot([], [], color=_WALK, marker="o", markersize=4.5, label="walk")
    for marker, (rule, place) in zip("sDv^<>ph" * (len(rules or {}) // 8 + 1), (rules or {}).items(), strict=False):
        axes.scatter(*place, s=95, marker=marker, facecolors="none", edgecolors=_RULE, linewidths=1.8, zorder=7)
        axes.scatter([], [], s=70, marker=marker, facecolors="none", edgecolors=_RULE, label=rule)
    axes.scatter(*unbounded, s=170, marker="*", color=_UNBOUNDED, zorder=7, label="a process for each execution")
    figure.draw_without_rendering()
    _labels(axes, [start, *front, unbounded])
    axes.set_xlabel("resources [processes]", size=LABEL, color=INK)
    axes.set_ylabel("finish [cycles]", size=LABEL, color=INK)
    axes.legend(loc="upper right", fontsize=SMALL, frameon=True, edgecolor="none", facecolor=PAPER, framealpha=0.9)
    if busy:
        # Matplotlib also asks for the value at 0, before the axis is logarithmic.
        mean = axes.secondary_yaxis("right", functions=(lambda y: busy / np.maximum(y, 1e-9),) * 2)
        mean.set_ylabel("average parallelism", size=SMALL, color=FAINT)
        mean.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        mean.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.3g}"))
        mean.yaxis.set_minor_formatter(NullFormatter())
        mean.tick_params(labelsize=SMALL, colors=FAINT)
    verbatim(figure.suptitle(f"{shortened(name, 60)} · design space", size=TITLE, weight="bold", color=INK))
    return figure


def _scale(axes: Axes, places: Sequence[Place]) -> None:
    """Make both axes logarithmic, because designs differ by factors, with a margin around all points."""
    processes, finishes = zip(*places, strict=True)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(min(processes) / 1.25, max(processes) * 1.6)
    axes.set_ylim(max(min(finishes), 1) / 1.6, max(finishes) * 1.5)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axis.set_minor_formatter(NullFormatter())
    axes.tick_params(labelsize=SMALL, colors=INK)
    axes.spines[["top"]].set_visible(False)
    axes.set_axisbelow(True)


def _bounds(axes: Axes, start: Place, unbounded: Place, bound: int | None) -> None:
    """Draw the two ends as lines, and shade what no design reaches."""
    low, best = axes.get_ylim()[0], max(unbounded[1], 1)
    # Labels go where no design is: beside the first one, and below the limits.
    lines: list[tuple[str, int, str, Any, tuple[float, int]]] = [
        ("absolute throughput", start[1], INK, "-", (0.14, 5)),
        ("unbounded throughput", best, _UNBOUNDED, "-", (0.008, -15)),
    ]
    axes.axhspan(low, best, color=_CLOSED, linewidth=0, zorder=1)
    if bound is not None and bound > unbounded[1]:
        axes.axhspan(best, bound, color=_CLOSED, alpha=0.45, linewidth=0, zorder=1)
        lines.append(("statements that stay", bound, FAINT, (0, (5, 2.5)), (0.008, -15)))
    for words, height, colour, dashes, (left, up) in lines:
        axes.axhline(height, color=colour, linewidth=1.8, linestyle=dashes, zorder=2)
        axes.annotate(
            f"{words}: {height:,} cycles", (left, height), xycoords=("axes fraction", "data"), xytext=(0, up),
            textcoords="offset points", size=SMALL, weight="bold", color=colour, zorder=8,
        )  # fmt: skip


def _labels(axes: Axes, places: Sequence[Place]) -> None:
    """Label points with processes and finish; of points close to each other only the first."""
    to_axes = (axes.transData - axes.transAxes).transform
    taken: list[tuple[float, float]] = []
    for processes, finish in dict.fromkeys(places):
        x, y = to_axes((processes, max(finish, 1)))
        if all(abs(x - other) > _NEAR[0] or abs(y - level) > _NEAR[1] for other, level in taken):
            taken.append((x, y))
            axes.annotate(
                f"{processes:,} p, {finish:,}", (processes, max(finish, 1)), xytext=(6, 7) if x < _RIGHT else (-6, 9),
                ha="left" if x < _RIGHT else "right", textcoords="offset points", size=SMALL, color=INK, zorder=9,
            )  # fmt: skip
