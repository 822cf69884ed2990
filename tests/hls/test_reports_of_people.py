"""What reports of functions by people showed: ports of memories, what is counted up, a clause of later releases."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim import schedule

COPIES = """void f(int x[64], int y[64]) {
  for (int g = 0; g < 2; g++) {
    int w[16] START;
    for (int i = 0; i < 64; i++) {
    #pragma HLS pipeline
      for (int k = 15; k > 0; k--) w[k] = w[k - 1];
      w[0] = x[i]; int s = 0;
      for (int k = 0; k < 16; k++) s += w[k] * k;
      y[i] = s; } } }"""
ONCE = """void f(int x[64], int y[64]) {
  int w[8]; for (int i = 0; i < 8; i++) w[i] = x[i];
  for (int j = 0; j < 64; j++) {
    for (int k = 7; k > 0; k--) {
    #pragma HLS unroll
      w[k] = w[k - 1]; }
    w[0] = x[j]; int m = 0;
    for (int i = 0; i < 33; i++) {
      int s = 0; for (int k = 0; k < 8; k++) s += (i & k) ? w[k] : -w[k];
      m = s > m ? s : m; }
    y[j] = m; } }"""
CLEARED = """void f(int a[3][64]) {
  for (int c = 0; c < 64; c++) {
  #pragma HLS pipeline off
    a[0][c] = a[1][c]; a[1][c] = a[2][c]; a[2][c] = 0; } }"""
COUNTED = """void f(int x[64], int y[64]) { int n = 0;
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 7; j++) {
    #pragma HLS pipeline off
      y[j] = x[j] == n ? 3 : 5; n++; } }"""
TYPED = """void f(int y[64]) { int w[64];
#pragma HLS array_partition variable=w type=cyclic factor=4 dim=1
  for (int i = 0; i < 16; i++) {
  #pragma HLS pipeline
    for (int k = 0; k < 4; k++) w[4 * i + k] = i ^ k; }
  for (int i = 0; i < 64; i++) y[i] = w[63 - i]; }"""
TASKS = f"""static const int t[16][8] = {{{", ".join(map(str, range(1, 129)))}}};
void a(int x[16], int m[16]) {{ for (int i = 0; i < 16; i++) m[i] = x[i] + 1; }}
void b(int m[16], int y[16]) {{ for (int i = 0; i < 16; i++) {{
#pragma HLS pipeline
  int s = 0; for (int k = 0; k < 8; k++) s += m[i] * t[i][k]; y[i] = s; }} }}
void f(int x[16], int y[16]) {{
#pragma HLS dataflow
  int m[16]; a(x, m); b(m, y); }}"""


@pytest.mark.parametrize(
    ("text", "release", "cycles"),
    [
        (COPIES.replace("START", ""), "2021.1", 133),
        pytest.param(COPIES.replace("START", "= {0}"), "2021.1", 2097, id="R6.3-filled-by-a-loop"),  # II 16
        (COPIES.replace("START", "= {0}"), "2023.2", 134),  # a sum of three more in a state of its own (R2.7)
        pytest.param(ONCE, "2021.1", 2828, id="R9.23-stored-around-the-loops"),  # fewer with a port for each load
        pytest.param(CLEARED, "2021.1", 2 * 64 + 1, id="R3.2-read-and-overwritten"),  # three states otherwise
        pytest.param(COUNTED, "2021.1", 9 * 7 * 3 + 1, id="R1.7-a-multiple-is-counted-up"),
        pytest.param(TYPED, "2020.2", 100, id="R6.1-type-is-of-2021.1"),  # II 2; R5.12 has a state at the end
        (TYPED, "2021.1", 87),
        (TYPED.replace("type=", ""), "2020.2", 84),
        pytest.param(TASKS, "2020.1", 41, id="R9.30-tables-of-tasks"),  # II 4, 90
    ],
)
def test_cycles_are_those_of_the_rule(tmp_path: Path, text: str, release: str, cycles: int) -> None:
    (tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    (found,) = schedule(tmp_path / "k.cpp", function="f", worst=True, release=release or None).kernels
    assert found.machine.cycles == cycles
    told = any("'type='" in each for each in found.directives.ignored)
    assert told == ("type=" in text and release < "2021.1")
