"""Sizes of the boxes and texts of a network drawing, in points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ppnsim.model.network import Channel, Network, Process
from ppnsim.plots.fifo import HEIGHT, fifo_width
from ppnsim.plots.layout import Extent
from ppnsim.plots.style import LABEL, SMALL, shortened, text_width
from ppnsim.plots.words import channel_words, process_lines

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


def tag_of(network: Network, channel: Channel, most: int | None) -> Tag:
    """Return the text of a channel; ``most`` is the largest occupancy of a run, if there was one."""
    title, words = shortened(channel.name), channel_words(network, channel, most=most)
    width = max(text_width(title, SMALL, bold=True), text_width(words, SMALL), fifo_width(channel))
    return Tag(title, words, Extent(width + 4, HEIGHT / 2 + LINE, HEIGHT / 2 + LINE))


def box_of(network: Network, process: Process) -> Box:
    """Return the box of a process, high enough for its text and for the channels that meet it."""
    title, lines = shortened(process.name), process_lines(network, process)
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
