"""The bank queue: a million requests through the compiled loop on one core, and SimPy beside it.

Run with ``python -m pytest tests/benchmarks/test_memory.py -o addopts="" -s``; requests/s and seconds are in
``extra_info``. Cold is a new process with an empty cache of machine code, compilation included.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ppnsim.memory.model.presets import preset
from ppnsim.memory.model.traffic import Traffic
from ppnsim.memory.run.record import MemoryRun
from ppnsim.memory.run.traffic import run_memory

REQUESTS = 1_000_000
_COLD = (
    "import time; began = time.perf_counter()\n"
    "from ppnsim.memory.run.traffic import run_memory\n"
    "from ppnsim.memory.model.presets import preset\n"
    "from ppnsim.memory.model.traffic import Traffic\n"
    f"run_memory(preset('DDR4-2400').dram, Traffic(outstanding=32, requests={REQUESTS}))\n"
    "print(time.perf_counter() - began)"
)
CASES: dict[str, tuple[str, Traffic]] = {
    "random, 32 under way": ("DDR4-2400", Traffic(outstanding=32, requests=REQUESTS)),
    "random, 1 under way": ("DDR4-2400", Traffic(outstanding=1, requests=REQUESTS)),
    "half writes": ("DDR4-2400", Traffic(outstanding=64, write_fraction=Fraction(1, 2), requests=REQUESTS)),
    "stream": ("DDR4-2400", Traffic(pattern="seq", outstanding=32, requests=REQUESTS)),
    "chains": ("DDR4-2400", Traffic(pattern="chain", outstanding=16, burst=4, requests=REQUESTS)),
    "8 channels": ("HBM2", Traffic(outstanding=256, requests=REQUESTS)),
}


@pytest.mark.parametrize("name", CASES)
def test_a_million_requests(benchmark: Any, name: str) -> None:
    memory, traffic = CASES[name]

    def work() -> tuple[float, MemoryRun]:
        began = time.process_time()
        outcome = run_memory(preset(memory).dram, traffic)
        return time.process_time() - began, outcome

    seconds, outcome = benchmark.pedantic(work, rounds=1, warmup_rounds=1)
    benchmark.extra_info["requests_per_second"] = round(REQUESTS / seconds)
    benchmark.extra_info["cpu_seconds"] = seconds
    assert int((outcome.done >= 0).sum()) >= REQUESTS


def test_cold_start(benchmark: Any, tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}

    def work() -> float:
        shown = subprocess.run([sys.executable, "-c", _COLD], env=environment, capture_output=True, check=True)
        return float(shown.stdout)

    cold, warm = work(), benchmark.pedantic(work, rounds=1)
    benchmark.extra_info |= {"cold_seconds": cold, "warm_seconds": warm}
    assert any(tmp_path.rglob("queue*.nbi"))  # the second process found the machine code of the first


def test_requests_per_second_of_the_definition(benchmark: Any) -> None:
    traffic = Traffic(outstanding=32, requests=20_000)
    memory = preset("DDR4-2400").dram
    outcome = benchmark.pedantic(lambda: run_memory(memory, traffic, engine="des"), rounds=2)
    assert np.array_equal(outcome.done, run_memory(memory, traffic).done)
    benchmark.extra_info["requests_per_second"] = round(20_000 / benchmark.stats.stats.min)
