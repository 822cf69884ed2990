"""A long drawing in bands, one below the other, as lines of a text: where it breaks, and how channels turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ppnsim.plots.layers import Layers, Slot

_LANE = 9.0  # between channels that turn side by side, points
_MARGIN = 18.0  # left and right of the bands, where channels meet their boxes level
_BETWEEN = 34.0  # between bands, beside the lanes
_LEAST = 0.6  # of the width, which a band fills at least: there is the choice of where to break


@dataclass(frozen=True, slots=True)
class Turn:
    """The way of a channel from the end of a band to the start of the next one: x, height of its lane, x."""

    right: float
    lane: float
    left: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands:
    """How far each column moves, right and up (points), and the turns of each channel, from left to right."""

    shift: Sequence[tuple[float, float]]
    turns: Mapping[str, Sequence[Turn]]


def bands(
    layers: Layers, edges: Sequence[tuple[float, float]], reach: Sequence[tuple[float, float]],
    height: Mapping[Slot, float], within: float,
) -> Bands:  # fmt: skip
    """Return the bands of a drawing that is wider than ``within`` points.

    Parameters
    ----------
    edges : left and right end of each column.
    reach : lowest and highest point of each column.
    height : of each place.

    A band ends where few channels pass, before a column of processes.
    """
    crossing = [_crossing(layers, column) for column in range(len(edges))]
    starts = [0]
    while edges[-1][1] - edges[starts[-1]][0] > within:
        begin = edges[starts[-1]][0]
        room = [c for c in range(starts[-1] + 2, len(edges), 2) if edges[c - 1][1] - begin <= within]
        if not room:
            break
        wide = [c for c in room if edges[c - 1][1] - begin >= _LEAST * within] or room[-1:]
        starts.append(min(wide, key=lambda c: (len(crossing[c]), -c)))
    shift: list[tuple[float, float]] = []
    turns: dict[str, list[Turn]] = {name: [] for name in layers.routes}
    floor, right = 0.0, max(edges[last - 1][1] - edges[first][0] for first, last in pairwise([*starts, len(edges)]))
    for number, (first, last) in enumerate(pairwise([*starts, len(edges)])):
        low = min(each[0] for each in reach[first:last])
        high = max(each[1] for each in reach[first:last])
        up = -high if not number else floor - high
        shift += [(-edges[first][0], up)] * (last - first)
        floor = low + up
        if last < len(edges):
            passing = sorted(crossing[last], key=lambda name: -height[_before(layers, name, last)])
            base = floor - _BETWEEN / 2 - _LANE * len(passing)
            for place, name in enumerate(passing):  # the highest turns outside of the others
                outer = _MARGIN + _LANE * (len(passing) - place)
                turns[name].append(Turn(right + outer, base + _LANE * (place + 1), -_MARGIN - _LANE * (place + 1)))
            floor = base - _BETWEEN / 2
    return Bands(shift=shift, turns=turns)


def _crossing(layers: Layers, column: int) -> list[str]:
    """Return the channels that pass from the column before into this one."""
    return [name for name, route in layers.routes.items() if route[0].column < column <= route[-1].column]


def _before(layers: Layers, channel: str, column: int) -> Slot:
    return next(place for place in layers.routes[channel] if place.column == column - 1)
