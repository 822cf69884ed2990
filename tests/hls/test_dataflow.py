"""Dataflow regions: what overlaps, what waits, and what cannot be told."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.step_lists import StepList
from ppnsim.source_networks.load import load_source
from ppnsim.source_networks.report import start_to_done_of
from tests.helpers.by_seed import by_seed
from tests.helpers.hls_sources import schedule_of, written

SOURCES = Path(__file__).parents[1] / "sources" / "hls"
TASKS = """
#include "hls_stream.h"
static void produce(const int a[64], hls::stream<int> &s) { for (int i = 0; i < 64; i++) { s << a[i]; } }
static void slow(hls::stream<int> &s, hls::stream<int> &t) {
    for (int i = 0; i < 64; i++) {
#pragma HLS pipeline II=3
        t << s.read() + 1; } }
static void consume(hls::stream<int> &t, int b[64]) { for (int i = 0; i < 64; i++) { b[i] = t.read(); } }
"""


def region(folder: Path, body: str, arguments: str = "const int a[64], int b[64]", before: str = TASKS) -> StateMachine:
    return schedule_of(written(folder, f"{before}\nvoid k({arguments}) {{\n#pragma HLS dataflow\n{body}\n}}\n"), "k")


def network_of(folder: Path, body: str) -> Network:
    """Return the network of a region, whose three arguments have 64 elements each."""
    text = f"void k(const int a[64], int b[64], int c[64]) {{\n#pragma HLS dataflow\n{body}\n}}\n"
    return load_source(str(written(folder, text))).network


def test_the_slowest_task_sets_the_pace(tmp_path: Path) -> None:
    machine = region(tmp_path, "hls::stream<int> s, t; produce(a, s); slow(s, t); consume(t, b);")
    # The first token is put in 1, taken and put in 2; the last one 63 * 3 later; it is taken and stored in the next.
    put = 2 + 63 * 3
    assert machine.cycles == put + 1 + 1
    # The slow task tests once more whether its loop goes on (R3.5).
    assert [task.end for task in machine.tasks[1:]] == [put + 1 + 1, put + 2]


def test_pointers_are_handed_through_the_region_to_the_tasks_that_index_them(tmp_path: Path) -> None:
    before = TASKS.replace("a[64]", "*a").replace("b[64]", "*b")
    body = "hls::stream<int> s, t; produce(a, s); slow(s, t); consume(t, b);"
    arrays = region(tmp_path, body, "const int *a, int *b", before)
    assert [task.name for task in arrays.tasks] == ["produce", "slow", "consume"]
    assert max(nest.iterations for nest in arrays.nests) == 64


def test_a_full_fifo_holds_its_writer_up_and_a_deep_one_does_not(tmp_path: Path) -> None:
    body = "hls::stream<int> s, t;\n{0}\nproduce(a, s); slow(s, t); consume(t, b);"
    ends = []
    for depth in (2, 16, 64):
        machine = region(tmp_path, body.format(f"#pragma HLS stream variable=s depth={depth}"))
        ends.append(machine.tasks[0].end)
    # The writer is through as soon as the last token finds room: when all but `depth` before it have been taken.
    assert ends == [2 + 3 * (63 - 2) + 1, 2 + 3 * (63 - 16) + 1, 64]


def test_arrays_are_handed_on_as_a_whole(tmp_path: Path) -> None:
    before = """
    static void first(const int a[64], int c[64]) { for (int i = 0; i < 64; i++) { c[i] = a[i]; } }
    static void second(int c[64], int b[64]) { for (int i = 0; i < 64; i++) { b[i] = c[i]; } }"""
    machine = region(tmp_path, "int c[64]; first(a, c); second(c, b);", before=before)
    assert [(task.start, task.end) for task in machine.tasks] == [(0, 64), (64, 128)]


@pytest.mark.parametrize(("declared", "bits"), [("int t[64];", {64 * 32, 1}), ("", {32, 1})])
def test_a_copy_has_the_bits_of_its_elements_and_an_argument_those_of_one(
    tmp_path: Path, declared: str, bits: set[int]
) -> None:
    """The memory of an argument is outside of the region; a copy that is free again is a bit."""
    name = "t" if declared else "b"
    loops = f"for (int i = 0; i < 64; i++) {name}[i] = a[i]; for (int i = 0; i < 64; i++) c[i] = {name}[63 - i];"
    assert {channel.width for channel in network_of(tmp_path, f"{declared} {loops}").channels} == bits


def test_loops_and_inlined_functions_are_tasks(tmp_path: Path) -> None:
    before = (
        TASKS
        + """
    static void both(const int a[64], hls::stream<int> &s, int b[64]) {
#pragma HLS inline
        produce(a, s);
        for (int i = 0; i < 64; i++) { b[i] = s.read(); } }"""
    )
    machine = region(tmp_path, "hls::stream<int> s; both(a, s, b);", before=before)
    assert [task.name for task in machine.tasks] == ["produce", "loop i"]
    assert machine.cycles == 64 + 1


def test_a_read_in_the_middle_of_a_task_delays_only_what_comes_after(tmp_path: Path) -> None:
    # The second loop of the consumer needs the tokens; its first one runs while they are made.
    before = (
        TASKS
        + """
    static void late(hls::stream<int> &s, int b[64], int c[64]) {
        for (int i = 0; i < 64; i++) { c[i] = i; }
        for (int i = 0; i < 64; i++) { b[i] = s.read() + c[i]; } }"""
    )
    body = "hls::stream<int, 64> s; produce(a, s); late(s, b, c);"
    machine = region(tmp_path, body, "const int a[64], int b[64], int c[64]", before)
    assert machine.tasks[1].waited == 0
    assert machine.cycles == machine.tasks[1].cycles


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("hls::stream<int> s; produce(a, s); produce(c, s); consume(s, b);",
         "3:92: FIFO 's' of a dataflow region is written by"),
        ("hls::stream<int> s; produce(a, s); consume(s, b); consume(s, c);",
         "8:86: FIFO 's' of a dataflow region is read by"),
        ("hls::stream<int> s, t; produce(a, s); produce(a, t); consume(s, b);",
         "3:92: FIFO 't' of a dataflow region is written by 'produce_2' and"),
        ("hls::stream<int> s, t; produce(a, s); consume(s, b); consume(t, c);",
         "8:86: FIFO 't' of a dataflow region is read by 'consume_2' and"),
        ("for (int i = 0; i < 64; i++) b[i] = a[i];\nfor (int i = 0; i < 64; i++) c[i] = b[i];\n"
         "for (int i = 0; i < 64; i++) b[i] = a[i];",
         "kernel.cpp:14:30: array 'b' of a dataflow region is written by several tasks (loop i, loop i_3)"),
        ("for (int i = 0; i < 64; i++) b[i] = a[i];\nfor (int i = 0; i < 64; i++) b[i] += c[i];",
         "kernel.cpp:13:30: array 'b' of a dataflow region is both read and written by task 'loop i_2'"),
        ("hls::stream<int> s; produce(b, s); consume(s, b);",
         "3:92: array 'b' of a dataflow region is read by 'produce'"),
        ("b[0] = a[0];", "kernel.cpp:10:6: a dataflow region without a call and without a loop"),
        (
            "hls::stream<int> s; for (int i = 0; i < 9; i++) { if (a[i]) s << 1; }\nconsume(s, b);",
            "data decides whether FIFO 's' is accessed: how many tokens pass is not known",
        ),
        (
            "hls::stream<int> s; produce(a, s);\nfor (int i = 0; i < 99; i++) { b[0] = s.read(); }",
            "kernel.cpp:13:32: FIFO 's': task 'loop i' reads 99 tokens and 'produce' writes 64",
        ),
    ],
)  # fmt: skip
def test_regions_of_which_no_time_can_be_told(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        region(tmp_path, body, "const int a[64], int b[64], int c[64]")
    assert message in str(raised.value)


def test_a_fifo_that_feeds_back_is_run_and_told(tmp_path: Path) -> None:
    """Hardware runs both tasks at once; ``schedule`` estimated such a region, and ``run`` refused it."""
    machine = region(tmp_path, "hls::stream<int> s; produce(a, s); consume(s, b);")
    body = "hls::stream<int> s; consume(s, b); produce(a, s); }"
    text = f"\nvoid k(const int a[64], int b[64]) {{\n#pragma HLS dataflow\n{body}"
    path = written(tmp_path, TASKS + text)
    turned = schedule_of(path, "k")
    assert turned.region is not None
    assert any("FIFO 's' is read by 'consume' before 'produce' writes it" in each for each in turned.region.said)
    source = load_source(str(path), function="k")
    assert turned.cycles == machine.cycles == start_to_done_of(source, run(source.network))


FIRST = "for (int i = 0; i < 64; i++) "
USE = "\nfor (int i = 0; i < 64; i++) b[i] = t[i];"
READS = "array 't' of a dataflow region is both read and written by task '{}', which reads an element here"


@pytest.mark.parametrize(
    ("task", "place"),
    [
        (FIRST + "t[i] += a[i];", "4:30"),
        (FIRST + "{ c[i] = t[i];\nt[i] = a[i]; }", "4:32"),
        (FIRST + "t[a[i]]++;", "4:30"),
        (FIRST + "{ if (i < 60) t[i] = a[i];\nelse t[i] = t[i - 4] + t[63]; }", "5:6"),
    ],
)
def test_a_task_that_reads_an_element_before_it_writes_it_is_refused(tmp_path: Path, task: str, place: str) -> None:
    with pytest.raises(NoNetwork) as raised:
        network_of(tmp_path, f"int t[64];\n{task}{USE}")
    assert f"kernel.cpp:{place}: {READS.format('loop i')}" in str(raised.value)


@pytest.mark.parametrize(
    "task",
    [
        FIRST + "{ t[i] = a[i]; if (i) t[i] += t[i - 1]; }",
        FIRST + "{ t[i] = 0;\nfor (int j = 0; j < 4; j++) t[i] += a[j]; }",
        FIRST + "{ if (a[i]) c[i] = t[0]; t[i] = a[i]; }",  # data decides: not said to be wrong
    ],
)
def test_a_task_may_read_back_what_it_has_written(tmp_path: Path, task: str) -> None:
    network = network_of(tmp_path, f"int t[64];\n{task}{USE}")
    assert [each.name for each in network.channels if not each.initial] == ["t"]
    writer, reader = network.processes
    assert writer.schedule is not None and reader.schedule is not None
    assert run(network).finish == writer.schedule.steps + reader.schedule.steps  # its own reads are steps of its run


def test_tasks_whose_runs_differ_are_refused(tmp_path: Path) -> None:
    looped = """void k(int a[9][9], int b[9], hls::stream<int> s[9]) { for (int i = 0; i < 9; i++) {
#pragma HLS dataflow
        int c[9];
        for (int j = 0; j < %s; j++) { c[j] = a[i][j]; %s }
        for (int j = 0; j < 9; j++) b[j] = c[j]; } }"""
    for words, end, more in (
        ("how long task 'loop j' runs depends on 'i', the iterator of the region", "i", ""),
        ("what task 'loop j' does depends on 'i', the iterator of the region", "9", "if (i > 2) a[0][0] = 1;"),
        ("which FIFO of 's' task 'loop j' accesses depends on 'i', the iterator of the region", "9", "s[i] << 1;"),
    ):
        text = '#include "hls_stream.h"\n' + looped % (end, more)
        with pytest.raises(InputError, match=words) as raised:
            schedule_of(written(tmp_path, text), "k")
        assert "kernel.cpp:5" in str(raised.value)
    both = "void k(int a[9]) { for (int i = 0; i < 9; i++) {\n#pragma HLS dataflow\n#pragma HLS pipeline\na[i] = i; } }"
    with pytest.raises(
        InputError,
        match=r"kernel\.cpp:3:1: conflicting pragmas: pipeline contradicts an earlier directive on this loop",
    ):
        schedule_of(written(tmp_path, both), "k")


def test_json_tells_when_tasks_run() -> None:
    done = CliRunner().invoke(app, ["schedule", str(SOURCES / "double_buffer.cpp"), "--json", "-"])
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    found = found[0] if isinstance(found, list) else found
    assert found["cycles"] == 8736
    assert (found["dataflow"]["runs"], found["dataflow"]["interval"]) == (16, 514)
    assert [(task["name"], task["end"]) for task in found["dataflow"]["tasks"]][-1] == ("store", 8736)
    assert "other_cycles" not in found  # what runs at the same time does not add up


def naive(puts: list[int], takes: list[int], cycles: tuple[int, int], depth: int) -> tuple[int, int]:
    """Cycle by cycle: each side does what its next cycle has to do, or stands still."""
    clock, at, done = 0, [0, 0], [0, 0]  # cycles that each side has gone on, tokens that it has passed
    seen: list[int] = []  # when tokens were put, of those that are in the FIFO
    ends = [-1, -1]
    while -1 in ends:
        ready = sum(1 for when in seen if when < clock)
        taken_now = 0
        if ends[1] < 0:
            if at[1] == cycles[1]:
                ends[1] = clock
            elif done[1] < len(takes) and takes[done[1]] == at[1]:
                if ready:
                    taken_now, done[1], at[1] = 1, done[1] + 1, at[1] + 1
            else:
                at[1] += 1
        if ends[0] < 0:
            if at[0] == cycles[0]:
                ends[0] = clock
            elif done[0] < len(puts) and puts[done[0]] == at[0]:
                if len(seen) < depth:
                    seen.append(clock)
                    done[0], at[0] = done[0] + 1, at[0] + 1
            else:
                at[0] += 1
        del seen[:taken_now]
        clock += 1
    return ends[0], ends[1]


Handover = tuple[list[int], list[int], tuple[int, int], int]  # cycles of puts, of takes, of both tasks, depth


@by_seed
def handovers(draw: st.DrawFn) -> Handover:
    """Draw two tasks and what one hands to the other."""
    tokens = draw(st.integers(1, 12))
    gaps = st.lists(st.integers(1, 4), min_size=tokens, max_size=tokens)
    puts, takes = (np.cumsum(draw(gaps)).tolist() for _ in range(2))
    return (
        puts,
        takes,
        (puts[-1] + draw(st.integers(1, 5)), takes[-1] + draw(st.integers(1, 5))),
        draw(st.integers(1, 5)),
    )


@settings(deadline=None, max_examples=200)
@given(handovers())
def test_tasks_run_as_a_machine_would_that_goes_cycle_by_cycle(handover: Handover) -> None:
    puts, takes, cycles, depth = handover
    fifo = Channel(
        name="s", source="a", target="b", depth=depth, write_steps=StepList.of(puts), read_steps=StepList.of(takes)
    )
    tasks = [Process.scheduled(name=name, steps=steps) for name, steps in zip("ab", cycles, strict=True)]
    outcome = run(Network(processes=tasks, channels=[fifo]))
    ends = tuple(int(outcome.timeline.passed[name][0][-1]) + 1 for name in "ab")
    assert ends == naive(puts, takes, cycles, depth)


@settings(deadline=None, max_examples=20)
@given(st.lists(st.integers(2, 30), min_size=3, max_size=3), st.integers(1, 12))
def test_buffers_overlap_as_the_recurrences_say(trips: list[int], runs: int) -> None:
    # Three loops in a dataflow loop, with a double buffer between each two of them.
    loops = "".join(f"for (int i = 0; i < {n}; i++) {array}[i] = i;" if array == "c" else
                    f"for (int i = 0; i < {n}; i++) {array}[i] = {source}[i];"
                    for n, array, source in zip(trips, "cdb", " cd", strict=True))  # fmt: skip
    text = f"""void k(int b[32]) {{ for (int n = 0; n < {runs}; n++) {{
#pragma HLS dataflow
        int c[32], d[32]; {loops} }} }}"""
    with TemporaryDirectory() as folder:
        machine = schedule_of(written(Path(folder), text), "k")
    cycles = [task.cycles for task in machine.tasks]
    end = [[0] * (runs + 1) for _ in range(3)]
    for n in range(1, runs + 1):
        for task in range(3):
            before = end[task - 1][n] if task else 0
            room = end[task + 1][n - 2] if task < 2 and n > 2 else 0
            end[task][n] = max(end[task][n - 1], before, room) + cycles[task]
    assert [task.end for task in machine.tasks] == [each[-1] for each in end]


PORT = """#include "hls_stream.h"
static void gen(hls::stream<int> &a) { for (int i = 0; i < 8; i++) {
#pragma HLS pipeline II=4
    a.write(i); } }
static void four(hls::stream<int> &a, hls::stream<int> &o) { for (int i = 0; i < 8; i++) {
#pragma HLS pipeline II=4
    int v = a.read();
    for (int k = 0; k < 4; k++) o.write(v + k); } }
void top(hls::stream<int> &o) {
#pragma HLS interface axis port=o
#pragma HLS dataflow
    hls::stream<int> a;
    gen(a); four(a, o); }
"""


def test_a_stream_of_the_interface_takes_one_token_per_cycle(tmp_path: Path) -> None:
    """Iterations start every 4 cycles, the last one in 29: the four writes begin in 30 to 33 (R3.8, R3.11)."""
    machine = schedule_of(written(tmp_path, PORT), "top")
    assert machine.region is not None and machine.outcome is not None
    assert machine.region.tasks["four"].span == 33
    assert (machine.outcome.finish, machine.cycles) == (34, 34)  # `gen` puts its first token in its second state
