"""The interval that circuits of dependences need: no schedule has a shorter one, and the search begins below it."""

from __future__ import annotations

import random
from typing import Any
from unittest.mock import patch

import pytest

from ppnsim.hls.graph.graph import Back, BackEdge, Graph
from ppnsim.hls.graph.order import order_of
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.hls.rules import TOOL
from ppnsim.hls.schedule import attempts, circuits
from ppnsim.hls.schedule.circuits import circuit_ii
from ppnsim.hls.schedule.recurrences import modulo_schedule
from ppnsim.hls.schedule.scheduler import ListScheduler

LIBRARY = load_library("xc7z020", 10)
NUMBER = Format.of("int")


def _drawn(seed: int) -> Graph:
    """Return a body of phis, loads, stores and operators of several states, with dependences between iterations."""
    draw, graph = random.Random(seed), Graph()
    phis = [graph.add("phi", f"p{n}", NUMBER) for n in range(2)]
    for n in range(12):
        operands = tuple(draw.sample(range(len(graph.nodes)), 2))
        more = (
            {"port": draw.choice(("m", "q")), "states": 1}
            if draw.random() < 0.3
            else {"states": draw.choice((0, 1, 5))}
        )
        kind = "load" if "port" in more else "op"
        graph.add(kind, f"n{n}", NUMBER, operands, delay=draw.choice((0.5, 3.0)), **more)
        if draw.random() < 0.3:
            graph.order(draw.randrange(len(graph.nodes) - 1), len(graph.nodes) - 1, draw.choice((0, 1)))
    for phi in phis:
        kinds: list[Back] = ["value", "register", "ram"]
        source, distance = draw.randrange(2, len(graph.nodes)), draw.choice((1, 2))
        graph.back.append(BackEdge(source, phi, distance, draw.choice(kinds), f"recurrence of {phi}"))
    return graph


@pytest.mark.parametrize("seed", range(25))
def test_no_schedule_has_a_shorter_interval_than_circuits_need(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = _drawn(seed)
    found = modulo_schedule(graph, LIBRARY, TOOL)
    order = order_of(graph, LIBRARY)
    assert circuit_ii(graph, order.sequence, order.height) <= found.ii
    monkeypatch.setattr(attempts, "circuit_ii", lambda *_: 1)
    assert modulo_schedule(graph, LIBRARY, TOOL) == found


def test_an_interval_is_tried_once() -> None:
    graph = Graph()
    first = graph.add("phi", "x", NUMBER)
    last = graph.add("op", "select", NUMBER, (graph.add("op", "cmp", NUMBER, (first,), delay=0.5),), delay=0.5)
    graph.back.append(BackEdge(last, first, 1, "register", "recurrence through x"))  # it may go around in a state
    with patch.object(ListScheduler, "schedule", autospec=True, side_effect=ListScheduler.schedule) as placed:
        assert modulo_schedule(graph, LIBRARY, TOOL).ii == 1
    assert placed.call_count == 1


def test_the_search_passes_intervals_that_a_circuit_excludes(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Graph()
    first = last = graph.add("phi", "x", NUMBER)
    for n in range(10):
        last = graph.add("op", f"n{n}", NUMBER, (last,), states=8)
    graph.back.append(BackEdge(last, first, 2, "value", "recurrence through x"))
    tried: list[int] = []

    def noted(*given: Any, ii: int, **more: Any) -> ListScheduler:
        tried.append(ii)
        return ListScheduler(*given, ii=ii, **more)

    monkeypatch.setattr(attempts, "ListScheduler", noted)
    found = modulo_schedule(graph, LIBRARY, TOOL)
    # 80 states in two iterations; that 39 are too few is told by the recurrence, as before.
    assert (found.ii, found.bound, set(tried)) == (40, "recurrence through x", {1, 39, 40})


def test_forms_whose_circuits_are_too_long_for_an_interval_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, real = Graph(), Format.of("float")
    first = graph.add("phi", "x", real)
    last = graph.add("op", "add", real, (first,), states=8, pressed=(6, 4))
    graph.back.append(BackEdge(last, first, 1, "register", "recurrence through x"))
    tried: list[tuple[int, int]] = []

    def noted(given: Graph, *others: Any, ii: int, **more: Any) -> ListScheduler:
        tried.append((given.nodes[last].states, ii))
        return ListScheduler(given, *others, ii=ii, **more)

    monkeypatch.setattr(attempts, "ListScheduler", noted)
    found = modulo_schedule(graph, LIBRARY, TOOL, asked=True)
    # The fastest form says what keeps it from a shorter interval; the others cannot have one of theirs.
    assert (found.ii, found.forms, set(tried)) == (4, {last: 4}, {(4, 1), (4, 3), (4, 4)})


def test_a_circuit_through_what_is_not_executed_needs_nothing() -> None:
    graph = Graph()
    first = graph.add("phi", "x", NUMBER)
    middle = graph.add("dead", "gone", NUMBER, (first,), states=50)
    last = graph.add("op", "add", NUMBER, (middle,), states=3)
    graph.back.append(BackEdge(last, first, 1, "value", ""))
    assert circuit_ii(graph, (first, middle, last), (0.0, 0.0, 0.0)) == 1


def test_long_circuits_are_followed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Graph()
    for n in range(40):  # many short circuits, in text before the long one
        first = graph.add("phi", f"x{n}", NUMBER)
        last = graph.add("op", "add", NUMBER, (graph.add("op", "add", NUMBER, (first,), states=1),), states=1)
        graph.back.append(BackEdge(last, first, 1, "register", f"recurrence through x{n}"))
    first = last = graph.add("phi", "y", NUMBER)
    for n in range(10):
        last = graph.add("op", f"n{n}", NUMBER, (last,), states=8)
    graph.back.append(BackEdge(last, first, 1, "register", "recurrence through y"))
    monkeypatch.setattr(circuits, "_LOOKS", 0.2)  # 26 looks: eight of the short circuits
    order = order_of(graph, LIBRARY)
    assert circuit_ii(graph, order.sequence, order.height) == 80
