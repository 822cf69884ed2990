"""Which branch an ``if`` takes that data decides, where loops are in it: the one that takes longer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ppnsim
from ppnsim.comparison.run.kernels import ScheduleSubject
from ppnsim.comparison.sources import subject_of
from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.rules import Rules
from ppnsim.hls.schedule import machine
from ppnsim.hls.schedule.context import Known
from ppnsim.loops.program import LoopProgram
from ppnsim.source_networks import branch_cycles

SUM = "float t = 0; for (int i = 0; i < 64; i++) t += a[i]; o[0] = t;"  # 64 iterations with II 5
COPY = "for (int i = 0; i < 100; i++) o[i % 64] = a[i % 64];"  # 100 with II 1
LONG = "for (int i = 0; i < 200; i++) o[i % 64] = a[1];"


def lines(path: Path, body: str, *, worst: bool = False) -> tuple[list[int], int]:
    """Return the initiation intervals of the loops that are counted, and the cycles."""
    path.write_text(f"void top(float a[64], float o[64], int d, int e) {{ {body} }}", encoding="utf-8")
    found = ppnsim.schedule(path, worst=worst)
    return [row["ii"] for row in found.rows()], found.kernels[0].machine.cycles


@pytest.mark.parametrize("worst", [False, True])
@pytest.mark.parametrize("body", [f"if (d) {{ {SUM} }} else {{ {COPY} }}", f"if (d) {{ {COPY} }} else {{ {SUM} }}"])
def test_the_branch_with_more_cycles_counts_and_not_that_with_more_iterations(
    tmp_path: Path, body: str, worst: bool
) -> None:
    assert lines(tmp_path / "top.cpp", body, worst=worst) == ([5], 326 if worst else 324)  # R5.12


def test_both_ends_are_said_in_order(tmp_path: Path) -> None:
    source = tmp_path / "top.cpp"
    lines(source, f"if (d) {{ {SUM} }} else {{ {COPY} }}")
    extremes = ppnsim.schedule(source).kernels[0].extremes
    assert extremes is not None
    assert (extremes.best, extremes.worst) == (103, 326)  # R5.12: two more than the 101 and 324 of the hardware


def test_branches_in_branches_are_chosen_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The inner choice makes the outer branch the longer one: 64 iterations beside 200."""
    counts, scheduled = list[str](), machine.state_machine

    def noted(program: LoopProgram, library: Library, directives: Directives, rules: Rules, known: Known) -> Any:
        counts.append(rules.count)
        return scheduled(program, library, directives, rules, known)

    monkeypatch.setattr(branch_cycles, "state_machine", noted)
    body = f"if (d) {{ if (e) {{ {SUM} }} else {{ {COPY} }} }} else {{ {LONG} }}"
    assert lines(tmp_path / "top.cpp", body) == ([5], 324)
    assert counts.count("usual") == 4  # the outer one only with the inner choice that it will have


def test_a_length_that_the_loop_around_sets_is_counted_over_all_its_visits(tmp_path: Path) -> None:
    inner = "for (int i = 0; i < 40 + 2 * j; i++) o[i % 64] = a[i % 64];"
    short = "for (int i = 0; i < 66; i++) o[i % 64] = a[0];"
    body = f"for (int j = 0; j < 16; j++) {{ if (d > j) {{ {inner} }} else {{ {short} }} }}"
    found, _ = lines(tmp_path / "top.cpp", body)
    trips = [row["iterations"] for row in ppnsim.schedule(tmp_path / "top.cpp").rows()]
    assert found == [1]
    assert trips == [16 * 66]  # more than 40 + 42 + ... + 70
    trips = [row["iterations"] for row in ppnsim.schedule(tmp_path / "top.cpp", worst=True).rows()]
    assert trips == [16 * 70]  # at its most each time


def test_a_network_takes_the_longer_branch_too(tmp_path: Path) -> None:
    source = tmp_path / "net.cpp"
    source.write_text(f"""
#include <hls_stream.h>
static void put(float a[64], int d, hls::stream<float> &s) {{
  float o[64];
  if (d) {{ {SUM} }} else {{ {COPY} }}
  s.write(o[0]);
}}
static void get(hls::stream<float> &s, float *r) {{ *r = s.read(); }}
void top(float a[64], float *r, int d) {{
#pragma HLS dataflow
  hls::stream<float> s;
  put(a, d, s);
  get(s, r);
}}
""", encoding="utf-8")  # fmt: skip
    assert ppnsim.load(source).run().finish > 300


def test_a_branch_is_judged_in_the_loops_around_it(tmp_path: Path) -> None:
    """By itself the first one is longer; in the loop it is the second, and the range was told upside down."""
    first = "for (int i = 0; i < 20; i++) a[i + 1] = a[i] / o[i];"
    second = "for (int j = 0; j < 10; j++) a[j] = o[j] * 2.5f; for (int q = 0; q < 50; q++) s += o[q];"
    body = f"float s = 0; for (int n = 0; n < 6; n++) {{ if (d > n) {{ {first} }} else {{ {second} }} }} a[0] = s;"
    source = tmp_path / "top.cpp"
    _, found = lines(source, body, worst=True)
    extremes = ppnsim.schedule(source).kernels[0].extremes
    assert extremes is not None
    assert (extremes.worst, found) == (1536, 1536)
    assert extremes.best is not None
    assert extremes.best < 1533


@pytest.mark.parametrize("directive", ["pipeline", "unroll", "dependence variable=a inter false"])
def test_directives_in_the_other_branch_mean_nothing(tmp_path: Path, directive: str) -> None:
    """They were taken for those of the loop around: 1909 cycles for 9637."""
    short = "for (int i = 0; i < 10; i++) {{\n{}\n a[i] = 1; }}"
    long = "for (int j = 0; j < 63; j++) { a[j + 1] = a[j] / o[j]; }"
    body = "for (int n = 0; n < 6; n++) {{ if (d > n) {{ {} }} else {{ {} }} }}"
    plain = lines(tmp_path / "plain.cpp", body.format(short.format(""), long))
    assert lines(tmp_path / "top.cpp", body.format(short.format(f"#pragma HLS {directive}"), long)) == plain


def test_directives_in_a_loop_without_work_mean_nothing(tmp_path: Path) -> None:
    empty = "for (int i = 0; i < 10; i++) {{\n{}\n}}"
    body = "for (int n = 0; n < 6; n++) {{ {} for (int j = 0; j < 63; j++) {{ a[j + 1] = a[j] / o[j]; }} }}"
    plain = lines(tmp_path / "plain.cpp", body.format(empty.format("")))
    assert lines(tmp_path / "top.cpp", body.format(empty.format("#pragma HLS pipeline"))) == plain


FEWER = """#ifndef N
#define N 64
#endif
void k(const float a[256], float b[256], int c) {
  if (c > 3) { for (int i = 0; i < 100; i++) b[i] = a[i]; }
  else { float s = 0; for (int i = 0; i < N; i++) { s += a[i]; b[i] = s; } } }
"""


def test_all_readers_take_the_branch_with_more_cycles(tmp_path: Path) -> None:
    # 64 iterations with II 5 beside 100 with II 1: `lost` had 102 cycles, and roofline no addition.
    path = tmp_path / "k.c"
    path.write_text(FEWER, encoding="utf-8")
    (scheduled,) = ppnsim.schedule(path).kernels
    assert scheduled.machine.cycles > 5 * 64
    (split,) = ppnsim.lost(path).rows()
    assert sum(value for value in split.values() if isinstance(value, int)) == scheduled.machine.cycles
    assert ppnsim.explore_directives(path).explored.designs.program.body == scheduled.program.body
    subject = subject_of(str(path), ("N=64,72",), schedule=True)
    assert isinstance(subject, ScheduleSubject)
    assert subject.program({"N": 64})[0].body == scheduled.program.body


def test_a_roofline_is_of_the_branch_with_more_cycles(tmp_path: Path) -> None:
    path, alone = tmp_path / "k.c", tmp_path / "alone.c"
    path.write_text(FEWER, encoding="utf-8")
    alone.write_text(FEWER.replace("if (c > 3)", "if (0)"), encoding="utf-8")
    found, expected = (ppnsim.roofline(each).rows() for each in (path, alone))
    assert found == expected
