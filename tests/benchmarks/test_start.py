"""The first answer on a machine without compiled kernels, the second one, and what pictures and tables cost a run.

python -m pytest tests/benchmarks/test_start.py -o addopts="" -s
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

NETWORKS = Path(__file__).parents[2] / "scenarios" / "networks"
KERNELS = NETWORKS.parent / "kernels"
COMMANDS = {
    "run": ["run", "--engine", "compiled", str(NETWORKS / "fork_join.toml")],
    "size": ["size", str(NETWORKS / "fork_join.toml")],
    "size of 251 FIFOs": ["size", str(NETWORKS / "resnet.toml"), "--no-front"],
    "explain": ["explain", str(NETWORKS / "fork_join.toml")],
    "profile": ["profile", str(KERNELS / "gemm.c")],
    "schedule": ["schedule", str(KERNELS / "gemm.c")],
}
STAGES = {"read": 2, "demosaic": 6, "denoise": 9, "gamma": 3, "blur": 5, "edges": 7, "sobel": 8, "cut": 2, "write": 2}


def seconds_of(arguments: list[str], caches: Path) -> float:
    """Return the processor time (s) of a command."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(caches), "XDG_CACHE_HOME": str(caches)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "ppnsim", *arguments], env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("name", COMMANDS)
def test_the_first_answer(benchmark: Any, name: str, tmp_path: Path) -> None:
    first = seconds_of(COMMANDS[name], tmp_path)
    second = benchmark.pedantic(lambda: seconds_of(COMMANDS[name], tmp_path), rounds=1)
    benchmark.extra_info |= {"first": round(first, 2), "second": round(second, 2)}
    assert first < 3


@pytest.mark.parametrize("latency", ["9", "{ uniform = [3, 11], seed = 1 }"])
def test_what_a_frame_costs_with_its_pictures(benchmark: Any, latency: str, tmp_path: Path) -> None:
    """1080p through nine stages, repeating itself and not."""
    lines = [f"process.{name} = {{ firings = {1920 * 1080}, latency = {each} }}" for name, each in STAGES.items()]
    lines[2] = lines[2].replace("latency = 9", f"latency = {latency}")
    lines += [
        f'channel.{a}_{b} = {{ from = "{a}", to = "{b}", depth = 4 }}'
        for a, b in zip(list(STAGES), list(STAGES)[1:], strict=False)
    ]
    file = tmp_path / "frame.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    seconds_of(["run", str(file)], tmp_path)  # compiles
    alone = seconds_of(["run", str(file)], tmp_path)
    out = ["run", str(file), "--out", str(tmp_path / "out")]
    both = benchmark.pedantic(lambda: seconds_of(out, tmp_path), rounds=1)
    benchmark.extra_info |= {"run": round(alone, 2), "run --out": round(both, 2), "ratio": round(both / alone, 2)}
