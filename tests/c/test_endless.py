"""Loops that never end, that only seem so, and those whose counter is volatile or goes on from a loop before."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_kernels
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.hls.report import ScheduledKernel
from ppnsim.library.schedule import schedule
from tests.oracles.compiled import differing, named


def source(folder: Path, body: str, given: str = "int n") -> Path:
    """Return the source of a function with an array ``a`` and a body."""
    text = f'#include "hls_stream.h"\n#include "ap_int.h"\nvoid f(int a[64], {given}) {{ {body} }}'
    (file := folder / "f.cpp").write_text(text, encoding="utf-8")
    return file


def kernel(folder: Path, body: str, given: str = "int n") -> ScheduledKernel:
    """Return the schedule of such a function."""
    return schedule(source(folder, body, given)).kernels[0]


@pytest.mark.parametrize(
    "loop",
    [
        "for (unsigned i = 9; i >= 0; i--) a[i & 63] = n;",
        "for (unsigned char i = 0; i < 300; i++) a[i & 63] = n;",
        "for (ap_uint<3> i = 0; i < 8; i++) a[i] = n;",
        "for (signed char i = 0; i < 200; i++) a[i & 63] = n;",
        "for (unsigned char i = n; i <= 255 && i < 999; i++) a[i & 63] = n;",
        "unsigned i = n; do a[i & 63] = n; while (i-- >= 0);",
        "unsigned char i = 0; while (i < 256) { a[i & 63] = n; i += 3; }",
        "for (int i = 0; i != 7; i += 2) a[i & 63] = n;",
        "for (unsigned char i = 0; i != 6; i += 4) a[i & 63] = n;",
        "for (int i = 0; i < 4;) a[i] = n;",
        "int i = 1, j = 0; while (i < 9) { a[j & 63] = n; j++; }",
        "for (int w = 0; w < 64; w *= 2) a[w]++;",
        "for (int i = 0; i < 64; i--) a[i & 63] = n;",
        "for (int i = 63; i >= 0; i++) a[i & 63] = n;",
        "for (int i = 0; i < 9; i = (i + 1) % 8) a[i] = n;",
        "for (unsigned char i = 0; i <= 254; i += 2) a[i & 63] = n;",
        "for (int i = 0; i < 300; i = (unsigned char)(i + 1)) a[i & 63] = n;",
    ],
)
def test_a_loop_that_never_ends_is_refused_unless_its_trips_are_given(tmp_path: Path, loop: str) -> None:
    with pytest.raises(InputError, match=r"f\.cpp:3:\d+: condition .* always holds, so that the loop never ends"):
        kernel(tmp_path, loop)
    at = loop.index(next(each for each in ("a[j", "a[i", "a[w") if each in loop))
    inside = f"\n#pragma HLS loop_tripcount max=20\n{loop[at:]}"
    given = loop[:at] + ("" if loop[:at].endswith("{ ") else "{") + inside + ("" if "{ " in loop[:at] else "}")
    if " do " not in loop:
        assert kernel(tmp_path, given).machine.nests[0].iterations == 20


@pytest.mark.parametrize(
    ("loop", "given", "trips"),
    [
        ("for (unsigned char i = 1; i != 0; i++) a[i & 63] = 3;", "int n", 255),
        ("for (unsigned char i = 250; i > 9; i++) a[i & 63] = 3;", "int n", 6),
        ("for (unsigned i = 63; i < 64; i--) a[i] = 3;", "int n", 64),  # what is below 0 is large
        ("unsigned i = 9; while (i-- > 0) a[i] = 3;", "int n", 9),
        ("for (volatile int i = 0; i < 48; i++);", "int n", 48),
        ("volatile int i; for (i = 0; i < 48; i += 2) a[i] = 3;", "int n", 24),
        ("int k = 0; for (; k < 10; k++); do { a[k] = 3; k += 3; } while (k < 60);", "int n", 17),
        ("int k; for (k = 0; k < 10; k++); k += 5; while (k < 20) { a[k] = 1; k += 2; }", "int n", 3),
        ("for (int i = 1; i < n; i *= 2) a[i] = 3;", "unsigned char n", 8),
        ("for (int i = 1; i <= n; i <<= 2) a[i] = 3;", "unsigned char n", 4),
        ("for (int i = n; i > 1; i /= 2) a[i] = 3;", "unsigned char n", 7),
        ("for (unsigned char i = 1; i < n; i *= 2) a[i & 63] = 3;", "unsigned char n", 64),  # 128 * 2 is 0
        ("for (unsigned char i = 0; i < n; i++) a[i & 63] = 3;", "unsigned short n", 255),
        ("for (unsigned char i = 0; i < n; i += 2) a[i & 63] = 3;", "unsigned char n", 64),  # 254 + 2 is 0
        ("for (int i = 0; i < 20; i += (i < 6 ? 2 : 5)) a[i] = 3;", "int n", 6),
        # What is below 0 is large, and what a part of n is does not limit n: nothing says how often these run.
        ("if (n < 60) for (unsigned i = 0; i < n; i++) a[9] += 3;", "int n", 64),
        ("for (unsigned i = 0; i < n - 1u; i++) a[9] += 3;", "unsigned char n", 64),
        ("if ((unsigned char)n < 60) for (int i = 0; i < n; i++) a[9] += 3;", "int n", 64),
        ("if (n < 60u) for (unsigned i = 0; i < n; i++) a[9] += 3;", "int n", 59),
        ("for (int i = 1; i < 20; i += i % 3 + 1) a[i] = 3;", "int n", 13),
        ("for (int i = 1; i < 20; i = i + (i & 2) + 1) a[i] = 3;", "int n", 10),
        ("for (short i = 20; i > 3; i = -3 + i) a[i] = 3;", "int n", 6),
        ("for (int i = 0; int r = 20 - i; i++) a[i] = r;", "int n", 20),
        ("int k = 0; while (bool on = k < 20) { a[k] = on; k++; if (k > 30) continue; a[k] += 2; }", "int n", 20),
        ("while (int r = s.read()) a[r & 63] = r;", "hls::stream<int> &s", 64),
        ("for (int v : {n, 5, 7}) a[v & 63] = v;", "int n", 3),
        ("for (int i = -1; i < 10u; i++) a[i] = n; for (int i = 0; i < 7; i++) a[i] = n;", "int n", 7),
        ("for (long i = 0; i < 10u - 20; i++) a[i & 63] = n;", "int n", 4294967286),
        ("for (int i = 0; i < 3000; i++) { int m = 8; while (int r = m--) a[i & 63] += a[r]; }", "int n", 24000),
        ("int i = 0; while (i < 48 && a[i] != n) i++; a[0] = i;", "int n", 48),
        ("int i; for (i = 0; i < 48 && a[i] != n; i++); a[0] = i;", "int n", 48),
        ("int i = 40; while (i > 0) { if (a[i] == n) break; i -= 2; } a[0] = i;", "int n", 20),
        ("int m = 9; for (int i = 0; i < 50 && m--; i++) a[i] = 3;", "int n", 9),
        ("int x; for (int i = 0; (x = 20 - i) != 0; i++) a[i] = x;", "int n", 20),
        ("for (int *p = a; p != a + 5000000000; p++) *p = 3;", "int n", 5000000000),
        ("bool t = false; for (int i = 0; i < 48; i++) t = s.empty(); a[0] = t;", "hls::stream<int> &s", 48),
    ],
)
def test_trips(tmp_path: Path, loop: str, given: str, trips: int) -> None:
    assert trips in [each.iterations for each in kernel(tmp_path, loop, given).machine.nests]


@pytest.mark.parametrize(
    ("loop", "said"),
    [
        ("while (1) a[n & 63] = n++;", "runs 64 times as it is counted here: nothing ends it; '#pragma HLS "),
        (
            "for (;;) { for (int i = 0; i < 4; i++) { if (a[i]) break; a[i] = n++; } }",
            "nothing ends it; '#pragma HLS loop_tripcount max=N' in it says better",
        ),
        ("while (1) { a[n & 63] = n++; if (a[n & 63] == 9) break; }", "runs 64 times: what ends it is data"),
        ("while (n) a[n & 63] = 3;", "nothing in it changes 'n', so that it runs for ever or not at all"),
        ("for (unsigned i = 9; i >= 0; i--) { if (a[i & 63]) break; a[i & 63] = 3; }", "runs 64 times: its bound"),
    ],
)
def test_what_is_said_of_a_loop_without_an_end(tmp_path: Path, loop: str, said: str) -> None:
    assert any(said in each for each in load_kernels(str(source(tmp_path, loop)), policy=HARDWARE).assumed)


EFFECTS = named("""
# choice
s = 0; for (int i = 0; i < 8; i++) b[i] = a[i] > 3 ? tick() : 7; c[0] = s;
# and
s = 0; for (int i = 0; i < 8; i++) b[i] = a[i] > 3 && tick() > 2; c[0] = s;
# or in a test
s = 0; for (int i = 0; i < 8; i++) if (a[i] > 3 || twice() > 2) b[i] = s; c[0] = s;
# pointer
int t = 5; for (int i = 0; i < 8; i++) b[i] = a[i] > 3 ? put(&t, i) : 7; c[0] = t;
# method
one o; o.n = 3; for (int i = 0; i < 8; i++) b[i] = a[i] > 3 ? o.up() : o.n; c[0] = o.n;
""")


def test_a_call_with_effects_is_executed_where_its_operand_is(tmp_path: Path) -> None:
    head = """static int s; int tick() { s++; return s; } int twice() { return tick() + tick(); }
int put(int *p, int v) { *p = v; return v + 1; } struct one { int n; int up() { n++; return n; } };
"""
    assert not differing(head, EFFECTS, tmp_path)


def test_a_call_with_effects_in_the_test_of_a_loop_is_executed_for_each_test(tmp_path: Path) -> None:
    text = "static int s; static int tick() { s++; return s; }\nvoid f(int b[8], int c[1]) { s = 0; @ c[0] = s; }"
    loops = ("int i; for (i = 0; i < 8 && tick() < 5; i++) b[i] = s;",
             "int i = 0; while (i < 8 && tick() < 5) { b[i] = s; i++; }")  # fmt: skip
    for loop in loops:
        (file := tmp_path / "f.cpp").write_text(text.replace("@", loop), encoding="utf-8")
        assert [each.iterations for each in schedule(file).kernels[0].machine.nests] == [4]
