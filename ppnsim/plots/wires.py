"""The lines of a network drawing: where each channel meets its boxes, and its way between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch
from matplotlib.path import Path

from ppnsim.model.network import Channel, Network
from ppnsim.plots.boxes import LOOP, PORT, Box, LoopArc
from ppnsim.plots.layout import NetworkLayout, Point

_ROUND = 7.0  # radius of the corners of a self-loop, points


def ports(network: Network, there: NetworkLayout, boxes: Mapping[str, Box]) -> dict[tuple[str, str], Point]:
    """Return where channels meet their boxes: point in points, by (channel, ``out`` or ``in``); not of self-loops.

    Along each side of a box they are in the order of the heights that they come from, so that they need not cross.
    """
    found: dict[tuple[str, str], Point] = {}
    for process in network.processes:
        sides: dict[int, list[tuple[float, str, str]]] = {-1: [], 1: []}
        for end, channels in (("out", network.outputs(process.name)), ("in", network.inputs(process.name))):
            for channel in channels:
                if channel.source != channel.target:
                    side = 1 if (end == "out") != (channel.name in there.backward) else -1
                    nearest = there.routes[channel.name][0 if end == "out" else -1]
                    sides[side].append((nearest[2], channel.name, end))
        loops = sum(channel.target == process.name for channel in network.outputs(process.name))
        box, (x, y) = boxes[process.name], there.boxes[process.name]
        height = box.height - LOOP * loops  # self-loops take the upper ends of the sides
        for side, met in sides.items():
            pitch = min(1.5 * PORT, height / max(1, len(met)))
            first = y - LOOP * loops / 2 - pitch * (len(met) - 1) / 2
            for index, (_, name, end) in enumerate(sorted(met)):
                found[name, end] = (x + side * box.width / 2, first + index * pitch)
    return found


def draw_wire(axes: Axes, channel: Channel, there: NetworkLayout, *, out: Point, into: Point, colour: str) -> None:
    """Draw a channel from the box it leaves at ``out`` to the box it enters at ``into``."""
    back = channel.name in there.backward
    edge = 0 if back else 1
    pieces = [
        (out[0], there.columns[channel.source][edge], out[1]),
        *there.routes[channel.name],
        (there.columns[channel.target][1 - edge], into[0], into[1]),
    ]
    points: list[Point] = [(pieces[0][0], pieces[0][2])]
    codes: list[Any] = [Path.MOVETO]
    turns = iter(there.turns[channel.name])
    for (_, end, y), (start, _, next_y) in pairwise(pieces):
        points.append((end, y))
        codes.append(Path.LINETO)
        if (start > end) == back:  # against its direction: into another band
            turn = next(turns)
            far, near = (turn.left, turn.right) if back else (turn.right, turn.left)
            corners = [(far, y), (far, turn.lane), (near, turn.lane), (near, next_y)]
            _rounded(points, codes, corners, (start, next_y))
        else:
            middle = (end + start) / 2
            points += [(middle, y), (middle, next_y), (start, next_y)]
            codes += [Path.CURVE4, Path.CURVE4, Path.CURVE4]
    points.append(into)
    codes.append(Path.LINETO)
    _arrow(axes, Path(points, codes), colour)


def draw_loop(axes: Axes, box: Box, centre: Point, loop: LoopArc, rank: int, *, colour: str) -> Point:
    """Draw a self-loop over its box, the ``rank``-th from the inside; return the middle of its upper line."""
    x, y = centre
    side, top = box.width / 2, y + box.height / 2
    foot, line = top - LOOP * (rank + 1), top + loop.rise
    points: list[Point] = [(x + side, foot)]
    codes: list[Any] = [Path.MOVETO]
    corners = ((x + loop.reach, foot), (x + loop.reach, line), (x - loop.reach, line), (x - loop.reach, foot))
    _rounded(points, codes, corners, (x - side, foot))
    _arrow(axes, Path(points, codes), colour)
    return x, line


def _rounded(points: list[Point], codes: list[Any], corners: Sequence[Point], end: Point) -> None:
    """Add a way around corners, up to its end."""
    for corner, after in zip(corners, [*corners[1:], end], strict=True):
        points += [_towards(corner, points[-1]), corner, _towards(corner, after)]
        codes += [Path.LINETO, Path.CURVE3, Path.CURVE3]
    points.append(end)
    codes.append(Path.LINETO)


def _towards(corner: Point, other: Point) -> Point:
    length = abs(other[0] - corner[0]) + abs(other[1] - corner[1])  # one of the two is zero
    share = min(_ROUND, length / 2) / length if length else 0.0
    return corner[0] + share * (other[0] - corner[0]), corner[1] + share * (other[1] - corner[1])


def _arrow(axes: Axes, path: Path, colour: str) -> None:
    head = "-|>,head_length=7,head_width=3"
    look: dict[str, Any] = {"linewidth": 1.6, "capstyle": "butt", "joinstyle": "round", "zorder": 2}
    axes.add_artist(
        FancyArrowPatch(path=path, arrowstyle=head, mutation_scale=1, edgecolor=colour, facecolor=colour, **look)
    )
