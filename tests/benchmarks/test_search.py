"""What searches wait for: many depth vectors of one network, long runs that repeat, and sizes of published designs.

python -m pytest tests/benchmarks/test_search.py -o addopts="" -s
"""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from ppnsim.engines.evaluate import Evaluator
from ppnsim.engines.run import run
from ppnsim.explore.fifo.problem import worst
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.model.builders import chain
from ppnsim.model.network import Network
from tests.benchmarks.test_compiled import least, with_feedback
from validation.rtl.section import design_network, designs, name_of

VECTORS = 1000
FEW, MANY = 10**4, 10**7
MOST_CHANNELS = 10


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_thousand_depth_vectors(benchmark: Any, seed: int) -> None:
    """Of 20 processes with 100 000 firings in all; the bar is a second."""
    network = with_feedback(seed, firings=5000)
    drawn = random.Random(seed)
    vectors = [
        {channel.name: max(1, channel.initial) + drawn.randint(0, 8) for channel in network.channels}
        for _ in range(VECTORS)
    ]
    trial = Evaluator(network)
    found = benchmark.pedantic(lambda: [trial.finish(vector) for vector in vectors], rounds=3, warmup_rounds=1)
    walked = Evaluator(network, fast_forward=False)
    assert found[:20] == [walked.finish(vector) for vector in vectors[:20]]


@pytest.mark.parametrize("name", ["chain", "feedback"])
def test_a_thousand_times_the_firings_take_as_long(benchmark: Any, name: str) -> None:
    """10^7 firings per process against 10^4; the bar is 1.5 times the time."""

    def network(firings: int) -> Network:
        return chain(firings=firings, length=8, depth=2) if name == "chain" else with_feedback(1, firings=firings)

    few, many = network(FEW), network(MANY)
    short = least(lambda: run(few, engine="compiled"))
    long = benchmark.pedantic(lambda: least(lambda: run(many, engine="compiled")), rounds=1)
    benchmark.extra_info |= {"milliseconds": [round(1e3 * seconds, 2) for seconds in (short, long)]}
    benchmark.extra_info["ratio"] = round(long / short, 2)
    outcome = run(many, engine="compiled")
    assert outcome.steady is not None
    whole = run(few, engine="compiled", fast_forward=False).finish
    assert whole is not None
    assert outcome.finish == whole + (MANY - FEW) * outcome.steady.period


@pytest.mark.parametrize("design", [each for each in designs() if len(each["channels"]) <= MOST_CHANNELS], ids=name_of)
def test_sizes_of_published_designs(benchmark: Any, design: dict[str, Any]) -> None:
    """All four questions, the target being 5 % more than the unbounded finish; the bar is a minute each."""
    problem = problem_of([design_network(design)])
    fastest = worst(problem.unbounded)
    assert isinstance(fastest, int)
    sizing = FifoSizing(problem=problem, target=fastest + fastest // 20)
    begin = time.process_time()
    answers = benchmark.pedantic(sizing.run, rounds=1)
    assert time.process_time() - begin < 60
    assert not answers.gaps
    assert all(found.certified for found in answers.found.values())
