"""Scheduling the synthesised PolyBench kernels: seconds for each, which the issue wants below one; and what helps."""

from __future__ import annotations

import time
from typing import Any

import pytest

from ppnsim.hls.graph.graph import BackEdge, Graph
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import SINGLE
from ppnsim.hls.rules import TOOL
from ppnsim.hls.schedule import recurrences
from ppnsim.hls.schedule.recurrences import modulo_schedule
from validation.hls.cases import cases, program, schedule


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_seconds_to_schedule(benchmark: Any, case: Any) -> None:
    program(case.name)  # parsing is not what is measured
    machine, _ = benchmark.pedantic(lambda: schedule(case), rounds=2)
    assert abs(machine.cycles - case.cycles) <= 0.02 * case.cycles


def sums(count: int) -> Graph:
    """Return a body of sums, each of which the next iteration adds to; their operator has two faster forms."""
    graph = Graph()
    for n in range(count):
        first = graph.add("phi", f"s{n}", SINGLE)
        value = graph.add("load", f"a{n}", SINGLE, states=2)
        last = graph.add("op", "add", SINGLE, (first, value), states=8, pressed=(6, 4))
        graph.back.append(BackEdge(last, first, 1, "register", f"recurrence through s{n}"))
    return graph


def test_forms_that_circuits_exclude_cost_nothing(benchmark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, library = sums(400), load_library("xc7z020", 10)
    found = benchmark.pedantic(lambda: modulo_schedule(graph, library, TOOL, asked=True), rounds=3)
    began = time.process_time()
    modulo_schedule(graph, library, TOOL, asked=True)
    between = time.process_time()
    monkeypatch.setattr(recurrences, "circuit_ii", lambda *_: 1)
    assert modulo_schedule(graph, library, TOOL, asked=True) == found
    every = time.process_time() - between
    benchmark.extra_info |= {"every form tried": round(every, 3), "ratio": round((between - began) / every, 2)}
