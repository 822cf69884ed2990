"""The critical path: whose cycles it is made of, and its way through the processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from ppnsim.analysis.path.critical_path import CriticalPath, Stretch
from ppnsim.analysis.path.path_shares import CHANNEL_KINDS, Share
from ppnsim.plots.axis import plain, stairs
from ppnsim.plots.colours import channel_colours
from ppnsim.plots.columns import edges_of
from ppnsim.plots.style import (
    FAINT,
    INK,
    LABEL,
    OTHER,
    PALETTE,
    PAPER,
    SLIDE,
    SMALL,
    TITLE,
    on,
    shortened,
    text_width,
    verbatim,
)

_DRAWN = 500  # stretches; of more, several share a dot: columns show how much of the path each process has
_COLUMNS = 500  # of then, each a few dots wide
_LANE = 0.8  # of the height of a process, where the path is in it all the time
_NAMED = len(PALETTE)
_BAR = 72 * 0.9 * SLIDE  # points that the whole path is wide, about


def path_figure(path: CriticalPath) -> Figure:
    """Return a bar of shares above, largest first, those beyond the palette one grey rest, and below the path's way.

    Examples
    --------
    >>> from ppnsim import chain, run
    >>> from ppnsim.analysis.path.critical_path import critical_path
    >>> figure = path_figure(critical_path(run(chain(firings=9, length=1, latency=2, ii=5)).timeline))
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['ii of p0: 40 (95.2 %)', 'latency of p0: 2 (4.76 %)']
    """
    network, finish = path.graph.timeline.network, path.finish
    processes = [process.name for process in network.processes]
    stretches = list(path.stretches())
    title = f"{network.name} · critical path of {finish:,} cycles"
    height = 3.4 + 0.45 * max(len(processes), 2)
    figure = Figure(figsize=(SLIDE, height), layout="constrained", facecolor=PAPER)
    bar, way = figure.subplots(2, 1, sharex=True, height_ratios=[1, max(1.5, 0.6 * len(processes))])
    verbatim(figure.suptitle(shortened(title, 90), size=TITLE, weight="bold", color=INK))
    plain(bar)
    plain(way)
    colour = _draw_shares(bar, [share for share in path.shares if share.cycles], finish, channel_colours(network))
    if len(stretches) > _DRAWN:
        width = _draw_columns(way, processes, stretches, colour, finish)
        of = f" of each {width:,} cycles" if width > 1 else ""
        said = f" · {len(stretches):,} stretches; height: how much{of} the path is in a process"
    else:
        numbered = _draw_way(way, processes, stretches, colour, finish)
        said = " · numbers: cycles that the path is in a process" * numbered
    _name_lanes(way, processes)
    way.set_xlim(0, max(finish, 1))
    way.set_xlabel(f"cycle{said}", size=LABEL)
    return figure


def _colours(shares: Sequence[Share], known: Mapping[str, tuple[str, str]]) -> list[tuple[str, str]]:
    """Return colour and hatch of each share: of a channel its own, as in all pictures; of others what is left."""
    told = {share.part for share in shares if share.kind in CHANNEL_KINDS}
    shown = {known[part][0] for part in told & known.keys()}
    elsewhere = {colour for colour, _ in known.values()}
    left = iter(sorted((each for each in PALETTE if each not in shown), key=lambda each: each in elsewhere))
    return [
        known[share.part] if share.kind in CHANNEL_KINDS and share.part in known else (next(left, OTHER), "")
        for share in shares
    ]


def _draw_shares(
    axes: Axes, shares: Sequence[Share], finish: int, known: Mapping[str, tuple[str, str]]
) -> dict[str, str]:  # fmt: skip
    """Draw the bar and return the colour of the largest share of each part."""
    colours: dict[str, str] = {}
    left = 0
    for share, (colour, hatch) in zip(shares[:_NAMED], _colours(shares[:_NAMED], known), strict=True):
        percent = f"{100 * share.cycles / max(finish, 1):.3g} %"
        axes.barh(
            0, share.cycles, left=left, color=colour, hatch=hatch, edgecolor=PAPER,
            label=f"{share.kind} of {shortened(share.part, 28)}: {share.cycles:,} ({percent})",
        )  # fmt: skip
        words = f"{share.kind} of {shortened(share.part, 28)}"
        if text_width(words, SMALL) < 0.85 * _BAR * share.cycles / max(finish, 1):
            middle = left + share.cycles / 2
            verbatim(axes.text(middle, 0, words, size=SMALL, color=on(colour), ha="center", va="center"))
        colours.setdefault(share.part, colour)
        left += share.cycles
    if rest := sum(share.cycles for share in shares[_NAMED:]):
        axes.barh(0, rest, left=left, color=OTHER, edgecolor=PAPER, label=f"others: {rest:,}")
    axes.set_yticks([0], ["sum"])  # not in the order of time, as the way below
    axes.tick_params(axis="y", length=0, labelsize=LABEL)
    if shares:  # a run that takes no time has none
        legend = axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, fontsize=SMALL, frameon=False)
        verbatim(*legend.get_texts())
    return colours


def _draw_way(
    axes: Axes, processes: Sequence[str], stretches: Sequence[Stretch], colours: Mapping[str, str], finish: int
) -> bool:
    """Draw the path from process to process; return whether any stretch is wide enough for its number of cycles."""
    lane = {name: -place for place, name in enumerate(processes)}
    along = [((each.first, lane[each.process]), (each.last, lane[each.process])) for each in stretches]
    across = [(before[1], after[0]) for before, after in pairwise(along)]
    axes.add_collection(LineCollection(across, colors=FAINT, linewidths=1))
    colour = [colours.get(each.process, OTHER) for each in stretches]
    axes.add_collection(LineCollection(along, colors=colour, linewidths=9))
    numbered = False
    for each in stretches:
        words, middle = f"{each.last - each.first:,}", (each.first + each.last) / 2
        if text_width(words, SMALL) < 0.8 * _BAR * (each.last - each.first) / max(finish, 1):
            numbered = True
            axes.annotate(
                words, (middle, lane[each.process]), xytext=(0, 7), textcoords="offset points", size=SMALL, color=INK,
                ha="center",
            )  # fmt: skip
    return numbered


def _draw_columns(
    axes: Axes, processes: Sequence[str], stretches: Sequence[Stretch], colours: Mapping[str, str], finish: int
) -> int:
    """Draw how much of each column of cycles the path is in each process, exactly; return how wide a column is."""
    edges = edges_of(0, finish, _COLUMNS)
    for place, name in enumerate(processes):
        own = np.array([(each.first, each.last) for each in stretches if each.process == name], dtype=np.int64)
        if not len(own):
            continue
        passed = np.concatenate([[0], np.cumsum(own[:, 1] - own[:, 0])])
        # Cycles on the path up to each edge: level between stretches, rising by one a cycle within them.
        until = np.interp(edges, own.ravel(), np.stack([passed[:-1], passed[1:]], axis=1).ravel())
        floor = -place - _LANE / 2
        share = np.diff(until) / np.diff(edges)
        colour, words = colours.get(name, OTHER), f"path in {name}"
        stairs(axes, floor + _LANE * share, edges, baseline=floor, fill=True, color=colour, label=words)
        axes.axhline(floor, color=FAINT, linewidth=0.6)
    return int(edges[1] - edges[0])


def _name_lanes(axes: Axes, processes: Sequence[str]) -> None:
    axes.set_ylim(-len(processes) + 0.4, 0.6)
    axes.set_yticks([-place for place in range(len(processes))], [shortened(name, 24) for name in processes])
    axes.tick_params(axis="y", length=0, labelsize=LABEL)
    verbatim(*axes.get_yticklabels())
