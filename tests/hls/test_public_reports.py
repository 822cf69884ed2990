"""Rules that several public repositories with reports of Vitis HLS show, each on a few lines of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim import schedule
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format


def found(folder: Path, text: str, **options: Any) -> dict[str, Any]:
    (folder / "k.cpp").write_text(text, "utf-8")
    return schedule(folder / "k.cpp", **options).to_dict()


def loops(folder: Path, text: str, **options: Any) -> list[tuple[int, int, int]]:
    return [(each["ii"], each["depth"], each["trip"]) for each in found(folder, text, **options)["loops"]]


def test_the_old_name_of_the_pragmas_is_theirs(tmp_path: Path) -> None:
    text = "void k(int a[8], int b[8]) {\n#pragma AP pipeline\nfor (int i = 0; i < 8; i++) b[i] = a[i] + 1; }"
    one, other = (found(tmp_path, each)["cycles"] for each in (text, text.replace("AP", "HLS")))
    assert one == other
    assert one < found(tmp_path, text.replace("AP", "OTHER"))["cycles"]


def test_pipeline_off_is_off_for_the_functions_that_are_called(tmp_path: Path) -> None:
    text = """void g(int a[64]) { for (int i = 0; i < 64; i++) { PIPE a[i] += 3; } }
void k(int a[64]) {
#pragma HLS pipeline off
  g(a);
}
void other(int a[64]) { g(a); }"""
    asked = text.replace("PIPE", '_Pragma("HLS pipeline")')
    text = text.replace("PIPE", "")
    assert loops(tmp_path, text, function="k") == []
    assert len(loops(tmp_path, text, function="other")) == len(loops(tmp_path, asked, function="k")) == 1


NEST = """void k(int a[100], int b[10][64], short n) {
  for (int i = 0; i < 10; i++) {
    short row = n + i; BETWEEN
    for (int j = 0; j < 10; j++) if (row > 3) a[10 * i + j] = b[i][j];
  }
}"""


def test_scalars_between_loops_leave_a_nest_perfect(tmp_path: Path) -> None:
    assert [each[2] for each in loops(tmp_path, NEST.replace("BETWEEN", ""))] == [100]
    assert [each[2] for each in loops(tmp_path, NEST.replace("BETWEEN", "a[i] = 7;"))] == [10]
    counted = NEST.replace("short row = n + i; BETWEEN", "row += 2;").replace("{\n", "{ short row = n;\n", 1)
    assert [each[2] for each in loops(tmp_path, counted)] == [10]


@pytest.mark.parametrize(
    ("device", "clock", "bits", "states"),
    [("xc7z020", 10, 24, 0), ("xc7z020", 10, 26, 2), ("xc7a200tfbg676-2", 10, 28, 0), ("xc7z020", 20, 32, 0),
     ("xc7z020", 10, 64, 5)],
)  # fmt: skip
def test_products_that_fit_a_state_take_none(device: str, clock: float, bits: int, states: int) -> None:
    """R2.15."""
    assert load_library(device, clock).operator("mul", Format.of(f"ap_fixed<{bits},8>")).states == states


def test_a_loop_whose_sum_is_handed_on_is_all_that_a_kernel_does(tmp_path: Path) -> None:
    """R1.5: the loop of 8 iterations, depth 5, and the 2 cycles of reports."""
    text = """#include "ap_int.h"
void k(int *y, short a[8], short b[8]) { int sum = 0; for (int i = 0; i < 8; i++) sum += a[i] * b[i]; *y = sum; }"""
    assert found(tmp_path, text, release="2022.2", worst=True)["cycles"] == 7 + 5 - 1 + 2
    more = found(tmp_path, text.replace("*y = sum", "*y = sum + *y"), release="2022.2", worst=True)["cycles"]
    assert more > 13


def test_reports_count_what_the_type_of_an_element_allows(tmp_path: Path) -> None:
    """R5.9: 2^5 - 1 iterations; those of the array without ``worst``."""
    text = """#include "ap_int.h"
void k(ap_uint<5> n[4], int a[20], int *y) {
  int sum = 0;
  for (ap_uint<5> i = 0; i < n[1]; i++) sum += a[i];
  *y = sum;
}"""
    assert [each[2] for each in loops(tmp_path, text, worst=True)] == [31]
    assert [each[2] for each in loops(tmp_path, text)] == [20]


def test_float_operators_of_ultrascale_do_not_chain_behind_a_load(tmp_path: Path) -> None:
    """R9.42: load 2, product 3, sum 4 states of an iteration on K26 at 10 ns; II 4 at grade -1, R9.21."""
    text = """void k(float a[64], float b[64], float *y) {
  float sum = 0;
  for (int i = 0; i < 64; i++) {
#pragma HLS pipeline PIPE
    sum += a[i] * b[i];
  }
  *y = sum;
}"""
    assert found(tmp_path, text.replace("PIPE", "off"), device="xck26", clock="10 ns")["cycles"] == 64 * 9 + 1
    part = {"device": "xczu3eg-sbva484-1-e", "clock": "10 ns"}
    assert loops(tmp_path, text.replace("PIPE", "II=4"), **part)[0][0] == 4
