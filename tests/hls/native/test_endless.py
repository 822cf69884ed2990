"""Tasks that run as long as tokens come (hls::task), sources that are linked, and what a region can not have beside."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import ppnsim
from ppnsim.cli.app import app
from ppnsim.errors import InputError
from ppnsim.hls.library.library import load_library
from ppnsim.hls.native.execute import NativeDesign, TimedDesign, execute, timed
from ppnsim.hls.native.trace import record
from ppnsim.source_networks.recorded import recorded_network
from tests.hls.native.designs import executed, needs_compiler, written

HEAD = "#include <hls_stream.h>\n#include <hls_task.h>\nusing hls::stream;\n"
# Data decide where a token goes; `numbered` keeps a count of its own between the calls of the region.
SPLIT = (
    HEAD
    + """
void split(stream<int> &in, stream<int> &odd, stream<int> &even) {
  int data = in.read();
  if (data % 2 == 0) even.write(data);
  else odd.write(data);
}
void numbered(stream<int> &in, stream<int> &out) {
  int count = 0;
  while (true) {
#pragma HLS pipeline off
    int x = in.read();
    out.write(x + 100 * count++);
  }
}
void pairs(stream<int> &in, stream<int> &out) { int x = in.read(); out.write(x + in.read()); }
void top(stream<int> &in, stream<int> &odds, stream<int> &evens) {
  hls_thread_local stream<int, 5> odd;
  hls_thread_local stream<int> even;
  hls_thread_local hls::task last(pairs, even, evens), first(split, in, odd, even);
  static hls::task middle(numbered, odd, odds);
}
"""
)
SPLIT_BENCH = """
#include <cstdio>
#include <hls_stream.h>
void top(hls::stream<int> &in, hls::stream<int> &odds, hls::stream<int> &evens);
int main() {
  hls::stream<int> in, odds, evens;
  for (int call = 0; call < 2; call++) {
    for (int i = 0; i < 10 - 4 * call; i++) in.write(i);
    top(in, odds, evens);
    while (!odds.empty()) std::printf("%d ", odds.read());
    while (!evens.empty()) std::printf("%d ", evens.read());
  }
  return 0;
}
"""


def design(folder: Path, source: str, bench: str = "") -> TimedDesign:
    kernel, testbench = written(folder, source, bench)
    return timed(NativeDesign(path=kernel, testbench=testbench, function="top"), load_library("xcvu9p", 5))


@needs_compiler
def test_tasks_without_an_end_run_until_their_inputs_end_and_go_on_with_the_next_call(tmp_path: Path) -> None:
    """Of five even numbers the last one waits for its partner, which the second call brings."""
    found = design(tmp_path, SPLIT, SPLIT_BENCH)
    run, trace = execute(found), record(found)
    assert run.printed == trace.printed == "1 103 205 307 409 2 10 501 603 705 8 6 "
    assert (run.deadlocked, trace.blocked, trace.calls) == (False, False, 2)
    first, _ = run.calls
    assert {s.name: (len(s.writes), len(s.reads)) for s in first.streams} == {
        "in": (0, 10), "odd": (5, 5), "even": (5, 5), "odds": (5, 0), "evens": (2, 0),
    }  # fmt: skip
    # The second call brings the partner of the number that `pairs` has: it reads one token less. A token is two states
    # in `split` and comes to `pairs` four later; its sum is put in a state of its own (R3.10).
    assert [next(s.writes[0] for s in call.streams if s.name == "evens") for call in run.calls] == [7, 3]
    network = ppnsim.run(recorded_network(found, trace, "xcvu9p").network)
    assert network.finish == first.finish == max(task.end for task in first.tasks)
    for stream in first.streams:
        if stream.name in ("odd", "even"):
            assert network.timeline.token_writes(stream.name).tolist() == stream.writes
            assert network.timeline.token_reads(stream.name).tolist() == stream.reads


STARVED = (
    HEAD
    + """
void pairs(stream<int> &in, stream<int> &out) { int x = in.read(); out.write(x + in.read()); }
void give(const int a[5], stream<int> &s) { for (int i = 0; i < 5; i++) s.write_nb(a[i]); }
void take(stream<int> &s, int b[5]) { for (int i = 0; i < 5; i++) b[i] = s.read(); }
void top(const int a[5], int b[5]) {
#pragma HLS dataflow
  hls_thread_local stream<int> s, t;
  hls_thread_local hls::task middle[1];
  give(a, s);
  for (int i = 0; i < 1; i++) {
#pragma HLS unroll
    middle[i](pairs, s, t);
  }
  take(t, b);
}
"""
)
STARVED_BENCH = "void top(const int a[5], int b[5]);\nint main() { int a[5] = {}, b[5]; top(a, b); }\n"


@needs_compiler
def test_a_task_that_ends_and_gets_no_tokens_is_a_deadlock(tmp_path: Path) -> None:
    run = executed(tmp_path, STARVED, STARVED_BENCH)
    assert run.deadlocked
    waits = {wait.task: (wait.stream, wait.held) for wait in run.calls[0].deadlock}
    assert waits == {"pairs": ("s", 0), "take": ("t", 0)}


BODY = "void move(stream<int> &in, stream<int> &out) { out.write(in.read()); }\n"


@pytest.mark.parametrize(
    ("functions", "body", "words"),
    [
        ("void poll(stream<int> &s) { int x; s.read_nb(x); }", "hls::task t(poll, in);", "then never stands still"),
        ("void tick(stream<int> &s) { s.write(1); }", "hls::task t(tick, out);", "'tick' reads no stream"),
        (
            "void fast(stream<int> &s, stream<int> &t) {\n#pragma HLS pipeline\n t.write(s.read()); }\n"
            "void poll(stream<int> &s, stream<int> &t) { int x; s.read_nb(x); t.write(x); }",
            "stream<int> s; hls::task t(fast, in, s); poll(s, out);",
            "has a pipeline that runs empty when no token comes, and 's.read_nb()' does not wait",
        ),
        (
            BODY,
            "for (int i = 0; i < 2; i++) {\n#pragma HLS dataflow\n stream<int> s; move(in, s); move(s, out); }",
            "a dataflow region that a loop runs again",
        ),
        (BODY, "#pragma HLS dataflow\n for (int i = 0; i < 2; i++) move(in, out);", "are one task"),
        (
            BODY,
            "#pragma HLS dataflow\n int a[4]; for (int i = 0; i < 4; i++) a[i] = 0; move(in, out);",
            "a loop in a dataflow region is a task of its own",
        ),
        (
            "void sum(stream<int> &in, int &x) { x = in.read(); }\nvoid put(int x, stream<int> &out) { out.write(x); }",
            "#pragma HLS dataflow\n int x; sum(in, x); int y = 2 * x; put(y, out);",
            "the region itself reads 'x', which a task before writes",
        ),
        (
            "int sum(stream<int> &in) { return in.read(); }\nvoid put(int x, stream<int> &out) { out.write(x); }",
            "#pragma HLS dataflow\n int x = sum(in); put(x, out);",
            "'sum' is called inside an expression of a dataflow region",
        ),
        (BODY, "#pragma HLS dataflow\n int x = in.read(); move(in, out);", "the region itself does 'in.read()'"),
        ("void away(stream<int> &s);", "#pragma HLS dataflow\n away(in);", "has no body in kernel.cpp; a project"),
        (
            '#include "hls_directio.h"\nvoid ask(stream<int> &in, hls::ap_hs<int> &n) { in.read(); n.read(); }',
            "#pragma HLS dataflow\n static hls::ap_hs<int> n; ask(in, n);",
            "'n' is a port of hls::ap_hs, whose protocol is not followed",
        ),
    ],
)  # fmt: skip
def test_what_is_not_executed_is_refused_by_name(tmp_path: Path, functions: str, body: str, words: str) -> None:
    source = f"{HEAD}{functions}\nvoid top(stream<int> &in, stream<int> &out) {{\n{body}\n}}\n"
    with pytest.raises(InputError, match=r"kernel\.cpp:\d+:\d+: ") as told:
        design(tmp_path, source)
    assert words in str(told.value)


@needs_compiler
def test_streams_of_a_later_call_are_those_of_the_first(tmp_path: Path) -> None:
    bench = SPLIT_BENCH.replace("hls::stream<int> in, odds, evens;\n", "").replace(
        "call++) {", "call++) { hls::stream<int> &in = *new hls::stream<int>, odds, evens;"
    )
    with pytest.raises(
        InputError, match="a later call of the region has other hls::tasks than the first one, or gives"
    ):
        execute(design(tmp_path, SPLIT, bench))


@needs_compiler
def test_the_sources_of_a_project_are_linked(tmp_path: Path) -> None:
    """A task in a second source, and a function of the same header in both; the bus of a port is left out, and said."""
    (tmp_path / "parts.h").write_text("#include <hls_stream.h>\nvoid send(hls::stream<int> &s, const int in[8]);\n")
    loop = "for (int i = 0; i < 8; i++) s.write_nb(in[i]);"
    (tmp_path / "send.cpp").write_text(
        f'#include "parts.h"\nvoid send(hls::stream<int> &s, const int in[8]) {{ {loop} s.write(-1); }}\n'
    )
    (tmp_path / "top.cpp").write_text(
        '#include "parts.h"\nvoid sum(hls::stream<int> &s, int &all) {\n  int x = 0;\n'
        "  while (x >= 0) { x = s.read(); all += x; }\n}\nvoid top(const int in[8], int &all) {\n"
        "#pragma HLS interface m_axi port=in\n#pragma HLS dataflow\n"
        "  hls::stream<int> s;\n  send(s, in);\n  sum(s, all);\n}\n"
    )
    (tmp_path / "bench.cpp").write_text(
        "#include <cstdio>\nvoid top(const int in[8], int &all);\n"
        'int main() { int in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, all = 1; top(in, all); std::printf("%d", all); }\n'
    )
    script = tmp_path / "run_hls.tcl"
    script.write_text(
        "open_project p\nadd_files send.cpp\nadd_files top.cpp\nadd_files -tb bench.cpp\nset_top top\n"
        "open_solution s\nset_part xcvu9p\ncreate_clock -period 5\nconfig_dataflow -fifo_depth 6\n"
    )
    done = CliRunner().invoke(app, ["run", str(script), "--testbench", "project"])
    assert done.exit_code == 0, done.output
    assert "the testbench printed:\n  36" in done.stdout
    assert next(line.split()[1] for line in done.stdout.splitlines() if line.startswith("s ")) == "6"
    assert "config_dataflow -fifo_depth gives streams that say none a depth of 6" in done.stderr
    assert "assumed: what is behind m_axi ports (in) is a memory on the chip" in done.stdout
