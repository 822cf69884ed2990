"""Coordinates of a network drawing, in points: columns of boxes, channels as smooth lines with room for their text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ppnsim.model.network import Network
from ppnsim.plots.bands import Bands, Turn, bands
from ppnsim.plots.layers import Layers, Slot, layered, neighbours

Point = tuple[float, float]

_GAP = 16.0  # between things of a column, points
_CURVE = 50.0  # between columns, room for the curves
_STUB = 14.0  # of it before and after a process: channels meet it level, with room for the head of an arrow
_ROUNDS = 80
_STRAIGHT = 8.0  # how much harder two places of one channel pull at each other than a channel at a process
_MAIN = 1e4  # how much less a place of the main line gives way


@dataclass(frozen=True, slots=True)
class Extent:
    """How much room a thing takes: its width, and how far it reaches above and below its own centre, in points."""

    width: float
    above: float
    below: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkLayout:
    """Where everything stands, in points; x to the right, y upwards.

    Attributes
    ----------
    boxes : centre of each process.
    columns : between which x the channels of each process run level.
    labels : centre of each channel's text; those of self-loops are left to the drawing.
    routes : per channel, the level pieces ``(x from, x to, y)`` from producer to consumer, without the ends.
    backward : channels drawn from right to left.
    turns : per channel, its ways from band to band, from producer to consumer.
    left, right, bottom, top : the frame around all of it.
    """

    boxes: Mapping[str, Point]
    columns: Mapping[str, tuple[float, float]]
    labels: Mapping[str, Point]
    routes: Mapping[str, tuple[tuple[float, float, float], ...]]
    backward: frozenset[str]
    turns: Mapping[str, Sequence[Turn]]
    left: float
    right: float
    bottom: float
    top: float


def layout(
    network: Network, boxes: Mapping[str, Extent], labels: Mapping[str, Extent], *, within: float | None = None
) -> NetworkLayout:
    """Place processes and channels of the given sizes so that nothing covers anything else in its column.

    What is wider than ``within`` points is broken into bands, one below the other.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> size = Extent(100, 20, 20)
    >>> there = layout(chain(firings=4, length=2), {"p0": size, "p1": size}, {"c0": size})
    >>> there.boxes["p0"][1] == there.boxes["p1"][1], there.boxes["p0"][0] < there.labels["c0"][0]
    (True, True)
    """
    layers = layered(network)
    extents = _extents(layers, boxes, labels)
    widths = [max(extents[place].width for place in column) for column in layers.columns]
    centres: list[float] = []
    edge = 0.0
    for width in widths:
        centres.append(edge + width / 2)
        edge += width + _CURVE
    height = _heights(layers, extents)
    broken = _broken(layers, extents, centres, widths, height, within)
    for column, (along, up) in enumerate(broken.shift):
        centres[column] += along
        height.update({place: height[place] + up for place in layers.columns[column]})
    texts = {name: layers.label_place(name) for name in layers.routes}
    places = [place for column in layers.columns for place in column]
    processes = [place for place in places if not place.channel]
    left, right = _sides(broken, centres, widths)
    return NetworkLayout(
        boxes={place.name: (centres[place.column], height[place]) for place in processes},
        columns={
            place.name: (start - _STUB, end + _STUB)
            for place in processes
            for start, end, _ in [_level(place, centres, widths, height)]
        },
        labels={name: (centres[place.column], height[place]) for name, place in texts.items()},
        routes={name: _pieces(layers, name, centres, widths, height) for name in layers.routes},
        backward=layers.backward,
        turns={name: turns[::-1] if name in layers.backward else turns for name, turns in broken.turns.items()},
        left=left,
        right=right,
        bottom=min(height[place] - extents[place].below for place in places),
        top=max(height[place] + extents[place].above for place in places),
    )


def _pieces(
    layers: Layers, channel: str, centres: list[float], widths: list[float], height: dict[Slot, float]
) -> tuple[tuple[float, float, float], ...]:
    """Return the level pieces of a channel, from its producer to its consumer."""
    pieces = [_level(place, centres, widths, height) for place in layers.routes[channel][1:-1]]
    if channel in layers.backward:
        pieces = [(to, start, y) for start, to, y in reversed(pieces)]
    return tuple(pieces)


def _sides(broken: Bands, centres: Sequence[float], widths: Sequence[float]) -> tuple[float, float]:
    """Return how far columns and turns reach to the left and to the right."""
    turning = [turn for turns in broken.turns.values() for turn in turns]
    ends = [centre + width / 2 for centre, width in zip(centres, widths, strict=True)]
    return min([0.0, *(turn.left for turn in turning)]), max([*ends, *(turn.right for turn in turning)])


def _broken(
    layers: Layers, extents: Mapping[Slot, Extent], centres: Sequence[float], widths: Sequence[float],
    height: Mapping[Slot, float], within: float | None,
) -> Bands:  # fmt: skip
    edges = [(centre - width / 2, centre + width / 2) for centre, width in zip(centres, widths, strict=True)]
    if within is None or edges[-1][1] <= within:
        return Bands(shift=[(0.0, 0.0)] * len(edges), turns=dict.fromkeys(layers.routes, ()))
    reach = [
        (
            min(height[each] - extents[each].below for each in column),
            max(height[each] + extents[each].above for each in column),
        )
        for column in layers.columns
    ]
    return bands(layers, edges, reach, height, within)


def _level(
    place: Slot, centres: list[float], widths: list[float], height: dict[Slot, float]
) -> tuple[float, float, float]:
    # A channel crosses a column level, so that it cannot cut through the boxes and texts above and below it.
    half = widths[place.column] / 2
    return centres[place.column] - half, centres[place.column] + half, height[place]


def _extents(layers: Layers, boxes: Mapping[str, Extent], labels: Mapping[str, Extent]) -> dict[Slot, Extent]:
    texts = {layers.label_place(name) for name in layers.routes}
    passing = Extent(0.0, 4.0, 4.0)
    return {
        place: (labels[place.name] if place in texts else passing) if place.channel else boxes[place.name]
        for column in layers.columns
        for place in column
    }


def _heights(layers: Layers, extents: dict[Slot, Extent]) -> dict[Slot, float]:
    # Everything moves to the mean of what it is connected to, as far as the order and the gaps of its column allow.
    columns = [column[::-1] for column in layers.columns]  # heights grow upwards
    height: dict[Slot, float] = {}
    for column in columns:
        height.update(zip(column, separated([0.0] * len(column), column, extents, [1.0] * len(column)), strict=True))
    left, right = neighbours(layers.routes, 1), neighbours(layers.routes, -1)
    main = [place for column in columns for place in column if place in layers.main]  # in one order
    before: dict[Slot, float] = {}
    for turn in range(_ROUNDS):
        if turn % 2 == 0:  # there and back
            if height == before:
                break
            before = dict(height)
        for column in columns if turn % 2 == 0 else reversed(columns):
            line = sum(map(height.__getitem__, main)) / len(main) if main else 0.0
            wanted = [
                line if place in layers.main else _beside(place, left.get(place, []) + right.get(place, []), height)
                for place in column
            ]
            firm = [_MAIN if place in layers.main else 1.0 for place in column]
            height.update(zip(column, separated(wanted, column, extents, firm), strict=True))
    return height


def _beside(place: Slot, others: list[Slot], height: Mapping[Slot, float]) -> float:
    """Return the mean height of what a place is connected to, its own if that is nothing."""
    if not others:
        return height[place]
    weights = [_STRAIGHT if place.channel and other.channel else 1.0 for other in others]
    return sum(height[other] * weight for other, weight in zip(others, weights, strict=True)) / sum(weights)


def separated(
    wanted: list[float], column: tuple[Slot, ...], extents: Mapping[Slot, Extent], firm: Sequence[float]
) -> list[float]:
    """Return the heights nearest to the wanted ones (weighted least squares) that keep the order and gaps of a column.

    Without the gaps this is isotonic regression, which pooling neighbours that are too close solves exactly.
    """
    floor = [0.0]
    for lower, upper in pairwise(column):
        floor.append(floor[-1] + extents[lower].above + _GAP + extents[upper].below)
    pools: list[tuple[float, float, int]] = []  # mean, weight, size
    for value, weight in zip((height - shift for height, shift in zip(wanted, floor, strict=True)), firm, strict=True):
        pools.append((value, weight, 1))
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            (low, below, many), (high, above, more) = pools[-2:]
            pools[-2:] = [((low * below + high * above) / (below + above), below + above, many + more)]
    means = [mean for mean, _, size in pools for _ in range(size)]
    return [mean + shift for mean, shift in zip(means, floor, strict=True)]
