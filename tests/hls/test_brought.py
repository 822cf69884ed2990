"""Loops that data ends run as often as the tokens say that other tasks pass (R7.10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim import load
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import written

LOAD = """static void load(const int *src, hls::stream<int> &d, hls::stream<bool> &e) {
  for (int i = 0; i < 500; ++i) {
    d.write(src[i]); e.write(false);
  }
  e.write(true);
}
"""
WORK = """static void work(hls::stream<int> &d, hls::stream<bool> &e, hls::stream<int> &o, hls::stream<bool> &oe) {
  bool last = e.read();
  while (!last) {
#pragma HLS pipeline II=1
    int v = d.read(); last = e.read();
    o.write(v * v); oe.write(false);
  }
  oe.write(true);
}
"""
STORE = """static void store(hls::stream<int> &d, hls::stream<bool> &e, int *dst) {
  bool last = e.read(); int i = 0;
  while (!last) {
    dst[i++] = d.read(); last = e.read();
  }
}
"""
FLAGS = f"""#include <hls_stream.h>
{LOAD}{WORK}{STORE}
void top(const int src[500], int dst[500]) {{
#pragma HLS dataflow
  hls::stream<int> a, b, c; hls::stream<bool> ea, eb, ec;
#pragma HLS stream variable=ec depth=4
#pragma HLS stream variable=eb depth=4
  load(src, a, ea); work(a, ea, b, eb); work(b, eb, c, ec); store(c, ec, dst);
}}
"""
PAIR = """#include <hls_stream.h>
static void fill(int n, hls::stream<int> &s, const int a[64]) {{
  {fill}
}}
static void drain(int n, hls::stream<int> &s, int b[64]) {{
  {drain}
}}
void top(int n, const int a[64], int b[64]) {{
#pragma HLS dataflow
  hls::stream<int> s; fill(n, s, a); drain(n, s, b);
}}
"""
KNOWN = "for (int i = 0; i < 40; i++) s.write(a[i]);"
OPEN = "int v, i = 0; do { v = s.read(); b[i++] = v; } while (v >= 0);"
OPEN_TOO = "int i = 0; do { s.write(a[i]); } while (a[i++] > 0);"


def _machine(folder: Path, text: str, *, worst: bool = False) -> StateMachine:
    return schedule(written(folder, text, "top.cpp"), function="top", worst=worst).kernels[0].machine


def _trips(machine: StateMachine) -> list[int]:
    return [nest.iterations for nest in machine.nests]


def test_flags_behind_data_end_the_loops_of_all_tasks(tmp_path: Path) -> None:
    machine = _machine(tmp_path, FLAGS)
    assert machine.region and _trips(machine) == [500, 500, 500, 500]
    assert [each for each in machine.said if "brings" in each] == [
        "loop 'trip' (line 10) runs 500 times: as often as 'load' brings tokens of FIFO 'a'",
        "loop 'trip' (line 10) runs 500 times: as often as 'work' brings tokens of FIFO 'b'",
        "loop 'trip' (line 19) runs 500 times: as often as 'work_2' brings tokens of FIFO 'c'",
    ]


@pytest.mark.parametrize(
    ("fill", "drain", "trips"),
    [
        (KNOWN, OPEN, [40, 40]),
        (KNOWN, OPEN.replace("do {", "do {\n#pragma HLS loop_tripcount max=50\n"), [40, 40]),
        (KNOWN, OPEN.replace("v = s.read()", "v = s.read() + s.read()"), [40, 20]),
        (KNOWN, "s.read(); " + OPEN, [40, 39]),
        # Against the tokens: the reader is known.
        (OPEN_TOO, KNOWN.replace("s.write(a[i])", "b[i] = s.read()"), [40, 40]),
        # Neither is known: each as often as is assumed.
        (OPEN_TOO, OPEN, [64, 64]),
        # No number of iterations fits: 39 tokens are left for two a time.
        (KNOWN, "s.read(); " + OPEN.replace("v = s.read()", "v = s.read() + s.read()"), [40, 64]),
    ],
)  # fmt: skip
def test_the_end_that_is_known_says_how_often_the_other_runs(
    tmp_path: Path, fill: str, drain: str, trips: list[int]
) -> None:
    assert _trips(_machine(tmp_path, PAIR.format(fill=fill, drain=drain))) == trips


def test_reports_of_synthesis_count_what_is_annotated(tmp_path: Path) -> None:
    drain = OPEN.replace("do {", "do {\n#pragma HLS loop_tripcount max=50\n")
    source = PAIR.format(fill=KNOWN, drain=drain)
    assert _trips(_machine(tmp_path, source, worst=True)) == [40, 50]
    # A ``do`` runs once at least: with its loop left out, "nobody reads" the FIFO.
    (kernel,) = schedule(written(tmp_path, source, "top.cpp"), function="top").kernels
    assert "nobody reads it" not in str(kernel.extremes)


@pytest.mark.parametrize(("drain", "trips"), [
    # A word is no pragma, and what an inner loop says is not of the outer one.
    (OPEN.replace("do {", "do {  // no loop_tripcount\n"), [40, 40]),
    (OPEN.replace("b[i++] = v;", "for (int k = 0; k < n; k++) {\n#pragma HLS loop_tripcount max=3\n b[k] = v; }"),
     [40, 120]),
])  # fmt: skip
def test_a_loop_is_annotated_by_its_own_pragma_alone(tmp_path: Path, drain: str, trips: list[int]) -> None:
    assert _trips(_machine(tmp_path, PAIR.format(fill=KNOWN, drain=drain), worst=True)) == trips


@pytest.mark.parametrize(
    "body", ["if (i < 5) b[i] = s.read(); else b[i] = 1;", "for (int j = 0; j < i; j++) s.read();"]
)
def test_tokens_that_are_no_line_in_the_iterations_say_nothing(tmp_path: Path, body: str) -> None:
    """40 were taken for 40 iterations, and for 41: one said with how many tokens two iterations differ from one."""
    source = PAIR.format(fill=KNOWN, drain=f"for (int i = 0; i < n; i++) {{ {body} }}")
    found = schedule(written(tmp_path, source, "top.cpp"), function="top").kernels[0]
    assert not [each for each in found.machine.said if "brings" in each]


def test_where_nothing_is_annotated_the_worst_has_the_tokens_too(tmp_path: Path) -> None:
    """64 iterations by assumption were a deadlock."""
    machine = _machine(tmp_path, FLAGS, worst=True)
    assert machine.outcome is not None and not machine.outcome.deadlocked
    assert _trips(machine) == [500, 500, 500, 500]


def test_the_network_of_the_region_has_the_same_iterations(tmp_path: Path) -> None:
    network = load(str(written(tmp_path, FLAGS, "top.cpp")))
    assert [each.firings for each in network.processes] == [500, 500, 500, 500]


HEADS = {
    "a test that takes a token": "while (!e.read()) { b[i++] = s.read(); }",
    "a test at the start of the body": "for (;;) { if (e.read()) break; b[i++] = s.read(); }",
    "a test that takes a token, with a count": "for (; !e.read(); i++) b[i] = s.read();",
    "a token in the step of a loop": "for (bool l = e.read(); !l; l = e.read()) b[i++] = s.read();",
    "a token at the end of the body": "bool l = e.read(); while (!l) { b[i++] = s.read(); l = e.read(); }",
}


@pytest.mark.parametrize("name", HEADS)
def test_each_test_of_a_loop_takes_its_token(tmp_path: Path, name: str) -> None:
    """One was taken for all: a deadlock that was none, or half as many iterations."""
    text = f"""#include <hls_stream.h>
static void fill(const int a[64], hls::stream<int> &s, hls::stream<bool> &e) {{
  for (int i = 0; i < 40; i++) {{ s.write(a[i]); e.write(false); }}
  e.write(true);
}}
static void drain(hls::stream<int> &s, hls::stream<bool> &e, int b[64]) {{ int i = 0; {HEADS[name]} }}
void top(const int a[64], int b[64]) {{
#pragma HLS dataflow
  hls::stream<int> s; hls::stream<bool> e; fill(a, s, e); drain(s, e, b);
}}
"""
    machine = _machine(tmp_path, text)
    assert machine.outcome is not None and not machine.outcome.deadlocked
    assert _trips(machine) == [40, 40]
