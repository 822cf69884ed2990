"""Counts of one kernel, its fewest and its most cycles, share the schedules of its loop bodies."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

from ppnsim.hls.schedule.recurrences import modulo_schedule
from ppnsim.library.schedule import schedule

TEXT = """void f(int a[64], int b[64], int n) {
  for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount min=2 max=64
    b[i] = a[i] * 3; } }
void g(int a[64]) { for (int i = 0; i < 64; i++) a[i] += 7; }
"""


def test_the_fewest_and_the_most_cycles_share_the_schedule_of_the_body(tmp_path: Path) -> None:
    (file := tmp_path / "k.cpp").write_text(TEXT, encoding="utf-8")
    with patch("ppnsim.hls.schedule.body.modulo_schedule", wraps=modulo_schedule) as made:
        found = schedule(file, function="f").kernels[0]
    assert made.call_count == 1
    assert found.extremes is not None and found.extremes.best is not None and found.extremes.worst is not None
    assert found.extremes.worst - found.extremes.best == 62


def test_a_further_answer_shares_nothing_with_the_one_before(tmp_path: Path) -> None:
    (file := tmp_path / "k.cpp").write_text(TEXT, encoding="utf-8")
    with patch("ppnsim.hls.schedule.body.modulo_schedule", wraps=modulo_schedule) as made:
        one, other = (schedule(file, function="g").kernels[0].machine.cycles for _ in range(2))
    assert one == other and made.call_count == 2
