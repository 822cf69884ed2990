"""What every rank of a message schedule does over time: its processor above, both sides of its port below."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ppnsim.messages.looks import LANES, LETTERS, LOOKS, MOST, PROCESSOR
from ppnsim.messages.run.record import CPU_KINDS, PORT_KINDS, Interval, MessageRun
from ppnsim.plots.axis import breathing, plain, rectangles
from ppnsim.plots.style import ALARM, FAINT, INK, LABEL, PAPER, SLIDE, SMALL, TITLE


def rank_gantt(run: MessageRun, *, unit: str = "", window: tuple[float, float] | None = None) -> Figure:
    """Return one row per rank over time, for the first 64 ranks; ``window`` is the time that is shown, default all.

    Examples
    --------
    >>> run = MessageRun(
    ...     completion=9, rank_end=(5, 9), messages=0, sent=0, unreceived=0,
    ...     intervals=(Interval(0, "compute", 0, 5), Interval(1, "compute", 0, 9)),
    ... )
    >>> [label.get_text() for label in rank_gantt(run).axes[0].get_yticklabels()]
    ['rank 0', 'rank 1']
    """
    ranks = min(len(run.rank_end), MOST)
    height = float(np.interp(ranks, [2, 16], [0.9, 0.42]))
    figure = Figure(figsize=(SLIDE, 2.2 + height * ranks), layout="constrained", facecolor=PAPER)
    axes = breathing(figure).add_subplot()
    plain(axes)
    still = max((*run.rank_end, run.deadlock.at if run.deadlock else 0))
    first, last = (0, max(still, 1)) if window is None else window
    drawn = [each for each in run.intervals if each.rank < ranks and each.end > first and each.start < last]
    for kind in (*CPU_KINDS, *PORT_KINDS):
        _draw(axes, kind, [each for each in drawn if each.kind == kind])
    axes.set_xlim(float(first), float(last))
    _mark_deadlock(axes, run, still)
    axes.set_ylim(-ranks, 0)
    axes.set_yticks([-0.5 - rank for rank in range(ranks)], [f"rank {rank}" for rank in range(ranks)])
    axes.tick_params(axis="y", length=0, labelsize=LABEL if ranks <= 16 else SMALL)
    label = f"time [{unit}]" if unit else "time"
    axes.set_xlabel(f"{label}; thin lines: the port, sending above receiving", size=LABEL)
    seen = {each.kind for each in drawn}
    handles = [
        Patch(facecolor=LOOKS[kind], edgecolor=FAINT, linewidth=0.4, label=kind + LETTERS.get(kind, ""))
        for kind in CPU_KINDS
        if kind in seen
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=SMALL, frameon=False)
    answer = "deadlock" if run.completion is None else f"completion {run.completion} {unit}".rstrip()
    left_out = f" · first {MOST} of {len(run.rank_end)} ranks" if len(run.rank_end) > MOST else ""
    figure.suptitle(answer + left_out, size=TITLE, weight="bold", color=INK)
    return figure


def _mark_deadlock(axes: Axes, run: MessageRun, still: float) -> None:
    """Draw a line where nothing happens any more, if that is in view."""
    first, last = axes.get_xlim()
    if run.deadlock and first <= still <= last:
        axes.axvline(still, color=ALARM, linewidth=2, linestyle=(0, (4, 2)), zorder=5)


def _draw(axes: Axes, kind: str, intervals: list[Interval]) -> None:
    if not intervals:
        return
    low, high = LANES.get(kind, PROCESSOR)
    floor = np.array([-1.0 - each.rank for each in intervals])
    start = np.array([float(each.start) for each in intervals])
    end = np.array([float(each.end) for each in intervals])
    edge = {"edgecolor": "none"} if len(intervals) > 2_000 else {"edgecolor": PAPER, "linewidth": 0.3}
    drawn = rectangles(axes, start, end, floor + low, floor + high, facecolor=LOOKS[kind], **edge)
    drawn.set_rasterized(len(intervals) > 2_000)  # thousands of slivers make a vector picture large and slow
