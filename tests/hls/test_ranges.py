"""Loops with a range of iterations: what limits them, the fewest and the most cycles, and which are counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ppnsim.c.load import load_kernels
from ppnsim.c.policy import TIMED
from ppnsim.c.pragmas.trips import Count
from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.hls.structure.counting import trips
from ppnsim.library.schedule import schedule
from ppnsim.source_networks.load import load_source
from tests.helpers.hls_sources import machine_of

COUNTED = "as reports of synthesis count, and 2 more cycles for each run of a pipelined loop"


def written(folder: Path, text: str) -> Path:
    path = folder / "k.cpp"
    path.write_text(text, encoding="utf-8")
    return path


def most(folder: Path, head: str, body: str, count: Count = "most") -> tuple[int, bool, bool]:
    """Return the iterations of the first loop of ``body``, and whether there is a range and whether it has an end."""
    text = f"#include <ap_int.h>\nvoid f(int *a, {head}) {{ {body} }}\n"
    found = load_kernels(str(written(folder, text)), policy=replace(TIMED, count=count))
    loops = list(all_loops(found.programs[0].body))
    return (
        int(trips((), loops[:1])[0].max()) if loops else 0,
        "f" in found.ranged,
        not any(loop.unlimited for loop in loops),
    )


@pytest.mark.parametrize(("head", "body", "expected"), [
    ("int n", "if (n > 100) return; for (int i = 0; i < n; i++) a[2 * i] = 1;", 100),
    ("int n", "if (n < 100 && a[0]) for (int i = 0; i < n; i++) a[2 * i] = 1;", 99),
    ("int n", "if (n < 1 || 50 < n) return; for (int i = 1; i <= n; i += 2) a[2 * i] = 1;", 25),
    ("unsigned char n", "for (int i = 0; i < n; i++) a[2 * i] = 1;", 255),
    ("ap_uint<6> n", "for (int i = 0; i < n + 1; i++) a[2 * i] = 1;", 64),
    ("ap_int<6> n", "for (int i = n; i > 0; i--) a[2 * i] = 1;", 31),
    ("int n", "int m = n & 31; for (int i = 0; i < m; i++) a[2 * i] = 1;", 31),
    ("int n", "int m = n > 8 ? 8 : 3; for (int i = 0; i < m; i++) a[2 * i] = 1;", 8),
    ("unsigned n", "if (n < 65) for (unsigned i = 0; i < n / 4; i++) a[2 * i] = 1;", 16),
    ("int n", "int b[24]; for (int i = 0; i < n; i++) a[i] = b[i];", 24),
])  # fmt: skip
def test_what_limits_a_bound_limits_the_loop(tmp_path: Path, head: str, body: str, expected: int) -> None:
    assert most(tmp_path, head, body) == (expected, True, True)
    assert most(tmp_path, head, body, "least")[0] == 0


@pytest.mark.parametrize("body", [
    "for (int i = 0; i < n; i++) a[2 * i] = 1;",
    "n = n * 2; if (n > 100) return; n = a[0]; for (int i = 0; i < n; i++) a[2 * i] = 1;",
    "if (n < 100) return; for (int i = 0; i < n; i++) a[2 * i] = 1;",
    "if (n > 100 && a[0]) return; for (int i = 0; i < n; i++) a[2 * i] = 1;",
    "while (a[0]) a[0] = a[1];",
])  # fmt: skip
def test_a_bound_without_a_limit_is_said_to_have_none(tmp_path: Path, body: str) -> None:
    assert most(tmp_path, "int n", body) == (64, True, False)


RANGED = """void f(int a[64], int n, int c) {
  for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount min=2 max=20 avg=5
    a[i] = a[i] * 3;
  }
  if (c) { for (int i = 0; i < 50; i++) a[i] += c; }
  else { for (int i = 0; i < 10; i++) a[i] += 1; for (int i = 0; i < 10; i++) a[i] -= c; }
}
"""


def test_the_fewest_and_the_most_cycles_are_those_of_all_loops_at_an_end(tmp_path: Path) -> None:
    path = written(tmp_path, RANGED)
    usual, worst = schedule(path).to_dict(), schedule(path, worst=True).to_dict()
    ends = usual["best_cycles"], usual["worst_cycles"]
    assert ends == (worst["best_cycles"], worst["worst_cycles"])
    assert worst["cycles"] == ends[1] > usual["cycles"] > ends[0]
    assert [loop["iterations"] for loop in usual["loops"]] == [5, 50]  # the branch with more iterations
    assert [loop["iterations"] for loop in worst["loops"]] == [20, 50]
    one = usual["loops"][0]["ii"]
    assert worst["cycles"] - usual["cycles"] == 15 * one + 2 * 2  # R5.12: two runs of loops


LABELLED = """void g(int a[64], int n) { rows: while (n > a[n]) a[n--] = 1; }
void f(int a[64], int n) {
  rows:
  for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount max=20
    a[i] = a[i] * 3;
  }
  end: do a[n & 63] = n; while (a[n & 31]);
  g(a, n);
}
"""


def test_a_script_gives_trip_counts_by_label(tmp_path: Path) -> None:
    """They had no effect, which was said, and 64 was counted."""
    (tmp_path / "k.cpp").write_text(LABELLED, encoding="utf-8")
    script = "set_top f\nadd_files k.cpp\n"
    for place, count in (("f/rows", 7), ("end", 9), ("g/rows", 11)):
        place = f"f/{place}" if "/" not in place else place
        script += f"set_directive_loop_tripcount -min 1 -max {count} {place}\n"
    (tmp_path / "run.tcl").write_text(script, encoding="utf-8")
    found = schedule(tmp_path / "run.tcl", worst=True).to_dict()
    assert [loop["iterations"] for loop in found["loops"]] == [11, 7, 9]
    assert not any("loop_tripcount" in each for each in (*found["without_effect"], *found["assumptions"]))


def test_loops_that_depend_on_others_count_at_their_longest_visit(tmp_path: Path) -> None:
    text = "void f(int a[40][40]) { for (int i = 0; i < 40; i++) for (int j = 0; j <= i; j += 1) a[i][j] += a[i][0]; }"
    path = written(tmp_path, text)
    usual, worst = schedule(path).to_dict(), schedule(path, worst=True).to_dict()
    assert sum(loop["iterations"] for loop in usual["loops"]) == 820
    assert sum(loop["iterations"] for loop in worst["loops"]) == 1600
    assert usual["best_cycles"] < usual["cycles"] < usual["worst_cycles"] == worst["cycles"]


def test_without_a_limit_the_most_is_unknown_and_said(tmp_path: Path) -> None:
    path = written(tmp_path, "void f(int *a, int n) { for (int i = 0; i < n; i++) a[2 * i] = 1; }")
    found = schedule(path)
    assert found.to_dict()["worst_cycles"] is None
    reason = "no limit is known for 'n', which ends a loop"
    assert f"or more cycles {COUNTED}: {reason}" in str(found)


def test_loops_of_one_line_are_told_of_once(tmp_path: Path) -> None:
    text = "void f(int *a) { while (*a > 3) *a -= 2; while (*a > 1) *a -= 3; }"
    assumed = load_kernels(str(written(tmp_path, text)), policy=TIMED).assumed
    assert [each.partition(":")[0] for each in assumed] == ["the loop in line 1 runs 64 times"]


def test_a_loop_without_an_end_is_said_to_have_none(tmp_path: Path) -> None:
    said = str(schedule(written(tmp_path, "void f(volatile int *a) { while (1) *a += 1; }")))
    assert f"or more cycles {COUNTED}: nothing ends the loop in line 1\n" in said
    assert "limit is known" not in said
    assert "formula" not in said


@pytest.mark.parametrize(
    ("head", "way"),
    [
        ("int i = 0; i < 64; i++", "break"),
        ("int i = 0; i < 64; i++", "return"),
        ("int i = 0; i < 64; i++", "goto out"),
        ("unsigned char i = 192; i != 0; i++", "break"),  # counted by its execution
        ("unsigned i = 63; i < 64; i--", "return"),
    ],
)
def test_where_data_leaves_a_loop_the_fewest_iterations_are_one(tmp_path: Path, head: str, way: str) -> None:
    loop = f"for ({head}) {{ if (a[i & 63] == 3) {way}; b[i & 63] = a[i & 63]; }}"
    text = f"void f(int a[64], int b[64]) {{ {loop} out:; }}"
    found = schedule(written(tmp_path, text)).to_dict()
    assert found["worst_cycles"] == found["cycles"] + 2  # R5.12
    assert 3 <= found["best_cycles"] <= 6


def test_a_struct_without_a_value_is_no_way_out_of_a_loop(tmp_path: Path) -> None:
    """Its declaration is a statement without effect, as what stands for a ``break`` is."""
    text = "struct S { int x, y; }; void f(S a[64], S b[64]) { for (int i = 0; i < 64; i++) { S s = a[i], t; t.x = s.y;"
    found = schedule(written(tmp_path, f"{text} t.y = s.x; b[i] = t; }} }}")).to_dict()
    assert found["best_cycles"] == found["worst_cycles"] == found["cycles"]


def test_a_loop_that_tokens_end_has_their_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was assumed before that is known is said nowhere (R7.10)."""
    text = """#include <hls_stream.h>
    static void fill(hls::stream<int> &s, const int a[64]) { for (int i = 0; i < 40; i++) s.write(a[i]); }
    static void drain(hls::stream<int> &s, int b[64]) { int v, i = 0; do { v = s.read(); b[i++ & 63] = v; } while (v); }
    void top(const int a[64], int b[64]) {
    #pragma HLS dataflow
    hls::stream<int> s; fill(s, a); drain(s, b); }"""
    found = schedule(written(tmp_path, text), function="top").to_dict()
    assert found["worst_cycles"] == found["cycles"] + 2  # R5.12
    words = "runs 40 times: as often as 'fill' brings tokens of FIFO 's'"
    assert [words in each for each in found["assumptions"]].count(True) == 1
    assert "64 times" not in capsys.readouterr().err + str(found["assumptions"])
    assert "as often as is annotated" not in str(found["assumptions"])
    network = load_source(str(tmp_path / "k.cpp"), function="top")
    assert [words in each for each in network.notes].count(True) == 1
    assert "64 times" not in str(network.notes)


def test_a_loop_with_one_count_has_one_number_of_cycles(tmp_path: Path) -> None:
    found = schedule(written(tmp_path, "void f(int a[8]) { for (int i = 0; i < 8; i++) a[i] += 1; }"))
    assert found.to_dict()["best_cycles"] == found.to_dict()["worst_cycles"] == found.to_dict()["cycles"]
    assert "at its least" not in str(found)


@pytest.mark.parametrize("test", ["a[0] > 2", "s > 2"])
def test_loops_behind_what_data_decide_start_when_it_is_known(tmp_path: Path, test: str) -> None:
    before = "for (int i = 0; i < 64; i++) a[i] = a[i] * 3; int s = a[63];"
    loop = "for (int i = 0; i < 64; i++) b[i] = b[i] * 3;"
    arrays = {"a": "int[64]", "b": "int[64]"}
    beside = machine_of(tmp_path, f"{before} {loop}", **arrays)
    decided = machine_of(tmp_path, f"{before} if ({test}) {loop}", **arrays)
    assert sum(region.overlapped for region in beside.regions) > 0
    assert sum(region.overlapped for region in decided.regions) == 0
    assert decided.cycles >= sum(nest.cycles for nest in decided.nests)


_UNROLLED = "for (int j = 0; j < 4; j++) {\n#pragma HLS unroll\n b[j] += a[i]; }"
_LOOP = "for (int j = 0; j < 50; j++) {\n#pragma HLS pipeline\n b[j] += a[i]; }"


@pytest.mark.parametrize(
    ("body", "fewest"),
    [
        (f"for (int i = 0; i < 67; i++) if (a[i] > n) {{ {_UNROLLED} }}", 269),  # the pipeline has it either way
        (f"for (int i = 0; i < 67; i++) {{ if (a[i] > n) {{ {_LOOP} }} }}", 67),  # the loop around stays
        (f"int i = 3; if (a[i] > n) {{ {_LOOP} }}", 0),
    ],
)
def test_the_fewest_cycles_are_of_a_program_with_its_body(tmp_path: Path, body: str, fewest: int) -> None:
    """Fewest of 1 were told of the first two, as if the loop over i were not there."""
    path = written(tmp_path, f"void f(int a[67], int b[67], int n) {{ {body} }}\n")
    (kernel,) = schedule(path, function="f").kernels
    assert kernel.extremes is not None
    assert kernel.extremes.best is not None
    assert fewest <= kernel.extremes.best < max(fewest + 3, 70)
