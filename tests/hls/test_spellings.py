"""Two spellings of one program get one schedule and take the same of the device."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import written

LOOP = "for (int i = 0; i < 64; i++)"
SPELLINGS = {
    "a pointer to a pointer without a size": (
        f"void f(const int *a, int *b) {{ {LOOP} b[i] = a[i] * 3; }}",
        f"void f(const int *a, int *b) {{ const int *p = a; int *q; q = b; {LOOP} *q++ = *p++ * 3; }}",
    ),
    "a second name of a pointer": (
        f"void f(const int *a, int *b) {{ {LOOP} b[i] = a[i] + 1; }}",
        f"void f(const int *a, int *b) {{ int *q = b; int *r = q; {LOOP} r[i] = a[i] + 1; }}",
    ),
    "members of a class and variables": (
        f"void f(const float a[64], float b[64]) {{ float z = 0; {LOOP} {{ z = 0.5f * z + a[i]; b[i] = z; }} }}",
        "class Iir { float z; public: Iir() : z(0) {} float step(float x) { z = 0.5f * z + x; return z; } };"
        f"void f(const float a[64], float b[64]) {{ Iir q; {LOOP} b[i] = q.step(a[i]); }}",
    ),
    "copies by hand": (
        f"void f(const int a[64], int *s) {{ int t = 0; {LOOP} {{\n#pragma HLS unroll factor=2\n"
        " t += a[i]; } *s = t; }",
        "void f(const int a[64], int *s) { int t = 0; for (int i = 0; i < 64; i += 2) { t += a[i]; t += a[i + 1]; }"
        " *s = t; }",
    ),
    "one dimension and two": (
        f"void f(const int a[64][8], int b[64][8]) {{ {LOOP} for (int j = 0; j < 8; j++) b[i][j] = a[i][7 - j]; }}",
        f"void f(const int a[512], int b[512]) {{ {LOOP} for (int j = 0; j < 8; j++)"
        " b[i * 8 + j] = a[i * 8 + 7 - j]; }",
    ),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_two_spellings_of_a_program_agree(name: str, tmp_path: Path) -> None:
    found = []
    for text in SPELLINGS[name]:
        kernel = schedule(written(tmp_path, text), function="f").kernels[0]
        nests = [(nest.body.schedule.ii, nest.body.depth, nest.iterations) for nest in kernel.machine.nests]
        found.append((kernel.machine.cycles, nests, kernel.area))
    assert found[0] == found[1]


def test_a_second_name_of_a_pointer_to_one_element_makes_no_memory_of_it(tmp_path: Path) -> None:
    swapped = "void f(const int a[64], int *s) { int *p = s, *q = p; p = q; int t = 0; for (int i = 0; i < 64; i++)"
    kernel = schedule(written(tmp_path, f"{swapped} t += a[i]; *p = t; }}"), function="f").kernels[0]
    assert {array.name: array.shape for array in kernel.program.arrays}["s"] == ()
