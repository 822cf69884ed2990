"""What reports and schedules of other people's code show: sums of float, runs of loops, handshakes, static arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim import schedule


def found(folder: Path, text: str, **options: Any) -> dict[str, Any]:
    (folder / "k.cpp").write_text(text, "utf-8")
    asked = {"device": "xc7z020", "clock": "10 ns", "flow": "vivado"} | options
    return schedule(folder / "k.cpp", **asked).to_dict()


SUM = """void f(float a[64], float out[1]) {{
    float s = {start};
    for (int i = 0; i < 64; i++) {body}
    out[0] = s;
}}
"""


@pytest.mark.parametrize(
    ("release", "start", "body", "alone"),
    [
        ("2020.2", "0", "s += a[i];", True),
        ("2020.2", "a[3]", "s += a[i];", False),
        ("2020.2", "0", "s = s * 0.5f + a[i];", False),
        ("2020.2", "0", "{ s += a[i]; a[i] = s; }", True),
        ("2020.2", "0", "if (a[i] > 3) s += a[i]; else s += a[63 - i];", True),  # one addition (R2.11)
        ("2020.2", "0", "if (a[i] > 3) s += a[i];", False),
        ("2021.1", "0", "s += a[i];", False),
    ],
)
def test_a_sum_of_float_takes_a_value_in_each_cycle_in_one_release(
    tmp_path: Path, release: str, start: str, body: str, alone: bool
) -> None:
    (loop,) = found(tmp_path, SUM.format(start=start, body=body), release=release)["loops"]
    assert (loop["ii"] == 1) is alone


def test_devices_with_later_tables_have_no_sums_of_their_own(tmp_path: Path) -> None:
    text = SUM.format(start="0", body="s += a[i];")
    (loop,) = found(tmp_path, text, release="2020.2", device="alveo-u55c", clock="5 ns")["loops"]
    assert loop["ii"] > 1


RUNS = """void f(int a[8][64], int b[8]) {{
    for (int r = 0; r < 8; r++) {{
        int s = b[r];
        for (int i = 0; i < 64; i++) {{
#pragma HLS pipeline {clause}
            s += a[r][i];
        }}
        b[r] = s;
    }}
}}
"""


def test_reports_count_two_cycles_more_for_each_run_of_a_loop_that_is_a_module(tmp_path: Path) -> None:
    def cycles(clause: str = "", **options: Any) -> int:
        return int(found(tmp_path, RUNS.format(clause=clause), **options)["cycles"])

    rtl = cycles(release="2021.2")
    assert cycles(release="2021.2", worst=True) == cycles(worst=True) == rtl + 2 * 8
    assert cycles(release="2020.2", worst=True) == rtl
    assert cycles("rewind", worst=True) == rtl + 2 * 8  # other code is around it, so that it does not rewind (R5.26)


def test_cycles_around_loops_hold_what_reports_count_for_their_runs(tmp_path: Path) -> None:
    usual, worst = (found(tmp_path, RUNS.format(clause=""), worst=each) for each in (False, True))
    assert worst["overlapped_cycles"] == usual["overlapped_cycles"] == 0
    assert worst["loops"][0]["cycles"] == usual["loops"][0]["cycles"]
    assert worst["other_cycles"] == usual["other_cycles"] + 2 * 8


HANDS = "void f(int in1, int in2, int *both) { *both = in1 + in2 + *both; }\n"


def test_a_handshake_takes_a_state_to_read_and_one_more_to_write(tmp_path: Path) -> None:
    def cycles(mode: str) -> int:
        return int(found(tmp_path, HANDS, pragmas=[f"interface {mode} port=both"])["cycles"])

    assert cycles("ap_none") == cycles("ap_vld") == 0
    assert cycles("ap_hs") == 2  # read in state 1, added and written in 2, written in 3
    # R2.10: so does a register of the port's own, [2/2] and [1/2] in schedules; 1 ns of a state without one.
    assert cycles("s_axilite register") == 2 > cycles("s_axilite")


WINDOW = """int f(int x) {{
    {kept} int w[3][3];
    for (int i = 0; i < 3; i++) {{
#pragma HLS unroll
        for (int j = 2; j > 0; j--) {{
#pragma HLS unroll
            w[i][j] = w[i][j - 1];
        }}
    }}
    w[0][0] = x; w[1][0] = x + 1; w[2][0] = x + 2;
    return w[0][2] + w[1][1] + w[2][2] - w[1][2];
}}
"""


def test_elements_of_a_static_array_at_fixed_places_are_registers(tmp_path: Path) -> None:
    kept = found(tmp_path, WINDOW.format(kept="static"))
    assert kept["cycles"] <= 1
    assert kept["resources"]["bram_18k"] == 0


def test_a_product_with_a_negative_factor_is_the_negative_of_a_product(tmp_path: Path) -> None:
    text = '#include "ap_fixed.h"\ntypedef ap_fixed<32, 16> T;\nvoid f(T a, T b, T c, T *out) {{ *out = {value}; }}\n'
    before, after = (found(tmp_path, text.format(value=each)) for each in ("-(a * (b - c))", "-a * (b - c)"))
    assert before["cycles"] == after["cycles"] > found(tmp_path, text.format(value="a * (b - c)"))["cycles"]


def test_tanh_of_a_float_takes_the_longest_of_its_ways(tmp_path: Path) -> None:
    text = '#include "hls_math.h"\nvoid f(float a, float *out) { *out = hls::tanh(a); }\n'
    assert found(tmp_path, text)["cycles"] == 82
