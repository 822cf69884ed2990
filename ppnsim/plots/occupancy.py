"""How full the channels are over time, against their depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ppnsim.errors import InputError
from ppnsim.model import metrics
from ppnsim.model.network import Channel
from ppnsim.model.timeline import Timeline
from ppnsim.plots.axis import apart, far_of, mark_stop, outcome, plain, stairs, time_axes
from ppnsim.plots.colours import channel_colours
from ppnsim.plots.columns import counted, edges_of, view_of
from ppnsim.plots.rows import one_time, row_gap, rows_of
from ppnsim.plots.style import FAINT, INK, SMALL, shortened

_LINE, _DEPTH = "#0072B2", INK
_FILL, _BAND = 0.25, 0.55  # opacity


def occupancy(
    timeline: Timeline, *, channels: Sequence[str] | None = None, window: tuple[int, int] | None = None,
    peaks: Mapping[str, int] | None = None,
) -> Figure:  # fmt: skip
    """Return the tokens in each channel over time, one row per channel, with its depth and its maximum.

    Where a column of the picture holds several cycles, the band reaches from the fewest to the most tokens in it.
    ``window`` are the cycles ``(first, last + 1)`` to be shown; default all. ``peaks`` are the most tokens of each
    channel in the whole run (`ppnsim.model.metrics.max_occupancy`), if they are known already.

    Raises
    ------
    InputError
        If a channel does not exist, or there is none to be drawn.

    Examples
    --------
    >>> from ppnsim import fork_join, run
    >>> figure = occupancy(run(fork_join(firings=20, short_depth=3)).timeline, channels=["short_in", "long_in"])
    >>> len(figure.axes)
    2
    """
    network = timeline.network
    chosen = list(network.channels if channels is None else map(network.channel, channels))
    if not chosen:
        raise InputError(f"network '{network.name}' has no channel, so no occupancy to draw")
    view, colours = view_of(timeline, window), channel_colours(network)
    if peaks is None:
        peaks = {each.name: metrics.max_occupancy(timeline, each.name) for each in chosen}
    notes = [words for each in chosen for words in notes_of(each.depth, peaks[each.name])]
    numbers = [f"{peaks[each.name]:,}" for each in chosen]
    title = f"{shortened(network.name, 60)} · tokens in the channels · {outcome(timeline)}"
    figure, rows = rows_of(title, [shortened(each.name, 28) for each in chosen], numbers=numbers, notes=notes)
    for axes, channel in zip(rows, chosen, strict=True):
        colour, _ = colours.get(channel.name, (_LINE, ""))
        _draw(axes, timeline, channel, peaks[channel.name], view, row_gap(len(chosen)), colour)
    time_axes(rows[0], rows[-1], timeline, edges_of(*view), within="dark: from fewest to most tokens within")
    one_time(rows, view[0], far_of(timeline, view))
    return figure


def _draw(
    axes: Axes, timeline: Timeline, channel: Channel, peak: int, view: tuple[int, int], gap: float, colour: str
) -> None:
    edges = edges_of(*view)
    writes, releases = metrics.slots_taken(timeline, channel.name)
    columns = counted([metrics.Events(writes)], [metrics.Events(releases)], edges, base=channel.initial)
    plain(axes)
    stairs(axes, columns.most, edges, fill=True, color=colour, alpha=_FILL, linewidth=0, zorder=2)
    if not np.array_equal(columns.fewest, columns.most):
        between: dict[str, Any] = {"baseline": columns.fewest, "alpha": _BAND, "linewidth": 0, "zorder": 2.5}
        stairs(axes, columns.most, edges, fill=True, color=colour, **between)
    stairs(axes, columns.most, edges, baseline=None, color=colour, linewidth=1.4, label="tokens", zorder=3)
    # Tokens that come and go within a cycle need their slots, but leave no step in the curve.
    fullest = int(np.argmax(columns.most))
    cycles, tokens = metrics.occupancy(timeline, channel.name, (int(edges[fullest]), int(edges[fullest + 1])))
    if view == (0, max(timeline.stopped, 1)) or tokens.max() == peak:
        at = int(cycles[np.argmax(tokens)])
        axes.plot([at], [peak], marker="v", color=INK, markersize=8, clip_on=False, label="maximum", zorder=6)
    draw_depth(axes, channel.depth, peak, gap=gap)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=4, integer=True, steps=[1, 2, 5, 10]))
    mark_stop(axes, timeline, view)


def notes_of(depth: int | None, peak: int) -> tuple[str, str]:
    """Return what is written right of a channel: its depth, and the most tokens that it held.

    Examples
    --------
    >>> notes_of(None, 3)
    ('unbounded', 'max 3')
    """
    return "unbounded" if depth is None else f"depth {depth}", f"max {peak}"


def draw_depth(axes: Axes, depth: int | None, peak: int, *, gap: float) -> None:
    """Draw the depth and the most tokens of a channel, whose names are at least ``gap`` of the height apart."""
    top, place, colour = 1.15 * max(peak, 1), 1.0, FAINT if depth is None else _DEPTH
    # A depth far above what is ever used would flatten the curve: it is then told, not drawn.
    if depth is not None and depth <= max(4, 4 * peak):
        top = 1.15 * max(peak, depth)
        place = depth / top
        axes.axhline(depth, color=_DEPTH, linewidth=1.8, linestyle=(0, (5, 2.5)), label="depth", zorder=4)
    heights = apart([place, peak / top], gap=gap)
    for words, ink, height in zip(notes_of(depth, peak), (colour, INK), heights, strict=True):
        axes.text(1.01, height, words, transform=axes.transAxes, size=SMALL, color=ink, va="center")
    axes.set_ylim(0, top)
