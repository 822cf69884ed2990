"""Loops with ``pipeline rewind``: when they start again, and where they cannot (R5.26)."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import ppnsim
from ppnsim.engines.run import run
from ppnsim.hls.ends import start_to_done, start_to_start
from ppnsim.hls.report import ScheduledKernel
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.source_networks.load import load_source
from tests.helpers.commands import ppnsim as command
from tests.helpers.hls_sources import written

LOOP = "for (int i = 0; i < {n}; i++) {{\n#pragma HLS pipeline II={ii} {words}\n{body} }}"
STATE, FLAG = 1, 1
"""The state before an empty pipeline, and the cycle in which an end is known: both are in RTL (R5.26)."""


def kernel(folder: Path, text: str, function: str = "top", **options: Any) -> ScheduledKernel:
    options = {"release": "2022.2", "device": "xck26", **options}
    return ppnsim.schedule(written(folder, text), function=function, **options).kernels[0]


Task = tuple[int, int, str]
"""The trips of a task's loop, its interval, and the value that it stores."""


def interval(folder: Path, text: str) -> int | None:
    return start_to_start(kernel(folder, text).machine)


def region(rounds: int, *tasks: Task, head: str = "for (int r = 0; r < {}; r++)", outside: str = "") -> str:
    """Return a chain of tasks in a loop of rounds."""
    functions, calls = [], []
    names = ["x[r]", *(f"b{n}" for n in range(1, len(tasks))), "y[r]"]
    for n, (trips, ii, value) in enumerate(tasks):
        loop = LOOP.format(n=trips, ii=ii, words="rewind", body=f"out[i] = {value};")
        functions.append(f"void t{n}(int in[64], int out[64]) {{\n{loop}\n}}\n")
        calls.append(f"t{n}({names[n]}, {names[n + 1]});")
    buffers = "".join(f"int b{n}[64]; " for n in range(1, len(tasks)))
    loop = f"{head.format(rounds)} {{\n#pragma HLS dataflow\n{buffers}{' '.join(calls)} }}"
    return f"{''.join(functions)}void top(int x[{rounds}][64], int y[{rounds}][64]{outside}) {{\n{loop}\n}}\n"


def latencies(machine: StateMachine) -> list[int]:
    return [nest.starts // machine.runs - nest.body.schedule.ii + nest.body.depth - 1 for nest in machine.nests]


# -- regions ----------------------------------------------------------------------------------------------------------

CHAINS = [
    ((24, 1, "in[i]"), (24, 1, "in[i] * in[i] * in[i]")),
    ((24, 1, "in[i] * in[i] * in[i]"), (24, 1, "in[i]")),
    ((30, 2, "in[i] * 3"), (20, 1, "in[i] / 7")),
    ((16, 1, "in[i] / 3"), (16, 1, "in[i] * in[i]"), (16, 1, "in[i] / 5")),
]


@pytest.mark.parametrize("tasks", CHAINS)
@pytest.mark.parametrize("rounds", [2, 9])
def test_a_report_counts_a_region_of_rewinding_loops_by_its_longest_period(
    tmp_path: Path, rounds: int, tasks: tuple[Task, ...]
) -> None:
    found = kernel(tmp_path, region(rounds, *tasks), worst=True).machine
    period = max(trips * ii for trips, ii, _ in tasks)
    once = sum(each + STATE for each in latencies(found)) + FLAG * (len(tasks) - 1)
    assert found.cycles == (rounds - 1) * period + once


@pytest.mark.parametrize("tasks", CHAINS)
@pytest.mark.parametrize("rounds", [2, 9])
def test_rewinding_loops_never_make_a_region_slower(tmp_path: Path, rounds: int, tasks: tuple[Task, ...]) -> None:
    text = region(rounds, *tasks)
    found, plain = (kernel(tmp_path, each).machine.cycles for each in (text, text.replace(" rewind", "")))
    longest = max(trips * ii for trips, ii, _ in tasks)
    assert rounds * longest < found <= plain


@pytest.mark.parametrize("tasks", CHAINS)
def test_an_executed_region_takes_the_cycles_of_its_schedule_in_both_engines(
    tmp_path: Path, tasks: tuple[Task, ...]
) -> None:
    path = written(tmp_path, region(7, *tasks))
    machine = ppnsim.schedule(path, function="top").kernels[0].machine
    source = load_source(str(path), function="top")
    runs = [run(source.network, engine=engine) for engine in ("des", "compiled")]
    assert {each.finish for each in runs} == {machine.outcome.finish}  # type: ignore[union-attr]
    assert {start_to_done(each, source.late) for each in runs} == {machine.cycles}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("worst", [False, True])
def test_both_engines_agree_on_runs_that_overlap_and_none_starts_again_too_early(
    tmp_path: Path, seed: int, worst: bool
) -> None:
    draw = Random(seed)
    values = ["in[i]", "in[i] / 7", "in[i] * in[i]"]
    tasks = [(draw.randint(2, 40), draw.randint(1, 3), draw.choice(values)) for _ in range(draw.randint(2, 4))]
    found = kernel(tmp_path, region(rounds := draw.randint(2, 6), *tasks), worst=worst).machine
    net = found.region.network  # type: ignore[union-attr]
    periods = [nest.starts // found.runs for nest in found.nests]
    assert run(net, engine="des").finish == run(net, engine="compiled").finish
    assert found.cycles >= (rounds - 1) * max(periods) + max(latencies(found))
    assert all(task.interval >= period for task, period in zip(found.tasks, periods, strict=True))


def test_a_region_that_runs_once_takes_as_long_and_says_when_it_may_start_again(tmp_path: Path) -> None:
    once = region(1, (24, 1, "in[i] / 7"), (24, 1, "in[i] / 7"), head="").replace("[r]", "[0]")
    with_it, without = (kernel(tmp_path, text) for text in (once, once.replace("rewind", "")))
    assert with_it.machine.cycles == without.machine.cycles
    assert (start_to_start(with_it.machine), start_to_start(without.machine)) == (24, None)
    assert [task.interval for task in with_it.machine.tasks] == [24, 24]
    assert all(task.interval == task.cycles > 24 for task in without.machine.tasks)


FIFOS = """#include "hls_stream.h"
void put(int x[24], hls::stream<int> &s) {{
for (int i = 0; i < 24; i++) {{
#pragma HLS pipeline {0}
s.write(x[i] / 7); }} }}
void get(hls::stream<int> &s, int y[24]) {{
for (int i = 0; i < 24; i++) {{
#pragma HLS pipeline {0}
y[i] = s.read() / 5; }} }}
void top(int x[6][24], int y[6][24]) {{
for (int r = 0; r < 6; r++) {{
#pragma HLS dataflow
hls::stream<int> s; put(x[r], s); get(s, y[r]); }} }}
"""


def test_tasks_on_fifos_overlap_in_reports_and_end_first_in_hardware_which_is_said(tmp_path: Path) -> None:
    """A process stands still as a whole: the end of a run would wait for the start of the next."""
    usual, plain = (kernel(tmp_path, FIFOS.format(words)).machine for words in ("rewind", ""))
    assert usual.cycles == plain.cycles
    said = [each for each in usual.region.said if "accesses to FIFOs would wait here" in each]  # type: ignore[union-attr]
    assert [each.split(":")[1] for each in said] == ["3", "7"]
    most = kernel(tmp_path, FIFOS.format("rewind"), worst=True).machine
    alone = kernel(tmp_path, FIFOS.format("rewind").replace("6", "1"), worst=True).machine
    assert most.cycles == alone.cycles + 5 * 24


def test_a_loop_around_a_region_that_waits_for_its_end_is_said(tmp_path: Path) -> None:
    tasks = (24, 1, "in[i] / 7"), (24, 1, "in[i]")
    part = region(5, *tasks, head="", outside=", int r").replace("void top", "void part")
    around = f"{part}void top(int x[5][64], int y[5][64]) {{ for (int r = 0; r < 5; r++) part(x, y, r); }}"
    found, plain = (kernel(tmp_path, each).machine for each in (around, around.replace("rewind", "")))
    assert found.cycles == plain.cycles
    assert sum("a loop around its region waits for the end of all tasks" in each for each in found.region.said) == 2  # type: ignore[union-attr]


def test_what_an_executed_task_does_not_do_is_said(tmp_path: Path) -> None:
    text = FIFOS.format("rewind").replace("s.write(x[i] / 7);", "if (x[i] > 3) s.write(x[i] / 7);")
    found = ppnsim.schedule(written(tmp_path, text), function="top").kernels[0].machine
    assert any("may take code before it in; ppnsim run --testbench" in each for each in found.said)


# -- kernels ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("trips", "ii"), [(24, 1), (24, 3), (7, 2)])
def test_a_kernel_that_is_one_rewinding_loop_starts_again_before_its_end(tmp_path: Path, trips: int, ii: int) -> None:
    loop = LOOP.format(n=trips, ii=ii, words="WORDS", body="b[i] = 1000 / (a[i] + 1);")
    text = f"void top(int a[64], int b[64]) {{\n{loop}\n}}\n"
    with_it, without = (kernel(tmp_path, text.replace("WORDS", words)) for words in ("rewind", ""))
    assert with_it.machine.cycles == without.machine.cycles
    assert (start_to_start(with_it.machine), start_to_start(without.machine)) == (trips * ii, None)


def test_the_answer_says_the_interval_beside_the_cycles(tmp_path: Path) -> None:
    text = (
        f"void top(int a[64], int b[64]) {{\n{LOOP.format(n=24, ii=1, words='rewind', body='b[i] = a[i] / 7;')}\n}}\n"
    )
    found = ppnsim.schedule(path := written(tmp_path, text), function="top")
    (result,) = found._results()
    assert result["interval"] == 24 < result["cycles"]
    told = command("schedule", str(path), "--function", "top").stdout
    assert "interval: it may start again 24 cycles after its start, before its end" in told


def test_nested_loops_that_are_flattened_rewind_as_one(tmp_path: Path) -> None:
    inner = LOOP.format(n=8, ii=2, words="rewind", body="b[j][i] = 1000 / (a[j][i] + 1);")
    text = f"void top(int a[5][8], int b[5][8]) {{ for (int j = 0; j < 5; j++) {{\n{inner} }} }}"
    assert interval(tmp_path, text) == 5 * 8 * 2


BEFORE = "void top(int a[64], int b[64], int c) {{ int q = 1000 / (c * c + 1);\n{loop}\n}}\n"


def test_the_code_before_a_rewinding_loop_is_in_its_pipeline(tmp_path: Path) -> None:
    """Each iteration goes through its states: trips do not pass them anew, and no state is around the loop."""
    loops = {words: LOOP.format(n=24, ii=1, words=words, body="b[i] = a[i] * q;") for words in ("rewind", "")}
    with_it, without = (kernel(tmp_path, BEFORE.format(loop=loops[words])).machine for words in ("rewind", ""))
    (nest,) = with_it.nests
    states = sum(region.schedule.states for region in without.regions)
    assert not with_it.regions
    assert states > 15  # of the division
    assert nest.body.depth > without.nests[0].body.depth + 10
    assert with_it.cycles == 24 - 1 + nest.body.depth - 1
    assert nest.body.schedule.ii == 1


def test_a_start_value_before_a_rewinding_loop_takes_no_state(tmp_path: Path) -> None:
    loops = {words: LOOP.format(n=24, ii=1, words=words, body="s += a[i];") for words in ("rewind", "")}
    text = "int top(int a[64]) {{ int s = 0;\n{}\nreturn s; }}\n"
    with_it, without = (kernel(tmp_path, text.format(loops[words])).machine for words in ("rewind", ""))
    assert with_it.cycles == without.cycles
    assert with_it.nests[0].body.depth == without.nests[0].body.depth


@pytest.mark.parametrize("device", ["xck26", "xc7z020", "xcu280"])
@pytest.mark.parametrize("start", ["0", "3"])
@pytest.mark.parametrize(
    ("of", "value"),
    [("int", "z * a[i] + z"), ("double", "(z + 3) * (3 + z)"), ("double", "a[i] * (z + 1)"), ("int", "z += a[i]")],
)
def test_a_number_before_a_rewinding_loop_costs_nothing_on_any_device(
    tmp_path: Path, device: str, start: str, of: str, value: str
) -> None:
    """The pipeline computed with it anew: a product, a sum of two numbers, a choice of the start in a recurrence."""
    body = f"{value}; b[i] = z;" if "=" in value else f"b[i] = {value};"
    loops = {words: LOOP.format(n=24, ii=1, words=words, body=body) for words in ("rewind", "")}
    text = f"void top({of} a[24], {of} b[24]) {{{{ {of} z = {start};\n{{}}\n}}}}\n"
    options: dict[str, Any] = {"device": device, "release": None, "clock": "3.33 ns"}
    with_it, without = (kernel(tmp_path, text.format(loops[words]), **options).machine for words in ("rewind", ""))
    assert with_it.cycles <= without.cycles
    assert with_it.nests[0].body.schedule.ii == without.nests[0].body.schedule.ii
    assert with_it.nests[0].body.depth == without.nests[0].body.depth


def test_the_response_of_a_bus_comes_in_the_last_states_of_a_rewinding_loop(tmp_path: Path) -> None:
    text = "void top(int a[64], int b[64]) {{\n#pragma HLS interface m_axi port=b bundle=g latency=0\n{}\n}}\n"
    loops = {words: LOOP.format(n=24, ii=1, words=words, body="b[i] = a[i] * 3;") for words in ("rewind", "")}
    with_it, without = (kernel(tmp_path, text.format(loops[words])).machine for words in ("rewind", ""))
    assert with_it.cycles == 24 - 1 + with_it.nests[0].body.depth - 1 + 5
    assert with_it.cycles < without.cycles  # it has states for the request before it, too


def test_a_region_with_a_task_of_no_iteration_is_run(tmp_path: Path) -> None:
    found = kernel(tmp_path, region(3, (24, 1, "in[i]"), (0, 1, "in[i]"))).machine
    assert found.cycles >= 3 * 24
    assert found.tasks[0].interval == 24


# -- loops that do not rewind -----------------------------------------------------------------------------------------

LOST = LOOP.format(n=24, ii=1, words="WORDS", body="b[i] = a[i] * 3;")
NOT = [
    (f"{LOST}\nb[0] = a[5] * 7;", "code behind it waits for its end"),
    (f"{LOST}\nfor (int k = 0; k < 9; k++) a[k] = 0;", "its function has more than one loop"),
    (f"for (int k = 0; k < 9; k++) {{ a[k] = c / 3; {LOST} b[k] = a[3]; }}", "a loop around it starts it again"),
    (f"if (c > 5) b[3] = 0;\n{LOST}", "code before it is under a condition"),
    (LOST.replace("i < 24", "i < 0"), "it has no iteration"),
    (LOST.replace("i < 24", "i < c"), "how often it runs is not a constant"),
    (LOST.replace("b[i] =", "if (a[i] > 77) break; b[i] ="), "how often it runs is not a constant"),
]


@pytest.mark.parametrize(("body", "reason"), NOT)
def test_a_loop_that_does_not_rewind_is_listed_with_its_line_and_counts_as_without(
    tmp_path: Path, body: str, reason: str
) -> None:
    text = f"void top(int a[64], int b[64], int c) {{\n{body}\n}}\n"
    line = text[: text.index("#pragma HLS pipeline")].count("\n") + 1
    ways = [(words, worst) for words in ("rewind", "") for worst in (False, True)]
    if "i < c" in body or "break" in body:
        text = text.replace("#pragma HLS pipeline", "#pragma HLS loop_tripcount max=24\n#pragma HLS pipeline")
        line += 1
    found = {way: kernel(tmp_path, text.replace("WORDS", way[0]), worst=way[1]) for way in ways}
    for worst in (False, True):
        assert found["rewind", worst].machine.cycles == found["", worst].machine.cycles
    rewind = found["rewind", False]
    said = [each for each in rewind.without_effect if "pipeline rewind of the loop" in each]
    assert len(said) == 1
    assert f":{line}:1: pipeline rewind" in said[0]
    assert reason in said[0]
    assert start_to_start(rewind.machine) is None


def test_the_caller_of_a_function_with_a_rewinding_loop_waits_for_its_end(tmp_path: Path) -> None:
    text = f"void part(int a[64], int b[64]) {{\n{LOST}\n}}\nvoid top(int a[64], int b[64]) {{ part(a, b); }}\n"
    found = kernel(tmp_path, text.replace("WORDS", "rewind"))
    assert any("its function is called by other code, which waits for its end" in each for each in found.without_effect)
    assert start_to_start(found.machine) is None
    inlined = text.replace("b[64]) {\nfor", "b[64]) {\n#pragma HLS inline\nfor").replace("WORDS", "rewind")
    assert interval(tmp_path, inlined.replace("a[i] * 3", "1000 / (a[i] + 1)")) == 24
