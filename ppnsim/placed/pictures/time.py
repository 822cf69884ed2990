"""A run across nodes over time: a lane for every process, direction of a link and memory port, and how it was taken."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ppnsim.arrays import Float64Array
from ppnsim.placed.report.lanes import LOOKS, Shares, edges_of_columns, lanes_of, outcome_of
from ppnsim.placed.run.record import PlacedRun
from ppnsim.plots import style
from ppnsim.plots.axis import breathing, plain
from ppnsim.plots.style import shortened, verbatim
from ppnsim.plots.ticks import unit_of

_LANE = (0.12, 0.88)  # of its height


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
    edges = edges_of_columns(run, window)
    lanes = list(lanes_of(run, edges))
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
    handles = [Patch(facecolor=LOOKS[look], label=look) for look in LOOKS if look in used]
    figure.legend(
        handles=handles, loc="outside lower center", ncols=len(handles) or 1, fontsize=style.SMALL, frameon=False
    )
    return figure


def _draw(axes: Axes, shares: Shares, at: Float64Array, floor: float, used: dict[str, None]) -> None:
    low = np.full(len(at) - 1, floor + _LANE[0])
    for look in LOOKS:
        share = shares.get(look)
        if share is None or not (share > 0).any():
            continue
        used[look] = None
        high = low + np.clip(share, 0, 1) * (_LANE[1] - _LANE[0])
        axes.stairs(high, at, baseline=low, fill=True, facecolor=LOOKS[look], linewidth=0, zorder=3)
        low = high


def _label(axes: Axes, names: list[str], at: Float64Array, unit: str) -> None:
    axes.set_ylim(-len(names), 0)
    axes.set_yticks([-0.5 - row for row in range(len(names))], names)
    axes.tick_params(axis="y", length=0, labelsize=style.LABEL)
    for row in range(1, len(names)):
        axes.axhline(-row, color=style.GRID, linewidth=0.8)
    axes.set_xlim(at[0], at[-1])
    axes.set_xlabel(f"time [{unit}]", size=style.LABEL, color=style.INK)
