"""A deadlock that rests on an assumption is not claimed: the answer has the cycles, and says the assumption (R7.4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim import schedule

HEAD = """#include <hls_stream.h>
typedef hls::stream<int> fifo;
"""
ROUND = """void first(fifo &in, fifo &out) {
  for (int k = 0; k < 8; k++) {
    int x = TOKEN;
    IF
    for (int j = 0; j < 4; j++) { x += j * x; }
    out.write(x);
    END
  }
}
void second(fifo &in, fifo &out) {
  for (int k = 0; k < 8; k++) out.write(in.read() + 1);
}
void circle(fifo &top, fifo &result) {
#pragma HLS dataflow
  fifo to, back;
  first(back, to);
  second(to, back);
}
"""
LEFT = """void fill(fifo &out, int n) {
  for (int k = 0; k < n; k++) out.write(k * n);
}
void take(fifo &in, int &sum) {
  int s = 0;
  for (int k = 0; k < 8; k++) s += in.read();
  sum = s;
}
void left(int n, int &sum, int *length) {
#pragma HLS dataflow
  fifo between;
  fill(between, TRIPS);
  take(between, sum);
}
"""


@pytest.mark.parametrize(("test", "certain"), [("", True), ("if (x > 3) {", False)])
def test_a_circle_of_waits_is_a_deadlock_unless_data_decides_about_loops_in_it(
    tmp_path: Path, test: str, *, certain: bool
) -> None:
    text = ROUND.replace("TOKEN", "in.read()").replace("IF", test).replace("END", "}" if test else "")
    (tmp_path / "k.cpp").write_text(HEAD + text)
    answer = schedule(tmp_path / "k.cpp", function="circle")
    machine = answer.kernels[0].machine
    assert answer.deadlocked == certain
    if not certain:
        (said,) = (each for each in machine.said if "is always executed" in each)
        assert "task 'first' waits for token 0 of 'back' (empty) for ever, if an if with loops in it" in said
        assert machine.cycles > 8


@pytest.mark.parametrize(("trips", "certain"), [("64", True), ("length[0]", False)])
def test_tokens_left_over_are_a_deadlock_only_if_their_number_is_known(
    tmp_path: Path, trips: str, *, certain: bool
) -> None:
    (tmp_path / "k.cpp").write_text(HEAD + LEFT.replace("TRIPS", trips))
    answer = schedule(tmp_path / "k.cpp", function="left")
    assert answer.deadlocked == certain
    said = " ".join(answer.kernels[0].machine.said)
    assert certain or "'between'" in said
