"""Many curves over one time, each in its row, on one pair of axes: matplotlib takes 25 ms for each further pair.

A row is placed by the widths of its words, as layout by trial takes seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ppnsim.arrays import Float64Array, Int64Array
from ppnsim.plots.axis import plain
from ppnsim.plots.margins import BORDER, FOOT, HEAD, PAD, POINT, UPPER, head, place, words_width
from ppnsim.plots.style import INK, LABEL, PAPER, SLIDE, SMALL, text_width, verbatim

_NAME = 12.0  # points between the name of a row and the numbers beside it
_GAP = 0.2  # of the height of a row, to the next one
_NUMBERED = 13.0  # points between the numbers of a row, at least


@dataclass(frozen=True, slots=True)
class CurveRow:
    """A row of the picture, on whose scale 0 is at ``floor`` and ``top`` is at ``ceiling``."""

    floor: float
    ceiling: float
    top: float

    def at(self, values: Float64Array | Int64Array | float) -> Any:
        """Return where values of this row are on the axes that all rows share.

        Examples
        --------
        >>> CurveRow(-1.0, -0.5, 10.0).at(5)
        -0.75
        """
        return self.floor + (self.ceiling - self.floor) / self.top * values


def rows_of(
    title: str, names: Sequence[str], *, tops: Sequence[float], notes: Sequence[str], upper: bool = True
) -> tuple[Figure, Axes, list[CurveRow]]:
    """Return a figure, its axes, and a row for each name, which stands at its left beside the numbers of its scale.

    ``tops`` are the values at the upper ends of the rows, ``notes`` the longest texts that will stand right of them;
    ``upper`` leaves room for a second time axis.

    Examples
    --------
    >>> figure, axes, rows = rows_of("two", ["c0", "c1"], tops=[4.0, 8.0], notes=["max 4"])
    >>> [float(row.at(4)) for row in rows], [float(each) for each in axes.get_ylim()]
    ([0.0, -1.4], [-1.8, 0.0])
    """
    upmost = HEAD + UPPER * upper
    tall = (upmost + FOOT) * POINT + row_inches(len(names)) * max(len(names), 2)
    figure = Figure(figsize=(SLIDE, tall), facecolor=PAPER)
    pitch = (tall / POINT - upmost - FOOT) / len(names)
    bins = MaxNLocator(nbins=int(np.clip((1 - _GAP) * pitch / _NUMBERED, 1, 4)), integer=True, steps=[1, 2, 5, 10])
    rows = [CurveRow(-number - 1 + _GAP, -float(number), top) for number, top in enumerate(tops)]
    numbers = [
        [each for each in np.asarray(bins.tick_values(0, row.top)).tolist() if 0 <= each <= row.top] for row in rows
    ]
    numbered = [words_width([f"{each:,.12g}" for each in own], SMALL) for own in numbers]
    beside = max(width + text_width(name, LABEL) for name, width in zip(names, numbered, strict=True))
    left, right = BORDER + beside + _NAME + 2 * PAD, 2 * BORDER + words_width(notes, SMALL)
    axes = figure.add_subplot(ylim=(rows[-1].floor, 0))
    place(figure, axes, left=left, right=right, top=upmost, bottom=FOOT + _GAP * pitch / 2)
    plain(axes)
    axes.spines["left"].set_visible(False)
    axes.set_yticks([])
    _write(axes, rows, names, numbers, numbered, 1 / (SLIDE / POINT - left - right))
    head(figure, title, x=0.5 + (left - right) * POINT / SLIDE / 2)
    return figure, axes, rows


def _write(
    axes: Axes, rows: Sequence[CurveRow], names: Sequence[str], numbers: Sequence[Sequence[float]],
    widths: Sequence[float], point: float,
) -> None:  # fmt: skip
    """Draw the left and lower line of each row, its numbers and its name; a ``point`` is a part of the width."""
    beside = axes.get_yaxis_transform()
    look: dict[str, Any] = {"transform": beside, "color": INK, "ha": "right", "va": "center_baseline"}
    lines = []
    for row, name, own, width in zip(rows, names, numbers, widths, strict=True):
        lines += [[(0.0, row.ceiling), (0.0, row.floor)], [(0.0, row.floor), (1.0, row.floor)]]
        for number in own:
            height = row.at(number)
            lines.append([(0.0, height), (-PAD * point, height)])
            axes.text(-2 * PAD * point, height, f"{number:,.12g}", size=SMALL, **look)
        across = -(2 * PAD + width + _NAME) * point
        verbatim(axes.text(across, (row.floor + row.ceiling) / 2, name, size=LABEL, **look))
    frame = LineCollection(
        lines, colors=INK, linewidths=0.8, transform=beside, clip_on=False, zorder=2.6, label="frame"
    )
    axes.add_collection(frame, autolim=False)


def row_inches(count: int) -> float:
    """Return how tall each of this many rows is."""
    return float(np.interp(count, [3, 12, 40], [1.5, 0.9, 0.6]))


def row_gap(count: int) -> float:
    """Return how far texts at the right of one of this many rows stay apart, as a part of the height of a row."""
    return 1.6 * SMALL * POINT / ((1 - _GAP) * row_inches(count))
