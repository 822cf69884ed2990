"""Designs whose streams do not wait, and designs whose data decides, in simulated time."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from ppnsim.errors import InputError
from ppnsim.hls.library.library import load_library
from ppnsim.hls.native.execute import NativeDesign, execute, timed
from tests.hls.native.designs import CHOICE, CHOICE_BENCH, DROPS, DROPS_BENCH, executed, needs_compiler, written

pytestmark = needs_compiler


def test_a_write_that_does_not_wait_drops_what_has_no_slot(tmp_path: Path) -> None:
    """The sender writes in each cycle from 2 on; reads happen from 3 on every 3 cycles, and free a slot a cycle later.

    So tokens 0, 1 and 2 find a slot, and then each third one: 0, 1, 2, 5, 8, ..., 62.
    """
    run = executed(tmp_path, DROPS, DROPS_BENCH)
    assert run.rule.endswith("two loops of a task overlap): send, receive")
    assert "a loop begins one state after its start" in run.rule  # as the schedule alone does not have it
    kept = [0, 1, *range(2, 64, 3)]
    assert run.printed == f"lost {64 - len(kept)} sum {sum(kept)}\n"
    (call,) = run.calls
    (stream,) = call.streams
    assert stream.reads == [3 + 3 * k for k in range(len(kept) + 1)]
    assert (stream.most, stream.refused) == (2, 64 - len(kept))
    assert not run.monotone


@pytest.mark.parametrize("macro", ["__SYNTHESIS__", "__HLS_SYN__"])
def test_a_design_has_the_macros_of_synthesis_and_its_testbench_none(tmp_path: Path, macro: str) -> None:
    """As the schedule has them (R9.43); in an execution of its own a tool would define neither."""
    source = DROPS.replace("lost++;", f"\n#ifdef {macro}\n lost++;\n#else\n lost = 0;\n#endif\n")
    bench = DROPS_BENCH.replace("lost = 0,", f"lost = 0\n#ifdef {macro}\n + 1000\n#endif\n,")
    assert executed(tmp_path, source, bench).printed == executed(tmp_path, DROPS, DROPS_BENCH).printed


def test_data_decides_which_stream_a_token_takes(tmp_path: Path) -> None:
    run = executed(tmp_path, CHOICE, CHOICE_BENCH)
    values = [i % 3 for i in range(40)]
    assert run.printed == f"{sum(v % 2 == 0 for v in values)} even, {values.count(1)} odd\n"
    (call,) = run.calls
    by_name = {stream.name: stream for stream in call.streams}
    # One iteration per cycle, and both consumers keep up: token k of the input is written in cycle 2 + k.
    assert by_name["odd"].writes[:-1] == [2 + k for k, v in enumerate(values) if v % 2]
    assert by_name["even"].writes[:-1] == [2 + k for k, v in enumerate(values) if not v % 2]
    assert (by_name["even"].depth, by_name["odd"].depth) == (2, 4)
    assert [task.name for task in call.tasks] == ["split", "count_1", "count_2"]
    assert run.monotone


POLL = """
#include <hls_stream.h>
void work(hls::stream<int> &in, hls::stream<int> &out) {
  for (int i = 0; i < 10; i++) {
#pragma HLS pipeline off
    out.write(in.read() + 1);
  }
}
void wait(hls::stream<int> &in, hls::stream<int> &out, int &polls, int &sum) {
  for (int i = 0; i < 10; i++) {
#pragma HLS pipeline off
    in.write(i);
    while (out.empty()) polls++;
    sum += out.read();
  }
}
void top(int &polls, int &sum) {
#pragma HLS dataflow
  hls::stream<int> in, out;
  work(in, out);
  wait(in, out, polls, sum);
}
"""
POLL_BENCH = """
#include <cstdio>
void top(int &polls, int &sum);
int main() {
  for (int round = 0; round < 2; round++) {
    int polls = 0, sum = 0;
    top(polls, sum);
    std::printf("%d %d\\n", polls, sum);
  }
  return 0;
}
"""


def test_polling_counts_cycles_and_a_region_may_be_called_again(tmp_path: Path) -> None:
    """A value is written in state 1, the polls begin in state 3 (R5.3); reading and adding share a state (R3.10).

    The value is read one cycle after it was written, and the sum is there two cycles later: behind the first poll.
    """
    run = executed(tmp_path, POLL, POLL_BENCH)
    assert run.printed == "10 55\n10 55\n"
    first, second = run.calls
    assert first.finish == second.finish and run.finish == 2 * first.finish
    assert [stream.writes for stream in first.streams] == [stream.writes for stream in second.streams]


def test_a_circle_of_tasks_is_a_deadlock(tmp_path: Path) -> None:
    source = POLL.replace(
        "in.write(i);\n    while (out.empty()) polls++;\n    sum += out.read();", "sum += out.read(); in.write(i);"
    )
    run = executed(tmp_path, source, POLL_BENCH)
    (call,) = run.calls
    assert run.deadlocked and run.printed == ""
    assert [(wait.task, wait.stream, wait.held) for wait in call.deadlock] == [("work", "in", 0), ("wait", "out", 0)]
    assert str(call.deadlock[1]).endswith(f"'out' (empty) at {tmp_path / 'kernel.cpp'}:12")


CHAIN = """
#include <hls_stream.h>
void first(hls::stream<int> &in, int table[16]) {
  for (int i = 0; i < 16; i++) table[i] = in.read();
}
void second(const int table[16], hls::stream<int> out[2]) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) out[0].write(table[4 * i + j]);
  out[1] << 7;
}
void top(hls::stream<int> &in, hls::stream<int> out[2]) {
#pragma HLS dataflow
  int table[16];
  first(in, table);
  second(table, out);
}
"""
CHAIN_BENCH = """
#include <cstdio>
#include <hls_stream.h>
void top(hls::stream<int> &in, hls::stream<int> out[2]);
int main() {
  hls::stream<int> in, out[2];
  for (int i = 0; i < 16; i++) in.write(3 * i);
  top(in, out);
  int sum = 0;
  while (!out[0].empty()) sum += out[0].read();
  std::printf("%d %d\\n", sum, out[1].read());
  return sum == 360 ? 0 : 1;
}
"""


def test_streams_of_the_interface_and_arrays_between_tasks(tmp_path: Path) -> None:
    run = executed(tmp_path, CHAIN, CHAIN_BENCH)
    assert run.printed == "360 7\n"
    (call,) = run.calls
    first, second = call.tasks
    assert second.start == first.end  # it reads what the first one writes
    assert [(s.name, s.depth, s.initial) for s in call.streams] == [
        ("in", None, 16),
        ("out[0]", None, 0),
        ("out[1]", None, 0),
    ]
    # A perfect nest of counted loops is one pipeline: 16 iterations without a gap.
    writes = call.streams[1].writes
    assert writes == list(range(writes[0], writes[0] + 16))


@pytest.mark.parametrize(
    ("testbench", "words"),
    [
        (DROPS_BENCH.replace("return 0;", "return zero;"), "bench.cpp:9:10: does not compile: 'zero' was not declared"),
        (
            DROPS_BENCH.replace("return 0;", "return 3;"),
            "bench.cpp: main() returned 3: the testbench says that it failed",
        ),
        (DROPS_BENCH.replace("return 0;", "for (volatile int i = 0;; i++);"), "bench.cpp: has not ended after"),
        (DROPS_BENCH.replace("top(in, lost, sum);", ""), "bench.cpp: main() does not call 'top'"),
        (DROPS_BENCH.replace("top(in,", "other(in,"), "'other' was not declared"),
        ("int top(int); int main() { return top(1); }", "bench.cpp: does not link: "),
        (
            DROPS_BENCH.replace("return 0;", "*(volatile int *)0 = 1;"),
            "bench.cpp: the program of the design and its testbench stopped with signal 11",
        ),
    ],
)
def test_a_testbench_that_fails_says_how(tmp_path: Path, testbench: str, words: str) -> None:
    seconds = 1.5 if "volatile int i" in testbench else 60.0
    with pytest.raises(InputError) as told:
        executed(tmp_path, DROPS, testbench, seconds=seconds)
    assert words in str(told.value).replace("\u2018", "'").replace("\u2019", "'")


def test_a_task_that_never_stops_to_ask_has_its_time_as_well(tmp_path: Path) -> None:
    source = DROPS.replace("s.write(-1);", "while (true) { lost++; if (lost < 0) break; }")
    with pytest.raises(InputError, match=r"bench.cpp: has not ended after 0.5 s \(--time-limit sets"):
        executed(tmp_path, source, DROPS_BENCH, seconds=0.5)


def test_no_compiler_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="neither g\\+\\+ or clang\\+\\+ is on the PATH"):
        executed(tmp_path, DROPS, DROPS_BENCH)


def test_directives_hold_under_conditions_and_their_numbers_may_be_macros(tmp_path: Path) -> None:
    ways = {
        "literal": DROPS,
        "macro": "#define SLOW 3\n" + DROPS.replace("II=3", "II=SLOW"),
        "condition": "#define SLOW 1\n" + DROPS.replace("HLS pipeline II=3", "HLS if (SLOW == 1) pipeline II=3"),
        "false": "#define SLOW 0\n" + DROPS.replace("HLS pipeline II=3", "HLS if (SLOW == 1) pipeline II=3"),
        "none": DROPS.replace("#pragma HLS pipeline II=3\n", ""),
    }
    found = {way: executed(tmp_path, source, DROPS_BENCH) for way, source in ways.items()}
    assert found["literal"].finish == found["macro"].finish == found["condition"].finish
    assert found["literal"].printed == found["macro"].printed == found["condition"].printed
    assert found["false"].finish == found["none"].finish < found["literal"].finish
    deep = DROPS.replace("hls::stream<int> s;", "hls::stream<int> s;\n#pragma HLS stream variable=s depth=2*SLOW + 1")
    (stream,) = executed(tmp_path, "#define SLOW 3\n" + deep, DROPS_BENCH).calls[0].streams
    assert stream.depth == 7


@pytest.mark.parametrize(
    ("pragma", "other", "words"),
    [
        ("pipeline II=3", "pipeline II=SLOW", ":10:1: ii = SLOW is not a whole number from 1 on"),
        ("pipeline II=3", "if (SLOW) pipeline", ":10:1: the condition 'SLOW' is no constant"),
        ("dataflow", "dataflow\n#pragma HLS stream variable=t depth=4", "no stream 't' (known: s)"),
        ("dataflow", "dataflow\n#pragma HLS stream variable=s depth=0", "depth = 0 is not a whole number from 1 on"),
    ],
)
def test_directives_without_a_meaning_are_refused(tmp_path: Path, pragma: str, other: str, words: str) -> None:
    with pytest.raises(InputError) as told:
        executed(tmp_path, DROPS.replace(f"#pragma HLS {pragma}", f"#pragma HLS {other}"), DROPS_BENCH)
    assert words in str(told.value)


def test_a_pipelined_function_with_loops_is_refused(tmp_path: Path) -> None:
    source = DROPS.replace("int &sum) {\n  while", "int &sum) {\n#pragma HLS pipeline\n  while")
    with pytest.raises(InputError, match="the pipelining of a function with loops is not followed"):
        executed(tmp_path, source, DROPS_BENCH)


CORES = """
#include <hls_stream.h>
struct packet { int key; short value; };
template <int N> void feed(hls::stream<packet> out[N], const int in[24]) {
  for (int i = 0; i < 24 / N; i++) {
    for (int j = 0; j < N; j++) {
#pragma HLS unroll
      packet p; p.key = j; p.value = in[i * N + j];
      out[j].write(p);
    }
  }
}
int scaled(hls::stream<packet> &in, int by) {
  packet p = in.read();
  return p.value * by + p.key;
}
void core(hls::stream<packet> &in, hls::stream<int> &out, int number) {
  for (int i = 0; i < 6; i++) out.write(scaled(in, number + 1));
}
void merge(hls::stream<int> in[4], int &sum) {
  int left = 24;
  while (left > 0) {
    for (int j = 0; j < 4; j++) {
      int x;
      if (in[j].read_nb(x)) { sum += x; left--; }
    }
  }
}
void top(const int in[24], int &sum) {
#pragma HLS dataflow
  hls::stream<packet> a[4];
  hls::stream<int> b[4];
#pragma HLS stream variable=b depth=3
  feed<4>(a, in);
  for (int k = 0; k < 4; k++) {
#pragma HLS unroll
    core(a[k], b[k], k);
  }
  merge(b, sum);
}
"""
CORES_BENCH = """
#include <cstdio>
void top(const int in[24], int &sum);
int main() {
  int in[24], sum = 0;
  for (int i = 0; i < 24; i++) in[i] = i;
  top(in, sum);
  std::printf("%d\\n", sum);
}
"""


def test_streams_in_arrays_structs_templates_and_unrolled_loops(tmp_path: Path) -> None:
    run = executed(tmp_path, CORES, CORES_BENCH)
    assert run.printed == f"{sum(i * (i % 4 + 1) + i % 4 for i in range(24))}\n"
    (call,) = run.calls
    by_name = {stream.name: stream for stream in call.streams}
    # Two ports of the memory feed four streams in two cycles; a stream of the array takes a token every two cycles.
    first = {k: by_name[f"a[{k}]"].writes for k in range(4)}
    assert all(b - a == 2 for writes in first.values() for a, b in pairwise(writes))
    assert sorted(writes[0] for writes in first.values()) == [2, 2, 3, 3]
    assert {by_name[f"b[{k}]"].depth for k in range(4)} == {3}
    assert [task.name for task in call.tasks] == ["feed", *(f"core_{k}" for k in range(1, 5)), "merge"]


def test_other_depths_are_tried_without_a_pragma(tmp_path: Path) -> None:
    """Each slot more keeps one token more; with slots without end, none is lost."""
    kernel, bench = written(tmp_path, DROPS, DROPS_BENCH)
    found = timed(NativeDesign(path=kernel, testbench=bench), load_library("xcvu9p", 5))
    lost = [execute(found, depth=depth).calls[0].streams[0].refused for depth in (2, 5, None)]
    assert lost == [lost[0], lost[0] - 3, 0] and lost[0] > 3
    assert execute(found, depths={"s": 5}).printed == execute(found, depth=5).printed
    with pytest.raises(InputError, match=r"--depth: no stream 't' between tasks \(known: s\)"):
        execute(found, depths={"t": 5})


GUARDED = """
#include <hls_stream.h>
void send(hls::stream<int> &out, hls::stream<bool> &done, int &sent) {
  int i = 0;
  bool stop;
  while (!done.read_nb(stop)) {
    if (!out.full()) {
      out.write(i);
      i++;
    }
  }
  sent = i;
}
void take(hls::stream<int> &in, hls::stream<bool> &done, int &sum) {
  int count = 0;
  do {
    if (!in.empty()) {
      sum += in.read();
      count++;
    }
  } while (count < 30);
  for (;;) {
    if (done.write_nb(true)) break;
  }
}
void top(int &sent, int &sum) {
#pragma HLS dataflow
  hls::stream<int> s;
  hls::stream<bool> done;
  send(s, done, sent);
  take(s, done, sum);
}
"""


def test_full_and_empty_guard_accesses_that_wait(tmp_path: Path) -> None:
    """The sender is ahead of the receiver, which is told only then that it is enough: some tokens stay behind."""
    bench = POLL_BENCH.replace("polls, int &sum", "sent, int &sum")
    run = executed(tmp_path, GUARDED, bench)
    (line, again) = run.printed.splitlines()
    assert line == again
    sent, total = map(int, line.split())
    stream = run.calls[0].streams[0]
    assert total == sum(range(30)) and len(stream.writes) == sent >= len(stream.reads) >= 30
    assert stream.most <= 2 and not any(task.waited for task in run.calls[0].tasks)


LATE = """
#include <hls_stream.h>
void feed(hls::stream<int> &s, hls::stream<int> &t) {
  for (int i = 0; i < 12; i++) {
    s.write(i);
    t.write(3 * i);
  }
}
void look(hls::stream<int> &s, hls::stream<int> &t, const int table[12], int &sum) {
  for (int i = 0; i < 12; i++) {
    int x = s.read();
    if (table[x * 5 % 12] > 3) {
      int y;
      if (t.read_nb(y)) sum += y;
    }
  }
}
void top(const int table[12], int &sum) {
#pragma HLS dataflow
  hls::stream<int> s, t;
#pragma HLS stream variable=t depth=16
  feed(s, t);
  look(s, t, table, sum);
}
"""


def test_what_is_not_exact_is_said(tmp_path: Path) -> None:
    """The table is read after `s`, and `t` after the table: the next iteration would read `s` before `t` answers."""
    bench = CORES_BENCH.replace("in[24]", "in[12]").replace("i < 24", "i < 12")
    run = executed(tmp_path, LATE, bench)
    assert run.printed == f"{sum(3 * i for i in range(8))}\n"
    (said,) = run.assumed
    assert "'s.read()' in" in said and "kernel.cpp:11 happens later than its schedule says" in said


def test_a_style_that_is_not_followed_is_said(tmp_path: Path) -> None:
    flushable = DROPS.replace("HLS pipeline II=3", "HLS pipeline II=3 style=flp")
    assert flushable != DROPS
    said = [each for each in executed(tmp_path, flushable, DROPS_BENCH).assumed if each.startswith("ignored: ")]
    assert len(said) == 1 and "pipeline style=flp: pipelines stand still as a whole here" in said[0]
