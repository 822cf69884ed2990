"""Figures that belong together as lying bars, one below the other: what is simulated, and what each model predicts."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.figure import Figure

from ppnsim.plots.axis import breathing, plain
from ppnsim.plots.style import INK, LABEL, PALETTE, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim
from ppnsim.plots.ticks import unit_of

SIMULATED = "simulated"


def grouped(number: float) -> str:
    """Return a number of five digits or more with its thousands apart.

    Examples
    --------
    >>> grouped(123456), grouped(1.23456)
    ('123,456', '1.2346')
    """
    return f"{number:,.0f}" if abs(number) >= 10_000 else f"{number:,.5g}"


def beside_figure(title: str, groups: Mapping[str, Mapping[str, float | None]], *, along: str) -> Figure:
    """Return the picture: a group of bars for each name, a bar for each of its figures; ``along`` is their axis.

    Figures in "seconds" are shown in a unit that suits the largest. What is `SIMULATED` is dark, everything else has a
    colour of the palette; None has no bar.

    Examples
    --------
    >>> figure = beside_figure("mm", {"": {"simulated": 120, "absolute": 100}}, along="cycles")
    >>> [int(bar.get_width()) for bar in figure.axes[0].patches]
    [120, 100]
    """
    most = max((value for each in groups.values() for value in each.values() if value is not None), default=0)
    scale = 1.0
    if along == "seconds":
        unit, nanoseconds = unit_of(most * 1e9)
        along, scale = f"time [{unit}]", 1e9 / nanoseconds
    labels = list(dict.fromkeys(label for each in groups.values() for label in each))
    models = [label for label in labels if label != SIMULATED]
    room = len(groups) * len(labels)
    figure = Figure(figsize=(SLIDE, min(max(2.4, 1.4 + 0.34 * room), 40)), layout="constrained", facecolor=PAPER)
    axes = breathing(figure).add_subplot()
    plain(axes)
    thick = 0.8 / len(labels)
    for number, label in enumerate(labels):
        figures = ((at, each.get(label)) for at, each in enumerate(groups.values()))
        told = [(at, value) for at, value in figures if value is not None]
        places = [at + (number - (len(labels) - 1) / 2) * thick for at, _ in told]
        colour = INK if label == SIMULATED else PALETTE[models.index(label) % len(PALETTE)]
        bars = axes.barh(
            places, [scale * value for _, value in told], thick * 0.86, color=colour, label=shortened(label, 24)
        )
        axes.bar_label(bars, fmt=grouped, padding=4, size=SMALL, color=INK)
    axes.set_yticks(range(len(groups)), [shortened(name) for name in groups])
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    axes.margins(x=0.1)
    axes.set_xlabel(along, size=LABEL, color=INK)
    if len(labels) > 1:
        legend = axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=SMALL)
        verbatim(*legend.get_texts())
    heading = figure.suptitle(title, size=TITLE, weight="bold", color=INK)
    verbatim(heading, axes.xaxis.label, *axes.get_yticklabels())
    return figure
