"""What the parts of a platform do over time, how busy they are, and which term their time goes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ppnsim.platform.report.looks import COLOURS, COLUMNS, STAGES, WORDS, coalesced, in_order, unit_of_seconds
from ppnsim.platform.run.record import KINDS, PlatformRun, PlatformSpan, overlapping, parts, shares, utilisation, within
from ppnsim.plots.axis import plain_numbers, rectangles
from ppnsim.plots.style import FAINT, INK, LABEL, PALETTE, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

_MOST_LINES = 200  # between stages
_LETTERS = 110  # across the page


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
    names = in_order(parts(run.spans))
    first, last = (Fraction(0), run.makespan) if window is None else window
    spans = overlapping(run.spans, first, last)
    unit, scale = unit_of_seconds(last)
    whole = unit_of_seconds(run.makespan)
    figure, axes = _paper(names, f"{title} · {float(run.makespan) * whole[1]:.5g} {whole[0]}")
    for row, name in enumerate(names):
        own = [span for span in spans if span.where == name]
        for kind in (kind for kind in KINDS if any(span.kind == kind for span in own)):
            left, right = coalesced([span for span in own if span.kind == kind], (last - first) / COLUMNS)
            low, high = np.full(len(left), -row - 0.85), np.full(len(left), -row - 0.15)
            rectangles(axes, left * scale, right * scale, low, high, facecolor=COLOURS[kind], label=f"{name}: {kind}")
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
                axes.barh(-row - 0.5, width, left=at, height=0.7, color=COLOURS[kind])
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
    unit, scale = unit_of_seconds(window[1])
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
        axes.broken_barh([(left, width)], (low, 0.55), facecolor=STAGES[number % len(STAGES)], edgecolor=PAPER)
        if len(run.passes) <= _MOST_LINES and not piped:
            axes.axvline(left, color=FAINT, linewidth=0.6, linestyle=":", zorder=0)
        low_end, high_end = axes.get_xlim()
        left, right = max(left, low_end), min(left + width, high_end)  # a name stands in what is shown
        width = right - left
        letters = int(width / (high_end - low_end) * _LETTERS)
        if width > 0 and letters >= min(len(each.stage), 4):
            at: dict[str, Any] = {"ha": "center", "va": "center", "size": SMALL, "color": PAPER}
            verbatim(axes.text(left + width / 2, low + 0.27, shortened(each.stage, letters), **at))


def _bars(
    table: Mapping[str, object], title: str, fill: Callable[[Axes, Sequence[str]], None], kinds: Sequence[str]
) -> Figure:
    names = in_order(table)
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
    handles = [Patch(facecolor=COLOURS[kind], label=WORDS.get(kind, kind)) for kind in kinds]
    figure.legend(handles=handles, loc="outside lower center", ncols=5, fontsize=SMALL, frameon=False)
