"""A network placed on nodes as a drawing: nodes with their processes, links and memories with their numbers."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from matplotlib.figure import Figure

from ppnsim.placed.model.links import Link
from ppnsim.placed.model.placement import Placement
from ppnsim.platform.pictures.drawing import HEIGHT, WIDTH, draw_box, paper, time_words
from ppnsim.plots.style import INK, PALETTE, SMALL, shortened, verbatim

_APART = 330.0  # points between neighbours
_MOST = 40  # characters of the list of processes


def draw_placement(placement: Placement) -> Figure:
    """Return a drawing of a placed network: nodes in a row or round a circle, memories below those that reach them.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> from ppnsim.placed.model.placement import one_node
    >>> [text.get_text() for text in draw_placement(one_node(chain(firings=4))).axes[0].texts][2:]
    ['node', '100 MHz: p0 p1 p2']
    """
    there = _places(placement)
    low, right = min(y for _, y in there.values()), max(x for x, _ in there.values())
    figure, axes = paper(placement.network.name, "a network placed on nodes", width=right, depth=-low)
    for link in placement.links:
        (x, y), (u, v) = there[link.ends[0]], there[link.ends[1]]
        axes.plot([x, u], [y, v], color=PALETTE[1], linewidth=2.4, zorder=1)
        style: dict[str, Any] = {"size": SMALL, "color": INK, "ha": "center", "backgroundcolor": "white"}
        verbatim(axes.text((x + u) / 2, (y + v) / 2 + 12, shortened(link.name, 20), weight="bold", **style))
        verbatim(axes.text((x + u) / 2, (y + v) / 2 - 16, _link_words(link), **style))
    for memory in placement.memories:
        x, y = there[memory.where]
        for name in _reached(placement, memory.name):
            axes.plot([x, there[name][0]], [y, there[name][1]], color=PALETTE[1], linewidth=1.4, zorder=1)
        words = f"{memory.preset or memory.dram.protocol}, {memory.dram.peak_gbps:.4g} GB/s"
        draw_box(axes, memory.name, words, (x, y), "memory")
    for node in placement.nodes:
        on = shortened(" ".join(placement.processes_on(node.name)) or "no process", _MOST)
        draw_box(axes, node.name, f"{1e6 / float(node.period):.5g} MHz: {on}", there[node.name], "fpga")
    return figure


def _places(placement: Placement) -> dict[str, tuple[float, float]]:
    """Return the centre of each node and, below the first of the nodes that reach it, of each memory."""
    names = [node.name for node in placement.nodes]
    if len(names) <= 3:
        there = {name: (number * _APART, 0.0) for number, name in enumerate(names)}
    else:
        radius = _APART * len(names) / (2 * pi)
        angles = {name: 2 * pi * number / len(names) for number, name in enumerate(names)}
        there = {name: (radius + radius * sin(a), radius * cos(a) - radius) for name, a in angles.items()}
    below = min(y for _, y in there.values()) - 2 * HEIGHT
    taken: list[float] = []
    for memory in placement.memories:
        x = there[(_reached(placement, memory.name) or names)[0]][0]
        while any(abs(x - other) < WIDTH + 20 for other in taken):
            x += WIDTH + 20
        taken.append(x)
        there[memory.where] = (x, below)
    return there


def _reached(placement: Placement, memory: str) -> list[str]:
    """Return the nodes that a memory belongs to, or whose processes have ports on it."""
    node = next(each.on for each in placement.memories if each.name == memory)
    if node is not None:
        return [node]
    ports = (port.process for port in placement.ports if port.memory == memory)
    return list(dict.fromkeys(placement.node_of[process] for process in ports))


def _link_words(link: Link) -> str:
    words = [f"L {time_words(link.latency)}"]
    words += [f"o {time_words(link.overhead)}"] * (link.overhead > 0) + [f"g {time_words(link.gap)}"] * (link.gap > 0)
    if link.per_byte:
        words.append(f"{'up to ' if link.efficiency else ''}{1000 / float(link.per_byte):.4g} GB/s")
    return ", ".join(words)
