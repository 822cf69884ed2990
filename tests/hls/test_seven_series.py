"""Nests on 7-series, by release; and what belongs to one function or to nobody: limits of operators, tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule

CONVOLUTION = """void f(float x[28][28], float w[8][9], float bias[8], float y[8][26][26]) {
#pragma HLS interface m_axi port=bias bundle=g
  for (int c = 0; c < 8; c++)
    for (int i = 0; i < 26; i++)
      for (int j = 0; j < 26; j++) {
        float sum = START;
        for (int a = 0; a < TAPS; a++) for (int b = 0; b < 3; b++) sum += x[i][j + b] * w[c][b];
        y[c][i][j] = sum < 0 ? 0 : sum;
      }
}"""
DENSE = """void f(float x[784], float w[64][784], float y[64]) {
  for (int i = 0; i < 64; i++) {
    float sum = 0;
    for (int j = 0; j < 784; j++) sum += x[j] * w[i][j];
    y[i] = LAST(sum);
  }
}"""


def nests(folder: Path, text: str, release: str) -> list[tuple[str, int]]:
    """Return the iterators of the pipelined loops, as a name of the report has them, with their intervals."""
    (folder / "f.cpp").write_text("#include <cmath>\n" + text, encoding="utf-8")
    machine = schedule(folder / "f.cpp", function="f", device="xc7z020", release=release or None).kernels[0].machine
    loops = [(nest.body.pipeline.loops, nest.body.schedule.ii) for nest in machine.nests]
    return [("".join(loop.iterator for loop in each), ii) for each, ii in loops]


@pytest.mark.parametrize(("release", "start", "loops"), [
    ("2022.2", "0", "cij"), ("2025.2", "0", "cij"), ("2025.2", "bias[c]", "ij"), ("2025.2", "bias[0]", "cij")
])  # fmt: skip
def test_small_loops_are_unrolled_with_those_in_them(tmp_path: Path, release: str, start: str, loops: str) -> None:
    """Nine loads of two arrays in memories; a bus that only `c` moves keeps its loop apart."""
    text = CONVOLUTION.replace("START", start).replace("TAPS", "3")
    assert [name for name, _ in nests(tmp_path, text, release)] == [loops]


def test_a_result_of_a_nest_is_on_no_recurrence_of_the_loops_around(tmp_path: Path) -> None:
    """The sum starts anew: its comparison with 0 is behind the recurrence of an adder with a multiplexer."""
    text = CONVOLUTION.replace("START", "bias[c]").replace("TAPS", "24")
    assert nests(tmp_path, text, "2025.2") == [("ijab", 6)]
    assert [name for name, _ in nests(tmp_path, text, "2022.2")] == ["ab"]


@pytest.mark.parametrize(("last", "loops"), [("tanh", "j"), ("", "ij")])
def test_a_function_with_ways_of_its_own_is_in_no_nest(tmp_path: Path, last: str, loops: str) -> None:
    assert [name for name, _ in nests(tmp_path, DENSE.replace("LAST", last), "2025.1")] == [loops]


@pytest.mark.parametrize(("release", "loops"), [("", "j"), ("2022.1", "ij"), ("2023.1", "ij")])
def test_a_sum_that_starts_with_a_number_is_one_with_its_loop(tmp_path: Path, release: str, loops: str) -> None:
    """R9.22: on every device, where a release is said."""
    assert [name for name, _ in nests(tmp_path, DENSE.replace("LAST", ""), release)] == [loops]


@pytest.mark.parametrize(("between", "loops"), [
    ("ap_fixed<16, 3> row = 6 * t + i;", "ij"), ("static ap_fixed<16, 3> row; row += x[t][i];", "i"),
])  # fmt: skip
def test_variables_before_a_short_loop_leave_a_nest_perfect(tmp_path: Path, between: str, loops: str) -> None:
    """R1.3: what is computed of variables alone sinks into the loop, which is not unrolled then."""
    text = f"""#include <ap_fixed.h>
    void f(ap_fixed<16, 3> x[28][28], ap_fixed<16, 3> y[10][10], int t) {{
      for (int i = 0; i < 10; i++) {{ {between}
        for (int j = 0; j < 10; j++) y[i][j] = row < 0 ? x[0][j] : x[i][j]; }} }}"""
    assert [name for name, _ in nests(tmp_path, text, "2022.1")] == [loops]


def test_a_sum_in_a_scalar_stays_a_loop_of_its_nest(tmp_path: Path) -> None:
    text = """void f(float x[512], float w[512][8], float y[8]) {
      for (int c = 0; c < 8; c++) { float sum = 0, t;
        for (int i = 0; i < 16; i++) for (int j = 0; j < 32; j++) { t = x[32 * i + j] * w[32 * i + j][c]; sum += t; }
        y[c] = sum; } }"""
    assert [name for name, _ in nests(tmp_path, text, "2020.2")] == ["ij"]


def test_a_limit_is_one_of_its_function(tmp_path: Path) -> None:
    text = """int one(int a, int b, int c, int d) {
    #pragma HLS allocation operation instances=mul limit=1
      return a * b + c * d; }
    void f(int a[64], int b[64], int c[64]) {
      for (int i = 0; i < 64; i++) b[i] = a[i] * a[i] + b[i] * b[i];
      for (int k = 0; k < 64; k++) c[k] = one(a[k], k, c[k], k + 1); }"""
    assert nests(tmp_path, text, "2022.2") == [("i", 1), ("k", 2)]


@pytest.mark.parametrize("kind", ["", "const "])
def test_a_global_that_nothing_stores_to_is_a_table(tmp_path: Path, kind: str) -> None:
    text = f"""#include <ap_fixed.h>
    {kind}ap_fixed<8, 3> w[8] = {{0.5, 0.0, 0.0, 0.15625, 0.00, 0.0, 0.0, 0.0}};
    void f(ap_fixed<16, 8> x[64], ap_fixed<16, 8> y[64]) {{
      for (int i = 0; i < 64; i++) {{
        ap_fixed<24, 12> sum = 0;
        for (int k = 0; k < 8; k++) sum += x[(i + 5 * k) & 63] * w[k];
        y[i] = sum; }} }}"""
    assert nests(tmp_path, text, "2022.2") == [("i", 1)]


@pytest.mark.parametrize(
    ("more", "cycles"),
    [("volatile int w[2] = {0, 1};", 67), ("int w[2] = {0, 1}; int *v = w;", 67), ("int w[2];", 67)],
)
def test_a_global_that_changes_without_its_name_is_no_table(tmp_path: Path, more: str, cycles: int) -> None:
    text = "void f(int x[64], int y[64]) { for (int i = 0; i < 64; i++) y[i] = x[i] * w[0]; }"
    (path := tmp_path / "f.cpp").write_text(f"{more}\n{text}", encoding="utf-8")
    assert schedule(path).kernels[0].machine.cycles == cycles  # 64 with a 0 for w[0], and no product


SUMS = """void f(int x[256], int y[8], short b[5][8], int out[9], int a) {
#pragma HLS array_partition variable=b complete dim=1
  int sums[9];
  for (int s = 0; s < 256; s++)
    for (int i = 0; i < COUNT; i++) {
#pragma HLS unroll
      sums[i] = (s == 0 ? 0 : sums[i]) + (x[s] > BOUND ? x[s] : 0); }
  for (int i = 0; i < COUNT; i++) out[i] = sums[i]; }"""


@pytest.mark.parametrize(("count", "bound", "ii"), [(4, "0", 1), (9, "0", 9), (4, "b[a][i]", 1), (4, "b[x[s]][i]", 2)])
def test_a_loop_keeps_elements_at_fixed_places(tmp_path: Path, count: int, bound: str, ii: int) -> None:
    """R9.24: up to seven in registers; what data around the loop chooses is loaded before it (R1.2)."""
    found = nests(tmp_path, SUMS.replace("COUNT", str(count)).replace("BOUND", bound), "2021.1")
    assert found == [("s", ii), ("i", 1)]


@pytest.mark.parametrize(("place", "release", "ii"), [("int w[9];", "2020.2", 5), ("int w[9];", "2022.1", 1),
                                                      ("", "2020.2", 1)])  # fmt: skip
def test_an_argument_may_point_to_a_global_array(tmp_path: Path, place: str, release: str, ii: int) -> None:
    """R1.2: nine elements of it are loaded in each iteration that stores to the argument."""
    text = f"""{place}
    void f(int x[64], int y[64]) {{
      {"int w[9];" if not place else ""}
      for (int i = 0; i < 9; i++) w[i] = x[i];
      for (int i = 0; i < 64; i++) {{ int sum = 0; for (int k = 0; k < 9; k++) sum += w[k] ^ i; y[i] = sum; }} }}"""
    assert nests(tmp_path, text, release) == [("i", 1), ("i", ii)]


@pytest.mark.parametrize(("directive", "loops"), [("", "ij"), ("\n#pragma HLS pipeline\n", "j")])
def test_a_loop_that_a_directive_pipelines_is_no_outer_loop_of_a_nest(
    tmp_path: Path, directive: str, loops: str
) -> None:
    """R1.4: also where the directive cannot be followed, as nobody knows how often the loop inside runs."""
    text = f"""void f(int x[64][64], int y[64][64], int rows, int columns) {{
      for (int i = 0; i < rows; i++) {{ {directive}
#pragma HLS loop_tripcount max=64
        for (int j = 0; j < columns; j++) {{
#pragma HLS loop_tripcount max=64
          y[i][j] = x[i][j] + 1; }} }} }}"""
    assert [name for name, _ in nests(tmp_path, text, "2020.2")] == [loops]
