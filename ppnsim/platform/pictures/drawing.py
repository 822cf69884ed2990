"""A platform as a drawing: hosts and devices below the networks that join them, every link with its numbers."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from ppnsim.memory.model.dram import MemoryGroup
from ppnsim.platform.model.nodes import Bus, Interconnect, NodeGroup
from ppnsim.platform.model.system import Part, System
from ppnsim.platform.report.words import seconds_words
from ppnsim.plots.style import INK, LABEL, PALETTE, PAPER, SMALL, TITLE, shortened, verbatim

_COLOURS: dict[str, str] = {"fpga": "#D9EFE7", "microprocessor": "#DCE9F5", "network": "#FBE9C8", "memory": "#F0E1EA"}
_WIDTH, _HEIGHT, _ACROSS, _DOWN = 150.0, 54.0, 180.0, 120.0  # points
_MOST = 16  # nodes of a group that are drawn one by one


def draw_platform(system: System) -> Figure:
    """Return a drawing of a platform: networks on top, their nodes below, devices and memories below these.

    Examples
    --------
    >>> from ppnsim.platform.model.presets import src6
    >>> figure = draw_platform(src6(nodes=2))
    >>> [text.get_text() for text in figure.axes[0].texts if text.get_text().startswith("map")]
    ['map[0]', 'map[1]']
    """
    shown = {name for group in system.nodes for name in group.instances()[:_MOST]}
    graph = system.graph
    vertices = [
        name for name in graph
        if name in shown or isinstance(_part(system, name), Interconnect) or name.split(".")[0] in shown
    ]  # fmt: skip
    rows = {name: _row(system, name) for name in vertices}
    there = _places(system, vertices, rows)
    low = min(y for _, y in there.values())
    figure, axes = paper(system.name, system.category, width=max(x for x, _ in there.values()), depth=-low)
    for one, other, data in graph.edges(data=True):
        if one in there and other in there:
            (x, y), (u, v) = there[one], there[other]
            thick = 2.4 if isinstance(data["part"], Bus) else 1.4
            axes.plot([x, u], [y, v], color=PALETTE[1], linewidth=thick, zorder=1)
            if isinstance(data["part"], Bus):
                verbatim(axes.text((x + u) / 2 + 4, (y + v) / 2, data["part"].name, size=SMALL, color=INK))
    for name in vertices:
        _box(axes, name, _part(system, name), there[name])
    hidden = sum(max(group.count - _MOST, 0) for group in system.nodes)
    if hidden:
        axes.text(-_ACROSS / 2 + 12, low - _DOWN / 2 + 6, f"and {hidden} more nodes", size=SMALL, color=INK)
    return figure


def paper(title: str, words: str, *, width: float, depth: float) -> tuple[Figure, Axes]:
    """Return a figure whose axes count points, for boxes with centres from (0, 0) to (width, -depth), with a title."""
    wide, height = max(width + _ACROSS, 480.0), depth + _DOWN + 40
    figure = Figure(figsize=(wide / 72, height / 72), facecolor=PAPER)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set(xlim=(-_ACROSS / 2, wide - _ACROSS / 2), ylim=(-depth - _DOWN / 2, _DOWN / 2 + 40))
    head = axes.text(-_ACROSS / 2 + 12, _DOWN / 2 + 30, shortened(title, 60), size=TITLE, weight="bold", va="top")
    verbatim(head, axes.text(-_ACROSS / 2 + 12, _DOWN / 2 + 6, words, size=SMALL, color=INK, va="top"))
    return figure, axes


def _part(system: System, vertex: str) -> Part:
    part: Part = system.graph.nodes[vertex]["part"]
    return part


def _row(system: System, vertex: str) -> int:
    """Return the level of a vertex: networks, what is on a network or hosts a bus, devices behind a bus, memories."""
    part = _part(system, vertex)
    if isinstance(part, Interconnect):
        return 0
    if isinstance(part, MemoryGroup):
        return 3
    return 2 if any(bus.device == part.name for bus in system.buses) else 1


def _places(system: System, vertices: list[str], rows: dict[str, int]) -> dict[str, tuple[float, float]]:
    """Return the centre of each box; what hangs below one stands in its column."""
    levels = sorted(set(rows.values()))
    there: dict[str, tuple[float, float]] = {}
    for depth, level in enumerate(levels):
        row = [name for name in vertices if rows[name] == level]
        for index, name in enumerate(row):
            above = [there[other] for other in system.graph.neighbors(name) if other in there and rows[other] > 0]
            straight = level > 1 and len(above) == 1 and _alone(system, name, rows, level)
            x = above[0][0] if straight else index * _ACROSS
            there[name] = (x, -depth * _DOWN)
    right = max((x for x, _ in there.values()), default=0.0)
    networks = [name for name in vertices if rows[name] == 0]
    for index, name in enumerate(networks):
        there[name] = (right * (index + 1) / (len(networks) + 1), there[name][1])
    return there


def _alone(system: System, vertex: str, rows: dict[str, int], level: int) -> bool:
    """Whether a vertex is the only one of its level below the one that it hangs on."""
    above = next(other for other in system.graph.neighbors(vertex) if rows.get(other, 9) < level)
    return sum(rows.get(other) == level for other in system.graph.neighbors(above)) == 1


def _box(axes: Axes, name: str, part: Part, at: tuple[float, float]) -> None:
    if isinstance(part, NodeGroup):
        draw_box(axes, name, _node_words(part), at, part.kind)
    elif isinstance(part, Interconnect):
        least = "at least " if part.efficiency else ""
        words = f"L {seconds_words(part.latency)}, G {least}{seconds_words(part.per_byte)}/byte"
        draw_box(axes, name, words, at, "network")
    elif isinstance(part, MemoryGroup):
        draw_box(axes, name, f"{part.preset or part.dram.protocol}, {part.dram.peak_gbps:.4g} GB/s", at, "memory")


def draw_box(axes: Axes, name: str, words: str, at: tuple[float, float], kind: str) -> None:
    """Draw a part with its name and its small print; its colour is that of its kind."""
    x, y = at
    shape = "round,pad=0,rounding_size=6"
    corner = (x - _WIDTH / 2, y - _HEIGHT / 2)
    axes.add_patch(FancyBboxPatch(corner, _WIDTH, _HEIGHT, shape, facecolor=_COLOURS[kind], edgecolor=INK, zorder=3))
    both: dict[str, Any] = {"ha": "center", "va": "center", "color": INK, "zorder": 4}
    title = axes.text(x, y + 10, shortened(name, 18), size=LABEL, weight="bold", **both)
    verbatim(title, axes.text(x, y - 12, shortened(words, 30), size=9, **both))


def _node_words(group: NodeGroup) -> str:
    clock = "" if group.clock is None else f"{float(group.clock) / 1e6:g} MHz"
    return ", ".join(filter(None, (group.device or group.kind, clock)))
