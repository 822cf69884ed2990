"""Random dataflow C++ against g++, which says what passes, and a naive stepper, which says when."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.cli.options.source import SourceOptions
from ppnsim.cli.options.source_network import SourceNetworkOptions
from ppnsim.cli.runners.executed import executed
from ppnsim.engines.run import run
from ppnsim.hls.library.library import load_library
from ppnsim.hls.native.build import HEADERS
from ppnsim.hls.native.execute import NativeDesign, execute, timed
from ppnsim.hls.native.trace import record
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.region.fifos import fifo_uses
from ppnsim.hls.region.network import region_network
from ppnsim.hls.schedule.model import RegionNetwork
from ppnsim.model.step_lists import StepList
from ppnsim.model.summary import summary_of
from ppnsim.model.timeline import NEVER
from ppnsim.source_networks.load import load_source
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.recorded import recorded_network
from tests.helpers.hls_sources import written
from tests.helpers.region_programs import RegionProgram, region_programs
from tests.hls.native.designs import needs_compiler
from tests.oracles.region_stepper import SteppedTask, stepped

SLOW = settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])


def network_of(path: Path) -> RegionNetwork:
    (program,) = load_programs(str(path), function="k", policy=HARDWARE)
    region = region_network(program, load_library("xc7z020", 10), read_directives(sources_of(program), program))
    assert region is not None
    return region


def by_step(steps: StepList | None, name: str, table: dict[int, list[str]]) -> None:
    for step in steps.expand().tolist() if steps else ():
        table.setdefault(step, []).append(name)


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
@settings(SLOW, max_examples=8)
@given(region_programs())
def test_as_many_tokens_pass_as_in_the_executed_program(drawn: RegionProgram) -> None:
    with TemporaryDirectory() as folder:
        path = written(Path(folder), drawn.text)
        region = network_of(path)
        driver = written(Path(folder), f'#include "kernel.cpp"\n{drawn.bench()}', "main.cpp")
        log = _compiled(driver)
    seen = Counter(tuple(line.split()) for line in log if line and not line.startswith("out"))
    network = region.network
    ours: Counter[tuple[str, ...]] = Counter()
    for name in region.of_kind("fifo"):
        channel = network.channel(name)
        assert channel.write_steps is not None
        assert channel.read_steps is not None
        ours["put", name, channel.source.removeprefix("inner.")] = channel.write_steps.count * drawn.runs
        ours["take", name, channel.target.removeprefix("inner.")] = channel.read_steps.count * drawn.runs
    assert ours == seen


@SLOW
@given(region_programs())
def test_the_network_does_in_each_cycle_what_a_naive_stepper_does(drawn: RegionProgram) -> None:
    with TemporaryDirectory() as folder:
        region = network_of(written(Path(folder), drawn.text))
    network = region.network
    puts: dict[str, dict[int, list[str]]] = {name: {} for name in region.tasks}
    takes: dict[str, dict[int, list[str]]] = {name: {} for name in region.tasks}
    for name in region.of_kind("fifo"):
        channel = network.channel(name)
        by_step(channel.write_steps, name, puts[channel.source])
        by_step(channel.read_steps, name, takes[channel.target])
    tasks = [SteppedTask(name, task.span, puts[name], takes[name]) for name, task in region.tasks.items()]
    depths = {name: depth for name, _, _, _, depth in drawn.fifos}
    arrays = [(f"t{one}", f"t{other}") for _, one, other in drawn.arrays]
    expected = stepped(tasks, depths, arrays, drawn.runs, copies=2)
    outcome = run(network, on_deadlock="return")
    assert outcome.deadlocked == expected.stuck
    if not expected.stuck:
        assert outcome.finish == max(ends[-1] for ends in expected.ends.values())
    for name in depths:
        put, taken = outcome.timeline.token_writes(name), outcome.timeline.token_reads(name)
        assert put[put != NEVER].tolist() == expected.put[name]
        assert taken[taken != NEVER].tolist() == expected.taken[name]
    where = summary_of(outcome).processes
    for use in fifo_uses(region, outcome):
        assert use.writer_waited == where[use.source].cycles.blocked.get(use.name, 0)
        assert use.reader_waited == where[use.target].cycles.starved.get(use.name, 0)
        held = [
            sum(put <= cycle for put in expected.put[use.name]) - sum(took < cycle for took in expected.taken[use.name])
            for cycle in range(outcome.timeline.stopped)
        ]
        assert (use.full, use.empty) == (held.count(use.depth), held.count(0))
        assert use.held == max(held)


@needs_compiler
@settings(SLOW, max_examples=3)
@given(region_programs(loops=False))
def test_executed_with_a_testbench_it_computes_what_the_program_does_and_moves_as_its_network(
    drawn: RegionProgram,
) -> None:
    """Three evaluators: g++ alone for the values, coroutines in time for the cycles, the network of recorded steps."""
    with TemporaryDirectory() as folder:
        path = written(Path(folder), drawn.text)
        driver = written(Path(folder), f'#include "kernel.cpp"\n{drawn.bench()}', "main.cpp")
        printed = [line for line in _compiled(driver) if line.startswith("out")]
        bench = written(Path(folder), drawn.bench(), "bench.cpp")
        found = timed(NativeDesign(path=str(path), testbench=str(bench), function="k"), load_library("xc7z020", 10))
        executed, trace = execute(found), record(found)
    assert trace.printed.split("\n")[:-1] == printed
    (call,) = executed.calls
    outcome = run(recorded_network(found, trace, "xc7z020").network, on_deadlock="return")
    assert outcome.deadlocked == executed.deadlocked
    if not outcome.deadlocked:
        assert executed.printed == trace.printed
        assert outcome.finish == call.finish
    tokens = {name: number for name, _, _, number, _ in drawn.fifos}
    for stream in call.streams:
        put, taken = outcome.timeline.token_writes(stream.name), outcome.timeline.token_reads(stream.name)
        assert put[put != NEVER].tolist() == stream.writes
        assert taken[taken != NEVER].tolist() == stream.reads
        assert outcome.deadlocked or len(stream.writes) == tokens[stream.name]


@needs_compiler
@settings(SLOW, max_examples=2)
@given(region_programs(loops=False), st.sampled_from(["xc7z020", "xcvu9p"]))
def test_where_data_decides_nothing_a_testbench_changes_no_cycle(drawn: RegionProgram, device: str) -> None:
    with TemporaryDirectory() as folder:
        path = written(Path(folder), drawn.text)
        bench = written(Path(folder), drawn.bench(), "bench.cpp")
        options = SourceNetworkOptions(
            source=SourceOptions(function="k"), device=device, testbench=str(bench)
        )  # fmt: skip
        with_bench = executed(str(path), options, ("SourceNetwork",))
        static = load_source(str(path), function="k", device=device)
    assert isinstance(with_bench, SourceNetwork)
    assert with_bench.network == static.network
    assert any("as without the testbench" in note for note in with_bench.notes)


def _compiled(driver: Path) -> list[str]:
    """Return the lines that a program prints."""
    binary = driver.with_suffix("")
    subprocess.run(["g++", "-DNATIVE", "-w", f"-I{HEADERS}", "-o", binary, driver], check=True)
    return subprocess.run([binary], check=True, capture_output=True, text=True).stdout.split("\n")
