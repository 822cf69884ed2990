"""What searches wait for: many depth vectors of one network, long runs that repeat, and sizes of published designs.

python -m pytest tests/benchmarks/test_search.py -o addopts="" -s
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.tape import BASE, DONE
from ppnsim.engines.compiled.tapes import Tapes
from ppnsim.engines.evaluate import Evaluator
from ppnsim.engines.run import run
from ppnsim.explore.fifo.problem import worst
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.kernel_cache import Interpreter
from ppnsim.machine_code.kernels import _MachineCode
from ppnsim.model.builders import chain
from ppnsim.model.designs import fft, image_pipeline, residual, transformer
from ppnsim.model.network import Channel, Network, Process
from tests.benchmarks.test_compiled import NO_LIMIT, least, with_feedback
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


def nine_stages() -> Network:
    """Return an image pipeline whose filter lines up 66 pixels: 28 000 firings that never repeat."""
    names = ("camera", "debayer", "split", "blur", "gain", "edge", "mix", "shrink", "sink")
    firings = {"blur": 3138, "sink": 768}
    latency = {"debayer": 6, "blur": 9, "gain": 4, "edge": 11, "mix": 5, "shrink": 2}
    rates: dict[str, dict[str, Any]] = {
        "a": {"consume": [1] * 3072 + [0] * 66}, "b": {"produce": [0] * 66 + [1] * 3072},
        "g": {"produce": [0] * 64 + [0, 1] * 32},
    }  # fmt: skip
    ends = {
        "raw": "camera debayer", "rgb": "debayer split", "a": "split blur", "b": "blur edge", "c": "split gain",
        "d": "gain mix", "e": "edge mix", "f": "mix shrink", "g": "shrink sink",
    }  # fmt: skip
    processes = [
        Process(name=each, firings=firings.get(each, 3072), latency=latency.get(each, 1), ii=1 + (each == "sink"))
        for each in names
    ]
    channels = [
        Channel(name=name, source=pair.split()[0], target=pair.split()[1], depth=2, **rates.get(name, {}))
        for name, pair in ends.items()
    ]
    return Network(name="nine stages", processes=processes, channels=channels)


SIZED: dict[str, Callable[[], Network]] = {
    "residual, 251 FIFOs": lambda: residual(blocks=50), "transformer": lambda: transformer(layers=2, heads=8),
    "image pipeline": image_pipeline, "FFT 16": lambda: fft(points=16), "nine stages": nine_stages,
}  # fmt: skip


@pytest.mark.parametrize("name", SIZED)
def test_what_lanes_and_checkpoints_could_gain(benchmark: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Why vectors are run one by one and whole: the share of kernels in a sizing, and of a run that a change leaves.

    Kernels without any time bound what SIMD lanes gain. The passings before the first that differs from the run before
    bound what is gained by running only what a changed depth can reach.
    """
    spent, kept, passings = 0.0, 0, 0
    before: dict[int, list[Int64Array]] = {}

    def timed(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any) -> Any:
            nonlocal spent
            begin = time.process_time()
            try:
                return call(*arguments)
            finally:
                spent += time.process_time() - begin

        return called

    def compared(tapes: Tapes, *arguments: Any) -> bool:
        nonlocal kept, passings
        ended, nodes = whole(tapes, *arguments), tapes.tape.nodes
        now = [
            tapes.tape.cycles[base : base + done].copy() for base, done in zip(*nodes[:, [BASE, DONE]].T, strict=True)
        ]
        if (was := before.get(id(tapes))) is not None:
            first = min(map(first_difference, was, now))
            kept += sum(int((each < first).sum()) for each in now)
            passings += sum(map(len, now))
        before[id(tapes)] = now
        return ended

    def sized() -> None:
        FifoSizing(problem=problem_of([SIZED[name]()]), with_front=False).run()

    sized()  # compiles
    with monkeypatch.context() as patched:
        patched.setattr(_MachineCode, "__call__", timed(_MachineCode.__call__))
        patched.setattr(Interpreter, "run", timed(Interpreter.run))
        begin = time.process_time()
        benchmark.pedantic(sized, rounds=1)
        seconds = time.process_time() - begin
    whole = Tapes.run
    monkeypatch.setattr(Tapes, "run", compared)
    sized()
    shares = {"in kernels": f"{spent / seconds:.0%}", "kept": f"{kept / max(1, passings):.0%}"}
    benchmark.extra_info |= {"seconds": round(seconds, 2)} | shares
    assert 0 < spent < seconds


def first_difference(was: Int64Array, now: Int64Array) -> int:
    """Return the earliest cycle at which a node passes in one of two runs and not in the other."""
    both = min(len(was), len(now))
    differs = np.flatnonzero(was[:both] != now[:both])
    if len(differs):
        return int(min(was[differs[0]], now[differs[0]]))
    rest = max(was[both:], now[both:], key=len)
    return int(rest[0]) if len(rest) else NO_LIMIT


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
