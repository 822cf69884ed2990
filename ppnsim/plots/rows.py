"""Many axes over one time, one below the other: placed by the widths of their words, as layout by trial takes seconds.

Matplotlib's constrained layout and shared axes both grow with the square of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from ppnsim.plots.style import GRID, INK, LABEL, PAPER, SLIDE, SMALL, TITLE, text_width, verbatim

_POINTS = 72.0  # in an inch
_HEAD, _UPPER, _FOOT = 36.0, 30.0, 46.0  # points: title, upper and lower time axis
_BORDER = 9.0  # points of air at the left and the right
_TICKS = 22.0  # points between the name of a row and its axes, beside the numbers there
_GAP = 0.2  # of the height of a row, to the next one


def rows_of(
    title: str, names: Sequence[str], *, numbers: Sequence[str], notes: Sequence[str], upper: bool = True
) -> tuple[Figure, list[Axes]]:
    """Return a figure with a row of axes for each name, which stands at its left.

    ``numbers`` are the longest at the y axis of each row, ``notes`` the longest texts right of the axes; ``upper``
    leaves room for a second time axis.

    Examples
    --------
    >>> figure, rows = rows_of("two", ["c0", "c1"], numbers=["4", "12"], notes=["max 4"])
    >>> [axes.get_ylabel() for axes in rows]
    ['c0', 'c1']
    """
    inches = row_inches(len(names))
    head = _HEAD + _UPPER * upper
    wide, tall = SLIDE, (head + _FOOT) / _POINTS + inches * max(len(names), 2)
    figure = Figure(figsize=(wide, tall), facecolor=PAPER)
    pairs = zip(names, numbers, strict=True)
    left = _BORDER + _TICKS + max(text_width(name, LABEL) + text_width(number, SMALL) for name, number in pairs)
    right = 2 * _BORDER + max(text_width(note, SMALL) for note in notes)
    across = left / _POINTS / wide, 1 - right / _POINTS / wide
    top, height = 1 - head / _POINTS / tall, (1 - (head + _FOOT) / _POINTS / tall) / len(names)
    rows = []
    for row, name in enumerate(names):
        box = (across[0], top - (row + 1) * height + _GAP * height / 2, across[1] - across[0], (1 - _GAP) * height)
        axes = figure.add_axes(box)
        axes.set_ylabel(name, rotation=0, ha="right", va="center", size=LABEL, color=INK)
        verbatim(axes.yaxis.label)
        rows.append(axes)
    up = 1 - _BORDER / _POINTS / tall
    verbatim(figure.suptitle(title, x=sum(across) / 2, y=up, size=TITLE, weight="bold", color=INK, va="top"))
    return figure, rows


def row_inches(count: int) -> float:
    """Return how tall each of this many rows is."""
    return float(np.interp(count, [3, 12], [1.5, 0.9]))


def row_gap(count: int) -> float:
    """Return how far texts at the right of one of this many rows stay apart, as a part of the height of its axes."""
    return 1.6 * SMALL / (_POINTS * (1 - _GAP) * row_inches(count))


def one_time(rows: Sequence[Axes], first: float, last: float) -> None:
    """Give all rows the same span of time, with the numbers below the last one, and its light lines through all."""
    for axes in rows:
        axes.set_xlim(first, last)
    ticks = rows[-1].xaxis.get_major_locator().tick_values(first, last)
    lines = [[(each, 0.0), (each, 1.0)] for each in ticks if first <= each <= last]
    for axes in rows[:-1]:
        axes.xaxis.set_visible(False)
        through = axes.get_xaxis_transform()
        light = LineCollection(lines, colors=GRID, linewidths=0.8, zorder=0.5, transform=through, label="grid")
        axes.add_collection(light, autolim=False)
