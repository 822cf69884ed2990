"""How many firings execute at once over time, with average and maximum."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ppnsim.model import metrics
from ppnsim.model.timeline import Timeline
from ppnsim.plots.axis import apart, mark_stop, outcome, plain, stairs, time_axes
from ppnsim.plots.columns import counted, edges_in_step, view_of
from ppnsim.plots.margins import BORDER, PAD, head, place, words_width
from ppnsim.plots.style import DELAY, EXECUTE, FAINT, INK, LABEL, PAPER, SLIDE, SMALL, shortened, text_width

_AVERAGE, _UNBOUNDED = "#D55E00", "#0072B2"


def parallelism(
    timeline: Timeline, *, unbounded: float | None = None, window: tuple[int, int] | None = None,
    figures: metrics.Parallelism | None = None,
) -> Figure:  # fmt: skip
    """Return the parallelism profile: executing firings over time, its average and its maximum.

    ``unbounded`` is the average parallelism of an estimate to compare with, in executing firings. Where a column of the
    picture holds several cycles it shows their mean, and pale behind it their maximum. ``window`` are the cycles
    ``(first, last + 1)`` to be shown; default all. Average and maximum are always those of the whole run:
    ``figures``, if they are known already.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> figure = parallelism(run(predictor()).timeline, unbounded=3.8)
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['max 5', 'unbounded 3.8', 'average 2.06']
    """
    if figures is None:
        figures = metrics.parallelism(timeline)
    view = view_of(timeline, window)
    edges = edges_in_step(timeline, view)
    spans = [metrics.executions(timeline, process.name) for process in timeline.network.processes]
    columns = counted([begins for begins, _ in spans], [ends for _, ends in spans], edges)
    figure = Figure(figsize=(SLIDE, 4.6), facecolor=PAPER)
    axes = figure.add_subplot()
    plain(axes)
    if not np.array_equal(columns.mean, columns.most):
        stairs(axes, columns.most, edges, fill=True, color=DELAY, label="most executing", zorder=2)
    stairs(axes, columns.mean, edges, fill=True, color=EXECUTE, label="executing", zorder=3)
    lines: list[tuple[str, float, str, Any]] = [
        (f"max {figures.maximum}", float(figures.maximum), FAINT, (0, (1.5, 1.5)))
    ]
    if unbounded is not None:
        lines.append((f"unbounded {unbounded:.4g}", unbounded, _UNBOUNDED, (0, (5, 2.5))))
    if figures.average is not None:
        lines.append((f"average {figures.average:.3g}", figures.average, _AVERAGE, (0, ())))
    top = 1.12 * max(1.0, *(height for _, height, _, _ in lines))
    for (words, height, colour, dashes), part in zip(
        lines, apart([height / top for _, height, _, _ in lines], gap=0.08), strict=True
    ):
        axes.axhline(height, color=colour, linewidth=2.2, linestyle=dashes, label=words, zorder=4)
        axes.text(1.01, part, words, transform=axes.transAxes, size=LABEL, weight="bold", color=colour, va="center")
    axes.set_ylim(0, top)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=8, integer=True, steps=[1, 2, 5, 10]))
    axes.set_ylabel("executing firings", size=LABEL, color=INK)
    time_axes(axes, axes, timeline, edges, within="pale: most at once within")
    mark_stop(axes, timeline, view)
    highest = f"{figures.maximum:,}"
    place(
        figure, axes, left=2 * BORDER + LABEL + text_width(highest, SMALL) + 3 * PAD,
        right=2 * BORDER + words_width([words for words, *_ in lines], LABEL, bold=True),
    )  # fmt: skip
    head(figure, f"{shortened(timeline.network.name, 60)} · parallelism · {outcome(timeline)}")
    return figure
