"""The SimPy engine on an 8-process chain, its memory, and the start-up of the command line.

Run with ``python -m pytest tests/benchmarks -o addopts=""``; firings/s are in ``extra_info``, which
``--benchmark-json PATH`` writes out.
"""

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
import simpy

from ppnsim.engines.program import Program
from ppnsim.engines.run import run
from ppnsim.model.builders import chain

FIRINGS = 5_000
LENGTH = 8
T = TypeVar("T")


def measured(benchmark: Any, work: Callable[[], T], *, rounds: int = 5) -> T:
    """Run ``work`` in rounds after a warm-up and note its firings per second."""
    result: T = benchmark.pedantic(work, rounds=rounds, warmup_rounds=1)
    benchmark.extra_info["firings_per_second"] = round(FIRINGS * LENGTH / benchmark.stats.stats.min)
    return result


@pytest.mark.parametrize("depth", [2, 16])
@pytest.mark.parametrize("style", ["elastic", "flushable", "frozen"])
def test_firings_per_second_on_a_chain(benchmark: Any, depth: int, style: str) -> None:
    program = Program.of(chain(firings=FIRINGS, length=LENGTH, depth=depth, style=style))  # type: ignore[arg-type]
    assert measured(benchmark, lambda: run(program)).finish is not None


def test_firings_per_second_of_plain_simpy_stores(benchmark: Any) -> None:
    """What one writes by hand first: ``simpy.Store`` between processes, no pipelining, no record."""

    def plain() -> float:
        env = simpy.Environment()
        stores = [simpy.Store(env, capacity=2) for _ in range(LENGTH - 1)]

        def process(number: int):  # type: ignore[no-untyped-def]
            for _ in range(FIRINGS):
                if number:
                    yield stores[number - 1].get()
                yield env.timeout(1)
                if number < LENGTH - 1:
                    yield stores[number].put(None)

        for number in range(LENGTH):
            env.process(process(number))
        env.run()
        return env.now

    assert measured(benchmark, plain) >= FIRINGS


def test_memory_per_firing(benchmark: Any) -> None:
    program = Program.of(chain(firings=FIRINGS, length=LENGTH, depth=2))

    def peak() -> int:
        tracemalloc.start()
        run(program)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    most = benchmark.pedantic(peak, rounds=1)
    benchmark.extra_info["peak_bytes_per_firing"] = round(most / (FIRINGS * LENGTH), 1)
    assert most > 0


def test_start_up_of_help(benchmark: Any) -> None:
    command = [sys.executable, "-m", "ppnsim", "--help"]
    shown = benchmark.pedantic(lambda: subprocess.run(command, capture_output=True, check=True), rounds=5)
    assert b"scenarios" in shown.stdout
