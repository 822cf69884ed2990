"""Pictures of OpenCL kernels: potentials and speed-up along a tuning path, cycles over a swept parameter.

Source: Wang et al., A Performance Analysis Framework for Optimizing OpenCL Applications on FPGAs, Fig. 6, 8, 10-12.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from ppnsim.plots.axis import breathing
from ppnsim.plots.style import FAINT, INK, LABEL, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

_COLOURS = {"B_comp": "#0072B2", "B_mem": "#E69F00", "B_balance": "#009E73", "B_itpp": "#CC79A7"}
_SPEED, _EXECUTED = INK, "#D55E00"


def tuning_path(name: str, steps: Sequence[tuple[str, Mapping[str, float], float]]) -> Figure:
    """Return the picture of a path of ``(design, potentials, speed-up)``: bars for the former, a line for the latter.

    Examples
    --------
    >>> figure = tuning_path("mm", [("baseline", {"B_mem": 0.9}, 1.0), ("SM", {"B_mem": 0.1}, 4.0)])
    >>> [text.get_text() for text in figure.axes[1].texts]
    ['1x', '4x']
    """
    figure = Figure(figsize=(SLIDE, 5.6), layout="constrained", facecolor=PAPER)
    axes = breathing(figure).add_subplot()
    potential_bars(axes, steps)
    faster = axes.twinx()
    speeds = [speed for _, _, speed in steps]
    faster.plot(range(len(steps)), speeds, color=_SPEED, marker="o", linewidth=1.6)
    for place, speed in enumerate(speeds):
        faster.annotate(
            f"{speed:.3g}x", (place, speed), xytext=(0, 9), textcoords="offset points", ha="center", size=SMALL,
            weight="bold", color=_SPEED,
        )  # fmt: skip
    faster.set_yscale("log")
    faster.set_ylim(min(speeds) / 1.6, max(speeds) * 2.2)
    faster.set_ylabel("predicted speed-up", size=LABEL, color=INK)
    faster.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, frameon=False, fontsize=SMALL)
    verbatim(figure.suptitle(f"{shortened(name, 60)} · potentials and speed-up", size=TITLE, weight="bold", color=INK))
    verbatim(*axes.get_xticklabels())
    return figure


def potential_bars(axes: Axes, steps: Sequence[tuple[str, Mapping[str, float], float]]) -> None:
    """Draw the potentials of every design of a path into axes."""
    width = 0.8 / len(_COLOURS)
    for number, (potential, colour) in enumerate(_COLOURS.items()):
        heights = [left.get(potential, 0.0) for _, left, _ in steps]
        places = [place + (number - (len(_COLOURS) - 1) / 2) * width for place in range(len(steps))]
        axes.bar(places, heights, width, color=colour, alpha=0.75, label=potential)
    axes.set_xticks(range(len(steps)), [design.replace("+", "\n+") for design, _, _ in steps], fontsize=SMALL)
    axes.set_ylim(0, 1.05)
    axes.set_ylabel("potential", size=LABEL, color=INK)
    axes.spines[["top"]].set_visible(False)


def work_item_sweep(
    name: str, parameter: str, rows: Sequence[tuple[int, float, int | None, float]]
) -> Figure:  # fmt: skip
    """Return the picture of a sweep of ``(value, predicted cycles, executed cycles or None, B_itpp)``.

    Examples
    --------
    >>> figure = work_item_sweep("add", "W", [(64, 200.0, 210, 0.5), (128, 100.0, None, 0.0)])
    >>> figure.axes[0].get_xlabel(), len(figure.axes[0].lines)
    ('W', 2)
    """
    figure = Figure(figsize=(SLIDE, 5.2), layout="constrained", facecolor=PAPER)
    axes = breathing(figure).add_subplot()
    values = [value for value, _, _, _ in rows]
    axes.plot(values, [cycles for _, cycles, _, _ in rows], color=_COLOURS["B_comp"], linewidth=2, label="predicted")
    executed = [(value, cycles) for value, _, cycles, _ in rows if cycles is not None]
    if executed:
        x, y = zip(*executed, strict=True)
        axes.plot(x, y, "o", color=_EXECUTED, fillstyle="none", markersize=8, markeredgewidth=2, label="executed")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel(parameter, size=LABEL, color=INK)
    axes.set_ylabel("cycles", size=LABEL, color=INK)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.spines[["top"]].set_visible(False)
    other = axes.twinx()
    other.fill_between(values, [left for _, _, _, left in rows], color=_COLOURS["B_itpp"], alpha=0.3, linewidth=0)
    other.set_ylim(0, 1.05)
    other.set_ylabel("B_itpp", size=LABEL, color=FAINT)
    axes.set_zorder(other.get_zorder() + 1)
    axes.patch.set_visible(False)
    axes.legend(frameon=False, fontsize=SMALL)
    verbatim(figure.suptitle(f"{shortened(name, 60)} · {parameter}", size=TITLE, weight="bold", color=INK))
    return figure
