"""What each call does in a program of kernels that call kernels."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ppnsim.analysis import throughput
from ppnsim.c.load import load_programs
from ppnsim.cli.app import app
from ppnsim.derive.derive import derive
from ppnsim.derive.estimate.calls import CallProfile, CallSpan
from ppnsim.derive.estimate.estimate import ProgramEstimate, estimate_program
from ppnsim.derive.estimate.report import KernelProfile, profile_result
from ppnsim.loops.program import LoopProgram
from ppnsim.model.timeline import Timeline

HIERARCHY = Path(__file__).parents[2] / "scenarios" / "kernels" / "hierarchy.c"

TWICE = """
void half(const int in[8], int out[8]) {
    int t;
    for (int i = 0; i < 8; i++) {
        t = in[i] / 2;
        out[i] = t + 1;
    }
}
void both(const int a[8], int b[8]) { half(a, b); half(b, b); }
#pragma ppnsim kernel
void top(const int a[8], int c[8]) {
    int b[8];
    for (int i = 0; i < 8; i++) c[i] = a[i];
    both(c, b);
    both(a, c);
}
"""


@pytest.fixture
def twice(tmp_path: Path) -> LoopProgram:
    path = tmp_path / "twice.c"
    path.write_text(TWICE)
    (program,) = load_programs(str(path))
    return program


def span(timeline: Timeline, processes: list[str]) -> CallSpan:
    starts = [int(timeline.start(name).min()) for name in processes]
    return CallSpan(min(starts), max(int(timeline.end(name).max()) for name in processes))


def by_path(calls: tuple[CallProfile, ...]) -> dict[str, CallProfile]:
    return {"/".join(call.path): call for call in calls}


def test_the_calls_of_the_thesis_are_nested() -> None:
    (program,) = load_programs(str(HIERARCHY))
    calls = by_path(estimate_program(program, latency=2).calls)
    transformer = "hierarchy_main/hierarchy/transformer"
    assert list(calls) == [
        "hierarchy_main", "hierarchy_main/hierarchy", transformer, f"{transformer}/foo", f"{transformer}/bar",
    ]  # fmt: skip
    assert [(call.statements, call.executions) for call in calls.values()] == [
        (14, 9000), (12, 7000), (10, 5000), (3, 1500), (3, 1500),
    ]  # fmt: skip
    # Nine calls deep, 4 cycles each: foo and bar are the fourth to sixth of them, bar half of the elements later.
    assert calls[f"{transformer}/foo"].absolute == CallSpan(12, 12 + 499 + 12)
    assert calls[f"{transformer}/bar"].absolute == CallSpan(512, 512 + 499 + 12)
    assert calls[f"{transformer}/bar"].unbounded == CallSpan(12, 24)
    assert calls["hierarchy_main"].unbounded == CallSpan(0, 36)


@pytest.mark.parametrize("hazards", [False, True])
@pytest.mark.parametrize("latency", [0, 1, 3])
def test_spans_are_those_of_the_processes_of_a_call(twice: LoopProgram, latency: int, hazards: bool) -> None:
    estimate = estimate_program(twice, latency=latency, hazards=hazards)
    network = derive(twice, latency=latency, hazards=hazards)
    timelines = throughput.absolute(network).timeline, throughput.unbounded(network).timeline
    assert [call.path[-1] for call in estimate.calls] == ["top", "both", "half", "half_2", "both_2", "half", "half_2"]
    for call in estimate.calls:
        inside = [s.name for s in twice.statements() if s.path[: len(call.path)] == call.path]
        assert call.statements == len(inside)
        assert (call.absolute, call.unbounded) == tuple(span(timeline, inside) for timeline in timelines)
        assert call.executions == sum(network.process(name).firings for name in inside)
        assert call.busy == call.executions * latency


def test_the_outermost_call_is_the_program(twice: LoopProgram) -> None:
    estimate = estimate_program(twice, latency=3)
    outermost = estimate.calls[0]
    assert outermost.absolute == CallSpan(0, estimate.absolute.finish)
    assert outermost.unbounded == CallSpan(0, estimate.unbounded.finish)
    assert outermost.executions == estimate.executions


def test_a_kernel_that_calls_none_has_no_calls() -> None:
    (program,) = load_programs(str(HIERARCHY.with_name("atax.c")))
    assert estimate_program(program).calls == ()


def test_a_call_that_never_executes_has_no_span(tmp_path: Path) -> None:
    path = tmp_path / "never.c"
    path.write_text(
        "void inner(int n, int a[8]) { for (int i = 0; i < n; i++) a[i] = 1; }\n"
        "void top(int a[8], int b[8]) { for (int i = 0; i < 8; i++) b[i] = a[i]; inner(0, a); }\n"
    )
    (program,) = load_programs(str(path), function="top")
    inner = estimate_program(program).calls[-1]
    assert (inner.path[-1], inner.executions, inner.absolute, inner.unbounded) == ("inner", 0, None, None)


def test_profile_gives_calls_as_json_and_as_a_table() -> None:
    options = ["profile", str(HIERARCHY), "--latency", "2", "--no-channels"]
    result = json.loads(CliRunner().invoke(app, [*options, "--json", "-"]).stdout)
    foo = result["calls"][3]
    assert (foo["name"], foo["path"][:2], foo["executions"]) == ("foo", ["hierarchy_main", "hierarchy"], 1500)
    assert foo["absolute"] == {"start": 12, "finish": 523, "cycles": 511, "parallelism": 3000 / 511}
    assert foo["share"] == 1500 / 9000
    (line,) = [line for line in CliRunner().invoke(app, options).stdout.splitlines() if line.strip().startswith("foo")]
    assert line.split() == ["foo", "3", "1500", "16.7", "%", "12..523", "5.87", "12..24", "250.00"]


def test_a_call_that_takes_no_time_has_no_parallelism() -> None:
    """A statement of latency 0 that reads and writes in the cycle in which it starts."""
    still, short = CallSpan(4, 4), CallSpan(4, 8)
    call = CallProfile(("f",), statements=1, executions=2, busy=6, absolute=short, unbounded=still)
    never = CallProfile(("g",), statements=1, executions=0, busy=0, absolute=None, unbounded=None)
    (program,) = load_programs(str(HIERARCHY))
    estimate = replace(estimate_program(program, latency=2), calls=(call, never))

    def calls(of: ProgramEstimate) -> Any:
        profile = KernelProfile(program=program, estimate=of, channels=None, orderings=[], sizes={}, seconds=0.0)
        return profile_result(profile)["calls"]

    found = calls(estimate)
    assert found[0]["absolute"] == {"start": 4, "finish": 8, "cycles": 4, "parallelism": 1.5}
    assert found[0]["unbounded"] == {"start": 4, "finish": 4, "cycles": 0, "parallelism": 0.0}
    assert (found[1]["absolute"], found[1]["share"], found[0]["share"]) == (None, 0.0, 1.0)
    assert calls(replace(estimate, calls=(never,)))[0]["share"] == 0.0
