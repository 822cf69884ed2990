"""A scheduler that is asked again places only what moves: its schedules are those of a new scheduler."""

from __future__ import annotations

import random

import pytest

from ppnsim.hls.graph.exclusive import NONE
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.order import order_of
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.hls.rules import TOOL
from ppnsim.hls.schedule.scheduler import ListScheduler, Schedule, list_schedule
from ppnsim.hls.schedule.slots import NoSlot

LIBRARY = load_library("xc7z020", 10)
NUMBER = Format.of("int")
UNITS = {"mul": 1, "div": 2}


def _drawn(draw: random.Random) -> Graph:
    """Return a body of inputs, accesses over two ports, chained adders, and operators that share units."""
    graph = Graph()
    for n in range(4):
        graph.add("input", f"i{n}", NUMBER)
    for n in range(40):
        operands, ways = tuple(draw.sample(range(len(graph.nodes)), 2)), frozenset((draw.choice((5, -5)),))
        match draw.choice(("add", "add", "load", "store", "mul", "div", "dead")):
            case "add":
                graph.add("op", "add", NUMBER, operands, delay=draw.choice((1.0, 2.5)))
            case "load":
                graph.add("load", f"l{n}", NUMBER, operands, port=draw.choice("ab"), states=1, delay=1.0,
                          ways=draw.choice((NONE, ways)))  # fmt: skip
            case "store":
                graph.add("store", f"s{n}", NUMBER, operands[:1], port=draw.choice("ab"), states=1)
            case "dead":
                graph.add("dead", "gone", NUMBER, operands)
            case unit:
                graph.add("op", unit, NUMBER, operands, states=draw.choice((2, 4)), unit=unit)
        if draw.random() < 0.2:
            graph.order(draw.randrange(len(graph.nodes) - 1), len(graph.nodes) - 1, draw.choice((0, 3)))
    return graph


@pytest.mark.parametrize("seed", range(40))
def test_a_schedule_with_other_earliest_times_is_that_of_a_new_scheduler(seed: int) -> None:
    draw = random.Random(seed)
    graph, ii = _drawn(draw), draw.choice((0, 3, 4, 5, 12))
    order = order_of(graph, LIBRARY)
    again = ListScheduler(graph, LIBRARY, TOOL, ii=ii, units=UNITS, order=order)
    earliest: dict[int, tuple[int, float]] = {}
    found = set[str]()
    for _ in range(12):
        try:
            new: Schedule | None = list_schedule(
                graph, LIBRARY, TOOL, ii=ii, earliest=earliest, units=UNITS, order=order
            )
        except NoSlot:
            new = None
            with pytest.raises(NoSlot):
                again.schedule(earliest)
        else:
            assert again.schedule(earliest) == new
        found.add(str(new))
        for n in draw.sample(range(len(graph.nodes)), 3):  # times move forth and back, and are given up
            earliest[n] = draw.randrange(30), draw.choice((0.0, 1.0))
        if draw.random() < 0.3:
            earliest.clear()
    assert len(found) > 2 or found == {"None"}  # what is compared moves
