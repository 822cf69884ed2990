"""Pictures of OpenCL kernels: potentials and speed-up along a tuning path, cycles over a swept parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from ppnsim.opencl.report import SweepPoint
from ppnsim.opencl.tune import PredictedDesign
from ppnsim.plots.axis import breathing
from ppnsim.plots.style import FAINT, INK, LABEL, PALETTE, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

_COLOURS = {"B_comp": "#0072B2", "B_mem": "#E69F00", "B_balance": "#009E73", "B_itpp": "#CC79A7"}
_SPEED, _EXECUTED = INK, "#D55E00"


@dataclass(frozen=True, slots=True)
class PathPoint:
    """A design of a tuning path: what labels it, its potentials, and its speed-up over the first design."""

    label: str
    potentials: Mapping[str, float]
    speed_up: float


def path_points(path: Sequence[PredictedDesign]) -> list[PathPoint]:
    """Return the points of a path of designs."""
    return [
        PathPoint(
            str(each.design),
            {name: float(value) for name, value in each.potentials.by_name().items()},
            float(path[0].seconds) / float(each.seconds),
        )
        for each in path
    ]


def tuning_path(name: str, points: Sequence[PathPoint]) -> Figure:
    """Return the picture of a tuning path: bars for the potentials, a line for the speed-up.

    Examples
    --------
    >>> figure = tuning_path("mm", [PathPoint("baseline", {"B_mem": 0.9}, 1.0), PathPoint("SM", {"B_mem": 0.1}, 4.0)])
    >>> [text.get_text() for text in figure.axes[1].texts]
    ['1x', '4x']
    """
    figure = Figure(figsize=(SLIDE, 5.6), layout="constrained", facecolor=PAPER)
    axes = breathing(figure).add_subplot()
    potential_bars(axes, points)
    if len(points) > 1:
        _speeds(axes, [point.speed_up for point in points])
    what = "potentials and speed-up" if len(points) > 1 else "potentials: what each optimisation could save, of 1"
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, frameon=False, fontsize=SMALL)
    verbatim(figure.suptitle(f"{shortened(name, 60)} · {what}", size=TITLE, weight="bold", color=INK))
    verbatim(*axes.get_xticklabels())
    return figure


def _speeds(axes: Axes, speeds: Sequence[float]) -> None:
    """Draw the speed-up of each design over the first one, on an axis of its own."""
    faster = axes.twinx()
    faster.plot(range(len(speeds)), speeds, color=_SPEED, marker="o", linewidth=1.6)
    for place, speed in enumerate(speeds):
        faster.annotate(
            f"{speed:.3g}x", (place, speed), xytext=(0, 9), textcoords="offset points", ha="center", size=SMALL,
            weight="bold", color=_SPEED,
        )  # fmt: skip
    faster.set_yscale("log")
    faster.set_ylim(min(speeds) / 1.6, max(speeds) * 2.2)
    faster.set_ylabel("predicted speed-up", size=LABEL, color=INK)
    faster.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    faster.yaxis.set_minor_formatter(NullFormatter())


def potential_bars(axes: Axes, points: Sequence[PathPoint]) -> None:
    """Draw the potentials of every design of a path into axes."""
    width = 0.8 / len(_COLOURS)
    for number, (potential, colour) in enumerate(_COLOURS.items()):
        heights = [point.potentials.get(potential, 0.0) for point in points]
        places = [place + (number - (len(_COLOURS) - 1) / 2) * width for place in range(len(points))]
        drawn = axes.bar(places, heights, width, color=colour, alpha=0.75, label=potential)
        if len(points) == 1:
            axes.bar_label(drawn, fmt="{:.3g}", size=SMALL, color=INK, padding=2)
    axes.set_xticks(range(len(points)), [point.label.replace("+", "\n+") for point in points], fontsize=SMALL)
    axes.set_ylim(0, 1.08)
    if len(points) == 1:
        axes.set_xlim(-1, 1)
    axes.set_ylabel("potential", size=LABEL, color=INK)
    axes.spines[["top"]].set_visible(False)


def work_item_sweep(name: str, points: Sequence[SweepPoint]) -> Figure:
    """Return the picture of a sweep along the parameter with the most values: a colour for each value of the others.

    Predicted cycles are lines, executed ones marks; B_itpp is an area where no other parameter varies.

    Examples
    --------
    >>> low, high = (SweepPoint(values={"W": at}, cycles=12800 / at, executed=None, itpp=0.5) for at in (64, 128))
    >>> figure = work_item_sweep("add", [low, high])
    >>> figure.axes[0].get_xlabel(), len(figure.axes[0].lines)
    ('W', 1)
    """
    figure = Figure(figsize=(SLIDE, 5.2), layout="constrained", facecolor=PAPER)
    axes = breathing(figure).add_subplot()
    parameter = max(points[0].values, key=lambda each: len({point.values[each] for point in points}))
    lines: dict[str, list[SweepPoint]] = {}
    for point in points:
        others = ", ".join(f"{each} = {value}" for each, value in point.values.items() if each != parameter)
        lines.setdefault(others, []).append(point)
    for number, (others, own) in enumerate(lines.items()):
        colour = _COLOURS["B_comp"] if len(lines) == 1 else PALETTE[number % len(PALETTE)]
        at = [point.values[parameter] for point in own]
        axes.plot(at, [point.cycles for point in own], color=colour, linewidth=2, label=f"predicted {others}".strip())
        done = {point.values[parameter]: point.executed for point in own if point.executed is not None}
        if done:
            mark = _EXECUTED if len(lines) == 1 else colour
            axes.plot(list(done), list(done.values()), "o", color=mark, fillstyle="none", markersize=8,
                      markeredgewidth=2, label=f"simulated {others}".strip())  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))  # few decades: all its labels are numbers of one form
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(parameter, size=LABEL, color=INK)
    axes.set_ylabel("cycles", size=LABEL, color=INK)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.spines[["top"]].set_visible(False)
    axes.spines[["right"]].set_visible(len(lines) == 1)
    if len(lines) == 1:
        other = axes.twinx()
        at = [point.values[parameter] for point in points]
        other.fill_between(at, [point.itpp for point in points], color=_COLOURS["B_itpp"], alpha=0.3, linewidth=0)
        other.set_ylim(0, 1.05)
        other.set_ylabel("B_itpp", size=LABEL, color=FAINT)
        axes.set_zorder(other.get_zorder() + 1)
        axes.patch.set_visible(False)
    axes.legend(frameon=False, fontsize=SMALL)
    verbatim(figure.suptitle(f"{shortened(name, 60)} · {parameter}", size=TITLE, weight="bold", color=INK))
    return figure
