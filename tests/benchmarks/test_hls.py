"""Scheduling the synthesised PolyBench kernels: seconds for each, which the issue wants below one; and what helps."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.hls.graph.graph import BackEdge, Graph
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import SINGLE
from ppnsim.hls.rules import TOOL
from ppnsim.hls.schedule import attempts
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
    monkeypatch.setattr(attempts, "circuit_ii", lambda *_: 1)
    assert modulo_schedule(graph, library, TOOL, asked=True) == found
    every = time.process_time() - between
    benchmark.extra_info |= {"every form tried": round(every, 3), "ratio": round((between - began) / every, 2)}


def read_seconds(folder: Path, functions: int) -> float:
    """Return the seconds to read a kernel that calls some functions, each with a directive that names a constant."""
    loop = "for (int i = 0; i < 8; i++) {\n#pragma HLS loop_tripcount max=MOST\n b[i] = a[i]; }"
    text = "enum { MOST = 8 };\n" + "".join(
        f"static void f{n}(int a[8], int b[8]) {{ {loop} }}\n" for n in range(functions)
    )
    calls = "".join(f"f{n}(a, b); " for n in range(functions))
    (file := folder / f"k{functions}.cpp").write_text(f"{text}void k(int a[8], int b[8]) {{ {calls}}}\n")
    began = time.process_time()
    (program,) = load_programs(str(file), policy=HARDWARE, function="k")
    seconds = time.process_time() - began
    assert len(program.statements()) == functions  # each call was opened, so that the whole source was read
    return seconds


def test_reading_many_functions(benchmark: Any, tmp_path: Path) -> None:
    """Directives that are looked up by halving: four times as many functions take about four times as long."""
    read_seconds(tmp_path, 10)
    few = min(read_seconds(tmp_path, 250) for _ in range(2))
    many = benchmark.pedantic(lambda: read_seconds(tmp_path, 1000), rounds=1)
    benchmark.extra_info |= {"of 250": round(few, 2), "of 1000": round(many, 2), "ratio": round(many / few, 1)}
