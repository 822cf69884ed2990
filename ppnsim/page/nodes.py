"""A placed network as SVG: nodes with their processes, links and memories with their numbers."""

from __future__ import annotations

from html import escape

from ppnsim.page.lanes import INK, svg_uri
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.report.places import HEIGHT, WIDTH, link_words, places_of, reached_by
from ppnsim.plots.colours import PALETTE

_EDGE = 20.0  # dots around the boxes
_FILLS = {"node": "#D9EFE7", "memory": "#F0E1EA"}
_LETTERS = {"bold": 18, "normal": 26}  # that fit in a box


def nodes_svg(placement: Placement) -> str:
    """Return the drawing as a data URI.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> from ppnsim.placed.model.placement import one_node
    >>> nodes_svg(one_node(chain(firings=4)))[:26]
    'data:image/svg+xml;base64,'
    """
    there = places_of(placement)
    left, top = min(x for x, _ in there.values()), max(y for _, y in there.values())
    at = {name: (x - left + WIDTH / 2 + _EDGE, top - y + HEIGHT / 2 + _EDGE) for name, (x, y) in there.items()}
    shapes = []
    for link in placement.links:
        (x, y), (u, v) = at[link.ends[0]], at[link.ends[1]]
        shapes.append(_line(x, y, u, v, 2.4))
        shapes.append(_words(link.name, (x + u) / 2, (y + v) / 2 - 8, "bold"))
        shapes.append(_words(link_words(link), (x + u) / 2, (y + v) / 2 + 18, "normal"))
    for memory in placement.memories:
        x, y = at[memory.where]
        shapes += [_line(x, y, *at[name], 1.4) for name in reached_by(placement, memory.name)]
        numbers = f"{memory.preset or memory.dram.protocol}, {memory.dram.peak_gbps:.4g} GB/s"
        shapes.append(_box(memory.name, numbers, at[memory.where], "memory"))
    for node in placement.nodes:
        on = " ".join(placement.processes_on(node.name)) or "no process"
        shapes.append(_box(node.name, f"{1e6 / float(node.period):.5g} MHz: {on}", at[node.name], "node"))
    wide, high = (max(each[side] for each in at.values()) for side in (0, 1))
    return svg_uri("".join(shapes), wide + WIDTH / 2 + _EDGE, high + HEIGHT / 2 + _EDGE)


def _line(x: float, y: float, u: float, v: float, thick: float) -> str:
    return f'<path d="M{x:.1f},{y:.1f}L{u:.1f},{v:.1f}" stroke="{PALETTE[1]}" stroke-width="{thick}"/>'


def _box(name: str, words: str, at: tuple[float, float], kind: str) -> str:
    x, y = at
    size = f'x="{x - WIDTH / 2:.1f}" y="{y - HEIGHT / 2:.1f}" width="{WIDTH:g}" height="{HEIGHT:g}" rx="6"'
    box = f'<rect {size} fill="{_FILLS[kind]}" stroke="{INK}"/>'
    return (
        box + _words(_fitting(name, "bold"), x, y - 6, "bold") + _words(_fitting(words, "normal"), x, y + 14, "normal")
    )


def _fitting(words: str, weight: str) -> str:
    most = _LETTERS[weight]
    return words if len(words) <= most else f"{words[: most - 2]}.."


def _words(words: str, x: float, y: float, weight: str) -> str:
    font = f'fill="{INK}" font-weight="{weight}" font-size="{13 if weight == "bold" else 11}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" {font}>{escape(words)}</text>'
