"""Loads, stores and addresses that share a state where they fit, as the loops of reports at 10 ns have them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim import schedule
from ppnsim.hls.advice import advice
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format

COPY = "for (int i = 0; i < 16; ++i) t[i] = s[i];"
TURNED = "for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) t[4 * j + i] = s[4 * i + j];"
TABLE = "static const unsigned char box[8] = {1, 5, 3, 2, 7, 8, 9, 4};"
LOOKED_UP = "for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) t[4 * j + i] = box[t[4 * j + i] & 7];"


def loop(folder: Path, code: str, **options: Any) -> dict[str, Any]:
    """Return the only loop of a body with arrays s and t of 128 bytes, in block RAM (R3.9)."""
    text = f"{TABLE}\nvoid f(unsigned char s[128], unsigned char t[128]) {{\n{code}\n}}"
    (folder / "k.cpp").write_text(text, "utf-8")
    (found,) = schedule(folder / "k.cpp", **options).to_dict()["loops"]
    return dict(found)


@pytest.mark.parametrize(("clock", "release", "depth"), [(10, "2021.1", 2), (10, "2023.2", 2), (3.33, "2023.2", 3)])
def test_a_store_takes_loaded_data_in_their_state_where_both_fit(
    tmp_path: Path, clock: float, release: str, depth: int
) -> None:
    """R10.2: rotate_array and Decoder of ForgeHLS (10 ns, 1026 and 1027 cycles); copies of Stream-HLS (3.33 ns)."""
    assert loop(tmp_path, COPY, device="xcu280", clock=f"{clock} ns", release=release)["depth"] == depth


def test_what_goes_over_a_bus_comes_from_a_register(tmp_path: Path) -> None:
    """R10.2: three states of a loop that sends an array (LiuHanpei/hls4ML_template, xczu9eg, 10 ns)."""
    bus = "#pragma HLS interface m_axi port=t offset=slave\n"
    own, sent = (loop(tmp_path, text + COPY, device="xczu9eg")["depth"] for text in ("", bus))
    assert sent > own


@pytest.mark.parametrize(("device", "clock", "depth"), [("xcvu9p", 10, 2), ("xcu280", 3.33, 4), ("xczu9eg", 10, 2)])
def test_an_address_is_ready_in_the_state_that_chooses_the_iterators(
    tmp_path: Path, device: str, clock: float, depth: int
) -> None:
    """R2.4: two states of six nests of aes_encrypt (LmDeng0/CryptoHLS, xcvu9p, 10 ns, 2021.1)."""
    assert loop(tmp_path, TURNED, device=device, clock=f"{clock} ns", release="2021.1")["depth"] == depth


def test_an_element_that_data_chooses_leaves_a_nest_perfect(tmp_path: Path) -> None:
    """R1.3: VITIS_LOOP_85_1_VITIS_LOOP_86_2 of aes_encrypt, 16 trips of II 1 and depth 3."""
    found = loop(tmp_path, LOOKED_UP, device="xcvu9p", release="2021.1")
    assert (found["trip"], found["ii"], found["depth"], found["flattened"]) == (16, 1, 3, True)


def test_a_remainder_by_a_constant_has_a_state_for_each_bit(tmp_path: Path) -> None:
    """R2.6: urem_8ns_3ns_2_12_1 and others have bits + 4 stages; a power of two takes bits of it."""
    by_three, by_four = (loop(tmp_path, COPY.replace("s[i]", f"s[i] % {n}"), device="xc7z020")["depth"] for n in (3, 4))
    assert by_three >= 8 + 4 and by_four == 2


@pytest.mark.parametrize(("kind", "states"), [("float", 10), ("double", 18)])
def test_exponentials_of_xc7z020(kind: str, states: int) -> None:
    """R9.42: fexp_32ns_32ns_32_10_full_dsp_1 and dexp_64ns_64ns_64_18_full_dsp_1."""
    assert load_library("xc7z020", 10.0).operator("elementary", Format.of(kind)).states == states


@pytest.mark.parametrize(("release", "ii"), [("2018.3", 2), ("2021.1", 1), ("2024.2", 1)])
def test_a_chain_of_logic_that_goes_around_is_handed_on_within_a_state(tmp_path: Path, release: str, ii: int) -> None:
    """R9.32: `ap_sig_allocacmp` of maxPool1 (Varsenaiga/VitisOptimization, xc7z020, 2021.1), II 1 of three maxima."""
    text = "void f(int a[64], int b[64], int c[64], int t[64]) { int m = 0; for (int i = 0; i < 64; ++i) {\n"
    most = "".join(f"m = m > {each}[i] ? m : {each}[i]; " for each in "abc")
    text += f"#pragma HLS pipeline\n{most} t[i] = m; }} }}"
    (tmp_path / "k.cpp").write_text(text, "utf-8")
    (found,) = schedule(tmp_path / "k.cpp", device="xc7z020", release=release or None).to_dict()["loops"]
    assert found["ii"] == ii


@pytest.mark.parametrize("release", ["2019.2", "2022.2", "2024.2"])
@pytest.mark.parametrize(
    ("asked", "kind", "kept"), [("II=1", "int", True), ("", "int", False), ("II=1", "float", False)]
)
def test_an_interval_in_a_directive_is_kept_beyond_the_clock_and_told(
    tmp_path: Path, release: str, asked: str, kind: str, kept: bool
) -> None:
    """R3.15: logic alone exceeds the clock if the directive names the interval; units with registers never do."""
    more = "".join(f"x = (x + a[i + {n}]) ^ (x >> {n}); " for n in range(1, 8)) if kind == "int" else "x += a[i];"
    text = f"void f({kind} a[99], {kind} *r) {{\n#pragma HLS array_partition variable=a complete\n{kind} x = 0;\n"
    text += f"for (int i = 0; i < 64; i++) {{\n#pragma HLS pipeline {asked}\n{more} }} *r = x; }}"
    (tmp_path / "k.cpp").write_text(text, "utf-8")
    answer = schedule(tmp_path / "k.cpp", device="xc7z020", release=release).to_dict()
    assert (answer["loops"][0]["ii"] == 1) == kept
    assert any("R3.15" in each for each in answer["assumptions"]) == kept


@pytest.mark.parametrize(("first", "second", "kept"), [("x", "y", True), ("y", "x", True), ("y", "m[x & 7]", False)])
def test_variables_that_feed_each_other_are_one_recurrence_beyond_the_clock(
    tmp_path: Path, first: str, second: str, kept: bool
) -> None:
    """R3.15: what two variables hand to each other is logic alone, unless it goes through a memory as well."""
    more = "".join(f"p = (p + a[i + {n}]) ^ (p >> {n}); q = (q + a[i]) ^ (q << {n}); " for n in range(1, 8))
    stored = "m[x & 7] = p;" if "m" in second else ""
    text = "void f(int a[99], int m[8], int *r) {\n#pragma HLS array_partition variable=a complete\nint x = 0, y = 1;\n"
    text += f"for (int i = 0; i < 64; i++) {{\n#pragma HLS pipeline II=1\nint p = {first}, q = {second}; {more} "
    text += f"{stored} x = p; y = q; }} *r = x + y; }}"
    (tmp_path / "k.cpp").write_text(text, "utf-8")
    answer = schedule(tmp_path / "k.cpp", device="xc7z020", release="2022.2").to_dict()
    assert (answer["loops"][0]["ii"] == 1) == kept
    assert any("R3.15" in each for each in answer["assumptions"]) == kept


@pytest.mark.parametrize(("by", "states"), [(3, 7 + 4), (4, 0)])
def test_a_remainder_of_an_iterator_takes_a_divider_in_a_nest_alone(tmp_path: Path, by: int, states: int) -> None:
    """R2.8: urem_7ns_3ns_2_11_1, depth 14 of maxPool1 (Varsenaiga/VitisOptimization); phi_urem in lone loops."""
    lone = f"for (int i = 0; i < 126; ++i) {{ if (i % {by} == 0) m = 0; m += s[i & 15]; t[i & 15] = m; }}"
    nest = lone.replace("for", "for (int d = 0; d < 8; ++d) for", 1)
    depths = [
        loop(tmp_path, "char m = 0;" + code, device="xc7z020", release="2023.2")["depth"] for code in (lone, nest)
    ]
    assert depths[0] < 7 and states <= depths[1] < 7 + states


def test_a_loop_that_a_directive_unrolls_does_not_make_the_one_around_it_long(tmp_path: Path) -> None:
    """R1.3: Dense1_Loop1 of Varsenaiga/VitisOptimization, 14 iterations of 16 copies in a pipeline of 16."""
    text = "void f(int a[14][16], int k[16][14][16], int o[16]) { for (int d = 0; d < 16; ++d) { int n = d * d;\n"
    text += "for (int i = 0; i < 14; ++i) for (int h = 0; h < 16; ++h) {\n#pragma HLS unroll\n"
    (tmp_path / "k.cpp").write_text(text + "n += a[i][h] * k[d][i][h]; } if (n < 0) n = 0; o[d] = n; } }", "utf-8")
    (found,) = schedule(tmp_path / "k.cpp", device="xc7z020", release="2021.1").to_dict()["loops"]
    assert (found["trip"], found["unrolled_inside"]) == (16, True)


def test_an_interval_that_a_directive_asks_for_is_no_reason_to_unroll(tmp_path: Path) -> None:
    loop = (
        "void f(int a[64], int b[64]) {{ for (int i = 0; i < 64; i++) {{\n#pragma HLS pipeline {0}\n b[i] = a[i]; }} }}"
    )
    said = []
    for asked in ("II=2", ""):
        (tmp_path / "f.cpp").write_text(loop.format(asked), encoding="utf-8")
        (nest,) = schedule(tmp_path / "f.cpp").kernels[0].machine.nests
        said.append(advice(nest))
    assert said == [
        "II 2 as its directive asks: a smaller interval there makes it faster",
        "one iteration each cycle: only unrolling makes it faster",
    ]
