"""Without a testbench, a design whose data decides is refused by the access, its condition and its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ppnsim
from ppnsim.c.clang.parser import parse
from ppnsim.errors import InputError
from ppnsim.hls.native.data_decisions import timing_rule
from ppnsim.hls.native.loops import imperfect
from ppnsim.hls.native.region import native_region
from ppnsim.model.run import DeadlockError
from tests.helpers.commands import ppnsim as command
from tests.hls.native.designs import CHOICE, CHOICE_BENCH, COPY, DROPS, DROPS_BENCH, executed, needs_compiler, written

COUNTED = CHOICE.replace("while (true) {", "for (int k = 0; k < 20; k++) {")
COUNTED = COUNTED.replace("if (s.read() < 0) break;", "n += s.read();")


@pytest.mark.parametrize(
    ("source", "where", "words"),
    [
        (DROPS, "kernel.cpp:5:10", "'s.write_nb()' does not wait, so time decides what happens next"),
        (CHOICE, "kernel.cpp:13:9", "how often 's.read()' happens is decided by data, which ends the loop in line 12"),
        (COUNTED, "kernel.cpp:5:20", "whether 'odd.write()' happens is decided by data: 'in[i] & 1'"),
    ],
)
def test_what_data_decides_is_named(tmp_path: Path, source: str, where: str, words: str) -> None:
    kernel, _ = written(tmp_path, source, CHOICE_BENCH)
    with pytest.raises(InputError) as told:
        ppnsim.load(kernel, "SourceNetwork", function="top", device="xcvu9p", clock="5 ns")
    assert f"{where}: {words}; --testbench FILE executes the design with its input" in str(told.value)


def test_other_reasons_stay_what_they_are(tmp_path: Path) -> None:
    source = CHOICE.replace("count(odd, odds);", "count(odd, odds); count(even, odds, 3);")
    kernel, _ = written(tmp_path, source, DROPS_BENCH)
    with pytest.raises(InputError) as told:
        ppnsim.load(kernel, "SourceNetwork", function="top", device="xcvu9p", clock="5 ns")
    assert "--testbench" not in str(told.value)


def test_a_circle_of_tasks_stands_still(tmp_path: Path) -> None:
    source = """
#include <hls_stream.h>
void ask(hls::stream<int> &q, hls::stream<int> &a) { for (int i = 0; i < 9; i++) { q.write(i); int x = a.read(); } }
void say(hls::stream<int> &q, hls::stream<int> &a) { for (int i = 0; i < 9; i++) a.write(q.read()); }
void top() {
#pragma HLS dataflow
  hls::stream<int> q, a;
  ask(q, a);
  say(q, a);
}
"""
    kernel, _ = written(tmp_path, source, DROPS_BENCH)
    network = ppnsim.load(kernel, "SourceNetwork", function="top", device="xcvu9p", clock="5 ns")
    with pytest.raises(DeadlockError, match=r"deadlock at cycle 0 after 0 of 18 firings"):
        network.network.run()  # each iteration asks and waits in one state, which the answer does not come to


DEALT = """#include <hls_stream.h>
void deal(const int in[32], hls::stream<int> s[4]) { for (int i = 0; i < 32; i++) s[@].write(in[i]); }
void pick(hls::stream<int> s[4], int out[32]) { for (int i = 0; i < 32; i++) out[i] = s[i % 4].read(); }
void top(const int in[32], int out[32]) {
#pragma HLS dataflow
  hls::stream<int> s[4];
  deal(in, s);
  pick(s, out);
}
"""
DEALT_BENCH = """#include <cstdio>
void top(const int *in, int *out);
int main() { int in[32], out[32]; for (int i = 0; i < 32; i++) in[i] = i; top(in, out); return out[31] != 31; }
"""


@needs_compiler
def test_which_fifo_data_decides_is_for_the_testbench_and_which_an_iterator_decides_is_not(tmp_path: Path) -> None:
    kernel, bench = written(tmp_path, DEALT.replace("@", "in[i] & 3"), DEALT_BENCH)
    with pytest.raises(InputError, match=r"data decides which FIFO of 's' is accessed; --testbench FILE executes"):
        ppnsim.load(kernel, "SourceNetwork", function="top")
    done = command("run", kernel, "--function", "top", "--testbench", bench, "--json", "-")
    assert done.exit_code == 0, done.stderr
    tokens = {name: each["tokens"] for name, each in json.loads(done.stdout)["channels"].items()}
    kernel, _ = written(tmp_path, DEALT.replace("@", "i % 4"), DEALT_BENCH)
    known = ppnsim.load(kernel, "SourceNetwork", function="top").network
    for turn in range(4):
        channel = known.channel(f"s[{turn}]")
        assert channel.write_steps is not None and channel.read_steps is not None
        assert channel.write_steps.expand().tolist() == list(range(1 + turn, 33, 4))
        assert tokens[f"s[{turn}]"] == channel.read_steps.count == 8


def test_a_testbench_that_is_not_there_is_a_message_where_it_is_needed_and_a_warning_elsewhere(tmp_path: Path) -> None:
    written(tmp_path, DROPS, DROPS_BENCH)
    script, files = tmp_path / "run_hls.tcl", "set_top top\nadd_files kernel.cpp\nadd_files -tb {gone.cpp data.txt}\n"
    script.write_text(files)
    gone = f"{script}:3: the testbench's 'gone.cpp' is not there (looked for {tmp_path / 'gone.cpp'})"
    needed = command("run", str(script))
    assert needed.exit_code == 2
    assert f"--testbench FILE executes the design with its input ({gone})" in needed.stderr
    asked = command("size", str(script), "--testbench", "project")
    assert (asked.exit_code, asked.stderr) == (2, f"{gone}; give one with --testbench FILE\n")
    (tmp_path / "kernel.cpp").write_text(COPY)
    config = tmp_path / "hls_config.cfg"
    config.write_text("[hls]\nsyn.top=top\nsyn.file=kernel.cpp\ntb.file=gone.cpp\n")
    for file, line in ((script, 3), (config, 4)):
        unneeded = command("run", str(file))
        assert unneeded.exit_code == 0
        warning = f"warning: {file}:{line}: the testbench's 'gone.cpp' is not there"
        assert unneeded.stderr.count(warning) == 1
        assert "no effect" not in unneeded.stderr


@needs_compiler
def test_a_project_is_executed_with_its_own_testbench(tmp_path: Path) -> None:
    plain = DROPS.replace("#pragma HLS pipeline II=3\n", "").replace("while", "slow: while")
    kernel, _ = written(tmp_path, plain, DROPS_BENCH)
    script = tmp_path / "run_hls.tcl"
    files = "set_top top\nadd_files kernel.cpp\nadd_files -tb bench.cpp\n"
    script.write_text(f"{files}set_part xcvu9p\ncreate_clock -period 5\n")
    done = command("run", str(script))
    assert done.exit_code == 2
    assert "--testbench project with the project's own (bench.cpp)" in done.stderr
    finish = []
    for directive in ("", "set_directive_pipeline -II 3 receive/slow\n"):
        script.write_text(script.read_text() + directive)
        done = command("run", str(script), "--testbench", "project", "--json", "-")
        assert done.exit_code == 0, done.stderr
        finish.append(json.loads(done.stdout)["finish"])
    assert finish[1] == executed(tmp_path, DROPS, DROPS_BENCH).finish > finish[0]
    done = command("run", kernel, "--testbench", "project")
    assert (done.exit_code, "only a project has a testbench of its own" in done.stderr) == (2, True)
    script.write_text("set_top top\nadd_files kernel.cpp\n")
    done = command("run", str(script), "--testbench", "project")
    assert (done.exit_code, "has no testbench (add_files -tb, tb.file)" in done.stderr) == (2, True)


def test_what_does_not_wait_is_named_as_the_source_writes_it_and_in_one_place(tmp_path: Path) -> None:
    source = """#include <hls_stream.h>
#include <ap_int.h>
void take(hls::stream<ap_uint<8> > &in, hls::stream<ap_uint<8> > &out) {
  while (!in.empty()) out.write(in.read() + 1);
}
void top(hls::stream<ap_uint<8> > &in, hls::stream<ap_uint<8> > &out) {
#pragma HLS dataflow
  hls::stream<ap_uint<8> > mid;
  take(in, mid);
  take(mid, out);
}
"""
    kernel, _ = written(tmp_path, source, CHOICE_BENCH)
    with pytest.raises(InputError) as told:
        ppnsim.load(kernel, "SourceNetwork", function="top", device="xcvu9p", clock="5 ns")
    assert "(without it: empty, a method of hls::stream<ap_uint<8>> is not followed)" in str(told.value)
    assert str(told.value).count("kernel.cpp") == 1 and "ap_int_base" not in str(told.value)


NEST = """#include <hls_stream.h>
void rows(int a[4][80], hls::stream<int> &s) {
  for (int i = 0; i < 4; i++) {
    int sum = 0;
    for (int j = 0; j < 80; j++) sum += a[i][j];
    s.write(sum);
  }
}
void keep(hls::stream<int> &s, hls::stream<int> &t) {
  for (int i = 0; i < 4; i++) { int v = s.read(); if (v > 9) t.write(v); }
}
void sink(hls::stream<int> &t, int out[4]) { int v, n = 0; for (int i = 0; i < 9; i++) if (t.read_nb(v)) out[n++] = v; }
void top(int a[4][80], int out[4]) {
#pragma HLS dataflow
  hls::stream<int> s, t;
  rows(a, s); keep(s, t); sink(t, out);
}
"""


def test_a_schedule_and_an_execution_name_each_others_reading_of_a_nest(tmp_path: Path) -> None:
    kernel = tmp_path / "k.cpp"
    kernel.write_text(NEST, encoding="utf-8")
    (machine,) = (each.machine for each in ppnsim.schedule(kernel, device="xcvu9p").kernels)
    assert "i.j" in [nest.name for nest in machine.nests]
    assert any("the nest of line 3 is flattened; ppnsim run --testbench" in words for words in machine.said)
    region = native_region(parse(str(kernel), {}, []), "top", {})
    assert {name: [node.position.line for node in imperfect(region, each)] for name, each in region.functions.items()
            if imperfect(region, each)} == {"rows": [3]}  # fmt: skip
    words = timing_rule(region, {})
    assert "no nest with statements between its loops is flattened" in words
