"""The first answer on a machine without compiled kernels, the second one, and what a page and tables cost a run.

python -m pytest tests/benchmarks/test_start.py -o addopts="" -s
"""

from __future__ import annotations

import os
import re
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
    "size of 21 FIFOs": ["size", str(NETWORKS / "resnet.toml"), "--no-front"],
    "explain": ["explain", str(NETWORKS / "fork_join.toml")],
    "profile": ["profile", str(KERNELS / "gemm.c")],
    "schedule": ["schedule", str(KERNELS / "gemm.c")],
}
STAGES = {"read": 2, "demosaic": 6, "denoise": 9, "gamma": 3, "blur": 5, "edges": 7, "sobel": 8, "cut": 2, "write": 2}


def answer(arguments: list[str], caches: Path) -> tuple[str, float]:
    """Return what a command says, without the seconds that it says it took, and the processor time (s) of it."""
    environment = os.environ | {"XDG_CACHE_HOME": str(caches)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "ppnsim", *arguments]
    said = subprocess.run(command, env=environment, capture_output=True, check=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return re.sub(r"\d+\.\d+ s\b", "- s", said), seconds


@pytest.mark.parametrize("name", COMMANDS)
def test_the_first_answer(benchmark: Any, name: str, tmp_path: Path) -> None:
    told, first = answer(COMMANDS[name], tmp_path)
    again, second = benchmark.pedantic(lambda: answer(COMMANDS[name], tmp_path), rounds=1)
    benchmark.extra_info |= {"first": round(first, 2), "second": round(second, 2)}
    assert told == again != ""


@pytest.mark.parametrize("latency", ["9", "{ uniform = [3, 11], seed = 1 }"])
def test_what_a_frame_costs_with_its_page(benchmark: Any, latency: str, tmp_path: Path) -> None:
    """1080p through nine stages, repeating itself and not."""
    lines = [f"process.{name} = {{ firings = {1920 * 1080}, latency = {each} }}" for name, each in STAGES.items()]
    lines[2] = lines[2].replace("latency = 9", f"latency = {latency}")
    lines += [
        f'channel.{a}_{b} = {{ from = "{a}", to = "{b}", depth = 4 }}'
        for a, b in zip(list(STAGES), list(STAGES)[1:], strict=False)
    ]
    file = tmp_path / "frame.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    answer(["run", str(file)], tmp_path)  # compiles
    told, alone = answer(["run", str(file)], tmp_path)
    out = ["run", str(file), "--out", str(tmp_path / "out")]
    written, both = benchmark.pedantic(lambda: answer(out, tmp_path), rounds=1)
    assert set(told.splitlines()[1:]) <= set(written.splitlines())
    names = {each.name for each in tmp_path.glob("out/*")}
    assert {"result.json", "timeline.csv", "occupancy.csv", "report.html"} <= names
    file.write_text("\n".join(lines).replace(str(1920 * 1080), "3000"), encoding="utf-8")
    _, fixed = answer(out, tmp_path)  # the tables and the page, however short the run
    benchmark.extra_info |= {"run": round(alone, 2), "run --out": round(both, 2), "of 3000 firings": round(fixed, 2)}
