"""What reports of a hundred kernels on one device, at 10 ns, showed: sums, resets, tables, nests that stay two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim.library.schedule import schedule

_INNER = "for (int j = 0; j < 999; j++)"


def _nests(tmp_path: Path, text: str, release: str = "2023.2", device: str = "xcu280") -> list[Any]:
    (tmp_path / "k.cpp").write_text(text)
    found = schedule(tmp_path / "k.cpp", function="top", device=device, clock="10 ns", release=release or None)
    return list(found.kernels[0].machine.nests)


def _intervals(tmp_path: Path, text: str, release: str = "2023.2") -> list[int]:
    return [nest.body.schedule.ii for nest in _nests(tmp_path, text, release)]


@pytest.mark.parametrize(("of", "plain", "reset"), [("float", 2, 2), ("double", 3, 4)])
def test_a_sum_hands_its_result_on_in_the_last_state(tmp_path: Path, of: str, plain: int, reset: int) -> None:
    # R9.21: behind the reset of a flattened nest a double takes a state more; what keeps the old value takes none.
    head = f"void top({of} A[999], {of} B[99][999], {of} C[99]) {{ {of} s = 0; "
    once = head + "for (int i = 0; i < 999; i++) s += A[i]; C[0] = s; }"
    kept = head + "for (int i = 0; i < 999; i++) if (A[i] > 0) s += A[i]; C[0] = s; }"
    nest = head + f"for (int i = 0; i < 99; i++) {{ s = 0; {_INNER} s += B[i][j]; C[i] = s; }} }}"
    assert [_intervals(tmp_path, each) for each in (once, kept, nest)] == [[plain], [plain], [reset]]
    assert _intervals(tmp_path, kept, "2022.2") == [plain]


def test_a_sum_that_is_cast_between_iterations_does_not(tmp_path: Path) -> None:
    # R9.21: a cast of 1 state on either side of an adder of 4.
    text = "void top(double A[999], float *r) { float s = 0; for (int i = 0; i < 999; i++) s += A[i]; *r = s; }"
    assert _intervals(tmp_path, text) == [6]


def test_a_comparison_of_float_fits_a_state(tmp_path: Path) -> None:
    # R9.42: the largest element so far.
    loop = "for (int i = 0; i < 999; i++) if (A[i] > m) m = A[i];"
    text = f"void top(float A[999], float *r) {{ float m = A[0]; {loop} *r = m; }}"
    assert _intervals(tmp_path, text) == [1]


def test_a_reset_sum_of_products_in_a_dsp_block_needs_no_register(tmp_path: Path) -> None:
    # R9.33: the other operand of the adder is the sum itself.
    text = (
        "#include <ap_int.h>\nvoid top(ap_int<16> A[99][999], ap_int<16> B[999], ap_int<32> C[99]) {\n"
        f"for (int i = 0; i < 99; i++) {{ C[i] = 0; {_INNER} C[i] += A[i][j] * B[j]; }} }}"
    )
    assert _intervals(tmp_path, text) == [1]


@pytest.mark.parametrize("size", [(9, 3), (96, 96), (80, 60, 60)])
def test_rows_of_two_shifted_terms_are_added_in_a_state(tmp_path: Path, size: tuple[int, ...]) -> None:
    # R9.14: at 10 ns copies have two states in two loops, and a further one in three.
    deep = len(size)
    shape, place = "".join(f"[{n}]" for n in size), "".join(f"[i{n}]" for n in range(deep))
    loops = " ".join(f"for (int i{n} = 0; i{n} < {size[n]}; i{n}++)" for n in range(deep))
    (nest,) = _nests(tmp_path, f"void top(int A{shape}, int B{shape}) {{ {loops} A{place} = B{place}; }}", "2022.2")
    assert nest.body.depth == deep


@pytest.mark.parametrize(("products", "depth"), [(5, 8), (9, 12)])
def test_a_chain_of_dsp_blocks_takes_a_state_each(tmp_path: Path, products: int, depth: int) -> None:
    # R9.33: also on 7-series, in which two adders of 2.1 ns would fit into a state.
    terms = " + ".join(f"A{n}[i] * B{n}" for n in range(products))
    arrays = ", ".join(f"ap_fixed<16,8> A{n}[99], ap_fixed<16,8> B{n}" for n in range(products))
    loop = f"for (int i = 0; i < 99; i++) C[i] = {terms};"
    text = f"#include <ap_fixed.h>\nvoid top({arrays}, ap_fixed<40,24> C[99]) {{ {loop} }}"
    (nest,) = _nests(tmp_path, text, "2022.1", "xc7z020")
    assert nest.body.depth == depth


def test_what_the_last_iteration_leaves_where_the_outer_loop_moves_is_on_no_recurrence(tmp_path: Path) -> None:
    # R9.2: the next iteration of the outer loop takes another element.
    text = (
        "void top(double A[99][999], double f[99], double b) {\n"
        f"for (int i = 0; i < 99; i++) {{ {_INNER} f[i] += A[i][j]; f[i] += b; }} }}"
    )
    assert _intervals(tmp_path, text) == [4]


@pytest.mark.parametrize(("call", "loops"), [("exp(s)", 1), ("std::tanh(s)", 1), ("sqrt(s)", 2)])
def test_a_function_of_several_ways_beside_a_loop_keeps_a_nest_two(tmp_path: Path, call: str, loops: int) -> None:
    # R9.2: `sqrt` is an operator, `exp` and `tanh` are code with branches.
    text = (
        "#include <cmath>\nvoid top(float A[99][999], float C[99]) {\n"
        f"for (int i = 0; i < 99; i++) {{ float s = 0; {_INNER} s += A[i][j]; C[i] = {call}; }} }}"
    )
    (nest,) = _nests(tmp_path, text)
    assert len(nest.body.pipeline.loops) == loops


@pytest.mark.parametrize(
    ("number", "loops"), [("0.5f", 1), ("0.1f * i", 1), ("i == 3 ? 1 : 0", 2), ("A[i]", 2), ("sinf(i)", 2)]
)
def test_a_table_of_numbers_alone_needs_no_loop(tmp_path: Path, number: str, loops: int) -> None:
    # R9.19
    text = (
        "#include <cmath>\nvoid top(float A[999], float C[999]) { float t[999];\n"
        f"for (int i = 0; i < 999; i++) t[i] = {number};\nfor (int i = 0; i < 999; i++) C[i] = A[i] * t[i]; }}"
    )
    assert len(_nests(tmp_path, text)) == loops


@pytest.mark.parametrize(("release", "loops"), [("2022.2", 1), ("2023.2", 2)])
def test_a_short_list_of_vendor_numbers_fills_its_array_since_2023_2(tmp_path: Path, release: str, loops: int) -> None:
    # R5.11
    text = (
        "#include <ap_int.h>\nvoid top(ap_uint<8> A[999], ap_uint<32> *r) { ap_uint<32> t[256] = {0};\n"
        "for (int i = 0; i < 999; i++) t[A[i]]++;\n*r = t[3]; }"
    )
    assert len(_nests(tmp_path, text, release)) == loops


def test_math_declares_waits(tmp_path: Path) -> None:
    # Vitis HLS 2023.2 takes a source with these two headers and `ap_wait`.
    text = "#include <hls_stream.h>\n#include <hls_math.h>\nvoid top(int A[9]) { A[0] = 1; ap_wait(); A[1] = 2; }"
    assert _nests(tmp_path, text) == []
