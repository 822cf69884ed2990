"""Iterators after their loops, loops as reports count them, and C that includes headers of C++."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim


def cycles(folder: Path, code: str, *, name: str = "f.cpp", worst: bool = True) -> int:
    """Return the cycles of a function f."""
    path = folder / name
    path.write_text(code)
    return ppnsim.schedule(path, function="f", worst=worst).kernels[0].machine.cycles


LOOPS = """
void f(int in[64], int out[64]) {
  int i, j, m[64];
  FIRST
  BETWEEN
  for (GOES; i < 64; ++i) m[i] = m[i - 2] + in[i];
  for (i = 0; i < 64; ++i) out[i] = m[i];
}
"""


@pytest.mark.parametrize(
    ("first", "end"),
    [
        ("for (i = 0; i < 16; ++i) m[i] = in[i];", 16),
        ("for (i = 0, j = 0; i < 16; ++i, j += 4) m[i] = in[j];", 16),
        ("for (i = 2; i <= 15; i += 3) m[i] = in[i];", 17),
        ("for (i = 15; i >= 8; --i) m[i] = in[i];", 7),
        ("for (i = 9; i < 4; ++i) m[i] = in[i];", 9),  # it never runs
        ("for (i = 0; i < 16; ++i) m[i] = in[i]; for (; i < 20; i++) m[i] = 0;", 20),
    ],
)
def test_a_loop_goes_on_from_where_the_one_before_ended(tmp_path: Path, first: str, end: int) -> None:
    code = LOOPS.replace("FIRST", first).replace("BETWEEN", "")
    assert cycles(tmp_path, code.replace("GOES", "")) == cycles(tmp_path, code.replace("GOES", f"i = {end}"))


@pytest.mark.parametrize("between", ["i = in[3];", "if (in[0] > 2) i = 5;", "i += in[1];", "while (in[i]) i++;"])
def test_what_changes_the_iterator_between_counts(tmp_path: Path, between: str) -> None:
    code = LOOPS.replace("FIRST", "for (i = 0; i < 16; ++i) m[i] = in[i];").replace("BETWEEN", between)
    assert cycles(tmp_path, code.replace("GOES", "")) > cycles(tmp_path, code.replace("GOES", "i = 16"))


def test_an_iterator_whose_address_is_known_is_no_number(tmp_path: Path) -> None:
    code = LOOPS.replace("FIRST", "int *p = &i; for (i = 0; i < 16; ++i) m[i] = in[i];").replace(
        "BETWEEN", "*p = in[9];"
    )
    assert cycles(tmp_path, code.replace("GOES", "")) > cycles(tmp_path, code.replace("GOES", "i = 16"))


TRIANGLE = """
void f(int a[32][32], int out[32]) {
  for (int i = 0; i < 32; i++)
    for (int j = FIRST; j < 32; j++) {
#pragma HLS loop_tripcount min=1 max=4
      a[i][j] = a[i][j] * a[j][i] + 1;
    }
}
"""


def test_loop_tripcount_holds_in_reports_where_other_loops_decide(tmp_path: Path) -> None:
    depends, alone = TRIANGLE.replace("FIRST", "i"), TRIANGLE.replace("FIRST", "0")
    without = "#pragma HLS loop_tripcount min=1 max=4"
    assert cycles(tmp_path, depends) < cycles(tmp_path, depends.replace(without, ""))
    assert cycles(tmp_path, depends, worst=False) == cycles(tmp_path, depends.replace(without, ""), worst=False)
    assert cycles(tmp_path, alone) == cycles(tmp_path, alone.replace(without, ""))  # its bounds are numbers


def test_c_that_includes_a_header_of_cpp_is_cpp(tmp_path: Path) -> None:
    code = "#include <cmath>\nvoid f(float a[8]) { for (int i = 0; i < 8; i++) a[i] = std::sqrt(a[i]); }"
    assert cycles(tmp_path, code, name="f.c") == cycles(tmp_path, code)
