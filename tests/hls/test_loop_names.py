"""Names of loops are the same in all outputs, and instances of a template are told apart."""

from __future__ import annotations

from pathlib import Path

from ppnsim.hls.formulas import CycleFormula
from ppnsim.hls.loop_names import loop_names
from ppnsim.library.explain import explain
from ppnsim.library.explore_directives import explore_directives
from ppnsim.library.lost import lost
from ppnsim.library.schedule import schedule

SOURCE = """template <int N> static void part(int *a, int *b) { rows: for (int i = 0; i < N; i++) a[i] += b[i]; }
static void more(int *a, int *b) { for (int i = 0; i < 9; i++) a[i] += 3 * b[i]; }
void top(int a[64], int b[64], int c[64]) {
  part<16>(a, b);
  part<32>(a, c);
  more(a, b);
  more(a, c);
  outer: for (int r = 0; r < 8; r++) { inner: for (int k = 0; k < 8; k++) a[r * 8 + k] += 3 * b[k]; }
  last: for (int r = 0; r < 8; r++) {
#pragma HLS pipeline off
    c[r] = a[r] / 3; }
}
"""
NAMES = ["rows (N=16)", "rows (N=32)", "i (called in line 6)", "i (called in line 7)", "outer.inner"]


def written(folder: Path) -> Path:
    (path := folder / "top.cpp").write_text(SOURCE, encoding="utf-8")
    return path


def test_instances_are_told_apart_by_their_arguments_else_by_their_calls(tmp_path: Path) -> None:
    (kernel,) = schedule(written(tmp_path), function="top").kernels
    assert loop_names(kernel.program, kernel.nests) == NAMES


def test_json_has_the_labels_of_the_table_beside_its_names(tmp_path: Path) -> None:
    found = schedule(written(tmp_path), function="top").to_dict()
    assert [loop["label"] for loop in found["loops"]] == NAMES
    assert [loop["name"] for loop in found["loops"]] == ["i", "i", "i", "i", "r.k"]
    assert [(loop["name"], loop["label"]) for loop in found["sequential_loops"]] == [("r", "last")]


def test_a_design_of_lost_cycles_is_asked_for_by_label(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text("void k(int a[64]) {\n rows: for (int i = 0; i < 64; i++) a[i] = a[i] * 3 + 1; }", encoding="utf-8")
    by_label, by_iterator = (lost(path, designs=[f"unroll {name}=2"]).to_dict() for name in ("rows", "i"))
    assert str(by_label).replace("rows", "i") == str(by_iterator).replace("rows", "i")


LABELLED = """#include "hls_stream.h"
static void fill(int a[64], hls::stream<int> &to) {
 writes: for (int i = 0; i < 64; i++) to.write(a[i]); }
static void drain(hls::stream<int> &from, int b[64]) {
 reads: for (int i = 0; i < 64; i++) b[i] = from.read(); }
void top(int a[64], int b[64]) {
#pragma HLS dataflow
  hls::stream<int> s; fill(a, s); drain(s, b); }
"""


def test_sentences_name_loops_that_data_ends_by_their_labels(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text("void k(int *a) {\n words: while (*a > 3) *a -= 2; }", encoding="utf-8")
    found = schedule(path).to_dict()
    assert "loop 'words' (line 2) runs as often as is annotated or assumed" in found["assumptions"]
    assert found["no_formula"] == "data ends loop 'words' (line 2)"


def test_the_formula_of_a_flattened_nest_names_it_by_its_labels(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    nest = "rows: for (int i = 0; i < n; i++) columns: for (int j = 0; j < n; j++) a[i][j] = a[i][j] * 3 + b[j];"
    path.write_text(f"void k(int a[64][64], int b[64], int n) {{ b[3] = n; {nest} }}", encoding="utf-8")
    found = schedule(path).formula
    assert isinstance(found, CycleFormula)
    assert str(found).endswith("iterations of loop rows.columns (line 1)")


def test_the_path_and_the_steps_of_an_exploration_name_loops_by_their_labels(tmp_path: Path) -> None:
    path = tmp_path / "top.cpp"
    path.write_text(LABELLED, encoding="utf-8")
    assert "loop reads (line 5), 65 cycles a run" in str(explain(path))
    walk = str(explore_directives(path, function="fill"))
    assert "loop writes (line 3) pipelined" in walk and "loop i " not in walk


def test_the_share_of_a_loop_is_at_most_all(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text("void k(int a[64]) { for (int i = 0; i < 64; i++) a[i] += 3; }", encoding="utf-8")
    found = schedule(path).to_dict()
    assert found["loops"][0]["cycles"] == found["cycles"] + 1  # the state of done
    assert found["loops"][0]["share"] == 1
