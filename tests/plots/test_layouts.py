"""Drawings of networks, number for number: columns, orders, heights, bands and the points where channels meet boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from ppnsim.model.network import Channel, Network, Process
from ppnsim.plots.boxes import Box
from ppnsim.plots.layers import Slot, layered
from ppnsim.plots.layout import Extent, layout, separated
from ppnsim.plots.wires import ports
from tests.golden.records import unlike


def _network(seed: int) -> Network:
    """Return a network with branches, parallel and feedback channels, self-loops and, of some seeds, parts apart."""
    random = Random(seed)
    names = [f"p{n}" for n in range(random.randint(2, 13))]
    channels: list[Channel] = []
    for _ in range(random.randint(len(names) - 1, 2 * len(names))):
        one, other = random.randrange(len(names)), random.randrange(len(names))
        initial = 0 if one < other else random.choice([0, 1, 3])
        channels.append(Channel(name=f"c{len(channels)}", source=names[one], target=names[other], initial=initial))
    random.shuffle(names)
    return Network(processes=[Process(name=name, firings=1) for name in names], channels=channels)


def _n(*values: float) -> str:
    return " ".join(f"{round(value, 3) + 0.0:g}" for value in values)


def _told(seed: int) -> Iterator[str]:
    network, random = _network(seed), Random(-seed)
    boxes = {each.name: Extent(*(random.randint(20, 120) for _ in range(3))) for each in network.processes}
    labels = {each.name: Extent(*(random.randint(9, 60) for _ in range(3))) for each in network.channels}
    layers = layered(network)
    yield " | ".join(" ".join(place.name for place in column) for column in layers.columns)
    yield f"back {sorted(layers.backward)}, main {sorted(place.name for place in layers.main)}"
    for within in (None, 700.0, 320.0):
        there = layout(network, boxes, labels, within=within)
        yield f"within {within}: {_n(there.left, there.right, there.bottom, there.top)}"
        met = ports(
            network, there, {name: Box(name, [], size.width, size.above + size.below) for name, size in boxes.items()}
        )
        for name in boxes:
            yield f"  {name} {_n(*there.boxes[name], *there.columns[name])}"
        for name, at in there.labels.items():
            pieces = ", ".join(_n(*each) for each in there.routes[name])
            turns = ", ".join(_n(each.right, each.lane, each.left) for each in there.turns[name])
            yield f"  {name} {_n(*at)}: {_n(*met[name, 'out'])} by {pieces} / {turns} to {_n(*met[name, 'in'])}"


def layouts() -> str:
    """Return every number of the drawings of some networks."""
    return "".join(f"{line}\n" for seed in range(10) for line in (f"network {seed}", *_told(seed)))


def test_networks_are_laid_out_as_recorded() -> None:
    assert unlike("layouts") == []


@pytest.mark.parametrize(
    ("wanted", "sizes", "firm", "heights"),
    [  # gaps of 16 between neighbours, beside what they need themselves
        ([0, 100], [(1, 2), (3, 4)], [1, 1], [0, 100]),
        ([0, 20], [(4, 0), (0, 0)], [1, 1], [0, 20]),  # exactly as far apart as they have to be
        ([0, 19], [(0, 0), (0, 4)], [1, 1], [-0.5, 19.5]),
        ([0, 0], [(2, 9), (9, 0)], [1, 1], [-9, 9]),  # nothing but what lies between them counts
        ([0, 0], [(2, 9), (9, 0)], [3, 1], [-4.5, 13.5]),
        ([10, 10, 10], [(1, 1)] * 3, [1, 1, 1], [-8, 10, 28]),
        ([30, 10, 50], [(0, 0)] * 3, [1, 1, 2], [12, 28, 50]),
        ([5], [(7, 9)], [4], [5]),
    ],
)
def test_a_column_is_moved_apart_by_the_least_squares(
    wanted: Sequence[float], sizes: Sequence[tuple[float, float]], firm: Sequence[float], heights: Sequence[float]
) -> None:
    column = tuple(Slot(False, str(number), 0) for number in range(len(wanted)))
    extents = {place: Extent(1, above, below) for place, (above, below) in zip(column, sizes, strict=True)}
    assert separated([float(each) for each in wanted], column, extents, firm) == pytest.approx(heights)
