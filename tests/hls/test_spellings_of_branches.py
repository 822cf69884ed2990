"""Spellings that the compiler in front of the tool makes one program of: the same schedule and the same operators."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.hls.report import ScheduledKernel
from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import written

DEVICES = [("xc7z020", "10 ns"), ("xcu280", "3.33 ns")]
HEAD = "#include <string.h>\n#include <hls_stream.h>\n"
TWO = "const int a[64], const int b[64], int o[64]"
WIDE = "const short a[64][8], const short b[64][8], int o[64]"
LOOP = "for (int i = 0; i < 64; i++)"
PIPELINE = "\n#pragma HLS pipeline\n"
ROWS = (
    "\n#pragma HLS array_partition complete variable=a dim=2\n#pragma HLS array_partition complete variable=b dim=2\n"
)
ARMS = range(8)


def body(text: str, parameters: str = TWO, before: str = "") -> str:
    """Return a source with one pipelined loop over 64 iterations; ``before`` stands before it."""
    return f"{HEAD}void f({parameters}) {{ {before} {LOOP} {{{PIPELINE} {text} }} }}"


def struct(text: str, member: str) -> str:
    """Return a source with an array of eight rows that is a variable, or a member."""
    read = f"for (int i = 0; i < 8; i++) {{{PIPELINE} int s = 0; for (int j = 0; j < 8; j++) s += {member}[i][j];"
    fill = f"{LOOP} {member}[i / 8][i % 8] = a[i];"
    head = "struct W { int t[8][8]; int n; };\nvoid f(const int a[64], int o[8])"
    return f"{head} {{ {text} {fill} {read} o[i] = s; }} }}"


SPELLINGS = {
    "a chain of choices, of branches, a switch": (  # R5.8
        body("int c = a[i]; o[i] = " + "".join(f"c == {n} ? b[i] + {3 * n + 1} : " for n in ARMS) + "b[i] - 9;"),
        body("int c = a[i], r; " + "".join(f"if (c == {n}) r = b[i] + {3 * n + 1}; else " for n in ARMS)
             + "r = b[i] - 9; o[i] = r;"),
        body("int r; switch (a[i]) { " + "".join(f"case {n}: r = b[i] + {3 * n + 1}; break; " for n in ARMS)
             + "default: r = b[i] - 9; } o[i] = r;"),
    ),
    "a choice in a branch, and a branch in it": (
        body("int r = b[i]; if (a[i] > 3) { r += 5; if (r > 9) r -= 7; } o[i] = r;"),
        body("int r = b[i]; if (a[i] > 3) { int t = r + 5; r = t > 9 ? t - 7 : t; } o[i] = r;"),
    ),
    "an array of products that only its iteration reads, and none": (  # R6.3
        body("int s = 0; for (int j = 0; j < 8; j++) s += a[i][j] * b[i][j]; o[i] = s;", WIDE, ROWS),
        body("int p[8], s = 0; for (int j = 0; j < 8; j++) p[j] = a[i][j] * b[i][j];"
             " for (int j = 0; j < 8; j++) s += p[j]; o[i] = s;", WIDE, ROWS),
    ),
    "a tree that is written into an array, and as a sum": (
        body("o[i] = ((a[i][0] + a[i][1]) + (a[i][2] + a[i][3])) + ((a[i][4] + a[i][5]) + (a[i][6] + a[i][7]));",
             WIDE, ROWS),
        body("int t[8]; for (int j = 0; j < 8; j++) t[j] = a[i][j]; for (int s = 4; s > 0; s /= 2)"
             " for (int j = 0; j < s; j++) t[j] = t[2 * j] + t[2 * j + 1]; o[i] = t[0];", WIDE, ROWS),
    ),
    "steps of pointers where variables are declared, and subscripts": (  # R1.1
        body("int x = a[i], y = b[i]; o[i] = x > y ? x * 3 : y;"),
        body("int x = *p++, y = *q++; *r++ = x > y ? x * 3 : y;", before="const int *p = a, *q = b; int *r = o;"),
    ),
    "an array in a struct, and one that is not": (struct("int t[8][8];", "t"), struct("W w;", "w.t")),
    "rows in banks of their own, in two dimensions and in one": (  # R2.4
        body("int s = 0; for (int j = 0; j < 8; j++) s += a[i][j] * b[i][j]; o[i] = s;", WIDE, ROWS),
        body("int s = 0; for (int j = 0; j < 8; j++) s += a[8 * i + j] * b[8 * i + j]; o[i] = s;",
             "const short a[512], const short b[512], int o[64]",
             ROWS.replace("complete", "cyclic factor=8").replace("dim=2", "dim=1")),
    ),
    "the bits of a number, by a union and by memcpy": (
        body("union { float r; unsigned u; } c; c.r = a[i]; o[i] = (c.u >> 23) & 255;", "const float a[64], int o[64]"),
        body("float r = a[i]; unsigned u; memcpy(&u, &r, 4); o[i] = (u >> 23) & 255;", "const float a[64], int o[64]"),
    ),
    "memories of one element each, by their number and complete": (  # R6.1
        body("o[i] = t[i & 3] + b[i];", before="int t[4]; for (int i = 0; i < 4; i++) t[i] = a[i];"
             "\n#pragma HLS array_partition variable=t complete\n"),
        body("o[i] = t[i & 3] + b[i];", before="int t[4]; for (int i = 0; i < 4; i++) t[i] = a[i];"
             "\n#pragma HLS array_partition variable=t cyclic factor=4\n"),
    ),
}  # fmt: skip


def seen(kernel: ScheduledKernel) -> object:
    nests = [(nest.body.schedule.ii, nest.body.depth, nest.iterations) for nest in kernel.machine.nests]
    return kernel.machine.cycles, nests, kernel.area.units, kernel.area.lut, kernel.area.dsp


@pytest.mark.parametrize(("device", "clock"), DEVICES)
@pytest.mark.parametrize("name", SPELLINGS)
def test_spellings_agree(name: str, device: str, clock: str, tmp_path: Path) -> None:
    found = [
        seen(schedule(written(tmp_path, text), function="f", device=device, clock=clock).kernels[0])
        for text in SPELLINGS[name]
    ]
    assert all(each == found[0] for each in found)


@pytest.mark.parametrize("way", ["s.write(P{a[i], b[i]});", "P t; t.x = a[i]; t.y = b[i]; s.write(t);"])
def test_a_struct_of_loaded_data_leaves_the_body_from_a_register_as_a_number_does(way: str, tmp_path: Path) -> None:
    """R10.2: at 3.33 ns copies have three states; wires that join the members are no operator."""
    text = f"struct P {{ int x, y; }};\nvoid f(const int a[64], const int b[64], hls::stream<P> &s) {{ {LOOP} {{"
    (nest,) = schedule(
        written(tmp_path, f"{HEAD}{text}{PIPELINE} {way} }} }}"), function="f", device="xcu280", clock="3.33 ns"
    ).kernels[0].machine.nests  # fmt: skip
    assert nest.body.depth == 3


@pytest.mark.parametrize("clock", ["7 ns", "8 ns", "9 ns"])
def test_no_operator_has_fewer_states_than_at_a_longer_period(clock: str, tmp_path: Path) -> None:
    """R9.42: a sum of float has 3 states at 8.33 ns, and had 2 at 8."""
    text = f"void f(const float a[64], float *s) {{ float t = 0; {LOOP} {{{PIPELINE} t += a[i]; }} *s = t; }}"
    (nest,) = schedule(written(tmp_path, text), function="f", device="xcu280", clock=clock).kernels[0].machine.nests
    assert nest.body.schedule.ii == 3


def test_a_block_into_elements_of_another_size_says_what_is_assumed(tmp_path: Path) -> None:
    """Each byte of the block was taken for an element of the source: 256 of 64."""
    text = f"{HEAD}void f(const unsigned a[64], unsigned char o[256]) {{ memcpy(o, a, 256); }}"
    found = schedule(written(tmp_path, text), function="f").to_dict()
    assert "copies elements of 32 bits to elements of 8 bits: one load for each store is assumed" in str(found)
