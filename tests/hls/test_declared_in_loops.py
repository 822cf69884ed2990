"""A variable that is declared in a loop has no value of an earlier iteration (R1.2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import written

FAST: dict[str, Any] = {"device": "xcu250-figd2104-2L-e", "clock": "3.33 ns"}
PARTS = """for (int w = 0; w < 4; w++)
      if (a[i][w]) x{0}.range(8 * w + 7, 8 * w) = a[i](7, 0) * 3 + x{0}(31 - 8 * w, 24 - 8 * w);
    out[i] = x{0};"""


def _kernel(body: str, outside: str = "", before: str = "") -> str:
    return f"""#include <ap_int.h>
{before}
void kernel(ap_uint<32> a[64], ap_uint<32> out[64]) {{
  {outside}
  for (int i = 0; i < 64; i++) {{
#pragma HLS pipeline
    {body}
  }}
}}
"""


@pytest.mark.parametrize(
    ("code", "carried"),
    [
        (_kernel("ap_uint<32> x; " + PARTS.format("")), False),
        (_kernel("W x; " + PARTS.format(".v"), before="struct W { ap_uint<32> v; };"), False),
        (_kernel(PARTS.format(""), "ap_uint<32> x;"), True),
        (_kernel("static ap_uint<32> x; " + PARTS.format("")), True),
        (_kernel("W x; " + PARTS.format(".v"), before="struct W { ap_uint<32> v; W() { v = 0; } };"), False),
    ],
    ids=["in the loop", "in a struct", "before the loop", "static", "constructed"],
)
def test_bits_that_an_iteration_does_not_set_are_no_recurrence(tmp_path: Path, code: str, carried: bool) -> None:
    (nest,) = schedule(written(tmp_path, code), **FAST).kernels[0].machine.nests
    assert (nest.body.schedule.ii > 1) == carried


def test_a_variable_of_an_outer_iteration_is_carried_in_the_inner_loop(tmp_path: Path) -> None:
    code = """void kernel(float a[8][64], float out[8]) {
  for (int i = 0; i < 8; i++) {
    float sum;
    for (int j = 0; j < 64; j++) {
#pragma HLS pipeline II=1
      sum = (j > 0 ? sum : 0) + a[i][j];
      if (j == 63) out[i] = sum;
    }
  }
}
"""
    nest = schedule(written(tmp_path, code), **FAST).kernels[0].machine.nests[-1]
    assert nest.body.schedule.ii > 1  # floating point addition takes several cycles
