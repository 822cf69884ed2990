"""Functions that are called several times, as reports count them, and buses that loops without a pipeline read."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim import schedule
from ppnsim.c.clang.parser import parse
from ppnsim.c.plain.exit_statements import with_last_behind
from ppnsim.c.plain.nodes import INT
from ppnsim.c.syntax import SyntaxNode
from ppnsim.loops.position import Position

CALLED_TWICE = """template <int N> void loop(int a[64], int b[64], int n) { KEPT
  for (int i = 0; i < HEAD; i++) a[i] = b[i] + 1; }
void f(int a[64], int b[64], int c[64]) { loop<4>(a, b, 10); loop<5>(b, c, 20); }
"""
READ = """void f(int x[100], int y[8], int z[100]) {
#pragma HLS interface m_axi port=x bundle=g latency=0
  int a[100];
  for (int i = 0; i < 100; i++) {
#pragma HLS pipeline off
    a[i] = x[WHERE]; }
  for (int i = 0; i < 100; i++) z[i] = a[99 - i] + y[i & 7]; }
"""


@pytest.mark.parametrize(("text", "trips"), [
    (CALLED_TWICE.replace("template <int N>", "").replace("<4>", "").replace("<5>", "").replace("HEAD", "n"), [20, 20]),
    (CALLED_TWICE.replace("HEAD", "2 * N"), [8, 10]),
    (CALLED_TWICE.replace("HEAD", "N"), [4, 5]),
])  # fmt: skip
def test_a_report_counts_the_module_that_calls_share(tmp_path: Path, text: str, trips: list[int]) -> None:
    """Rule R5.21: not of a template that is made with other numbers."""
    (tmp_path / "k.cpp").write_text(text.replace("KEPT", "\n#pragma HLS inline off\n"), "utf-8")
    found = schedule(tmp_path / "k.cpp", function="f", worst=True).to_dict()
    assert [each["iterations"] for each in found["loops"]] == trips
    assert any("called several times" in each for each in found["assumptions"]) == (trips == [20, 20])


@pytest.mark.parametrize(("kept", "worst"), [("", False), ("\n#pragma HLS inline\n", True)])
def test_calls_count_as_they_are(tmp_path: Path, kept: str, worst: bool) -> None:
    """Without the counting of reports, and where each call is inlined."""
    text = CALLED_TWICE.replace("template <int N>", "").replace("<4>", "").replace("<5>", "").replace("HEAD", "n")
    (tmp_path / "k.cpp").write_text(text.replace("KEPT", kept), "utf-8")
    found = schedule(tmp_path / "k.cpp", function="f", worst=worst).to_dict()
    assert [each["iterations"] for each in found["loops"]] == [10, 20]


@pytest.mark.parametrize(("where", "states"), [("i", 2), ("99 - i", 10), ("2 * i % 100", 10)])
def test_elements_in_a_row_are_asked_for_once(tmp_path: Path, where: str, states: int) -> None:
    """Rule R6.21."""
    cycles = []
    for text in (READ, READ.replace("100", "50")):
        (tmp_path / "k.cpp").write_text(text.replace("WHERE", where), "utf-8")
        cycles.append(schedule(tmp_path / "k.cpp", function="f").to_dict()["cycles"])
    assert cycles[0] - cycles[1] == 50 * states + 50


LEFT = """float f(float x[64], unsigned char next[64]) {
  float sum = 0; unsigned char at = 0; float now;
  while (true) {
#pragma HLS loop_tripcount max=20
#pragma HLS pipeline off
    now = x[at];
    if (now < 0) { sum += SUMMAND; break; }
    at = next[at]; }
  return sum; }
"""


@pytest.mark.parametrize("summand", ["now", "next[at]"])
def test_a_sum_before_a_way_out_is_behind_its_loop(tmp_path: Path, summand: str) -> None:
    """Rule R5.22: whatever it takes, an iteration does not take it; what is behind the test waits for it (R5.23)."""
    found = []
    for trips in ("20", "19"):
        (tmp_path / "k.cpp").write_text(LEFT.replace("SUMMAND", summand).replace("20", trips), "utf-8")
        found.append(schedule(tmp_path / "k.cpp", worst=True).to_dict()["cycles"])
    assert found[0] - found[1] == 6


@pytest.mark.parametrize(("last", "moved"), [
    ("sum += x[at]", True), ("sum = f(at)", True),
    ("sum = 1", False),  # takes no time
    ("sum += v", False), ("sum += w[i]", False),  # of the iteration
    ("for (int k = 0; k < 3; k++) sum += x[k]", False), ("sum += s.read()", False),
])  # fmt: skip
@pytest.mark.parametrize("head", ["for (int i = 0; i < 9; i++)", "while (at < 9)"])
def test_what_is_of_the_iteration_stays_in_its_loop(tmp_path: Path, head: str, last: str, moved: bool) -> None:
    text = "#include <hls_stream.h>\nint f(int);\nint top(int x[9], int w[9], hls::stream<int> &s) { "
    text += f"int sum = 0, at = 0, i = 0; {head} {{ int v = x[at]; if (v < 0) {{ {last}; break; }} at++; }} "
    text += "return sum; }"
    (tmp_path / "k.cpp").write_text(text, "utf-8")
    body = parse(str(tmp_path / "k.cpp"), {}, []).functions["top"].body
    assert body is not None
    (loop,) = (node for node in body.children if node.kind in ("for", "while"))
    assert (len(with_last_behind(loop)) > 1) == (moved or (last == "sum += w[i]" and head[0] == "w"))


BETWEEN = """#include <hls_stream.h>
struct packet { int data; bool last; int keep; };
packet load(hls::stream<packet> &in, hls::stream<int> &out) {
  packet p; for (int i = 0; i < 16; i++) { p = in.read(); out.write(p.data); } return p; }
void sum(hls::stream<int> &in, hls::stream<int> &out) {
  int s = 0; for (int i = 0; i < 16; i++) s += in.read();
  for (int i = 0; i < 16; i++) out.write(s + i); }
void top(hls::stream<packet> &in, hls::stream<packet> &out) {
  hls::stream<int> a, b;
#pragma HLS dataflow
  packet p = load(in, a);
  sum(a, b);
  for (int i = 0; i < 16; i++) { p.data = b.read(); p.last = i == 15; out.write(p); } }
"""


def test_a_copy_of_a_result_is_no_part_of_a_task_that_does_not_need_it(tmp_path: Path) -> None:
    """R7.1: the task between does not wait for the end of the one whose tokens it takes."""
    (tmp_path / "k.cpp").write_text(BETWEEN, "utf-8")
    machine = schedule(tmp_path / "k.cpp", function="top").kernels[0].machine
    assert machine.outcome is not None
    assert not machine.outcome.deadlocked


def test_loops_that_run_once_are_gone(tmp_path: Path) -> None:
    """Rule R1.9: their code stands in the loop around, with its conditions."""
    text = """void f(int x[64], int y[64]) {
      for (int d = 0; d < N; d++) for (int i = 0; i < 64; i++) for (int k = 0; k < N; k++) y[i] = x[i] + d + k;
      for (int d = 0; d < N; d++) y[d] = x[d] * 5; }"""
    (tmp_path / "k.cpp").write_text(text.replace("N", "1"), "utf-8")
    alone = "void f(int x[64], int y[64]) { for (int i = 0; i < 64; i++) y[i] = x[i]; y[0] = x[0] * 5; }"
    (tmp_path / "l.cpp").write_text(alone, "utf-8")
    found = [schedule(tmp_path / f"{name}.cpp").to_dict() for name in "kl"]
    assert found[0]["cycles"] == found[1]["cycles"]
    assert [each["name"] for each in found[0]["loops"]] == ["i"]


def test_copies_of_an_unrolled_loop_keep_the_condition_around_it(tmp_path: Path) -> None:
    """The first of eight iterations takes no token: 28 are enough."""
    text = """#include <hls_stream.h>
    void part(hls::stream<int> &in, int y[8][8]) {
      for (int i = 0; i < 8; i++) {
        if (i != 0) for (int k = 0; k < 4; k++) {
    #pragma HLS unroll
          y[i][k] = in.read(); }
        for (int j = 0; j < 100; j++) y[i][j & 7] += j * i; } }
    void f(int x[28], int y[8][8]) {
    #pragma HLS dataflow
      hls::stream<int> s;
      for (int i = 0; i < 28; i++) s.write(x[i]);
      part(s, y); }"""
    (tmp_path / "k.cpp").write_text(text, "utf-8")
    assert schedule(tmp_path / "k.cpp", function="f").kernels[0].machine.cycles > 800


def test_a_loop_whose_head_is_not_read_stays_as_it_is() -> None:
    loop = SyntaxNode("do", Position(), INT)
    assert with_last_behind(loop) == (loop,)
