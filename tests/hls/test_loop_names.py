"""Names of loops are the same in all outputs, and instances of a template are told apart."""

from __future__ import annotations

from pathlib import Path

from ppnsim.hls.loop_names import loop_names
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
