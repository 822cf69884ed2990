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
@settings(deadline=None, max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_network_has_the_cycles_of_the_execution(tmp_path: Path, modulus: int, slow: int, seed: int) -> None:
    """Two simulators of one design: coroutines that ask for each token, and the network of recorded steps."""
    found = design(tmp_path, STAGES, STAGES_BENCH, MODULUS=modulus, SLOW_SOURCE=slow, SEED=seed)
    executed, trace = execute(found), record(found)
    values = [i * seed % 17 for i in range(30)]
    total = sum(v * v for v in values if v % modulus == 0) + sum(v + 1 for v in values if v & 1)
    assert executed.printed == trace.printed == f"{total}\n"
    network = recorded_network(found, trace, "xcvu9p").network
    run = ppnsim.run(network)
    assert run.finish == executed.finish
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
