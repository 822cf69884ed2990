"""The network as a drawing: processes in columns, every channel with its kind, its depth and its initial tokens."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch

from ppnsim.model.metrics import occupancy
from ppnsim.model.network import Network, Style
from ppnsim.model.run import Run
from ppnsim.model.summary import summary_of
from ppnsim.plots.boxes import HEIGHT, LINE, Box, Tag, box_of, draw_fifo, extent_of, loops_of, tag_of
from ppnsim.plots.fullest import Fullest, fullest
from ppnsim.plots.layout import NetworkLayout, Point, layout
from ppnsim.plots.style import ALARM, FAINT, INK, LABEL, PAPER, SMALL, TITLE, shortened, text_width, verbatim
from ppnsim.plots.wires import draw_loop, draw_wire, ports
from ppnsim.plots.words import KIND_WORDS, RATES_WORDS, STYLE_WORDS, rates_words

KIND_COLOURS = {"IOM-": "#40566E", "IOM+": "#0072B2", "OOM-": "#D55E00", "OOM+": "#882255"}
_BORDERS: dict[Style, dict[str, Any]] = {
    "elastic": {"linewidth": 1.6},
    "flushable": {"linewidth": 1.6, "linestyle": (0, (5, 2.5))},
    "frozen": {"linewidth": 4.0},
}
_MARK = "#FCEBB6"  # behind the channel that costs cycles
_MARGIN = 24.0  # points
_WIDE = 1500.0  # points, from which on a drawing is broken into bands
_NO_PLACES: Mapping[str, str] = MappingProxyType({})


def draw_network(network: Network, *, run: Run | None = None, places: Mapping[str, str] = _NO_PLACES) -> Figure:
    """Return a drawing of the network; after a ``run`` with the most tokens that each channel held (deadlocked: holds).

    Borders tell the pipeline styles, colours the kinds of the channels; the cells of a channel are its depth (left open
    if unbounded), the dots its initial tokens. Processes and channels of a deadlock are red. ``places`` says where
    processes stand in a source, by name.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> figure = draw_network(fork_join(firings=20, short_depth=3))
    >>> "IOM− · depth 3" in [text.get_text() for text in figure.axes[0].texts]
    True
    """
    most, held = _tokens(network, run)
    tags = {channel.name: tag_of(network, channel, most[channel.name], held) for channel in network.channels}
    boxes = {process.name: box_of(network, process, places.get(process.name, "")) for process in network.processes}
    loops = {process.name: loops_of(network, process, boxes[process.name], tags) for process in network.processes}
    there = layout(
        network,
        {name: extent_of(box, loops[name], tags) for name, box in boxes.items()},
        {name: tag.extent for name, tag in tags.items()},
        within=_WIDE,
    )
    waits = run.deadlock.cycle if run is not None and run.deadlock is not None else ()
    marked = fullest(run)
    figure, axes = _paper(network, there, run, marked)
    meets = ports(network, there, boxes)
    stuck = {wait.channel for wait in waits}
    for channel in network.channels:
        colour = ALARM if channel.name in stuck else KIND_COLOURS[network.counts[channel.name].kind]
        if channel.source == channel.target:
            own = loops[channel.source]
            rank = next(rank for rank, loop in enumerate(own) if loop.channel == channel.name)
            centre = there.boxes[channel.source]
            at = draw_loop(axes, boxes[channel.source], centre, own[rank], rank, colour=colour)
        else:
            at = there.labels[channel.name]
            ends = meets[channel.name, "out"], meets[channel.name, "in"]
            draw_wire(axes, channel, there, out=ends[0], into=ends[1], colour=colour)
        entry = 1 if channel.source == channel.target or channel.name in there.backward else -1
        draw_fifo(axes, channel, at=at, entry=entry, colour=colour, most=most[channel.name])
        _write_tag(axes, tags[channel.name], at, marked=marked is not None and channel.name == marked.channel)
    waiting = {wait.process for wait in waits}
    for process in network.processes:
        border = _BORDERS[process.style] | {"edgecolor": ALARM if process.name in waiting else INK}
        _draw_box(axes, boxes[process.name], there.boxes[process.name], border)
    return figure


def _tokens(network: Network, run: Run | None) -> tuple[Mapping[str, int | None], str]:
    """Return the most tokens that each channel held in a run, in a deadlock what it holds there; and a word for it."""
    if run is not None and run.deadlock is not None:
        return {each.name: int(occupancy(run.recorded, each.name)[1][-1]) for each in network.channels}, "holds"
    most = summary_of(run).occupancy if run else {}
    return {each.name: most.get(each.name) for each in network.channels}, "max"


def _draw_box(axes: Axes, box: Box, centre: Point, border: dict[str, Any]) -> None:
    x, y = centre
    corner = (x - box.width / 2, y - box.height / 2)
    shape = "round,pad=0,rounding_size=6"
    axes.add_artist(FancyBboxPatch(corner, box.width, box.height, shape, facecolor="#F4F7FA", zorder=6, **border))
    line = y + LINE * len(box.lines) / 2
    title = axes.text(x, line, box.title, size=LABEL, weight="bold", color=INK, ha="center", va="center", zorder=7)
    verbatim(title)
    for number, words in enumerate(box.lines, 1):
        text = axes.text(x, line - number * LINE, words, size=SMALL, color=INK, ha="center", va="center", zorder=7)
        verbatim(text)


def _write_tag(axes: Axes, tag: Tag, at: Point, *, marked: bool) -> None:
    x, y = at
    if marked:
        wide, up, down = tag.extent.width + 8, tag.extent.above, tag.extent.below
        shape = "round,pad=0,rounding_size=5"
        axes.add_artist(FancyBboxPatch((x - wide / 2, y - down), wide, up + down, shape, fc=_MARK, ec="none", zorder=1))
    shift = HEIGHT / 2 + LINE / 2
    style: dict[str, Any] = {"size": SMALL, "color": INK, "ha": "center", "va": "center", "zorder": 5}
    verbatim(axes.text(x, y + shift, tag.title, weight="bold", **style), axes.text(x, y - shift, tag.words, **style))


def _paper(network: Network, there: NetworkLayout, run: Run | None, marked: Fullest | None) -> tuple[Figure, Axes]:
    # One unit of the axes is one point, so the sizes measured for the texts hold in the drawing.
    title, key = shortened(network.name, 60), _key(network)
    notes = []
    if run is not None and run.deadlock is not None:
        stuck = f"deadlock at cycle {run.deadlock.at}: what is red waits in a circle"
        notes = [f"{stuck}; holds = tokens held there (shaded cells)"]
    elif run is not None:
        notes = [f"finish {run.finish:,} cycles; max = most tokens held (shaded cells)"]
    if marked is not None:
        cycles, channel, process = marked
        long = f"{cycles:,} cycle{'s' * (cycles != 1)}"
        notes.append(f"marked: {shortened(channel)} is full for {long} of {shortened(process)}")
    longest = max([text_width(words, SMALL) + 50 for _, words in key] + [text_width(note, LABEL) for note in notes])
    width = max(there.right - there.left, longest, text_width(title, TITLE, bold=True)) + 2 * _MARGIN
    head = 30.0 + 20.0 * len(notes)
    foot = LINE * len(key) + 12.0
    height = there.top - there.bottom + head + foot + 2 * _MARGIN
    figure = Figure(figsize=(width / 72, height / 72), facecolor=PAPER)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    left = (there.left + there.right - width) / 2
    bottom = there.bottom - foot - _MARGIN
    axes.set(xlim=(left, left + width), ylim=(bottom, bottom + height))
    x, y = left + _MARGIN, bottom + height - _MARGIN
    verbatim(axes.text(x, y, title, size=TITLE, weight="bold", color=INK, va="top"))
    for row, note in enumerate(notes):
        colour = FAINT if run is None or run.deadlock is None else ALARM
        verbatim(axes.text(x, y - 26 - 20 * row, note, size=LABEL, color=colour, va="top"))
    for row, (sign, words) in enumerate(reversed(key)):
        at = bottom + _MARGIN * 0.7 + row * LINE
        _draw_sign(axes, sign, (x, at))
        verbatim(axes.text(x + 40, at, words, size=SMALL, color=INK, va="center"))
    return figure, axes


def _key(network: Network) -> list[tuple[str, str]]:
    kinds = {network.counts[channel.name].kind for channel in network.channels}
    styles = {process.style for process in network.processes}
    key = [(kind, f"{kind.replace('-', '−')}: {words}") for kind, words in KIND_WORDS.items() if kind in kinds]
    key += [("2:3", RATES_WORDS)] if any(map(rates_words, network.channels)) else []
    return key + [(style, words) for style, words in STYLE_WORDS.items() if style in styles]


def _draw_sign(axes: Axes, sign: str, at: Point) -> None:
    x, y = at
    if sign in KIND_COLOURS:
        axes.add_line(Line2D([x, x + 30], [y, y], color=KIND_COLOURS[sign], linewidth=2.5))
    elif sign not in _BORDERS:
        axes.text(x + 15, y, sign, size=SMALL, color=INK, ha="center", va="center")
    else:
        border = next(border for style, border in _BORDERS.items() if style == sign)
        shape = FancyBboxPatch(
            (x, y - 5), 30, 10, "round,pad=0,rounding_size=3", facecolor=PAPER, edgecolor=INK, **border
        )
        axes.add_artist(shape)
