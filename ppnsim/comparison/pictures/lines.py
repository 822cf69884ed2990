"""A comparison as a picture: simulated and predicted above, the relative errors below."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, PercentFormatter

from ppnsim.comparison.model import ComparedPoint, Comparison, ModelComparison
from ppnsim.comparison.pictures.maps import draw_errors
from ppnsim.errors import InputError
from ppnsim.plots.axis import breathing, plain, with_unit
from ppnsim.plots.beside import SIMULATED, beside_figure
from ppnsim.plots.style import ALARM, FAINT, GRID, INK, LABEL, PALETTE, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

_MOST_LINES = 5  # combinations of the other parameters that get a line each
_MARKERS = "osD^vP*X"
_STYLES: tuple[Literal["--", ":", "-."], ...] = ("--", ":", "-.")
_TICKS = 16


def comparison_figure(found: Comparison) -> Figure:
    """Return the picture: over the parameter with the most values, a line for each combination of the others.

    Where those are too many, two parameters get a map of the error of each model, and of more of them predicted is
    drawn over simulated, with the diagonal on which a model is exact. Where nothing varies, the figures are bars.

    Raises
    ------
    InputError
        If nothing was simulated, and there are too many lines.
    """
    if not found.axes:
        return _bars(found)
    figure = Figure(figsize=(SLIDE, 7.2), layout="constrained", facecolor=PAPER)
    breathing(figure)
    along = max(found.axes, key=lambda name: len(set(found.axes[name])))
    lines = _lines(found.models[0], along)
    most = _MOST_LINES if found.simulated else len(_MARKERS)
    drawable = len(lines) <= most
    if not drawable and not found.simulated:
        words = f"{len(lines)} lines are too many for predictions alone (at most {most})"
        raise InputError(f"{words}: vary less, or draw predicted over simulated (--simulate)", where="--plot")
    if drawable and not found.simulated:
        axes = figure.subplots()
        _values(axes, found, along, lines)
        _across(axes, along, _places(found.axes[along]))
        _legend(figure, found, along, lines)
    elif drawable:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        _values(above, found, along, lines)
        _errors(below, found, along, lines)
        _legend(figure, found, along, lines)
    elif len(found.axes) == 2 and not any(line[-1] for line in lines):
        draw_errors(figure, found)
    else:
        _scattered(figure.subplots(), found)
    verbatim(figure.suptitle(_title(found), size=TITLE, weight="bold", color=INK))
    return figure


def _title(found: Comparison) -> str:
    how = "predicted and simulated" if found.simulated else "predicted"
    return f"{shortened(PurePath(found.source).name, 50)} · {found.quantity}, {how}"


def _bars(found: Comparison) -> Figure:
    groups: dict[str, dict[str, float | None]] = {}
    for points in zip(*(model.points for model in found.models), strict=True):
        figures = {SIMULATED: points[0].simulated} if found.simulated else {}
        named = {model.model: point.predicted for model, point in zip(found.models, points, strict=True)}
        groups[points[0].series] = figures | named
    return beside_figure(_title(found), groups, along=f"{found.quantity} [{found.unit}]")


def _lines(model: ModelComparison, along: str) -> list[tuple[Any, ...]]:
    """Return the combinations of all that does not vary along the axis."""
    return list(dict.fromkeys(_line(point, along) for point in model.points))


def _line(point: ComparedPoint, along: str) -> tuple[Any, ...]:
    return (*(value for name, value in point.values.items() if name != along), point.series)


def _places(values: Sequence[Any]) -> dict[Any, float]:
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return {value: float(value) for value in values}
    return {value: float(at) for at, value in enumerate(values)}


def _values(plot: Axes, found: Comparison, along: str, lines: Sequence[tuple[Any, ...]]) -> None:
    plain(plot)
    places = _places(found.axes[along])
    for number, line in enumerate(lines if found.simulated else ()):
        points = [point for point in found.models[0].points if _line(point, along) == line]
        told = [(places[point.values[along]], point.simulated) for point in points if point.simulated is not None]
        _draw(plot, told, INK if len(lines) == 1 else PALETTE[number], "-", _MARKERS[number])
        stuck = [places[point.values[along]] for point in points if point.simulated is None]
        # On the upper edge, whatever the scale: a deadlock never finishes.
        plot.scatter(stuck, [1] * len(stuck), marker="x", s=60, color=ALARM, zorder=5, clip_on=False,
                     transform=plot.get_xaxis_transform())  # fmt: skip
    for number, model in enumerate(found.models):
        for at, line in enumerate(lines):
            points = [point for point in model.points if _line(point, along) == line]
            told = [(places[point.values[along]], point.predicted) for point in points if point.predicted is not None]
            marker = "" if found.simulated else _MARKERS[at]
            _draw(plot, told, _colour(number, at, lines), _STYLES[number % len(_STYLES)], marker)
    plot.set_ylabel(f"{found.quantity} [{found.unit}]", size=LABEL, color=INK)
    plot.set_ylim(bottom=0)
    verbatim(plot.yaxis.label)


def _errors(plot: Axes, found: Comparison, along: str, lines: Sequence[tuple[Any, ...]]) -> None:
    plain(plot)
    places = _places(found.axes[along])
    plot.axhspan(-found.tolerance, found.tolerance, color=GRID, zorder=0)
    plot.axhline(0, color=FAINT, linewidth=1)
    for number, model in enumerate(found.models):
        for at, line in enumerate(lines):
            points = [point for point in model.points if _line(point, along) == line]
            told = [(places[point.values[along]], point.error) for point in points if point.error is not None]
            _draw(plot, told, _colour(number, at, lines), _STYLES[number % len(_STYLES)], _MARKERS[at])
    plot.yaxis.set_major_formatter(PercentFormatter(1.0))
    plot.set_ylabel("error of the model", size=LABEL, color=INK)
    _across(plot, along, places)


def _across(plot: Axes, along: str, places: dict[Any, float]) -> None:
    """Name the parameter of the axis, and its values."""
    numbers = any(isinstance(value, int) for value in places)
    plot.set_xlabel(with_unit(along) if numbers else along, size=LABEL, color=INK)
    if any(isinstance(value, str) for value in places):
        every = -(-len(places) // _TICKS)
        shown = list(places.items())[::every]
        plot.set_xticks([place for _, place in shown], [shortened(str(value), 14) for value, _ in shown])
    elif all(isinstance(value, int) for value in places):
        plot.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    verbatim(plot.xaxis.label)


def _colour(model: int, line: int, lines: Sequence[tuple[Any, ...]]) -> str:
    """Return the colour of a line: that of its combination where there are several, else that of its model."""
    return PALETTE[line if len(lines) > 1 else model % len(PALETTE)]


def _draw(plot: Axes, points: Sequence[tuple[float, float]], colour: str, style: str, marker: str) -> None:
    if points:
        across, up = zip(*sorted(points), strict=True)
        plot.plot(across, up, linestyle=style, color=colour, marker=marker, markersize=5, linewidth=1.8)


def _legend(figure: Figure, found: Comparison, along: str, lines: Sequence[tuple[Any, ...]]) -> None:
    """Say what colours and styles mean, and nothing that is not there, below the picture."""
    handles: list[Line2D | Patch] = []
    if found.simulated:
        handles.append(Line2D([], [], color=INK, marker=_MARKERS[0], markersize=5, label="simulated"))
    if found.simulated and any(point.simulated is None for point in found.models[0].points):
        handles.append(Line2D([], [], color=ALARM, marker="x", linestyle="", label="deadlock: no finish"))
    for number, model in enumerate(found.models):
        colour = INK if len(lines) > 1 else _colour(number, 0, lines)
        label = shortened(model.model, 20)
        handles.append(Line2D([], [], color=colour, linestyle=_STYLES[number % len(_STYLES)], label=label))
    for number, line in enumerate(lines) if len(lines) > 1 else ():
        label = shortened(_name(found, along, line), 24)
        handles.append(Line2D([], [], color=PALETTE[number], marker=_MARKERS[number], linestyle="", label=label))
    if found.simulated:
        handles.append(Patch(color=GRID, label=f"within {found.tolerance:.0%}"))
    legend = figure.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=SMALL, frameon=False)
    verbatim(*legend.get_texts())


def _name(found: Comparison, along: str, line: tuple[Any, ...]) -> str:
    names = [f"{name} = {value}" for name, value in zip((n for n in found.axes if n != along), line, strict=False)]
    return ", ".join([*names, *filter(None, [line[-1]])])


def _scattered(plot: Axes, found: Comparison) -> None:
    plain(plot)
    most = 0.0
    for number, model in enumerate(found.models):
        both = [(p.simulated, p.predicted) for p in model.points if p.simulated is not None and p.predicted is not None]
        if both:
            across, up = zip(*both, strict=True)
            most = max(most, *across, *up)
            plot.scatter(across, up, s=26, alpha=0.7, color=PALETTE[number], marker=_MARKERS[number], label=model.model)
    share = found.tolerance
    plot.plot([0, most], [0, most], color=INK, linewidth=1, label="exact")
    low, high = [0, most * (1 - share)], [0, most * (1 + share)]
    plot.fill_between([0, most], low, high, color=GRID, zorder=0, label=f"within {share:.0%}")
    plot.set_xlabel(f"simulated {found.quantity} [{found.unit}]", size=LABEL, color=INK)
    plot.set_ylabel(f"predicted [{found.unit}]", size=LABEL, color=INK)
    plot.set_xlim(left=0)
    plot.set_ylim(bottom=0)
    verbatim(*plot.legend(fontsize=SMALL, frameon=False).get_texts(), plot.xaxis.label, plot.yaxis.label)
