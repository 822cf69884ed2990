"""Two spellings of one program get one schedule and take the same of the device."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import written

LOOP = "for (int i = 0; i < 64; i++)"
STREAMS = "#include <hls_stream.h>\nvoid f(const int a[64], hls::stream<int> &s, hls::stream<int> &o)"
SUM = "void f(const float a[64], const float b[64], const int c[64], float *s)"
CHOSEN = "void f(const int a[64], const int b[64], int c[64])"
BYTES = "void f(const unsigned char a[64], const unsigned char b[64], int c[64])"
LAST = """#include <hls_stream.h>
static void last(const int a[64], hls::stream<int> &s) { for (int i = 0; i < 64; i++) { BODY } }
static void sums(hls::stream<int> &s, int c[64]) { int v = s.read(); for (int i = 0; i < 64; i++) c[i] = c[i] + v; }
void f(const int a[64], int c[64]) {
#pragma HLS dataflow
hls::stream<int> s; last(a, s); sums(s, c); }"""
"""A region whose FIFO gets a token in the last iteration of a loop."""
PAIRS = """#include <hls_stream.h>
struct pair { float v[2]; };
static float dot(const pair &p) { return p.v[0] * 3 + p.v[1] * 5; }
void f(hls::stream<pair> &s, hls::stream<float> &o)"""
LANES = """#include <hls_stream.h>
#include <hls_vector.h>
typedef hls::vector<float, 4> lanes;
void f(hls::stream<lanes> &s, hls::stream<lanes> &t, hls::stream<lanes> &o)"""
COMPLETE = "#pragma HLS array_partition complete variable"
SPELLINGS = {
    "a condition on iterators in an if, in a variable and compared": (  # R7.4: data decided about the FIFO
        LAST.replace("BODY", "if (i == 63) s.write(a[i]);"),
        LAST.replace("BODY", "bool at = i == 63; if (at) s.write(a[i]);"),
        LAST.replace("BODY", "const int at = i == 63 ? 1 : 0; if (at == 1) s.write(a[i]);"),
        LAST.replace("BODY", "if ((i == 63) != false) s.write(a[i]);"),
        LAST.replace("BODY", "bool before = i < 63; if (before) continue; s.write(a[i]);"),
    ),
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
    "tokens that a branch takes and a choice": (  # II 1: an iteration takes one of the two
        f"{STREAMS} {{ {LOOP} {{ int v; if (a[i] > 3) v = s.read() + 1; else v = s.read() * 2; o.write(v); }} }}",
        f"{STREAMS} {{ {LOOP} o.write(a[i] > 3 ? s.read() + 1 : s.read() * 2); }}",
    ),
    "tokens that a branch takes and the second operand of &&": (
        f"{STREAMS} {{ {LOOP} {{ bool t = a[i] > 3; if (t) t = s.read() > 4; if (t) o.write(i); }} }}",
        f"{STREAMS} {{ {LOOP} if (a[i] > 3 && s.read() > 4) o.write(i); }}",
    ),
    "a directive on a row and on the dimension of all rows": (
        f"void f(int m[64][16], int y[64]) {{\n{COMPLETE}=m dim=2\n {LOOP} {{\n#pragma HLS pipeline\n"
        " int t = 0; for (int j = 0; j < 16; j++) t += m[i][j]; y[i] = t; } }",
        f"static int sum(int row[16]) {{\n{COMPLETE}=row dim=1\n int t = 0;"
        " for (int j = 0; j < 16; j++) t += row[j]; return t; }"
        f"void f(int m[64][16], int y[64]) {{ {LOOP} {{\n#pragma HLS pipeline\n y[i] = sum(m[i]); }} }}",
    ),
    "a branch that a member decides and none": (  # as R1.1 has it of choices
        f"void f(const float a[64], float b[64]) {{ {LOOP} b[i] = a[i] + 1; }}",
        "class Unit { int mode; float s; public: Unit(int m) : mode(m), s(0) {} void run(const float *a, float *b) {"
        f" {LOOP} {{ if (mode == 2) b[i] = a[i] + 1; else {{ s += a[i]; b[i] = s; }} }} }} }};"
        "void f(const float a[64], float b[64]) { Unit u(2); u.run(a, b); }",
        f"void f(const float a[64], float b[64]) {{ int m = 8; m |= 2; float s = 0; {LOOP} {{"
        " if (m == 10) b[i] = a[i] + 1; else { s += a[i]; b[i] = s; } } }",
    ),
    "braces around a number": (
        f"void f(const int a[64], int *o) {{ const int n = 64; int s = 0; {LOOP} s += a[i]; *o = s + n; }}",
        "void f(const int a[64], int *o) { const int n{64}; int s{};"
        " for (int i = {0}; i < n; i++) s += a[i]; *o = s + n; }",
    ),
    "numbers in directives": (
        f"void f(const int a[64], int b[64]) {{ {LOOP} {{\n#pragma HLS pipeline II=2\n b[i] = a[i] * 3; }} }}",
        f"enum {{ N = 64, K = 2 }};\nvoid f(const int a[N], int b[N]) {{ {LOOP} {{\n#pragma HLS pipeline II=K\n"
        " b[i] = a[i] * 3; } }",
        f"void f(const int a[64], int b[64]) {{ enum E {{ K = 2 }}; {LOOP} {{\n#pragma HLS pipeline II=K\n"
        " b[i] = a[i] * 3; } }",
    ),
    "tests of truth values": (  # R1.1: a comparison of one took time
        f"{CHOSEN} {{ {LOOP} {{ if (a[i] > 3) c[i] = a[i] * b[i]; else c[i] = a[i] + b[i]; }} }}",
        f"{CHOSEN} {{ {LOOP} {{ if ((a[i] > 3) != 0) c[i] = a[i] * b[i]; else c[i] = a[i] + b[i]; }} }}",
        f"{CHOSEN} {{ {LOOP} c[i] = !(a[i] > 3) ? a[i] + b[i] : a[i] * b[i]; }}",
        f"{CHOSEN} {{ {LOOP} switch (a[i] > 3 ? 1 : 0) {{ case 1: c[i] = a[i] * b[i]; break;"
        " case 0: c[i] = a[i] + b[i]; break; } }",
    ),
    "branches behind each other and an else": (  # R5.8: II 2, as both had ports of their own
        f"{CHOSEN} {{ {LOOP} if (b[i] > 5) c[i] = a[63 - i] + a[i] + a[0]; else c[i] = a[62 - i] - a[5] - a[7]; }}",
        f"{CHOSEN} {{ {LOOP} {{ bool p = b[i] > 5; if (p) c[i] = a[63 - i] + a[i] + a[0];"
        " if (!p) c[i] = a[62 - i] - a[5] - a[7]; } }",
        f"{CHOSEN} {{ {LOOP} {{ if (b[i] > 5) c[i] = a[63 - i] + a[i] + a[0];"
        " if (b[i] <= 5) c[i] = a[62 - i] - a[5] - a[7]; } }",
    ),
    "branches of one number and a chain of them": (
        f"{CHOSEN} {{ {LOOP} {{ int r = 0; if (b[i] == 0) r = a[i] + 1; else if (b[i] == 1) r = a[i] * 3;"
        " else if (b[i] == 2) r = a[63 - i]; c[i] = r; } }",
        f"{CHOSEN} {{ {LOOP} {{ int r = 0; if (b[i] == 0) r = a[i] + 1; if (b[i] == 1) r = a[i] * 3;"
        " if (b[i] == 2) r = a[63 - i]; c[i] = r; } }",
    ),
    "a difference with a negative and a sum": (
        f"{CHOSEN} {{ int s = 0; {LOOP} s += a[i] * b[i]; c[0] = s; }}",
        f"{CHOSEN} {{ int s = 0; {LOOP} s -= -(a[i] * b[i]); c[0] = s; }}",
    ),
    "sums of terms without a bit in common": (
        f"{BYTES} {{ {LOOP} c[i] = (a[i] << 16) | (b[i] << 8) | a[63 - i]; }}",
        f"{BYTES} {{ {LOOP} c[i] = (a[i] << 16) + (b[i] << 8) + a[63 - i]; }}",
        f"{BYTES} {{ {LOOP} c[i] = a[63 - i] + ((b[i] << 8) + (a[i] << 16)); }}",
    ),
    "the library's absolute value and a choice": (
        f"{CHOSEN} {{ {LOOP} c[i] = a[i] < 0 ? -a[i] : a[i]; }}",
        f"#include <cstdlib>\n{CHOSEN} {{ {LOOP} c[i] = std::abs(a[i]); }}",
    ),
    "operators of both branches and of both sides of a choice": (  # R2.11
        f"{SUM} {{ float t = 0; {LOOP} if (c[i]) t += a[i] * b[0]; else t += a[i] * b[i]; *s = t; }}",
        f"{SUM} {{ float t = 0; {LOOP} t = c[i] ? t + a[i] * b[0] : t + a[i] * b[i]; *s = t; }}",
        f"{SUM} {{ float t = 0; {LOOP} t += a[i] * (c[i] ? b[0] : b[i]); *s = t; }}",
    ),
    "the negative of a power of two and a negation": (
        f"{CHOSEN} {{ {LOOP} c[i] = a[i] * -4; }}",
        f"{CHOSEN} {{ {LOOP} c[i] = 0 - (a[i] << 2); }}",
    ),
    "the negative of a power of two in a sum and a difference": (
        f"{CHOSEN} {{ {LOOP} c[i] = b[i] + a[i] * -4; }}",
        f"{CHOSEN} {{ {LOOP} c[i] = b[i] - (a[i] << 2); }}",
    ),
    "a struct with an array straight from a FIFO and a variable": (  # its elements were lost in silence
        f"{PAIRS} {{ {LOOP} o.write(dot(s.read())); }}",
        f"{PAIRS} {{ {LOOP} {{ pair p = s.read(); o.write(dot(p)); }} }}",
    ),
    "a product of vectors straight from FIFOs and of variables": (
        f"{LANES} {{ {LOOP} o.write(s.read() * t.read()); }}",
        f"{LANES} {{ {LOOP} {{ lanes x = s.read(); lanes y = t.read(); o.write(x * y); }} }}",
    ),
    "a method of a vector straight from a FIFO and of a variable": (
        f"{LANES} {{ float z = 0; {LOOP} z += s.read().reduce_add(); o.write(t.read() * z); }}",
        f"{LANES} {{ float z = 0; {LOOP} {{ lanes x = s.read(); z += x.reduce_add(); }} o.write(t.read() * z); }}",
    ),
}


COPIED = {"a product of vectors straight from FIFOs and of variables"}
"""Spellings whose area differs: the operator takes its first operand by value (R6.9), which keeps a variable longer."""


@pytest.mark.parametrize("name", SPELLINGS)
def test_two_spellings_of_a_program_agree(name: str, tmp_path: Path) -> None:
    found = []
    for text in SPELLINGS[name]:
        kernel = schedule(written(tmp_path, text), function="f").kernels[0]
        nests = [(nest.body.schedule.ii, nest.body.depth, nest.iterations) for nest in kernel.machine.nests]
        found.append((kernel.machine.cycles, nests, None if name in COPIED else kernel.area))
    assert all(each == found[0] for each in found)


def test_floats_of_which_neither_comparison_holds_are_in_neither_branch(tmp_path: Path) -> None:
    """With NaN both ``x > y`` and ``x <= y`` are wrong: no ``else`` is made of the second."""
    yes, no = "c[i] = b[63 - i] + b[i];", "c[i] = b[62 - i] - b[5];"
    found = []
    for both in (f"if (a[i] > 3) {yes} if (a[i] <= 3) {no}", f"if (a[i] > 3) {yes} else {no}"):
        text = f"void f(const float a[64], const float b[64], float c[64]) {{ {LOOP} {{ {both} }} }}"
        found.append(schedule(written(tmp_path, text), function="f").kernels[0].machine.cycles)
    assert found[0] > found[1]


@pytest.mark.parametrize("swapped", [False, True])
def test_an_else_finds_a_variable_as_it_was_before_the_if(swapped: bool, tmp_path: Path) -> None:
    """The branch of the iterator in it took the sum behind the ``if`` before: II 2."""
    yes = "t = a[i]; s += t; x[i] = s;"
    no = "if (i == 32) s = i; t = a[i]; s += t; x[i] = s + 7;"
    branches = f"if (i >= 32) {{ {no} }} else {{ {yes} }}" if swapped else f"if (i < 32) {{ {yes} }} else {{ {no} }}"
    text = f"void f(const int a[64], int x[64]) {{ int s = 5; int t; {LOOP} {{ {branches} }} }}"
    (nest,) = schedule(written(tmp_path, text), function="f", device="virtexu", clock="3 ns").kernels[0].machine.nests
    assert nest.body.schedule.ii == 1


def test_a_second_name_of_a_pointer_to_one_element_makes_no_memory_of_it(tmp_path: Path) -> None:
    swapped = "void f(const int a[64], int *s) { int *p = s, *q = p; p = q; int t = 0; for (int i = 0; i < 64; i++)"
    kernel = schedule(written(tmp_path, f"{swapped} t += a[i]; *p = t; }}"), function="f").kernels[0]
    assert {array.name: array.shape for array in kernel.program.arrays}["s"] == ()


LINES = f"""struct Lines {{ int rows[3][64]; Lines() {{
{COMPLETE}=rows dim=1
}} int put(int v, int at) {{ for (int r = 0; r < 2; r++) rows[r][at] = rows[r + 1][at]; rows[2][at] = v;
return rows[0][at] + rows[1][at] + rows[2][at]; }} }};
void f(int x[64], int y[64]) {{ """


@pytest.mark.parametrize("objects", ["Lines a;", "static Lines a;", "Lines b[1];", "static Lines b[1];"])
def test_directives_in_a_constructor_are_those_of_each_object_that_it_makes(objects: str, tmp_path: Path) -> None:
    """Those of static objects and of arrays were lost in silence: II 3."""
    one = "a" if " a;" in objects else "b[0]"
    text = f"{LINES} {objects} {LOOP} {{\n#pragma HLS pipeline\n y[i] = {one}.put(x[i], i); }} }}"
    (nest,) = schedule(written(tmp_path, text), function="f").kernels[0].machine.nests
    assert nest.body.schedule.ii == 1
