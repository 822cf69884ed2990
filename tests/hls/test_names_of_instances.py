"""Names of loops in a schedule: labels in the reason of an interval, and the place of the call of an instance."""

from __future__ import annotations

from pathlib import Path

import ppnsim
from tests.helpers.commands import ppnsim as command
from tests.helpers.hls_sources import written

SCAN = """static int scan(int a[64], int key) {
  int at = -1;
  search: for (int i = 0; i < 64; i++) {
#pragma HLS pipeline
    if (a[i] == key) { at = i; break; }
  }
  return at;
}
"""


def test_two_calls_in_one_line_are_told_apart_by_their_columns(tmp_path: Path) -> None:
    text = SCAN + "void kernel(int a[64], int b[64], int key, int out[2]) {\nout[0] = scan(a, key) + scan(b, key);\n}\n"
    said = command("schedule", str(written(tmp_path, text)), "--function", "kernel").stdout
    assert "search (called in line 10, column 10) " in said and "search (called in line 10, column 25) " in said


def test_calls_in_different_lines_are_told_apart_by_these(tmp_path: Path) -> None:
    calls = "out[0] = scan(a, key);\nout[1] = scan(b, key);"
    text = f"{SCAN}void kernel(int a[64], int b[64], int key, int out[2]) {{\n{calls}\n}}\n"
    said = command("schedule", str(written(tmp_path, text)), "--function", "kernel").stdout
    assert "search (called in line 10) " in said and "search (called in line 11) " in said


def test_the_reason_of_an_interval_names_a_loop_by_its_label(tmp_path: Path) -> None:
    found = ppnsim.schedule(str(written(tmp_path, SCAN)), function="scan").to_dict()
    assert [loop["ii_bound_by"] for loop in found["loops"]] == ["the test that ends loop 'search'"]
