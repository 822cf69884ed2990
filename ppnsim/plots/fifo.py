"""The sign of a channel in a network drawing: a row of cells as deep as the FIFO, its initial tokens as dots."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle

from ppnsim.model.network import Channel
from ppnsim.plots.style import INK, PAPER, SMALL

CELL, HEIGHT = 9.0, 16.0  # points
_CELLS = 8  # a deeper FIFO is drawn as one long cell
_OPEN = 3  # cells of an unbounded one, which has no wall where tokens enter
_USED = "#BFD4E6"


def fifo_width(channel: Channel) -> float:
    """Return how wide the sign of a channel is, in points."""
    return CELL * _cells(channel)


def draw_fifo(
    axes: Axes, channel: Channel, *, at: tuple[float, float], entry: int, colour: str, most: int | None
) -> None:
    """Draw the sign centred ``at`` (points): tokens enter on the side ``entry`` (-1 left, +1 right).

    As many cells as were ever used at the same time are shaded; a long cell stands for all of them.
    """
    cells, width = _cells(channel), fifo_width(channel)
    x, y = at
    out = x - entry * width / 2  # tokens queue up at the end where they leave
    axes.add_patch(Rectangle((x - width / 2, y - HEIGHT / 2), width, HEIGHT, fc=PAPER, ec="none", zorder=3))
    if most:
        full = max(most, _OPEN) if channel.depth is None else channel.depth
        used = entry * width * min(1.0, most / full)
        axes.add_patch(Rectangle((out, y - HEIGHT / 2), used, HEIGHT, fc=_USED, ec="none", zorder=3))
    ends = (x - width / 2, x + width / 2)
    for side in (-1, 1):
        axes.plot(ends, [y + side * HEIGHT / 2] * 2, color=colour, lw=1.2, zorder=4)
    walls = [0, cells] if _one_cell(channel) else list(range(cells + 1))
    for wall in walls[:-1] if channel.depth is None else walls:
        place = out + entry * wall * CELL
        axes.plot([place] * 2, [y - HEIGHT / 2, y + HEIGHT / 2], color=colour, lw=1.2, zorder=4)
    if _one_cell(channel) and channel.initial:
        axes.text(x, y, f"●{channel.initial}", size=SMALL - 2, color=INK, ha="center", va="center", zorder=5)
        return
    for token in range(channel.initial):
        centre = (out + entry * (token + 0.5) * CELL, y)
        axes.add_patch(Circle(centre, radius=3.0, color=INK, zorder=5))


def _one_cell(channel: Channel) -> bool:
    return channel.initial > _OPEN if channel.depth is None else channel.depth > _CELLS


def _cells(channel: Channel) -> int:
    if _one_cell(channel):
        return _CELLS // 2
    return _OPEN if channel.depth is None else channel.depth
