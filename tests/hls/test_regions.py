"""Dataflow regions as process networks: in tasks, in loops, one after another; arrays of FIFOs, shared arrays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.hls.schedule.model import RegionNetwork, StateMachine
from ppnsim.model.run import DeadlockError
from tests.helpers.hls_sources import schedule_of, written

ARGUMENTS = "const int a[64], int b[64]"
TASKS = """#include "hls_stream.h"
static void produce(const int a[64], hls::stream<int> &s) { for (int i = 0; i < 64; i++) { s << a[i]; } }
static void consume(hls::stream<int> &t, int b[64]) { for (int i = 0; i < 64; i++) { b[i] = t.read(); } }
static void copy(const int a[64], int b[64]) { for (int i = 0; i < 64; i++) { b[i] = a[i]; } }
static void pass(const int a[64], int b[64]) {
#pragma HLS dataflow
    hls::stream<int> s; produce(a, s); consume(s, b); }
"""
SHALLOW = """
static void two(const int a[64], hls::stream<int> &s, hls::stream<int> &t) {
    for (int i = 0; i < 64; i++) s << a[i];
    for (int i = 0; i < 64; i++) t << a[i]; }
static void both(hls::stream<int> &s, hls::stream<int> &t, int b[64]) {
    for (int i = 0; i < 64; i++) b[i] = s.read() + t.read(); }
void k(const int a[64], int b[64]) {
#pragma HLS dataflow
    hls::stream<int> s, t;
    two(a, s, t); both(s, t, b); }
"""


def kernel(folder: Path, body: str, *, arguments: str = ARGUMENTS, before: str = "") -> StateMachine:
    return schedule_of(written(folder, f"{TASKS}{before}\nvoid k({arguments}) {{\n{body}\n}}\n"), "k")


def region_of(machine: StateMachine) -> RegionNetwork:
    assert machine.region is not None
    return machine.region


def spans(machine: StateMachine) -> list[tuple[str, int, int]]:
    return [(task.name, task.start, task.end) for task in machine.tasks]


def test_a_region_in_a_task_starts_with_the_task_and_ends_it_when_all_its_tasks_have_ended(tmp_path: Path) -> None:
    body = "#pragma HLS dataflow\nint c[64], d[64]; copy(a, c); pass(c, d); copy(d, b);"
    machine = kernel(tmp_path, body)
    # `consume` takes the first token two cycles after the start of the region, in its second state (R3.11).
    assert spans(machine) == [
        ("copy", 0, 64), ("pass.produce", 64, 128), ("pass.consume", 64, 129), ("copy_2", 130, 194),
    ]  # fmt: skip
    region = region_of(machine)
    assert region.of_kind("fifo") == ["s"]
    assert {region.network.channel(name).width for name in region.of_kind("buffer")} == {64 * 32}


def test_regions_one_after_another_wait_for_all_of_the_one_before(tmp_path: Path) -> None:
    machine = kernel(
        tmp_path, "copy(a, c);\npass(c, b);\ncopy(b, c);\npass(c, b);", arguments=f"{ARGUMENTS}, int c[64]"
    )
    starts = {name: start for name, start, _ in spans(machine)}
    assert starts == {
        "copy": 0, "pass.produce": 64, "pass.consume": 64, "copy_2": 130, "pass_2.produce": 194,
        "pass_2.consume": 194,
    }  # fmt: skip
    assert machine.cycles == 194 + 65


def test_a_loop_around_a_region_waits_for_the_region_before_its_next_round(tmp_path: Path) -> None:
    machine = kernel(tmp_path, "for (int n = 0; n < 5; n++) { pass(a, b); }")
    assert machine.runs == 5
    # The writer puts its last token in the state in which it signals its end; the reader ends one cycle later.
    assert machine.cycles == 4 * 66 + 65
    own = kernel(
        tmp_path,
        "for (int n = 0; n < 5; n++) {\n#pragma HLS dataflow\nhls::stream<int> s; produce(a, s); consume(s, b); }",
    )
    assert own.cycles == 5 * 65  # the tasks of the loop's own region wait only for tokens
    assert [task.runs for task in own.tasks] == [5, 5]


def test_a_region_in_a_loop_of_a_task_hands_its_arrays_on_after_the_last_round(tmp_path: Path) -> None:
    before = """static void rounds(const int a[64], int b[64]) { for (int n = 0; n < 5; n++) {
#pragma HLS dataflow
        int c[64]; copy(a, c); copy(c, b); } }"""
    machine = kernel(tmp_path, "#pragma HLS dataflow\nint d[64]; rounds(a, d); copy(d, b);", before=before)
    assert [(task.start, task.end, task.runs) for task in machine.tasks] == [
        (0, 320, 5), (64, 384, 5), (384, 448, 1)
    ]  # fmt: skip
    assert machine.nests[0].iterations == 5 * 64


def test_fifos_of_an_array_are_channels_of_one_group(tmp_path: Path) -> None:
    before = """
    static void fan(const int a[64], hls::stream<int> s[12]) { for (int i = 0; i < 64; i++) {
#pragma HLS pipeline
        for (int j = 0; j < 12; j++) s[j] << a[i] + j; } }
    static void join(hls::stream<int> s[12], int b[64]) { for (int i = 0; i < 64; i++) {
#pragma HLS pipeline
        int v = 0; for (int j = 0; j < 12; j++) v += s[j].read(); b[i] = v; } }"""
    body = (
        "#pragma HLS dataflow\nhls::stream<int> s[12];\n#pragma HLS stream variable=s depth=7\nfan(a, s); join(s, b);"
    )
    region = region_of(kernel(tmp_path, body, before=before))
    assert region.groups == {"s": [f"s[{n}]" for n in range(12)]}
    assert {channel.depth for channel in region.network.channels} == {7}
    known = region.channels["s[11]"]
    assert (known.variable, known.position.line) == ("s", 17)


def test_several_tasks_read_one_array_and_one_scalar_and_the_writer_waits_for_both(tmp_path: Path) -> None:
    body = """for (int n = 0; n < 4; n++) {
#pragma HLS dataflow
        int d[64], last;
        for (int i = 0; i < 64; i++) { d[i] = a[i]; last = a[i]; }
        for (int i = 0; i < 64; i++) b[i] = d[i];
        for (int i = 0; i < 256; i++) c[i] = d[0] + last; }"""
    machine = kernel(tmp_path, body, arguments=f"{ARGUMENTS}, int c[256]")
    ends = {task.name: task.end for task in machine.tasks}
    slow = machine.tasks[2].cycles
    # Two copies: run 3 of the writer waits for run 1 of the slow reader.
    assert ends["loop i"] == machine.tasks[0].cycles + 2 * slow + machine.tasks[0].cycles
    assert ends["loop i_3"] == machine.tasks[0].cycles + 4 * slow
    both = {region_of(machine).channels[name].array for name in region_of(machine).of_kind("buffer")}
    assert both == {"d", "last"}


@pytest.mark.parametrize(("pragma", "copies"), [("", 2), ("type=pipo depth=3", 3), ("type=shared", 1), ("off", 2)])
def test_copies_of_an_array_are_what_its_pragma_says(tmp_path: Path, pragma: str, copies: int) -> None:
    line = f"\n#pragma HLS stream variable=c {pragma}\n" if pragma else ""
    body = f"for (int n = 0; n < 8; n++) {{\n#pragma HLS dataflow\nint c[64];{line}copy(a, c); copy(c, b); }}"
    machine = kernel(tmp_path, body)
    region = region_of(machine)
    assert [region.network.channel(name).initial for name in region.of_kind("credit")] == [copies]
    assert machine.cycles == (16 * 64 if copies == 1 else 9 * 64)


def test_tasks_may_read_the_same_array_outside(tmp_path: Path) -> None:
    body = "#pragma HLS dataflow\nhls::stream<int> s, t; produce(a, s); produce(a, t); consume(s, b); consume(t, c);"
    machine = kernel(tmp_path, body, arguments=f"{ARGUMENTS}, int c[64]")
    assert region_of(machine).of_kind("buffer") == []
    assert machine.cycles == 65


def test_a_deadlock_names_the_circle_the_lines_and_the_pragma_that_breaks_it(tmp_path: Path) -> None:
    path = written(tmp_path, TASKS + SHALLOW)
    with pytest.raises(DeadlockError, match="waits for a slot in 's'"):
        schedule_of(path, "k")
    done = CliRunner().invoke(app, ["schedule", str(path), "--function", "k", "--json", "-"])
    assert done.exit_code == 3
    found = json.loads(done.stdout)
    assert found["cycles"] is None
    deadlock = found["dataflow"]["deadlock"]
    assert [wait["process"] for wait in deadlock["cycle"]] == ["two", "both"]
    assert deadlock["source"]["'s'"].endswith("kernel.cpp:16:22")
    assert deadlock["source"]["task two"].endswith("kernel.cpp:10:5")
    shown = CliRunner().invoke(app, ["schedule", str(path), "--function", "k"]).stdout
    (pragma,) = deadlock["pragmas"]
    assert pragma in shown
    mended = TASKS + SHALLOW.replace("s, t;", f"s, t;\n{pragma}\n")
    assert schedule_of(written(tmp_path, mended), "k").cycles > 0
    depth = int(pragma.rpartition("=")[2])
    less = mended.replace(pragma, pragma.replace(str(depth), str(depth - 1)))
    with pytest.raises(DeadlockError):
        schedule_of(written(tmp_path, less), "k")


def test_the_command_tells_how_full_each_fifo_was_and_who_waited(tmp_path: Path) -> None:
    before = """static void slow(hls::stream<int> &s, int b[64]) { for (int i = 0; i < 64; i++) {
#pragma HLS pipeline II=2
        b[i] = s.read(); } }"""
    body = "#pragma HLS dataflow\nhls::stream<int> s; produce(a, s); slow(s, b);"
    text = f"{TASKS}{before}\nvoid k({ARGUMENTS}) {{\n{body}\n}}"
    path = written(tmp_path, text)
    done = CliRunner().invoke(app, ["schedule", str(path), "--function", "k", "--json", "-"])
    (fifo,) = json.loads(done.stdout)["dataflow"]["fifos"]
    # Tokens are put from cycle 1 on and taken in 2, 4, 6 ...: full from cycle 3 on, until the last two are left.
    assert (fifo["depth"], fifo["held"], fifo["line"]) == (2, 2, 13)
    assert fifo["reader_waited"] == 1  # it is taken in the second state (R3.11)
    assert fifo["writer_waited"] == 2 + 2 * (63 - 2) + 1 - 64
    assert fifo["full"] + fifo["empty"] < json.loads(done.stdout)["cycles"]
    picture = tmp_path / "tasks.svg"
    drawn = CliRunner().invoke(app, ["schedule", str(path), "--function", "k", "--plot", str(picture)])
    assert drawn.exit_code == 0, drawn.stderr
    assert "produce" in picture.read_text(encoding="utf-8")
    assert "writer waits" in drawn.stdout


def test_a_fifo_in_one_task_must_hold_what_the_task_puts(tmp_path: Path) -> None:
    before = """static void alone(const int a[64], int b[64]) {
        hls::stream<int> s;
        for (int i = 0; i < 64; i++) s << a[i];
        for (int i = 0; i < 64; i++) b[i] = s.read(); }"""
    with pytest.raises(InputError, match=r"kernel.cpp:\d+:\d+: FIFO 's' of 'alone' has to hold 64 tokens and holds 2"):
        kernel(tmp_path, "#pragma HLS dataflow\nint c[64]; alone(a, c); copy(c, b);", before=before)


def test_a_network_refuses_a_condition_around_a_region(tmp_path: Path) -> None:
    body = "for (int n = 0; n < 5; n++) { if (n > 2) { pass(a, b); } }"
    with pytest.raises(InputError, match=r"kernel.cpp:\d+:\d+: a condition decides whether a dataflow region runs"):
        kernel(tmp_path, body)


def test_neighbouring_loops_that_only_write_one_array_are_one_task(tmp_path: Path) -> None:
    # As the tool does with an array that is set to 0 before a part of it is filled (a padded image).
    body = """#pragma HLS dataflow
        int c[64];
        for (int i = 0; i < 64; i++) c[i] = 0;
        for (int i = 0; i < 32; i++) c[2 * i] = a[i];
        for (int i = 0; i < 64; i++) b[i] = c[i];"""
    machine = kernel(tmp_path, body)
    assert [task.name for task in machine.tasks] == ["loop i", "loop i_2"]
    assert machine.tasks[0].cycles > 64 + 32
    assert region_of(machine).of_kind("buffer") == ["c"]


def test_registers_are_handed_from_task_to_task_in_place(tmp_path: Path) -> None:
    body = """#pragma HLS dataflow
        int c[4];
        #pragma HLS array_partition variable=c complete
        for (int i = 0; i < 4; i++) c[i] = a[i];
        for (int n = 0; n < 64; n++) {
        #pragma HLS pipeline
            for (int i = 0; i < 4; i++) c[i] += a[n]; }
        for (int i = 0; i < 4; i++) b[i] = c[i];"""
    machine = kernel(tmp_path, body)
    ends = [task.end for task in machine.tasks]
    assert [task.start for task in machine.tasks] == [0, *ends[:-1]]


ENDLESS = """#include "hls_stream.h"
#include "hls_task.h"
static void one(hls::stream<int> &s, hls::stream<int> &t) { t << s.read() + 1; }
static void pair(hls::stream<int> &s, hls::stream<int> &t) { t << s.read() + s.read(); }
static void produce(const int a[64], hls::stream<int> &s) { for (int i = 0; i < 64; i++) s << a[i]; }
static void consume(hls::stream<int> &s, int b[32]) { for (int i = 0; i < 32; i++) b[i] = s.read(); }
void k(const int a[64], int b[32]) {
#pragma HLS dataflow
    hls_thread_local hls::stream<int> s, t, u;
    produce(a, s);
    hls_thread_local hls::task second(pair, t, u);
    hls_thread_local hls::task first(one, s, t);
    consume(u, b); }
void outside(hls::stream<int> &in, hls::stream<int> &out) {
    hls_thread_local hls::stream<int> s;
    hls_thread_local hls::task first(one, in, s);  // hls::task none(consume, s);
    hls_thread_local hls::task second(one, s, out); }
void circle(hls::stream<int> &out) {
    hls_thread_local hls::stream<int> s, t;
    hls_thread_local hls::task first(one, s, t);
    hls_thread_local hls::task second(one, t, s); }
"""


SPLIT = """
#include "hls_np_channel.h"
void inc(hls::stream<int> &i, hls::stream<int> &o) { o.write(i.read() + 1); }
void all(hls::stream<int> &i, hls::stream<int> &o) {
#pragma HLS dataflow
    hls_thread_local hls::split::round_robin<int, 3> ways;
    hls_thread_local hls::merge::round_robin<int, 3> back;
    hls_thread_local hls::task before(inc, i, ways.in);
    hls_thread_local hls::task first(inc, ways.out[0], back.in[0]);
    hls_thread_local hls::task second(inc, ways.out[1], back.in[1]);
    hls_thread_local hls::task third(inc, ways.out[2], back.in[2]);
    hls_thread_local hls::task behind(inc, back.out, o); }
"""


def test_tasks_that_outside_feeds_run_as_often_as_those_behind_them_need(tmp_path: Path) -> None:
    path = written(tmp_path, SPLIT)
    machine = schedule_of(path, "all")
    runs = {task.name: task.runs for task in machine.tasks}
    assert (runs["inc"], runs["split_round_robin"], runs["merge_round_robin"]) == (3, 1, 1)
    assert sorted(runs.values()) == [1, 1, 1, 1, 1, 3, 3]
    done = CliRunner().invoke(app, ["schedule", str(path), "--function", "all"])
    assert "task 'inc' runs 3 times: its tokens come from outside" in done.stdout


def test_tasks_without_an_end_run_until_their_tokens_are_used_up(tmp_path: Path) -> None:
    path = written(tmp_path, ENDLESS)
    machine = schedule_of(path, "k")
    assert {task.name: task.runs for task in machine.tasks} == {"produce": 1, "pair": 32, "one": 64, "consume": 1}
    # `one` takes and adds in one state and puts in the next (R3.10): a token in two cycles, from cycle 3 on.
    assert machine.cycles == 2 * 64 + 3 + 1
    done = CliRunner().invoke(app, ["schedule", str(path), "--function", "outside"])
    assert "task 'one' runs once: its tokens come from outside" in done.stdout
    assert "task 'one_2'" not in done.stdout
    with pytest.raises(
        InputError, match=r"kernel.cpp:\d+:\d+: tasks 'one', 'one_2' run as long as tokens come and feed"
    ):
        schedule_of(path, "circle")


def test_arrays_of_tasks_need_no_directive_and_each_an_argument_for_each_parameter(tmp_path: Path) -> None:
    text = ENDLESS.replace(
        "hls_thread_local hls::task first(one, in, s);",
        """hls_thread_local hls::task each[2];
    hls_thread_local hls::stream<int> r[3];
    hls_thread_local hls::task before(one, in, r[0]);
    hls_thread_local hls::task after(one, r[2], s);
    for (int i = 0; i < 2; i++) {
#pragma HLS unroll
        each[i](one, r[i], r[i + 1]); }""",
    )
    assert len(schedule_of(written(tmp_path, text), "outside").tasks) == 5
    for given, wrong in (
        ("each[i](one, r[i], r[i + 1])", "each[i](one, r[i])"),
        ("(one, r[2], s)", "(one, r[2], s, s)"),
    ):
        with pytest.raises(InputError, match=r"kernel.cpp:\d+:\d+: hls::task is given a function and its arguments"):
            schedule_of(written(tmp_path, text.replace(given, wrong)), "outside")


TEMPLATES = """#include "hls_stream.h"
#include "hls_task.h"
template <int N> void step(hls::stream<int> &s, hls::stream<int> &t) {
    int x = s.read();
    for (int i = 0; i < N; i++) x = x / 3;
    t << x; }
static void produce(const int a[64], hls::stream<int> &s) { for (int i = 0; i < 64; i++) s << a[i]; }
static void consume(hls::stream<int> &s, int b[64]) { for (int i = 0; i < 64; i++) b[i] = s.read(); }
void k(const int a[64], int b[64]) {
#pragma HLS dataflow
    hls_thread_local hls::stream<int> s, t, u;
    produce(a, s);
    hls_thread_local hls::task first(step<1>, s, t);
    hls_thread_local hls::task second(step<40>, t, u);
    consume(u, b); }
"""


def test_tasks_of_one_template_have_each_its_own_function(tmp_path: Path) -> None:
    tasks = {task.name: task for task in schedule_of(written(tmp_path, TEMPLATES), "k").tasks}
    assert list(tasks) == ["produce", "step", "step_2", "consume"]
    assert tasks["step"].cycles < 39 < tasks["step_2"].cycles  # one quotient in a round, and forty


ROUNDS = """#include "hls_stream.h"
#include "hls_task.h"
static void gen(const int x[20], hls::stream<int> &s) { for (int i = 0; i < 20; i++) s.write(x[i]); }
static void once(hls::stream<int> &s, hls::stream<int> &t) {
#pragma HLS pipeline II=INTERVAL
    float f = s.read(); t.write((int)(f * 1.5f + 2.0f)); }
static void all(hls::stream<int> &s, hls::stream<int> &t) {
    for (int i = 0; i < 20; i++) {
#pragma HLS pipeline II=INTERVAL
        float f = s.read(); t.write((int)(f * 1.5f + 2.0f)); } }
static void sink(hls::stream<int> &t, int y[20]) { for (int i = 0; i < 20; i++) y[i] = t.read(); }
void task(const int x[20], int y[20]) {
#pragma HLS dataflow
    hls_thread_local hls::stream<int> s, t;
    gen(x, s);
    hls_thread_local hls::task middle(once, s, t);
    sink(t, y); }
void loop(const int x[20], int y[20]) {
#pragma HLS dataflow
    hls::stream<int> s, t;
    gen(x, s); all(s, t); sink(t, y); }
"""


@pytest.mark.parametrize("interval", [1, 2, 3])
def test_a_pipelined_task_without_an_end_starts_a_round_every_interval(tmp_path: Path, interval: int) -> None:
    """Its rounds are the iterations of a loop with the same directive, long before the round before has ended."""
    path = written(tmp_path, ROUNDS.replace("INTERVAL", str(interval)))
    rounds, loop = schedule_of(path, "task"), schedule_of(path, "loop")
    said = [
        each for each in region_of(rounds).said if each.startswith("assumed: the pipelines of once stop as a whole")
    ]
    assert len(said) == 1 and not region_of(loop).said
    depth = next(nest.body.depth for nest in rounds.nests if nest.body.pipeline.loops[0].iterator == "rounds of once")
    assert depth > 10
    assert [task.cycles for task in rounds.tasks] == [task.cycles for task in loop.tasks]
    assert rounds.tasks[1].cycles == 19 * interval + depth - 1
    assert rounds.cycles == loop.cycles


def test_the_command_names_the_task_and_the_label_of_each_loop(tmp_path: Path) -> None:
    labelled = ROUNDS.replace("{ for (int i = 0; i < 20; i++) y", "{ outputs: for (int i = 0; i < 20; i++) y")
    path = written(tmp_path, labelled.replace("INTERVAL", "1"))
    done = CliRunner().invoke(app, ["schedule", str(path), "--function", "loop"])
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [(row[0], row[-1]) for row in rows if row and row[-1] in ("gen", "all", "sink")] == [
        ("i", "gen"), ("i", "all"), ("outputs", "sink"),
    ]  # fmt: skip


MEMBERS = """#include "hls_stream.h"
struct Pipe {
    hls::stream<int> a; hls::stream<int> b[2];
    Pipe() {
#pragma HLS stream variable=a depth=9
#pragma HLS stream variable=b depth=5
    }
    void split() { for (int i = 0; i < 20; i++) {
#pragma HLS pipeline II=2
        b[0].write(a.read()); b[1].write(a.read()); } }
    void join(int y[40]) { for (int i = 0; i < 20; i++) { y[2 * i] = b[0].read(); y[2 * i + 1] = b[1].read(); } }
};
static void source(const int x[40], hls::stream<int> &a) { for (int i = 0; i < 40; i++) a.write(x[i]); }
void k(const int x[40], int y[40]) {
#pragma HLS dataflow
    Pipe p; source(x, p.a); p.split(); p.join(y); }
"""


def test_streams_that_are_members_have_the_depths_of_the_constructor_or_of_the_region(tmp_path: Path) -> None:
    def depths(text: str) -> dict[str, int | None]:
        region = region_of(schedule_of(written(tmp_path, text), "k"))
        return {known.variable: region.network.channel(name).depth for name, known in region.channels.items()}

    assert depths(MEMBERS) == {"p.a": 9, "p.b": 5}
    plain = MEMBERS.replace("#pragma HLS stream variable=a", "//").replace("#pragma HLS stream variable=b", "//")
    outside = plain.replace("Pipe p;", "Pipe p;\n#pragma HLS stream variable=p.a depth=7\n")
    assert (depths(plain), depths(outside)) == ({"p.a": 2, "p.b": 2}, {"p.a": 7, "p.b": 2})


@pytest.mark.parametrize("own", [True, False])
def test_a_global_stream_is_one_of_the_region(tmp_path: Path, own: bool) -> None:
    given = ", hls::stream<int> &s" if own else ""
    text = f"""#include "hls_stream.h"
hls::stream<int> {"other" if own else "s"};
static void one(const int x[9]{given}) {{ for (int i = 0; i < 9; i++) s.write(x[i]); }}
static void two(int y[9]{given}) {{ for (int i = 0; i < 9; i++) y[i] = s.read(); }}
void k(const int x[9], int y[9]) {{
#pragma HLS dataflow
    {"hls::stream<int> s; one(x, s); two(y, s);" if own else "one(x); two(y);"} }}
"""
    machine = schedule_of(written(tmp_path, text), "k")
    assert (machine.cycles, region_of(machine).of_kind("fifo")) == (10, ["s"])


def test_tasks_that_access_fifos_seldom_are_run_from_access_to_access(tmp_path: Path) -> None:
    text = """#include "hls_stream.h"
static void produce(const int a[512], hls::stream<int> &s) { int t = 0;
    for (int i = 0; i < 2000; i++) for (int j = 0; j < 512; j++) { t += a[j]; if (j == 511) s << t; } }
static void consume(hls::stream<int> &s, int b[512]) { int t = 0;
    for (int i = 0; i < 2000; i++) for (int j = 0; j < 512; j++) { if (j == 0) t = s.read(); b[j] = t; } }
void k(const int a[512], int b[512]) {
#pragma HLS dataflow
    hls::stream<int> s; produce(a, s); consume(s, b); }
"""
    outcome = schedule_of(written(tmp_path, text), "k").outcome
    assert outcome is not None
    assert outcome.network.passings > 2_000_000
    assert outcome.left_out is None  # to find its period took four times the memory, and more time
    assert outcome.finish == run(outcome.network, on_deadlock="return").finish
