"""Arrays of vectors with directives, several counters of one loop, and numbers that the source computes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim.errors import InputError
from ppnsim.library.schedule import schedule

HEADERS = """#include <ap_fixed.h>
#include <hls_stream.h>
#include <hls_vector.h>
typedef hls::vector<int, 4> four;
typedef hls::vector<four, 4> square;
template <typename T> static constexpr T ceil_div(T a, T b) { return (a + b - 1) / b; }
template <typename T> static constexpr T power(T n) { return n < 2 ? 1 : 2 * power((n + 1) / 2); }
static constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static constexpr long factorial(int n) { long r = 1; for (int i = 0; i < n; i++) r *= i + 1; return r; }
constexpr unsigned long doubled(int n) { unsigned long r = 1; for (int i = 0; i < n; i++) r *= 2; return r; }
static int endless(int n) { return n == 0 ? 0 : endless(n - 1); }
"""


def loops(folder: Path, body: str, arguments: str = "int a[192], int b[192]", **options: Any) -> list[Any]:
    path = folder / "k.cpp"
    path.write_text(f"{HEADERS}void f({arguments}) {{ {body} }}\n", encoding="utf-8")
    found = schedule(path, function="f", **options).to_dict()
    return [(loop["iterations"], loop["ii"]) for loop in found["loops"]]


@pytest.mark.parametrize(("head", "use", "trips"), [
    ("unsigned base = 0, k = 0; base < 190; base += 8, k++", "b[k] = a[base];", 24),
    ("int i = 0, j = 15; i < j; i++, j--", "int t = a[i]; a[i] = a[j]; a[j] = t;", 8),
    ("int i = 191, k = 0; i >= 0; i -= 3, k += 3", "b[k] = a[i];", 64),
])  # fmt: skip
def test_counters_that_step_together_are_known(tmp_path: Path, head: str, use: str, trips: int) -> None:
    """Both were data before: every address might have been the next one (AMD-Pervasive-AI, FOR_BLOCK)."""
    assert [count for count, _ in loops(tmp_path, f"for ({head}) {{ {use} }}")] == [trips]
    (kernel,) = schedule(tmp_path / "k.cpp", function="f").kernels
    assert not any(access.random for s in kernel.program.statements() for access in (*s.reads, *s.writes))


def test_a_counter_of_few_bits_goes_round(tmp_path: Path) -> None:
    """b[6] of iteration 7 is what b[6] was given in 6: j is no affine expression of i, which had II 1."""
    head = "unsigned char i = 0, j = 250; i < 100; i++, j++"
    assert loops(tmp_path, f"for ({head}) {{ b[i] = b[(unsigned char)(j + 5)] * 11 / 7; }}") == [(100, 11)]


def test_inner_counters_start_at_outer_ones(tmp_path: Path) -> None:
    body = """for (unsigned x = 0, block = 0; x < 192; x += 8, block++) {
    #pragma HLS pipeline
      for (unsigned o = 0, at = x; o < 8; o++, at++) b[at] = a[8 * block + o]; }"""
    partition = "\n#pragma HLS array_partition variable={} cyclic factor=8\n"
    assert loops(tmp_path, f"{partition.format('a')}{partition.format('b')}{body}") == [(24, 1)]
    assert loops(tmp_path, body) == [(24, 4)]  # two ports for eight elements


@pytest.mark.parametrize(("count", "trips"), [("ceil_div(100, 8)", 13), ("power(13)", 16), ("fib(10)", 55)])
def test_calls_of_formulas_are_numbers(tmp_path: Path, count: str, trips: int) -> None:
    """They were data: the loop ran 64 times, or the formula was refused as a recursion."""
    assert loops(tmp_path, f"constexpr int n = {count}; for (int i = 0; i < n; i++) b[i] = a[i] * {count};") == [
        (trips, 1)
    ]


def test_constexpr_functions_with_loops_are_numbers(tmp_path: Path) -> None:
    """``factorial(4)`` was data, and the loop ran 64 times (HLStrans, tsp); arguments that are data leave it a call."""
    body = "constexpr long n = factorial(4); for (int i = 0; i < n; i++) b[i] = a[i] * factorial(3);"
    assert loops(tmp_path, body) == [(24, 1)]
    assert loops(tmp_path, "b[0] = factorial(a[0]);") == [(64, 5)]
    body = "constexpr unsigned long n = doubled(63) / doubled(60); for (int i = 0; i < n; i++) b[i] = a[i];"
    assert loops(tmp_path, body) == [(8, 1)]  # 2 ** 63 is not negative


def test_what_never_ends_is_no_number(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="recursion: endless -> endless"):
        loops(tmp_path, "for (int i = 0; i < 9; i++) b[i] = a[i] + endless(-1);")


def test_division_by_a_constant_of_the_program_is_a_shift(tmp_path: Path) -> None:
    """``static const fix STEP = 0.03125`` was an element of memory, and the quotient a divider of 60 states (gelu)."""
    text = "typedef ap_fixed<32, 10> fix; static const fix step = 0.03125;\n"
    text += "void f(fix a[64], fix b[64]) { for (int i = 0; i < 64; i++) b[i] = a[i] / step; }\n"
    (tmp_path / "k.cpp").write_text(HEADERS + text, encoding="utf-8")
    assert schedule(tmp_path / "k.cpp", function="f").to_dict()["loops"][0]["depth"] <= 3


def test_directives_on_arrays_of_vectors_say_where_vectors_are(tmp_path: Path) -> None:
    """R6.3: the lanes of a vector stay side by side. A directive took their ports away (prepare_attn: II 10, not 1)."""
    body = """four held[4];
    {}
    for (int i = 0; i < 100; i++) for (int k = 0; k < 4; k++) {{
    #pragma HLS pipeline
      held[k] = in.read();
      if (k == 3) {{ square all; for (int j = 0; j < 4; j++) all[j] = held[j]; out.write(all); }} }}"""
    arguments = "hls::stream<four> &in, hls::stream<square> &out"
    every = "\n#pragma HLS array_partition variable=held complete dim=1\n"
    assert loops(tmp_path, body.format(every), arguments) == [(400, 1)]
    assert loops(tmp_path, body.format(""), arguments) == [(400, 3)]  # five vectors through two ports
    half = "\n#pragma HLS array_partition variable=held cyclic factor=2 dim=0\n"
    assert loops(tmp_path, body.format(half), arguments) == [(400, 2)]  # each memory: two vectors and the new one


def test_a_vector_of_vectors_is_registers(tmp_path: Path) -> None:
    body = """for (int i = 0; i < 100; i++) {
    #pragma HLS pipeline
      square all; for (int j = 0; j < 4; j++) for (int k = 0; k < 4; k++) all[j][k] = a[4 * j + k] + i;
      out.write(all); }"""
    partition = "\n#pragma HLS array_partition variable=a complete\n"
    assert loops(tmp_path, partition + body, "int a[16], hls::stream<square> &out") == [(100, 1)]


def test_a_pointer_to_elements_runs_through_all_rows(tmp_path: Path) -> None:
    """It was refused as a row (AMD-Pervasive-AI, compute_add)."""
    body = "four *p = reinterpret_cast<four *>(a), *q = reinterpret_cast<four *>(b); "
    body += "for (int i = 0; i < 24; i++) q[i] = p[i];"
    assert loops(tmp_path, body, "four a[6][4], four b[6][4]") == [(24, 1)]
    body = "int *p = (int *)a; for (int i = 0; i < 48; i++) p[i + 1] = p[i] + 1;"
    assert loops(tmp_path, body, "int a[7][8]")[0][0] == 48


@pytest.mark.parametrize("written", ["four::size", "v.size()", "v.size", "four::size()"])
def test_the_size_of_a_vector_is_a_constant_and_a_method(tmp_path: Path, written: str) -> None:
    """Releases before 2022.2 have the constant; ``v.size()`` was no C that can be read."""
    body = f"four v; for (int i = 0; i < 8 * {written}; i++) b[i] = a[i] * {written};"
    assert loops(tmp_path, body) == [(32, 1)]
    assert loops(tmp_path, f"four v; int c[{written}]; for (int i = 0; i < {written}; i++) c[i] = b[i] = a[i];") == [
        (4, 1)
    ]
