"""Where the page draws the processes and channels of a network: boxes, smooth lines, and a place for each FIFO."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ppnsim.model.network import Channel, Network
from ppnsim.plots.layout import Extent, NetworkLayout, Point, layout

_HEIGHT = 46.0  # of a process, points
_LETTER = 7.6  # of its name
_WIDEST = 200.0
_FIFO = Extent(width=118.0, above=26.0, below=26.0)
_LOOP = 54.0  # above a process, for each channel to itself
_AROUND = 22.0  # beside a process, for the first of them, and for each further one
_FURTHER = 8.0
_WITHIN = 1500.0  # what is wider goes on below, so that a long chain can be read without scrolling


def drawing_of(network: Network) -> dict[str, Any]:
    """Return centres and sizes of processes, SVG paths and label places of channels, and the frame, in points.

    Coordinates are those of SVG: y grows downwards.

    Examples
    --------
    >>> from ppnsim import chain
    >>> drawn = drawing_of(chain(firings=4, length=2))
    >>> drawn["processes"][0]["x"] < drawn["channels"][0]["label"][0] < drawn["processes"][1]["x"]
    True
    """
    widths = {each.name: min(max(124.0, _LETTER * len(each.name) + 28), _WIDEST) for each in network.processes}
    loops: dict[str, list[str]] = {each.name: [] for each in network.processes}
    for channel in network.channels:
        if channel.source == channel.target:
            loops[channel.source].append(channel.name)
    boxes = {
        name: Extent(
            width=width + (2 * (_AROUND + _FURTHER * (len(loops[name]) - 1)) if loops[name] else 0),
            above=_HEIGHT / 2 + _LOOP * len(loops[name]), below=_HEIGHT / 2,
        )
        for name, width in widths.items()
    }  # fmt: skip
    there = layout(network, boxes, {each.name: _FIFO for each in network.channels}, within=_WITHIN)
    processes = [
        {"x": there.boxes[each.name][0], "y": -there.boxes[each.name][1], "width": widths[each.name], "height": _HEIGHT}
        for each in network.processes
    ]
    channels = []
    for channel in network.channels:
        if channel.source == channel.target:
            place = loops[channel.source].index(channel.name)
            channels.append(_loop(there.boxes[channel.source], widths[channel.source], place))
        else:
            channels.append(_wire(network, there, widths, channel.name))
    return {
        "processes": processes, "channels": channels, "left": there.left, "right": there.right,
        "top": -there.top, "bottom": -there.bottom,
    }  # fmt: skip


def _wire(network: Network, there: NetworkLayout, widths: dict[str, float], channel: str) -> dict[str, Any]:
    ends = network.channel(channel)
    out = _port(network, there, ends.source, channel, widths)
    into = _port(network, there, ends.target, channel, widths)
    x, y = there.labels[channel]
    return {"path": _smooth(ends, there, out, into), "label": [x, -y]}


def _port(network: Network, there: NetworkLayout, process: str, channel: str, widths: dict[str, float]) -> Point:
    """Return where a channel meets a process: spread over the side, in order of the heights of the other ends."""
    x, y = there.boxes[process]
    leaves = network.channel(channel).source == process
    backward = channel in there.backward
    right = leaves != backward
    side = [
        each.name
        for each in network.channels
        if each.source != each.target
        and process in (each.source, each.target)
        and ((each.source == process) != (each.name in there.backward)) == right
    ]
    side.sort(key=lambda name: (there.labels[name][1], name))
    share = (side.index(channel) + 1) / (len(side) + 1) - 0.5
    return x + (widths[process] / 2 if right else -widths[process] / 2), y + share * _HEIGHT * 0.8


def _smooth(channel: Channel, there: NetworkLayout, out: Point, into: Point) -> str:
    """Return the SVG path of a channel: smooth from level to level, with corners where it goes on in another band."""
    back = channel.name in there.backward
    turns = iter(there.turns[channel.name])
    pieces = [(out[0], out[0], out[1]), *there.routes[channel.name], (into[0], into[0], into[1])]
    path = [f"M{out[0]:.1f} {-out[1]:.1f}"]
    for (_, end, y), (start, last, next_y) in pairwise(pieces):
        if start != end and (start > end) == back:  # against its direction: into another band
            turn = next(turns)
            far, near = (turn.left, turn.right) if back else (turn.right, turn.left)
            corners = [(far, y), (far, turn.lane), (near, turn.lane), (near, next_y), (start, next_y)]
            path += [f"L{along:.1f} {-up:.1f}" for along, up in corners]
        else:
            half = (end + start) / 2
            path.append(f"C{half:.1f} {-y:.1f} {half:.1f} {-next_y:.1f} {start:.1f} {-next_y:.1f}")
        path.append(f"L{last:.1f} {-next_y:.1f}")
    return "".join(path)


def _loop(centre: Point, width: float, place: int) -> dict[str, Any]:
    x, y = centre
    half, top = width / 2, y + _HEIGHT / 2 + _LOOP * (place + 0.55)
    reach = half + _AROUND + _FURTHER * place
    path = (
        f"M{x + half:.1f} {-y:.1f}C{x + reach:.1f} {-y:.1f} {x + reach:.1f} {-top:.1f} {x + half * 0.6:.1f} "
        f"{-top:.1f}L{x - half * 0.6:.1f} {-top:.1f}C{x - reach:.1f} {-top:.1f} {x - reach:.1f} {-y:.1f} "
        f"{x - half:.1f} {-y:.1f}"
    )
    return {"path": path, "label": [x, -top]}
