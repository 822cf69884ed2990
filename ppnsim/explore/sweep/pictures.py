"""A sweep as a picture: finish against one parameter with a line for each of the others, or a heat map over two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ppnsim.plots.axis import breathing, plain, with_unit
from ppnsim.plots.style import ALARM, INK, LABEL, PALETTE, PAPER, SLIDE, SMALL, TITLE, on, shortened, verbatim
from ppnsim.plots.ticks import unit_of

_MOST_LINES = 10
_SMALLEST_MAP = 4  # values of either parameter from which on two of them are a map
_WRITTEN = 12  # cells of a map in which a number can be read
_MARKERS = "osD^vP*Xhd"
_DASH = 3.0  # widths of a line


def sweep_figure(name: str, axes: Mapping[str, Sequence[Any]], rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Return the picture of a sweep.

    Parameters
    ----------
    name : of the network.
    axes : the values of each parameter that varies.
    rows : a ``finish`` (cycles) or ``finish_s`` (seconds), None after a deadlock, beside a value of each parameter.

    Examples
    --------
    >>> rows = [{"c.depth": depth, "finish": 90 - depth} for depth in (1, 2, 4)]
    >>> sweep_figure("f", {"c.depth": [1, 2, 4]}, rows).axes[0].get_xlabel()
    'c.depth [tokens]'
    """
    rows, label = _in_its_unit(rows)
    figure = Figure(figsize=(SLIDE, 6.4), layout="constrained", facecolor=PAPER)
    plot = breathing(figure).add_subplot()
    plain(plot)
    if len(axes) == 2 and min(len(values) for values in axes.values()) >= _SMALLEST_MAP:
        _map(figure, plot, axes, rows, label)
    else:
        _lines(plot, axes, rows, label)
    title = figure.suptitle(f"{shortened(name, 50)} · {len(rows)} points", size=TITLE, weight="bold", color=INK)
    verbatim(title, plot.xaxis.label, plot.yaxis.label)
    return figure


def _in_its_unit(rows: Sequence[Mapping[str, Any]]) -> tuple[Sequence[Mapping[str, Any]], str]:
    """Return rows with a ``finish`` in a unit that suits all, and the words for it."""
    if not rows or "finish_s" not in rows[0]:
        return rows, "finish [cycles]"
    finishes = [row["finish_s"] for row in rows if row["finish_s"] is not None]
    unit, size = unit_of(max(finishes, default=0) * 1e9)
    scaled = [None if row["finish_s"] is None else row["finish_s"] * 1e9 / size for row in rows]
    return [{**row, "finish": finish} for row, finish in zip(rows, scaled, strict=True)], f"finish [{unit}]"


def _lines(plot: Axes, axes: Mapping[str, Sequence[Any]], rows: Sequence[Mapping[str, Any]], label: str) -> None:
    """Draw finish over the parameter with the most values; where the others make too many lines, the best of them."""
    along = max(axes, key=lambda name: len(axes[name]))
    others = [name for name in axes if name != along]
    places, labels = _places(axes[along])
    finished = [(places[row[along]], row["finish"], row) for row in rows if row["finish"] is not None]
    lines: dict[tuple[Any, ...], list[tuple[float, float]]] = {tuple(row[name] for name in others): [] for row in rows}
    for place, finish, row in finished:
        lines[tuple(row[name] for name in others)].append((place, finish))
    if len(lines) > _MOST_LINES:
        _draw_best(plot, [(place, finish) for place, finish, _ in finished], others)
    else:
        _draw_all(plot, others, lines)
    stuck = [(places[row[along]], tuple(row[name] for name in others)) for row in rows if row["finish"] is None]
    top = max((finish for _, finish, _ in finished), default=1)
    _draw_deadlocks(plot, stuck, list(lines), top)
    plot.set_xlabel(_label(along, axes[along]), size=LABEL, color=INK)
    plot.set_ylabel(label, size=LABEL, color=INK)
    plot.set_ylim(bottom=0)
    _ticks(plot.xaxis, labels)
    if others or stuck:
        legend = plot.legend(fontsize=SMALL, frameon=False)
        verbatim(*legend.get_texts())


def _draw_all(
    plot: Axes, others: Sequence[str], lines: Mapping[tuple[Any, ...], Sequence[tuple[float, float]]]
) -> None:
    """Draw a line for each combination of values of the other parameters."""
    drawn = list(lines.values())
    for number, (values, points) in enumerate(lines.items()):
        names = ", ".join(f"{name} = {value}" for name, value in zip(others, values, strict=True))
        below = sum(len({*points}.intersection(earlier)) > 1 for earlier in drawn[:number])
        _draw_line(plot, sorted(points), number, names or None, below=below)


def _draw_line(
    plot: Axes, points: Sequence[tuple[float, float]], number: int, label: str | None, *, below: int
) -> None:
    """Draw a line, with gaps if lines ``below`` it are the same in part, which show in them."""
    if not points and label is None:
        return
    plot.plot(
        *zip(*points or [(np.nan, np.nan)], strict=True), color=PALETTE[number % len(PALETTE)],
        linestyle=(0, (_DASH, _DASH * below)) if below else "-", marker=_MARKERS[number], markersize=5, linewidth=1.8,
        label=label,
    )  # fmt: skip


def _draw_deadlocks(
    plot: Axes, stuck: Sequence[tuple[float, tuple[Any, ...]]], lines: Sequence[tuple[Any, ...]], top: float
) -> None:
    """Cross the places of deadlocks above the finishes: a row for each line that has some, in its colour."""
    if not stuck:
        return
    apart = 1 < len(lines) <= _MOST_LINES
    rows = [line for line in lines if any(values == line for _, values in stuck)] if apart else [None]
    for row, line in enumerate(rows):
        places = sorted({place for place, values in stuck if line in (None, values)})
        colour = ALARM if line is None else PALETTE[lines.index(line) % len(PALETTE)]
        height = top * (1.06 + 0.05 * row)
        plot.plot(places, [height] * len(places), "x", markersize=8, color=colour, zorder=5)
    said = "deadlock, in the colour of its line" if apart else "deadlock"
    plot.plot([], [], "x", markersize=8, color=INK if apart else ALARM, label=said)
    plot.set_ylim(top=top * (1.11 + 0.05 * len(rows)))


def _draw_best(plot: Axes, points: Sequence[tuple[float, float]], others: Sequence[str]) -> None:
    """Draw all points, and a line through the earliest finish at each place."""
    best: dict[float, float] = {}
    for place, finish in points:
        best[place] = min(finish, best.get(place, finish))
    every, finishes = ([point[axis] for point in points] for axis in (0, 1))
    plot.scatter(every, finishes, s=14, color=PALETTE[2], alpha=0.5, linewidths=0, label="all points")
    plot.plot(
        *zip(*sorted(best.items()), strict=True), color=PALETTE[1], linewidth=2, label=f"best of {', '.join(others)}"
    )


def _map(
    figure: Figure, plot: Axes, axes: Mapping[str, Sequence[Any]], rows: Sequence[Mapping[str, Any]], label: str
) -> None:
    """Draw finish as colour over two parameters; deadlocks are crossed, what has not been run stays white."""
    (across, columns), (up, values) = axes.items()
    plot.grid(visible=False)
    x, y = ({value: at for at, value in enumerate(each)} for each in (columns, values))
    cells = np.full((len(values), len(columns)), np.nan)
    for row in rows:
        cells[y[row[up]], x[row[across]]] = np.nan if row["finish"] is None else row["finish"]
    image = plot.imshow(cells, origin="lower", aspect="auto", cmap="viridis_r", interpolation="nearest")
    figure.colorbar(image, ax=plot, label=label)
    stuck = [(x[row[across]], y[row[up]]) for row in rows if row["finish"] is None]
    if stuck:
        crossed = [list(each) for each in zip(*stuck, strict=True)]
        plot.scatter(crossed[0], crossed[1], marker="x", s=40, color=ALARM)
        plot.set_title("crossed: deadlock", size=SMALL, color=ALARM, loc="left")
    if max(cells.shape) <= _WRITTEN:
        for (at_y, at_x), finish in np.ndenumerate(cells):
            if np.isfinite(finish):
                colour = on(to_hex(tuple(image.to_rgba(np.array([finish]))[0])))
                words = f"{finish:.0f}" if finish >= 100 else f"{finish:.3g}"
                plot.text(at_x, at_y, words, ha="center", va="center", size=SMALL, color=colour)
    plot.set_xlabel(_label(across, columns), size=LABEL, color=INK)
    plot.set_ylabel(_label(up, values), size=LABEL, color=INK)
    _ticks(plot.xaxis, dict(enumerate(columns)))
    _ticks(plot.yaxis, dict(enumerate(values)))


def _label(name: str, values: Sequence[Any]) -> str:
    """Return the label of an axis; words such as 300 ns bring their own unit."""
    return with_unit(name) if any(isinstance(value, int) for value in values) else name


def _places(values: Sequence[Any]) -> tuple[dict[Any, float], dict[int, Any] | None]:
    """Return where on the axis each value is: numbers at themselves, words beside each other with their labels."""
    if all(isinstance(value, int) for value in values):
        return {value: float(value) for value in values}, None
    return {value: float(at) for at, value in enumerate(values)}, dict(enumerate(values))


def _ticks(axis: Any, labels: Mapping[int, Any] | None) -> None:
    if labels is None:
        axis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
        return
    every = -(-len(labels) // 16)
    shown = [at for at in labels if at % every == 0]
    axis.set_ticks(shown, [shortened(str(labels[at]), 14) for at in shown])
    verbatim(*axis.get_ticklabels())
