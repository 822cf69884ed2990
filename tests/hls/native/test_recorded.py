"""Recorded designs as networks: the same cycles as their execution in time, and their files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import ppnsim
from ppnsim.cli.app import app
from ppnsim.errors import InputError
from ppnsim.hls.library.library import load_library
from ppnsim.hls.native.execute import NativeDesign, TimedDesign, execute, timed
from ppnsim.hls.native.trace import read_trace, record, write_trace
from ppnsim.source_networks.recorded import recorded_network
from tests.helpers.commands import ppnsim as command
from tests.hls.native.designs import CHOICE, CHOICE_BENCH, DROPS, DROPS_BENCH, needs_compiler, written

pytestmark = needs_compiler

# A source, a stage that lets some values through and repeats others, and a sink that runs until a flag.
STAGES = """
#include <hls_stream.h>
void source(const int in[30], hls::stream<int> &a) {
  for (int i = 0; i < 30; i++) {
#pragma HLS pipeline II=SLOW_SOURCE
    a.write(in[i]);
  }
  a.write(-1);
}
void stage(hls::stream<int> &a, hls::stream<int> &b, hls::stream<int> &c) {
  while (true) {
    int x = a.read();
    if (x < 0) break;
    if (x % MODULUS == 0) b.write(x * x);
    if (x & 1) c.write(x + 1);
  }
  c.write(-1);
  b.write(-1);
}
void sink(hls::stream<int> &b, hls::stream<int> &c, int &sum) {
  bool more_b = true, more_c = true;
  while (more_b || more_c) {
#pragma HLS pipeline off
    if (more_c) {
      int x = c.read();
      if (x < 0) more_c = false; else sum += x;
    } else {
      int x = b.read();
      if (x < 0) more_b = false; else sum += x;
    }
  }
}
void top(const int in[30], int &sum) {
#pragma HLS dataflow
  hls::stream<int> a, b, c;
#pragma HLS stream variable=b depth=32
  source(in, a);
  stage(a, b, c);
  sink(b, c, sum);
}
"""
STAGES_BENCH = """
#include <cstdio>
void top(const int in[30], int &sum);
int main() {
  int in[30], sum = 0;
  for (int i = 0; i < 30; i++) in[i] = (i * SEED) % 17;
  top(in, sum);
  std::printf("%d\\n", sum);
  return 0;
}
"""


def design(folder: Path, source: str, bench: str, **macros: int) -> TimedDesign:
    kernel, testbench = written(folder, source, bench)
    defines = {name: str(value) for name, value in macros.items()}
    asked = NativeDesign(path=kernel, testbench=testbench, function="top", defines=defines)
    return timed(asked, load_library("xcvu9p", 5))


@given(modulus=st.integers(2, 5), slow=st.integers(1, 4), seed=st.integers(1, 16))
@settings(deadline=None, max_examples=4, suppress_health_check=list(HealthCheck))
def test_the_network_has_the_cycles_of_the_execution(tmp_path: Path, modulus: int, slow: int, seed: int) -> None:
    """Two simulators of one design: coroutines that ask for each token, and the network of recorded steps."""
    found = design(tmp_path, STAGES, STAGES_BENCH, MODULUS=modulus, SLOW_SOURCE=slow, SEED=seed)
    executed, trace = execute(found), record(found)
    values = [i * seed % 17 for i in range(30)]
    total = sum(v * v for v in values if v % modulus == 0) + sum(v + 1 for v in values if v & 1)
    assert executed.printed == trace.printed == f"{total}\n"
    source = recorded_network(found, trace, "xcvu9p")
    run = ppnsim.run(source.network)
    assert run.finish == executed.finish
    assert (source.file, source.function, source.made_of, source.device) == (
        found.design.path, "top", "tasks", "xcvu9p",
    )  # fmt: skip
    assert {each.name for each in source.network.processes} == source.places.keys()
    assert {each.name for each in source.network.channels} == source.declared.keys() == source.accesses.keys()
    assert [note for note in source.notes if note.endswith(f" printed: {total}")]
    for stream in executed.calls[0].streams:
        assert run.timeline.token_writes(stream.name).tolist() == stream.writes
        assert run.timeline.token_reads(stream.name).tolist() == stream.reads


def test_a_trace_is_read_as_it_was_written(tmp_path: Path) -> None:
    found = design(tmp_path, CHOICE, CHOICE_BENCH)
    trace, file = record(found), str(tmp_path / "trace.json")
    write_trace(trace, file)
    assert read_trace(file, found) == trace
    other = design(tmp_path, CHOICE.replace("& 1", "& 3"), CHOICE_BENCH)
    with pytest.raises(InputError, match=r"trace.json: is a trace of another source, not of .*kernel.cpp as it is now"):
        read_trace(file, other)
    Path(file).write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="is not a trace that ppnsim has recorded"):
        read_trace(file, found)


def test_every_command_takes_a_design_whose_data_decides(tmp_path: Path) -> None:
    kernel, bench = written(tmp_path, CHOICE, CHOICE_BENCH)
    trace = str(tmp_path / "trace.json")
    common = ["--device", "xcvu9p", "--clock", "5ns", "--json", "-"]
    library = load_library("xcvu9p", 5)
    ran = CliRunner().invoke(app, ["run", kernel, "--testbench", bench, "--trace", trace, *common])
    assert ran.exit_code == 0, ran.output
    result = json.loads(ran.stdout)
    sized = CliRunner().invoke(app, ["size", kernel, "--trace", trace, *common])
    assert sized.exit_code == 0, sized.output
    assert result["finish"] == execute(timed(NativeDesign(path=kernel, testbench=bench), library)).finish
    assert "even, " in ran.stderr and "bench.cpp printed" in ran.stderr
    assert "two loops of a task overlap): split, count\n" in ran.stderr
    assert "#pragma HLS stream variable=odd depth=1" in sized.stdout


def test_a_design_that_polls_is_run_and_nothing_else(tmp_path: Path) -> None:
    kernel, bench = written(tmp_path, DROPS, DROPS_BENCH)
    ran = CliRunner().invoke(app, ["run", kernel, "--testbench", bench, "--device", "xcvu9p", "--clock", "5ns"])
    assert ran.exit_code == 0, ran.output
    assert "the testbench printed:" in ran.stdout and "non-monotone" in ran.stdout
    sized = CliRunner().invoke(app, ["size", kernel, "--testbench", bench])
    assert sized.exit_code == 2
    assert "'s.write_nb()' in" in sized.output and "kernel.cpp:5 does not wait" in sized.output
    traced = CliRunner().invoke(app, ["run", kernel, "--testbench", bench, "--trace", str(tmp_path / "t.json")])
    assert traced.exit_code == 2 and "it has no trace" in traced.output
    limited = CliRunner().invoke(app, ["run", kernel, "--testbench", bench, "--time-limit", "0"])
    assert limited.exit_code == 2 and "--time-limit" in limited.output
    both = CliRunner().invoke(app, ["run", kernel, "--testbench", bench, "--pragma", "5: pipeline"])
    assert both.exit_code == 2 and "--pragma can not be used with --testbench" in both.output


RATES = """#include "hls_stream.h"
static void put(const int in[30], hls::stream<int> &s) { for (int i = 0; i < 30; i++) s.write(in[i]); }
static void sum(hls::stream<int> &s, hls::stream<int> &t) {
    for (int i = 0; i < 6; i++) {
        int a = 0;
        for (int j = 0; j < 5; j++) {
#pragma HLS pipeline II=1
            a += s.read();
        }
        t.write(a);
    }
}
static void take(hls::stream<int> &t, int out[6]) { for (int i = 0; i < 6; i++) out[i] = t.read(); }
void top(const int in[30], int out[6]) {
#pragma HLS dataflow
    hls::stream<int> s, t;
    put(in, s); sum(s, t); take(t, out);
}
"""
RATES_BENCH = """#include <cstdio>
void top(const int *in, int *out);
int main() { int in[30], out[6]; for (int i = 0; i < 30; i++) in[i] = i; top(in, out); std::printf("%d", out[5]); }
"""


@pytest.mark.parametrize("device", ["xc7z020", "xcvu9p"])
def test_a_nest_takes_the_cycles_of_its_schedule_with_a_testbench_and_without(device: str, tmp_path: Path) -> None:
    """An outer loop with an inner pipelined loop, which a recent release flattens (R9.2)."""
    kernel, bench = written(tmp_path, RATES, RATES_BENCH)
    common = ("--function", "top", "--device", device, "--json", "-")
    static, executed = command("run", kernel, *common), command("run", kernel, "--testbench", bench, *common)
    scheduled = command("schedule", kernel, *common)
    finish = {"xc7z020": 56, "xcvu9p": 33}[device]
    found = [json.loads(static.stdout)["finish"], json.loads(executed.stdout)["finish"]]
    assert found == [finish] * 2
    assert json.loads(scheduled.stdout)["cycles"] == {"xc7z020": 55, "xcvu9p": 33}[device]  # start to done
    assert "bench.cpp printed: 135" in executed.stderr


def test_a_trip_count_that_is_assumed_is_that_of_the_testbench(tmp_path: Path) -> None:
    kernel, bench = RATES, RATES_BENCH
    for old, new in (
        ("i < 6; i++) {", "i < n[0]; i++) {\n#pragma HLS loop_tripcount max=6"), ("sum(s", "sum(n, s"),
        ("sum(hls", "sum(const int n[1], hls"), ("top(const int in", "top(const int n[1], const int in"),
    ):  # fmt: skip
        kernel = kernel.replace(old, new)
    for old, new in ("top(const", "top(const int *n, const"), ("top(in", "int n[1] = {6}; top(n, in"):
        bench = bench.replace(old, new)
    kernel, bench = written(tmp_path, kernel, bench)
    done = command("run", kernel, "--testbench", bench, "--function", "top", "--json", "-")
    assert done.exit_code == 0, done.output
    assert "as without the testbench" not in done.stderr


OUTSIDE = """#include "hls_stream.h"
#include "hls_task.h"
void twice(hls::stream<int> &in, hls::stream<int> &out) { out.write(2 * in.read()); }
void store(hls::stream<int> &in, hls::stream<int> &out, int *memory) {
    int value = in.read();
    memory[0] = value;
    out.write(value);
}
void top(int *memory, hls::stream<int> &in, hls::stream<int> &out) {
#pragma HLS interface mode=m_axi port=memory depth=1
    hls_thread_local hls::stream<int> s;
    hls_thread_local hls::task first(twice, in, s);
    hls_thread_local hls::task last(store, s, out, memory);
}
"""
OUTSIDE_BENCH = """#include <hls_stream.h>
void top(int *memory, hls::stream<int> &in, hls::stream<int> &out);
int main() { hls::stream<int> in, out; int memory[1];
    for (int i = 0; i < 7; i++) in.write(i);
    top(memory, in, out); return memory[0] != 12; }
"""


def test_tasks_without_an_end_run_as_often_as_the_testbench_has_tokens(tmp_path: Path) -> None:
    kernel, bench = written(tmp_path, OUTSIDE, OUTSIDE_BENCH)
    common = ("--function", "top", "--json", "-")
    once, often = command("run", kernel, *common), command("run", kernel, "--testbench", bench, *common)
    assert "task 'first' runs once: its tokens come from outside" not in often.stderr
    assert "task 'twice' runs once: its tokens come from outside" in once.stderr
    processes = [json.loads(done.stdout)["processes"] for done in (once, often)]
    assert [{name: each["firings"] for name, each in some.items()} for some in processes] == [
        {"twice": runs, "store": runs, "memory for memory": runs, "gmem writes memory": runs} for runs in (1, 7)
    ]
    # The bus is there in both ways: every round waits for the response to its write.
    steps = [some["store"] for some in processes]
    assert json.loads(often.stdout)["finish"] > 6 * json.loads(once.stdout)["finish"] > 6 * 64, steps
