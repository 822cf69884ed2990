"""Memory and time of runs of 10^8 firings that never repeat, with all their figures.

python -m pytest tests/benchmarks/test_long_runs.py -o addopts="" -s
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

FIRINGS = 100_000_000  # of all processes together
MOST = 400  # MB

# what is said of a row of four processes, and the most tokens that its FIFOs hold
ROWS = {
    "depth 4": ("depth=4, ii=(1, 3, 1, 2)", None),
    "unbounded, never full": ("depth=None, ii=(3, 2, 1, 1)", None),
    "unbounded, filling": ("depth=None, ii=(1, 2, 3, 4)", None),
    "latencies drawn, depth 4": ("depth=4", (2, 9)),
    "latencies drawn, filling": ("depth=None, ii=(1, 2, 3, 4)", (2, 9)),
}
PROGRAM = """
import json, resource, time
from dataclasses import replace
from ppnsim.engines.run import run
from ppnsim.model.builders import chain
from ppnsim.model.latency import Distribution
from ppnsim.model.summary import summary_of

def network(firings):
    made = chain(length=4, firings=firings, {row})
    uniform = {uniform}
    latencies = [Distribution("uniform", uniform, seed=each) if uniform else 1 for each in range(4)]
    return made.replace(processes=[replace(each, latency=own) for each, own in zip(made.processes, latencies)])

run(network(1000), engine="compiled", fast_forward=False)
begin = time.process_time()
summary = summary_of(run(network({firings} // 4), engine="compiled", fast_forward=False))
print(json.dumps({{
    "seconds": round(time.process_time() - begin, 1),
    "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    "finish": summary.run.finish, "held": max(summary.occupancy.values()),
    "cycles": sum(each.cycles.starting for each in summary.processes.values()),
}}))
"""


@pytest.mark.parametrize("name", ROWS)
def test_memory_does_not_grow_with_firings_nor_with_tokens_held(benchmark: Any, name: str) -> None:
    row, uniform = ROWS[name]
    program = PROGRAM.format(row=row, uniform=uniform, firings=FIRINGS)

    def measured() -> dict[str, Any]:
        done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    found = benchmark.pedantic(measured, rounds=1)
    assert found["MB"] < MOST
    assert found["cycles"] == FIRINGS  # of each firing a start
    benchmark.extra_info |= found
