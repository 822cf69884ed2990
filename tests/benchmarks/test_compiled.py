"""The compiled engine against a plain C loop (gcc -O2) and against SimPy, in one run on one core.

Run with ``python -m pytest tests/benchmarks/test_compiled.py -o addopts="" -s``, which prints the table; the figures
are in ``extra_info`` too. Times are the least of several in CPU time, per firing of a process. C loop and generated
code return the finish only, the general kernel (by tables where FIFOs are shallow) writes down every passing, and a
whole run is all from the network to the timeline. The finish is timed for ten times the firings, from the network on:
what the rounds and their text take before, 2 to 5 ms, is in it. The C loop's text and its compiler are not.
"""

from __future__ import annotations

import random
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ppnsim.engines.compiled.generated import Generated, repeats_of
from ppnsim.engines.compiled.kernel import evaluate
from ppnsim.engines.compiled.long_run import finish
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.round_walk import round_walker
from ppnsim.engines.compiled.tape import rewind, tape_of
from ppnsim.engines.program import Program
from ppnsim.engines.run import run
from ppnsim.kernel_cache import interpreter
from ppnsim.model.builders import chain
from ppnsim.model.network import STYLES, Channel, Network, Process, Style
from tests.benchmarks.c_loop import c_loop
from tests.engines.test_futile_tries import NEVER_REPEAT

FIRINGS, LONG, BY_SIMPY = 400_000, 4_000_000, 2_000
NO_LIMIT = 1 << 60


def least(work: Callable[[], object], rounds: int = 7) -> float:
    """Return the least CPU seconds of several, after one to warm up."""
    work()
    seconds = []
    for _ in range(rounds):
        begin = time.process_time()
        work()
        seconds.append(time.process_time() - begin)
    return min(seconds)


def least_in_turn(one: Callable[[], object], other: Callable[[], object], seconds: float = 1.0) -> tuple[float, float]:
    """Return the least CPU seconds of two kinds of work that are done in turn, at least five times and so long."""
    pairs: list[tuple[float, float]] = []
    one()
    other()
    while len(pairs) < 5 or sum(map(sum, pairs)) < seconds:
        began = time.process_time()
        one()
        between = time.process_time()
        other()
        pairs.append((between - began, time.process_time() - between))
    return min(first for first, _ in pairs), min(second for _, second in pairs)


def with_feedback(seed: int, *, firings: int, processes: int = 20) -> Network:
    """Return a random elastic network: a tree, more channels across it, and channels back with initial tokens."""
    drawn = random.Random(seed)
    names = [f"p{i}" for i in range(processes)]
    ends = [(drawn.randrange(i), i) for i in range(1, processes)]
    pairs = [sorted(drawn.sample(range(processes), 2)) for _ in range(processes // 4 + processes // 5)]
    ends += [(low, high) for low, high in pairs[: processes // 4]]
    back = [(high, low) for low, high in pairs[processes // 4 :]]
    channels = []
    for number, (source, target) in enumerate([*ends, *back]):
        initial = drawn.randint(8, 40) if source > target else 0
        depth = initial + drawn.randint(2, 32)
        channels.append(
            Channel(name=f"c{number}", source=names[source], target=names[target], depth=depth, initial=initial)
        )
    return Network(
        name=f"random {seed}",
        processes=[
            Process(name=name, firings=firings, ii=drawn.choice([1, 1, 2]), latency=drawn.randint(1, 9))
            for name in names
        ],
        channels=channels,
    ).checked()


def measured(network: Callable[[int], Network], folder: Path | None) -> dict[str, float]:
    """Return ns per firing of a process, by what did it; the C loop is for what is not frozen, where there is gcc."""
    large, small, long = network(FIRINGS), network(BY_SIMPY), network(LONG)
    per_firing = 1e9 / sum(process.firings for process in large.processes)
    of_long = per_firing * FIRINGS / LONG
    recurrences = Recurrences.of(Program.of(large))
    tape = tape_of(recurrences)
    generated = Generated.of(tape, repeats_of(recurrences))
    assert generated is not None
    by_table = replace(generated, by_table=round_walker(generated.rounds, tape))

    def general() -> None:
        rewind(tape)
        by_table.start()
        by_table.walk(generated.rounds.begin, generated.rounds.end)
        evaluate(tape, NO_LIMIT)

    found = {"general": least(general, 3) * per_firing, "generated": least(lambda: finish(long)) * of_long}
    found["whole run"] = least(lambda: run(large, engine="compiled", fast_forward=False), 2) * per_firing
    if folder is not None:
        loop = c_loop(large, folder)
        assert loop(FIRINGS) == finish(large)
        assert loop(BY_SIMPY) == run(small, engine="des").finish
        found["C"] = least(lambda: loop(LONG)) * of_long
    assert run(large, engine="compiled", fast_forward=False).finish == run(large, engine="compiled").finish
    program = Program.of(small)
    assert run(program, engine="des").finish == run(program, engine="compiled", fast_forward=False).finish
    found["SimPy"] = least(lambda: run(program, engine="des"), 1) * 1e9 / sum(p.firings for p in small.processes)
    return found


@pytest.fixture(autouse=True)
def _generated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have code generated where a table would do, as it does for long runs."""
    monkeypatch.setattr("ppnsim.engines.compiled.generated._PAYS", LONG)


@pytest.fixture(scope="module")
def table() -> Iterator[list[str]]:
    titles = ("C", "generated", "general", "whole run", "SimPy")
    rows = [f"{'ns per firing of a process':<30}" + "".join(f"{title:>11}" for title in titles) + "   share of C"]
    yield rows
    print("\n\n" + "\n".join(rows))  # noqa: T201


def noted(benchmark: Any, table: list[str], name: str, found: dict[str, float]) -> None:
    """Write figures to the table and to ``extra_info``; the share of C is that of generated code and general kernel."""
    row = f"{name:<30}"
    for title in ("C", "generated", "general", "whole run", "SimPy"):
        row += f"{found[title]:11.2f}" if title in found else f"{'-':>11}"
    if "C" in found:
        row += f"   {found['C'] / found['generated']:.0%} {found['C'] / found['general']:.0%}"
    table.append(f"{row}   {found['SimPy'] / found['generated']:,.0f} times SimPy")
    benchmark.extra_info.update({title: round(value, 3) for title, value in found.items()})


@pytest.mark.parametrize("depth", [2, 16, 64])
@pytest.mark.parametrize("style", ["elastic", "frozen", "flushable"])
def test_chain(benchmark: Any, table: list[str], tmp_path: Path, style: Style, depth: int) -> None:
    folder = tmp_path if style != "frozen" and shutil.which("gcc") else None

    def network(firings: int) -> Network:
        return chain(firings=firings, length=8, depth=depth, style=style)

    found = benchmark.pedantic(lambda: measured(network, folder), rounds=1)
    # One token per cycle at every depth, after the 37 cycles that the first one takes: as SimPy finds for 2000.
    assert run(network(FIRINGS)).finish == FIRINGS + 37
    assert run(network(BY_SIMPY), engine="des").finish == BY_SIMPY + 37
    noted(benchmark, table, f"chain of 8, {style}, depth {depth}", found)


# Finish of 400 000 firings and of 2000, the latter by SimPy: 2, 6.2, 2, 33/13 and 2 cycles per firing in between.
FINISHES = [(800_059, 4_059), (2_480_027, 12_427), (800_060, 4_060), (1_015_428, 5_116), (800_046, 4_046)]


@pytest.mark.parametrize("seed", range(5))
def test_random_network_with_feedback(benchmark: Any, table: list[str], tmp_path: Path, seed: int) -> None:
    folder = tmp_path if shutil.which("gcc") else None
    found = benchmark.pedantic(lambda: measured(lambda n: with_feedback(seed, firings=n), folder), rounds=1)
    assert [run(with_feedback(seed, firings=count)).finish for count in (FIRINGS, BY_SIMPY)] == list(FINISHES[seed])
    assert run(with_feedback(seed, firings=BY_SIMPY), engine="des").finish == FINISHES[seed][1]
    noted(benchmark, table, f"20 random processes, seed {seed}", found)


def is_compiled_in(cache: Path) -> bool:
    """Return whether machine code of a kernel is in a cache: what was timed was compiling."""
    return any(cache.rglob("*.o"))


def test_seconds_to_compile_for_20_processes(benchmark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("ppnsim.engines.compiled.generated._PAYS", 0)
    network = with_feedback(99, firings=10_000)
    found = benchmark.pedantic(lambda: finish(network), rounds=1)
    assert found == run(network, engine="des").finish
    assert is_compiled_in(tmp_path)


def test_a_thousand_million_firings_in_constant_memory(benchmark: Any) -> None:
    """Of one process; its own process of the system, for its peak memory."""
    code = (
        "import resource\n"
        "from ppnsim.engines.compiled.long_run import finish\n"
        "from ppnsim.model.builders import chain\n"
        "network = lambda n: chain(firings=n, length=2, depth=4)\n"
        "finish(network(10**5))\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(finish(network(10**9)), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    command = [sys.executable, "-c", code]
    done = benchmark.pedantic(lambda: subprocess.run(command, capture_output=True, check=True, text=True), rounds=1)
    last, grown = map(int, done.stdout.split())
    benchmark.extra_info["grown_kilobytes"] = grown
    assert last == 10**9 + 7
    assert grown < 5_000


def test_cold_start_with_cached_kernels(benchmark: Any) -> None:
    """``ppnsim run`` with the compiled engine, the machine code of its kernels being there."""
    scenario = Path(__file__).parents[2] / "scenarios" / "networks" / "fork_join.toml"
    command = [sys.executable, "-m", "ppnsim", "run", str(scenario), "--engine", "compiled"]
    shown = benchmark.pedantic(
        lambda: subprocess.run(command, capture_output=True, check=True), rounds=5, warmup_rounds=1
    )
    assert b"engine compiled" in shown.stdout
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    benchmark.extra_info["cpu_seconds"] = round(spent, 2)


@pytest.mark.parametrize("name", NEVER_REPEAT)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("passings", [20_000, 150_000, 600_000, 2_000_000, 4_000_000])
def test_tries_for_a_period_in_vain(
    benchmark: Any, monkeypatch: pytest.MonkeyPatch, name: str, style: Style, passings: int
) -> None:
    """They may cost a twentieth or thirtieth by their own account, in counted work; a tenth is the bar in time.

    Kernels are compiled: the first quarter of a second of a process, in which they may run as Python, is over.
    """
    monkeypatch.setattr(interpreter, "left", 0.0)
    network = NEVER_REPEAT[name](passings).with_style(style).checked()
    plain, tried = least_in_turn(
        lambda: run(network, engine="compiled", fast_forward=False), lambda: run(network, engine="compiled"), 0.5
    )
    benchmark.extra_info |= {"plain": round(plain, 4), "tried": round(tried, 4), "ratio": round(tried / plain, 3)}
    benchmark.pedantic(lambda: run(network, engine="compiled"), rounds=1)
    assert tried <= 1.1 * plain
