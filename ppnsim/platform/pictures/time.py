"""What the parts of a platform do over time, how busy they are, and which term their time goes to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ppnsim.platform.run.record import KINDS, PlatformRun, PlatformSpan, overlapping, parts, shares, utilisation, within
from ppnsim.plots.axis import plain_numbers, rectangles
from ppnsim.plots.style import FAINT, INK, LABEL, OTHER, PALETTE, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

_COLOURS: dict[str, str] = {
    "compute": PALETTE[4], "input port": PALETTE[7], "software": PALETTE[9], "configuration": OTHER,
    "send": PALETTE[3], "receive": PALETTE[6], "bytes": PALETTE[1], "port": "#9DBCD8", "gap": PALETTE[2],
    "latency": PALETTE[5], "bus delay": PALETTE[0], "bus bytes": PALETTE[8], "waiting": "#E6ECF2",
}  # fmt: skip
_WORDS = {
    "input port": "compute, held by the input port", "send": "o, sending", "receive": "o, receiving", "bytes": "G",
    "port": "G of the message before", "gap": "g", "latency": "L", "bus delay": "L + o of the bus",
    "bus bytes": "g(b) of the bus",
}  # fmt: skip
_STAGES = ("#46586A", "#667A8D", "#8294A6")
_COLUMNS = 2000  # gaps narrower than one of so many are not drawn
_MOST_LINES = 200  # between stages
_LETTERS = 110  # across the page
_LONGEST = 200  # parts; of a larger platform the first ones are drawn


def platform_gantt(
    run: PlatformRun, *, title: str = "platform", window: tuple[Fraction, Fraction] | None = None
) -> Figure:
    """Return one lane per node, port and bus, coloured by what it does, under the stages (the paper's Figure 3).

    ``window`` are seconds to be shown; default all.

    Examples
    --------
    >>> from ppnsim.platform.run.record import PlatformSpan
    >>> span = PlatformSpan("fpga[0]", "compute", "s", Fraction(0), Fraction(1))
    >>> run = PlatformRun(makespan=Fraction(2), times={}, spans=(span,), messages=0, transfers=0, speedup=None)
    >>> [label.get_text() for label in platform_gantt(run).axes[0].get_yticklabels()]
    ['fpga[0]']
    """
    names = _in_order(parts(run.spans))
    first, last = (Fraction(0), run.makespan) if window is None else window
    spans = overlapping(run.spans, first, last)
    unit, scale = _unit(last)
    whole = _unit(run.makespan)
    figure, axes = _paper(names, f"{title} · {float(run.makespan) * whole[1]:.5g} {whole[0]}")
    for row, name in enumerate(names):
        own = [span for span in spans if span.where == name]
        for kind in (kind for kind in KINDS if any(span.kind == kind for span in own)):
            left, right = coalesced([span for span in own if span.kind == kind], (last - first) / _COLUMNS)
            low, high = np.full(len(left), -row - 0.85), np.full(len(left), -row - 0.15)
            rectangles(axes, left * scale, right * scale, low, high, facecolor=_COLOURS[kind], label=f"{name}: {kind}")
    axes.set_xlim(float(first) * scale, float(last) * scale or 1)
    _stages(axes, run, scale)
    axes.set_xlabel(f"time [{unit}]", size=LABEL)
    _legend(figure, [kind for kind in KINDS if any(span.kind == kind for span in spans)])
    return figure


def platform_shares(
    run: PlatformRun, *, title: str = "platform", window: tuple[Fraction, Fraction] | None = None
) -> Figure:
    """Return a bar per part: the share of the makespan, or of a window (s), for L, o, g, G, computing, waiting."""
    spans, length, words = _seen(run, window)
    table = {part: {"waiting": length} for part in parts(run.spans)} | shares(spans, length)

    def fill(axes: Axes, names: Sequence[str]) -> None:
        for row, name in enumerate(names):
            at = 0.0
            for kind in (*KINDS, "waiting"):
                width = float(table[name].get(kind, Fraction(0)) / length) * 100 if length else 0.0
                axes.barh(-row - 0.5, width, left=at, height=0.7, color=_COLOURS[kind])
                at += width
        axes.set_xlim(0, 100)
        axes.set_xlabel(f"share of {words} (%)", size=LABEL)

    used = [kind for kind in (*KINDS, "waiting") if any(kind in each for each in table.values())]
    return _bars(table, f"{title} · where the time went", fill, used)


def platform_utilisation(
    run: PlatformRun, *, title: str = "platform", window: tuple[Fraction, Fraction] | None = None
) -> Figure:
    """Return a bar per part: the share of the makespan, or of a window (s), in which it works."""
    spans, length, words = _seen(run, window)
    table = dict.fromkeys(parts(run.spans), 0.0) | utilisation(spans, length)

    def fill(axes: Axes, names: Sequence[str]) -> None:
        for row, name in enumerate(names):
            axes.barh(-row - 0.5, table[name] * 100, height=0.7, color=PALETTE[1])
            axes.text(table[name] * 100 + 1, -row - 0.5, f"{table[name]:.1%}", va="center", size=SMALL, color=INK)
        axes.set_xlim(0, 112)
        axes.set_xlabel(f"working (% of {words})", size=LABEL)

    return _bars(table, f"{title} · utilisation", fill, [])


def _seen(run: PlatformRun, window: tuple[Fraction, Fraction] | None) -> tuple[Sequence[PlatformSpan], Fraction, str]:
    """Return the spans in a window, how long it is, and what it is called."""
    if window is None:
        return run.spans, run.makespan, "the makespan"
    unit, scale = _unit(window[1])
    words = f"{float(window[0]) * scale:.5g} to {float(window[1]) * scale:.5g} {unit}"
    return within(run.spans, *window), window[1] - window[0], words


def _stages(axes: Axes, run: PlatformRun, scale: float) -> None:
    """Draw when each stage was performed above the lanes, a row for each where they overlap, named where it fits."""
    names = list(dict.fromkeys(each.stage for each in run.passes))
    piped = any(before.end > after.start for before, after in pairwise(run.passes))
    axes.set_ylim(axes.get_ylim()[0], 0.3 + 0.6 * (len(names) if piped else 1))
    for each in run.passes:
        number = names.index(each.stage)
        left, width, low = float(each.start) * scale, float(each.end - each.start) * scale, 0.15 + 0.6 * number * piped
        axes.broken_barh([(left, width)], (low, 0.55), facecolor=_STAGES[number % len(_STAGES)], edgecolor=PAPER)
        if len(run.passes) <= _MOST_LINES and not piped:
            axes.axvline(left, color=FAINT, linewidth=0.6, linestyle=":", zorder=0)
        low_end, high_end = axes.get_xlim()
        left, right = max(left, low_end), min(left + width, high_end)  # a name stands in what is shown
        width = right - left
        letters = int(width / (high_end - low_end) * _LETTERS)
        if width > 0 and letters >= min(len(each.stage), 4):
            at: dict[str, Any] = {"ha": "center", "va": "center", "size": SMALL, "color": PAPER}
            verbatim(axes.text(left + width / 2, low + 0.27, shortened(each.stage, letters), **at))


def _in_order(names: Iterable[str]) -> list[str]:
    """Return the names in the order of their numbers, node[2] before node[10]; of many the first ones."""
    pieces = {name: [int(piece) if piece.isdecimal() else piece for piece in re.split(r"([0-9]+)", name)]
              for name in names}  # fmt: skip
    return sorted(pieces, key=lambda name: pieces[name])[:_LONGEST]


def coalesced(spans: Sequence[PlatformSpan], narrow: Fraction) -> tuple[np.ndarray, np.ndarray]:
    """Return left and right ends in seconds, neighbours less than ``narrow`` apart made one.

    Examples
    --------
    >>> spans = [PlatformSpan("a", "compute", "", Fraction(at), Fraction(at + 1)) for at in (0, 1, 5)]
    >>> [ends.tolist() for ends in coalesced(spans, Fraction(1, 10))]
    [[0.0, 5.0], [2.0, 6.0]]
    """
    ends: list[list[float]] = []
    for span in sorted(spans, key=lambda each: each.start):
        start, end = float(span.start), float(span.end)
        if ends and start <= ends[-1][1] + float(narrow):
            ends[-1][1] = max(ends[-1][1], end)
        else:
            ends.append([start, end])
    both = np.array(ends, dtype=float).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _unit(makespan: Fraction) -> tuple[str, float]:
    units = (("s", 1.0), ("ms", 1e3), ("us", 1e6))
    return next((unit for unit in units if float(makespan) * unit[1] >= 1), ("ns", 1e9))


def _bars(
    table: Mapping[str, object], title: str, fill: Callable[[Axes, Sequence[str]], None], kinds: Sequence[str]
) -> Figure:
    names = _in_order(table)
    figure, axes = _paper(names, title)
    fill(axes, names)
    if kinds:
        _legend(figure, kinds)
    return figure


def _paper(names: Sequence[str], title: str) -> tuple[Figure, Axes]:
    lane = float(np.interp(len(names), [4, 40], [0.7, 0.28]))  # inches
    figure = Figure(figsize=(SLIDE, 2.2 + lane * max(len(names), 2)), layout="constrained", facecolor=PAPER)
    axes = figure.add_subplot()
    axes.spines[["top", "right", "left"]].set_visible(False)
    plain_numbers(axes)
    axes.set_ylim(-max(len(names), 1), 0)
    axes.set_yticks([-0.5 - row for row in range(len(names))], [shortened(name, 28) for name in names], size=SMALL)
    axes.tick_params(axis="y", length=0)
    verbatim(*axes.get_yticklabels())
    verbatim(figure.suptitle(shortened(title, 80), size=TITLE, weight="bold", color=INK))
    return figure, axes


def _legend(figure: Figure, kinds: Sequence[str]) -> None:
    handles = [Patch(facecolor=_COLOURS[kind], label=_WORDS.get(kind, kind)) for kind in kinds]
    figure.legend(handles=handles, loc="outside lower center", ncols=5, fontsize=SMALL, frameon=False)
