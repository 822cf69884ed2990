"""Estimates of loop programs: atax 8000 x 8000 from a cold start, and the cost of one execution.

Run with ``python -m pytest tests/benchmarks/test_program_estimate.py -o addopts=""``; ns per execution and the peak
resident size are in ``extra_info``, which ``--benchmark-json PATH`` writes out.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COLD = """
import json, resource, sys, time
started = time.perf_counter()
from ppnsim.derive.estimate.estimate import estimate_program
from tests.derive.test_program_estimate import atax
estimate = estimate_program(atax(int(sys.argv[1])), latency=3, io=sys.argv[2] == "io")
print(json.dumps({
    "executions": estimate.executions,
    "finish": [estimate.absolute.finish, estimate.unbounded.finish],
    "maximum": [estimate.absolute.maximum, estimate.unbounded.maximum],
    "seconds": time.perf_counter() - started,
    "gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
}))
"""


@pytest.mark.slow
@pytest.mark.parametrize("streams", ["alone", "io"])
@pytest.mark.parametrize("kernels", ["none yet", "compiled before"])
def test_atax_8000(benchmark: Any, tmp_path: Path, kernels: str, streams: str) -> None:
    """A process of its own each time, on one core where the system lets us say so, compiling included."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", COLD, "8000", streams]
    if hasattr(os, "sched_setaffinity"):
        command = ["taskset", "-c", str(min(os.sched_getaffinity(0))), *command]

    def profile() -> str:
        return subprocess.run(command, env=environment, capture_output=True, check=True, text=True).stdout

    if kernels == "compiled before":
        profile()
    found = json.loads(benchmark.pedantic(profile, rounds=1))
    found["ns_per_execution"] = round(1e9 * found["seconds"] / found["executions"], 1)
    benchmark.extra_info.update(found)
    assert found["executions"] == (192_024_000 if streams == "io" else 128_008_000)
    assert None not in found["maximum"]
    assert found["gigabytes"] < 2
