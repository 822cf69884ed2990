"""How full the channels are over time, against their depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from ppnsim.arrays import Float64Array, Int64Array
from ppnsim.errors import InputError
from ppnsim.model import metrics
from ppnsim.model.network import Channel
from ppnsim.model.timeline import Timeline
from ppnsim.plots.axis import apart, mark_stop, outcome, stairs, time_axes
from ppnsim.plots.colours import channel_colours
from ppnsim.plots.columns import counted, edges_in_step, view_of
from ppnsim.plots.rows import CurveRow, row_gap, rows_of
from ppnsim.plots.style import FAINT, INK, SMALL, shortened

_LINE, _DEPTH = "#0072B2", INK
_FILL, _BAND = 0.25, 0.55  # opacity
_AIR = 1.15  # times what is drawn: the upper end of a row


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
    >>> {"short_in", "depth 3", "max 3"} <= {text.get_text() for text in figure.axes[0].texts}
    True
    """
    network = timeline.network
    chosen = list(network.channels if channels is None else map(network.channel, channels))
    if not chosen:
        raise InputError(f"network '{network.name}' has no channel, so no occupancy to draw")
    view, colours = view_of(timeline, window), channel_colours(network)
    edges = edges_in_step(timeline, view)
    if peaks is None:
        peaks = {each.name: metrics.max_occupancy(timeline, each.name) for each in chosen}
    full = [(each.depth, peaks[each.name]) for each in chosen]
    title = f"{shortened(network.name, 60)} · tokens in the channels · {outcome(timeline)}"
    figure, axes, rows = filled_rows(title, [each.name for each in chosen], full)
    highest = []
    for row, channel in zip(rows, chosen, strict=True):
        colour, _ = colours.get(channel.name, (_LINE, ""))
        at = _draw(axes, row, timeline, channel, peaks[channel.name], edges, colour)
        highest += [(at, row.at(peaks[channel.name]))] if at is not None else []
    marks: dict[str, Any] = {"marker": "v", "linestyle": "none", "color": INK, "markersize": 8, "zorder": 6}
    axes.plot(*zip(*highest, strict=True), clip_on=False, label="maximum", **marks)
    mark_stop(axes, timeline, view)
    time_axes(axes, axes, timeline, edges, within="dark: from fewest to most tokens within")
    return figure


def _draw(
    axes: Axes, row: CurveRow, timeline: Timeline, channel: Channel, peak: int, edges: Int64Array, colour: str
) -> int | None:
    """Draw the tokens in a channel; return the first cycle with the most of them, None if it is not in view."""
    writes, releases = metrics.slots_taken(timeline, channel.name)
    columns = counted([metrics.Events(writes)], [metrics.Events(releases)], edges, base=channel.initial)
    draw_tokens(axes, row, columns.fewest, columns.most, edges, colour)
    # Tokens that come and go within a cycle need their slots, but leave no step in the curve.
    fullest = int(np.argmax(columns.most))
    cycles, tokens = metrics.occupancy(timeline, channel.name, (int(edges[fullest]), int(edges[fullest + 1])))
    if (int(edges[0]), int(edges[-1])) == (0, max(timeline.stopped, 1)) or tokens.max() == peak:
        return int(cycles[np.argmax(tokens)])
    return None


def draw_tokens(
    axes: Axes, row: CurveRow, fewest: Int64Array, most: Int64Array, edges: Float64Array | Int64Array, colour: str
) -> None:
    """Draw a curve of tokens, pale below it, and a band where a column has several numbers of them."""
    upper, floor = row.at(most), row.floor
    stairs(axes, upper, edges, baseline=floor, fill=True, color=colour, alpha=_FILL, linewidth=0, zorder=2)
    if not np.array_equal(fewest, most):
        between: dict[str, Any] = {"baseline": row.at(fewest), "alpha": _BAND, "linewidth": 0, "zorder": 2.5}
        stairs(axes, upper, edges, fill=True, color=colour, **between)
    stairs(axes, upper, edges, baseline=None, color=colour, linewidth=1.4, label="tokens", zorder=3)


def filled_rows(
    title: str, names: Sequence[str], full: Sequence[tuple[int | None, int]], *, upper: bool = True
) -> tuple[Figure, Axes, list[CurveRow]]:
    """Return a row for each channel (see `rows_of`), with its depth and the most tokens that it held, as in ``full``.

    Examples
    --------
    >>> _, axes, rows = filled_rows("one", ["c"], [(4, 3)])
    >>> [text.get_text() for text in axes.texts if "depth" in text.get_text()], round(rows[0].top, 2)
    (['depth 4'], 4.6)
    """
    # A depth far above what is ever used would flatten the curve: it is then told, not drawn.
    drawn = [depth if depth is not None and depth <= max(4, 4 * peak) else None for depth, peak in full]
    tops = [_AIR * max(peak, depth or 0, 1) for depth, (_, peak) in zip(drawn, full, strict=True)]
    notes = [words for each in full for words in notes_of(*each)]
    figure, axes, rows = rows_of(title, [shortened(each, 28) for each in names], tops=tops, notes=notes, upper=upper)
    beside, lines = axes.get_yaxis_transform(), []
    for row, told, depth, (written, peak) in zip(rows, [notes_of(*each) for each in full], drawn, full, strict=True):
        place = 1 / _AIR if depth is None else depth / row.top
        lines += [] if depth is None else [[(0.0, row.at(depth)), (1.0, row.at(depth))]]
        inks = FAINT if written is None else _DEPTH, INK
        for words, ink, part in zip(told, inks, apart([place, peak / row.top], gap=row_gap(len(rows))), strict=True):
            height = row.at(part * row.top)
            axes.text(1.01, height, words, transform=beside, size=SMALL, color=ink, va="center_baseline")
    dashed: dict[str, Any] = {"colors": _DEPTH, "linewidths": 1.8, "linestyles": [(0, (5, 2.5))], "zorder": 4}
    axes.add_collection(LineCollection(lines, transform=beside, label="depth", **dashed), autolim=False)
    return figure, axes, rows


def notes_of(depth: int | None, peak: int) -> tuple[str, str]:
    """Return what is written right of a channel: its depth, and the most tokens that it held.

    Examples
    --------
    >>> notes_of(None, 3)
    ('unbounded', 'max 3')
    """
    return "unbounded" if depth is None else f"depth {depth}", f"max {peak}"
