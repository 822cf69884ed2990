"""A network placed on nodes as a drawing: nodes with their processes, links and memories with their numbers."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from ppnsim.placed.model.placement import Placement
from ppnsim.placed.report.places import link_words, places_of, reached_by
from ppnsim.platform.pictures.drawing import draw_box, paper
from ppnsim.plots.style import INK, PALETTE, SMALL, shortened, verbatim

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
    there = places_of(placement)
    low, right = min(y for _, y in there.values()), max(x for x, _ in there.values())
    figure, axes = paper(placement.network.name, "a network placed on nodes", width=right, depth=-low)
    for link in placement.links:
        (x, y), (u, v) = there[link.ends[0]], there[link.ends[1]]
        axes.plot([x, u], [y, v], color=PALETTE[1], linewidth=2.4, zorder=1)
        style: dict[str, Any] = {"size": SMALL, "color": INK, "ha": "center", "backgroundcolor": "white"}
        verbatim(axes.text((x + u) / 2, (y + v) / 2 + 12, shortened(link.name, 20), weight="bold", **style))
        verbatim(axes.text((x + u) / 2, (y + v) / 2 - 16, link_words(link), **style))
    for memory in placement.memories:
        x, y = there[memory.where]
        for name in reached_by(placement, memory.name):
            axes.plot([x, there[name][0]], [y, there[name][1]], color=PALETTE[1], linewidth=1.4, zorder=1)
        words = f"{memory.preset or memory.dram.protocol}, {memory.dram.peak_gbps:.4g} GB/s"
        draw_box(axes, memory.name, words, (x, y), "memory")
    for node in placement.nodes:
        on = shortened(" ".join(placement.processes_on(node.name)) or "no process", _MOST)
        draw_box(axes, node.name, f"{1e6 / float(node.period):.5g} MHz: {on}", there[node.name], "fpga")
    return figure
