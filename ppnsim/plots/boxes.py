"""Sizes of the boxes and texts of a network drawing, in points, and the sign of a FIFO in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Circle, Rectangle

from ppnsim.model.network import Channel, Network, Process
from ppnsim.plots.layout import Extent
from ppnsim.plots.style import INK, LABEL, PAPER, SMALL, shortened, text_width
from ppnsim.plots.words import channel_words, process_lines

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
    axes.add_artist(Rectangle((x - width / 2, y - HEIGHT / 2), width, HEIGHT, fc=PAPER, ec="none", zorder=3))
    if most:
        full = max(most, _OPEN) if channel.depth is None else channel.depth
        used = entry * width * min(1.0, most / full)
        axes.add_artist(Rectangle((out, y - HEIGHT / 2), used, HEIGHT, fc=_USED, ec="none", zorder=3))
    low, high = y - HEIGHT / 2, y + HEIGHT / 2
    lines = [[(x - width / 2, each), (x + width / 2, each)] for each in (low, high)]
    walls = [0, cells] if _one_cell(channel) else list(range(cells + 1))
    for wall in walls[:-1] if channel.depth is None else walls:
        place = out + entry * wall * CELL
        lines.append([(place, low), (place, high)])
    sign = LineCollection(lines, colors=colour, linewidths=1.2, capstyle="projecting", zorder=4)
    axes.add_collection(sign, autolim=False)
    if _one_cell(channel) and channel.initial:
        axes.text(x, y, f"●{channel.initial}", size=SMALL - 2, color=INK, ha="center", va="center", zorder=5)
        return
    for token in range(channel.initial):
        centre = (out + entry * (token + 0.5) * CELL, y)
        axes.add_artist(Circle(centre, radius=3.0, color=INK, zorder=5))


def _one_cell(channel: Channel) -> bool:
    return channel.initial > _OPEN if channel.depth is None else channel.depth > _CELLS


def _cells(channel: Channel) -> int:
    if _one_cell(channel):
        return _CELLS // 2
    return _OPEN if channel.depth is None else channel.depth


LINE = 16.0  # from one line of text to the next
PORT = 13.0  # from one channel to the next where they meet a box
LOOP = 8.0  # between nested self-loops
_PAD = 10.0


@dataclass(frozen=True, slots=True)
class Box:
    """A process: its title, its small print, and the size of its frame in points."""

    title: str
    lines: list[str]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Tag:
    """The text of a channel and how much room it takes around the line of the channel."""

    title: str
    words: str
    extent: Extent


@dataclass(frozen=True, slots=True)
class LoopArc:
    """A self-loop above its box: half its width, and the height of its line above the top of the box, in points."""

    channel: str
    reach: float
    rise: float


def tag_of(network: Network, channel: Channel, most: int | None, held: str = "max") -> Tag:
    """Return the text of a channel; ``most`` is the tokens of a run, if there was one (see `channel_words`)."""
    title, words = shortened(channel.name), channel_words(network, channel, most=most, held=held)
    width = max(text_width(title, SMALL, bold=True), text_width(words, SMALL), fifo_width(channel))
    return Tag(title, words, Extent(width + 4, HEIGHT / 2 + LINE, HEIGHT / 2 + LINE))


def box_of(network: Network, process: Process, place: str = "") -> Box:
    """Return the box of a process, high enough for its text and for the channels that meet it.

    ``place`` is where the process stands in a source, "" without a source.
    """
    title, lines = shortened(process.name), process_lines(network, process)
    lines += [shortened(place)] if place else []
    width = max(text_width(title, LABEL, bold=True), *(text_width(line, SMALL) for line in lines))
    own = len(own_channels(network, process))
    ports = max(len(network.inputs(process.name)), len(network.outputs(process.name))) - own
    height = max(LINE * (len(lines) + 1), PORT * ports) + 2 * _PAD + LOOP * own
    return Box(title, lines, width + 2 * _PAD, height)


def own_channels(network: Network, process: Process) -> list[Channel]:
    """Return the self-loops of a process."""
    return [channel for channel in network.outputs(process.name) if channel.target == process.name]


def loops_of(network: Network, process: Process, box: Box, tags: Mapping[str, Tag]) -> list[LoopArc]:
    """Return the self-loops of a process from the inside out."""
    loops: list[LoopArc] = []
    rise, reach = LINE / 2, box.width / 2
    for channel in own_channels(network, process):
        extent = tags[channel.name].extent
        reach = max(reach, extent.width / 2) + LOOP
        loops.append(LoopArc(channel.name, reach, rise + extent.below))
        rise += extent.below + extent.above
    return loops


def extent_of(box: Box, loops: list[LoopArc], tags: Mapping[str, Tag]) -> Extent:
    """Return the room that a process takes together with its self-loops."""
    half = box.height / 2
    if not loops:
        return Extent(box.width, half, half)
    last = loops[-1]
    return Extent(2 * last.reach + LOOP, half + last.rise + tags[last.channel].extent.above, half)
