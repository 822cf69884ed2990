"""Dataflow regions in loops: none where a directive pipelines a loop around them, one in each round of two loops."""

from __future__ import annotations

from pathlib import Path

import ppnsim

CODE = """
static void add(int a[64], int at, int sum[8]) {
  for (int k = 0; k < 8; k++) sum[k] += a[at + k];
}
static void put(int sum[8], int out[64], int at) {
  for (int k = 0; k < 8; k++) out[at + k] = sum[k];
}
void f(int a[64], int out[64]) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 8; j++) {
OUTER
      int sum[8] = {0};
      for (int t = 0; t < 64; t += 8) {
#pragma HLS DATAFLOW
        add(a, t, sum);
      }
      put(sum, out, 8 * j);
    }
}
"""


def machine(folder: Path, outer: str, region: str = "DATAFLOW") -> ppnsim.KernelSchedule:
    """Return the schedule of a function with a region in two loops, the inner one with a directive."""
    path = folder / "f.cpp"
    path.write_text(CODE.replace("OUTER", outer).replace("DATAFLOW", region))
    return ppnsim.schedule(path, function="f", device="xcu55c-fsvh2892-2L-e", clock="5 ns", release="2022.2").kernels[0]


def test_a_region_in_a_pipelined_loop_is_unrolled_with_it(tmp_path: Path) -> None:
    found = machine(tmp_path, "#pragma HLS pipeline").machine
    plain = machine(tmp_path, "#pragma HLS pipeline", "loop_flatten off").machine
    assert (found.cycles, found.region) == (plain.cycles, None)
    assert any("the dataflow region of loop 't' (line 13) is none" in each for each in found.said)
    assert not any("region" in each for each in plain.said)


def test_two_loops_around_a_region_let_its_tasks_follow_each_other(tmp_path: Path) -> None:
    found = machine(tmp_path, "").machine
    assert found.region is not None
    names = [channel.name for channel in found.region.network.channels]
    assert len(names) == len(set(names))
    assert found.cycles > machine(tmp_path, "#pragma HLS pipeline").machine.cycles
