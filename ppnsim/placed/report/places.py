"""Where the nodes and memories of a placed network stand in a drawing, and what is written on them."""

from __future__ import annotations

from math import cos, pi, sin

from ppnsim.placed.model.links import Link
from ppnsim.placed.model.placement import Placement
from ppnsim.platform.report.words import time_words

WIDTH, HEIGHT = 150.0, 54.0  # of a box, in points
_APART = 330.0  # points between neighbours


def places_of(placement: Placement) -> dict[str, tuple[float, float]]:
    """Return the centres of nodes and of memories, each below the first node that reaches it (points, up positive)."""
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
        x = there[(reached_by(placement, memory.name) or names)[0]][0]
        while any(abs(x - other) < WIDTH + 20 for other in taken):
            x += WIDTH + 20
        taken.append(x)
        there[memory.where] = (x, below)
    return there


def reached_by(placement: Placement, memory: str) -> list[str]:
    """Return the nodes that a memory belongs to, or whose processes have ports on it."""
    node = next(each.on for each in placement.memories if each.name == memory)
    if node is not None:
        return [node]
    ports = (port.process for port in placement.ports if port.memory == memory)
    return list(dict.fromkeys(placement.node_of[process] for process in ports))


def link_words(link: Link) -> str:
    """Return the numbers of a link that are not nothing: latency, overhead, gap, and the rate of its bytes."""
    words = [f"L {time_words(link.latency)}"]
    words += [f"o {time_words(link.overhead)}"] * (link.overhead > 0) + [f"g {time_words(link.gap)}"] * (link.gap > 0)
    if link.per_byte:
        words.append(f"{'up to ' if link.efficiency else ''}{1000 / float(link.per_byte):.4g} GB/s")
    return ", ".join(words)
