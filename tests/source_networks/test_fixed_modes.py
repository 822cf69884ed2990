"""What is said of rounding and saturation: each mode of the first type that has one, by its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.files import load
from ppnsim.library.schedule import schedule

SOURCE = """#include "ap_fixed.h"
typedef ap_fixed<16, 2> plain_t;
typedef {type} out_t;
void k(plain_t a[8], out_t b[8]) {{ for (int i = 0; i < 8; i++) b[i] = a[i]; }}
"""


@pytest.mark.parametrize(
    ("kind", "modes"),
    [
        ("ap_fixed<8, 2, AP_RND>", "AP_RND of ap_fixed takes"),
        ("ap_ufixed<8, 2, AP_TRN, AP_SAT_SYM>", "AP_SAT_SYM of ap_fixed takes"),
        ("ap_fixed<8, 2, AP_RND_CONV, AP_SAT>", "AP_RND_CONV and AP_SAT of ap_fixed take"),
    ],
)
def test_each_mode_of_a_type_is_named(tmp_path: Path, kind: str, modes: str) -> None:
    (path := tmp_path / "k.cpp").write_text(SOURCE.format(type=kind), encoding="utf-8")
    (said,) = (each for each in schedule(path).to_dict()["assumptions"] if "ap_fixed" in each)
    assert f":3: {modes} no time and no area here: in hardware an adder rounds" in said


def test_the_network_of_a_region_says_it_too(tmp_path: Path) -> None:
    text = """#include "ap_fixed.h"
#include "hls_stream.h"
typedef ap_fixed<8, 2, AP_RND, AP_SAT> out_t;
static void fill(int a[8], hls::stream<out_t> &s) { for (int i = 0; i < 8; i++) s.write(a[i]); }
static void drain(hls::stream<out_t> &s, out_t b[8]) { for (int i = 0; i < 8; i++) b[i] = s.read(); }
void k(int a[8], out_t b[8]) {
#pragma HLS dataflow
  hls::stream<out_t> s; fill(a, s); drain(s, b); }
"""
    (path := tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    found = load(path, "SourceNetwork")
    assert any(":3: AP_RND and AP_SAT of ap_fixed take no time" in each for each in found.notes)


def test_modes_that_cost_nothing_are_not_told(tmp_path: Path) -> None:
    (path := tmp_path / "k.cpp").write_text(SOURCE.format(type="ap_fixed<8, 2, AP_TRN, AP_WRAP>"), encoding="utf-8")
    assert not any("ap_fixed" in each for each in schedule(path).to_dict()["assumptions"])
