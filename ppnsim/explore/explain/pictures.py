"""The critical path: whose cycles it is made of, and its way through the processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from ppnsim.plots.axis import plain
from ppnsim.plots.style import FAINT, INK, LABEL, OTHER, PALETTE, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

_DRAWN = 5_000  # stretches; more would be less than a dot each
_NAMED = len(PALETTE)


def path_figure(
    title: str, *, finish: int, processes: Sequence[str], shares: Sequence[tuple[str, str, int]],
    stretches: Sequence[tuple[str, int, int]],
) -> Figure:  # fmt: skip
    """Return a bar of shares above, and below it a lane per process in which the path runs.

    Parameters
    ----------
    title : of the figure.
    finish : of the run, in cycles.
    processes : from top to bottom.
    shares : ``(kind, part, cycles)``, largest first; those beyond the palette are one grey rest.
    stretches : ``(process, first, last)`` cycle of each part of the path, in the direction of time.

    Examples
    --------
    >>> figure = path_figure("one", finish=5, processes=["p"], shares=[("ii", "p", 5)], stretches=[("p", 0, 5)])
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['ii of p: 5 (100 %)']
    """
    height = 3.4 + 0.45 * max(len(processes), 2)
    figure = Figure(figsize=(SLIDE, height), layout="constrained", facecolor=PAPER)
    bar, way = figure.subplots(2, 1, sharex=True, height_ratios=[1, max(1.5, 0.6 * len(processes))])
    verbatim(figure.suptitle(shortened(title, 90), size=TITLE, weight="bold", color=INK))
    plain(bar)
    plain(way)
    colour = _draw_shares(bar, shares, finish)
    _draw_way(way, processes, stretches[:_DRAWN], colour)
    way.set_xlim(0, max(finish, 1))
    cut = "" if len(stretches) <= _DRAWN else f", first {_DRAWN} stretches of {len(stretches)}"
    way.set_xlabel(f"cycle{cut}", size=LABEL)
    return figure


def _draw_shares(axes: Axes, shares: Sequence[tuple[str, str, int]], finish: int) -> dict[str, str]:
    """Draw the bar and return the colour of the largest share of each part."""
    colours: dict[str, str] = {}
    left = 0
    for place, (kind, part, cycles) in enumerate(shares[:_NAMED]):
        percent = f"{100 * cycles / max(finish, 1):.3g} %"
        axes.barh(
            0, cycles, left=left, color=PALETTE[place], edgecolor=PAPER,
            label=f"{kind} of {shortened(part, 28)}: {cycles:,} ({percent})",
        )  # fmt: skip
        colours.setdefault(part, PALETTE[place])
        left += cycles
    if rest := sum(cycles for _, _, cycles in shares[_NAMED:]):
        axes.barh(0, rest, left=left, color=OTHER, edgecolor=PAPER, label=f"others: {rest:,}")
    axes.set_yticks([])
    legend = axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, fontsize=SMALL, frameon=False)
    verbatim(*legend.get_texts())
    return colours


def _draw_way(
    axes: Axes, processes: Sequence[str], stretches: Sequence[tuple[str, int, int]], colours: Mapping[str, str]
) -> None:
    lane = {name: -place for place, name in enumerate(processes)}
    along = [((first, lane[name]), (last, lane[name])) for name, first, last in stretches]
    across = [((last, lane[name]), (begin, lane[after])) for (name, _, last), (after, begin, _) in pairwise(stretches)]
    axes.add_collection(LineCollection(across, colors=FAINT, linewidths=1))
    axes.add_collection(
        LineCollection(along, colors=[colours.get(name, OTHER) for name, _, _ in stretches], linewidths=9)
    )
    axes.set_ylim(-len(processes) + 0.4, 0.6)
    axes.set_yticks([lane[name] for name in processes], [shortened(name, 24) for name in processes])
    axes.tick_params(axis="y", length=0, labelsize=LABEL)
    verbatim(*axes.get_yticklabels())
