"""Sizes with proof for networks of 64 to 1001 FIFOs, for random multirate networks of 100, and a front by period.

python -m pytest tests/benchmarks/test_sizing.py -o addopts="" -s
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from ppnsim.engines.run import run
from ppnsim.explore.fifo import problem as problem_module
from ppnsim.explore.fifo import proposals as proposals_module
from ppnsim.explore.fifo import sizing as sizing_module
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.explore.fifo.stop import Stop
from ppnsim.model.builders import fork_join
from ppnsim.model.designs import fft, image_pipeline, multirate, residual, systolic, transformer
from ppnsim.model.network import Network
from validation.dataflow.claims import claims_network
from validation.dataflow.data import load

# design, FIFOs, tokens that are enough, seconds
DESIGNS: dict[str, tuple[Callable[[], Network], int, int | None, float]] = {
    "FFT 16": (lambda: fft(points=16), 64, 144, 1),
    "transformer, 2 layers x 8 heads": (lambda: transformer(layers=2, heads=8), 163, None, 10),
    "residual network, 50 blocks": (lambda: residual(blocks=50), 251, None, 10),
    "FFT 64": (lambda: fft(points=64), 384, 832, 10),
    "systolic 16 x 16": (lambda: systolic(rows=16, columns=16), 512, 1278, 20),
    "residual network, 200 blocks": (lambda: residual(blocks=200), 1001, None, 60),
    "image pipeline, 4 filters": (image_pipeline, 22, None, 20),
}
RANDOM, FIFOS = 100, 100


def timed(network: Network, stop: Stop) -> tuple[FifoSizing, float]:
    begin = time.process_time()
    sizing = FifoSizing(problem=problem_of([network]), with_front=False, stop=stop)
    sizing.run()
    return sizing, time.process_time() - begin


@pytest.fixture
def seconds_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``Stop(seconds)`` count processor time: others may load the machine."""
    clock = SimpleNamespace(monotonic=time.process_time)
    for module in (sizing_module, problem_module, proposals_module):
        monkeypatch.setattr(module, "time", clock)


@pytest.fixture(scope="module", autouse=True)
def _kernels() -> None:
    timed(fork_join(firings=20), Stop())


@pytest.mark.parametrize("name", DESIGNS)
def test_designs_are_proven(benchmark: Any, name: str) -> None:
    make, channels, enough, most = DESIGNS[name]
    network = make()
    assert len(network.channels) == channels
    sizing, seconds = benchmark.pedantic(lambda: timed(network, Stop()), rounds=1)
    lossless = sizing.answers.found["lossless"]
    assert lossless.certified
    assert enough is None or lossless.cost <= enough
    assert run(network, engine="des", depths=sizing.problem.depths(lossless.vector)).finish == lossless.time
    assert seconds < most
    benchmark.extra_info |= {"fifos": channels, "tokens": lossless.cost, "seconds": round(seconds, 2)}


@pytest.mark.usefixtures("seconds_of_the_processor")
def test_random_multirate_networks(benchmark: Any) -> None:
    worst: list[tuple[float, int, float]] = []

    def all_of_them() -> list[float]:
        gaps = []
        worst.clear()
        for seed in range(RANDOM):
            sizing, seconds = timed(multirate(channels=FIFOS, seed=seed), Stop(seconds=10))
            lossless = sizing.answers.found.get("lossless")
            lower = next((gap.lower for gap in sizing.answers.gaps if gap.question == "lossless"), None)
            gap = 0.0 if lossless and lossless.certified else 9.9
            if lossless and lower:
                gap = lossless.cost / lower - 1
            gaps.append(gap)
            worst.append((round(gap, 4), seed, round(seconds, 1)))
        return gaps

    gaps = benchmark.pedantic(all_of_them, rounds=1)
    benchmark.extra_info |= {"proven": gaps.count(0.0), "worst (gap, seed, seconds)": sorted(worst)[-5:]}
    assert sum(gap == 0.0 for gap in gaps) >= RANDOM // 2
    assert sum(gap <= 0.01 for gap in gaps) == RANDOM


def test_a_front_by_period_over_rates_of_594(benchmark: Any) -> None:
    case = next(each for each in load()["sdf_csdf_cases"] if each["id"] == "sdf3_h263decoder")
    network, rooms = claims_network(case)
    free = {channel.name: None for channel in network.channels if channel.name not in rooms}
    sizing = FifoSizing(problem=problem_of([network], objective="period", limits=free), stop=Stop(seconds=600))
    begin = time.process_time()
    benchmark.pedantic(sizing.run, rounds=1)
    seconds = time.process_time() - begin
    assert len(sizing.answers.front) == len(case["expected"]["bounded"]["pareto"])
    assert not sizing.answers.gaps
    assert seconds < 30
    benchmark.extra_info |= {"points": len(sizing.answers.front), "seconds": round(seconds, 2)}
