"""Tasks that run again in each round of a loop around their region (R9.7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.hls_sources import machine_of

ROUNDS = """
#pragma HLS dataflow
for (int i = 0; i < 20; i++) {
#pragma HLS dataflow
    float v[4];
    #pragma HLS array_partition variable=v complete
    fill: for (int j = 0; j < 4; j++) {
    #pragma HLS pipeline
        v[j] = 0; }
    add: for (int k = 0; k < 32; k++) {
    #pragma HLS pipeline II=4
        for (int j = 0; j < 4; j++) v[j] += ROW[k] * k; }
    back: for (int j = 0; j < 4; j++) {
    #pragma HLS pipeline
        C[j] = v[j]; }
}
"""


@pytest.mark.parametrize(("row", "before"), [("A[i]", 1), ("A[3]", 0)])
def test_a_run_again_costs_two_cycles_and_one_for_a_row_address(tmp_path: Path, row: str, before: int) -> None:
    """As the runs of allo 2mm, whose filling and copying back take 192 cycles and whose sum takes 852 in RTL."""
    device = {"device": "xcu280-fsvh2892-2L-e", "clock": 3.33}
    machine = machine_of(tmp_path, ROUNDS.replace("ROW", row), A="float[20][32]", C="float[4]", **device)
    assert machine.region is not None and machine.outcome is not None
    fill, add, back = machine.region.tasks.values()
    assert fill.span == fill.machine.cycles + 2 and back.span == back.machine.cycles + 2
    assert add.span == add.machine.cycles + 2 + before
    # The registers have one copy: neither of its neighbours runs beside the sum.
    assert machine.outcome.finish is not None
    rounds = machine.outcome.finish - (fill.span + add.span + back.span)
    assert rounds == 19 * (add.span + max(fill.span, back.span))


def test_an_older_release_runs_again_at_once(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, ROUNDS.replace("ROW", "A[i]"), A="float[20][32]", C="float[4]")
    assert machine.region is not None
    assert all(task.span == task.machine.cycles for task in machine.region.tasks.values())
