"""Where axes over time stand in a figure: by the widths of its words, as layout by trial measures every text twice."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ppnsim.plots.style import INK, SMALL, TITLE, text_width, verbatim

POINT = 1 / 72  # of an inch
BORDER = 9.0  # points of air around everything
HEAD, UPPER, FOOT = 36.0, 30.0, 46.0  # points: title, upper and lower time axis
PAD = 3.5  # points from an axis to a tick's end, and from there to its number
COLUMNS = 4  # of a legend
_LINE, _AROUND = 17.2, 15.0  # points: a line of a legend, and above and below all of them


def words_width(words: Sequence[str], size: float, *, bold: bool = False) -> float:
    """Return how wide the longest line of some texts is, in points; 0 of none."""
    lines = [line for each in words for line in each.split("\n")]
    return max((text_width(line, size, bold=bold) for line in lines), default=0.0)


def legend_height(entries: int) -> float:
    """Return the points that a legend below the axes takes, in columns."""
    return _AROUND + _LINE * -(-entries // COLUMNS)


def place(
    figure: Figure, axes: Axes, *, left: float, right: float, top: float = HEAD + UPPER, bottom: float = FOOT
) -> None:  # fmt: skip
    """Give axes margins, in points.

    Examples
    --------
    >>> figure = Figure(figsize=(4, 2))
    >>> axes = figure.add_subplot()
    >>> place(figure, axes, left=72, right=36, top=36, bottom=36)
    >>> [round(float(each), 3) for each in axes.get_position().bounds]
    [0.25, 0.25, 0.625, 0.5]
    """
    wide, tall = (float(inches) / POINT for inches in figure.get_size_inches())
    axes.set_position((left / wide, bottom / tall, 1 - (left + right) / wide, 1 - (top + bottom) / tall))


def head(figure: Figure, title: str, *, x: float = 0.5) -> None:
    """Write the title over a figure, in the middle or around a part ``x`` of its width."""
    up = 1 - BORDER * POINT / float(figure.get_size_inches()[1])
    verbatim(figure.suptitle(title, x=x, y=up, size=TITLE, weight="bold", color=INK, va="top"))


def foot(figure: Figure, handles: Sequence[Patch], *, height: float) -> None:
    """Put a legend below everything, whose upper end is ``height`` points above the lower end of the figure."""
    up = height * POINT / float(figure.get_size_inches()[1])
    legend = figure.legend(
        handles=handles, loc="upper center", bbox_to_anchor=(0.5, up), ncols=COLUMNS, fontsize=SMALL, frameon=False,
        handleheight=1.1, handlelength=2.4,
    )  # fmt: skip
    verbatim(*legend.get_texts())
