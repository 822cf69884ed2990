"""Loops whose iterations only follow from executing the control flow: as many as g++ counts, or it is said."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from ppnsim.c.executed import budget, visits
from ppnsim.c.executed.table import Around, counted
from ppnsim.c.executed.walker import Walker
from ppnsim.c.load import load_kernels
from ppnsim.c.policy import HARDWARE
from ppnsim.c.syntax import SyntaxNode
from ppnsim.errors import TooMuchWork
from ppnsim.loops.points import executions

_BEFORE = """
#include <ap_int.h>
#include <hls_stream.h>
#define T(k) seen[k] += 1
struct Size { int rows, columns; };
struct Packed { unsigned n : 3; int m : 4; };
struct Count { int n; Count(int k) : n(k) {} void on(int seen[4]) { for (int i = 0; i < n; i++) T(0); } };
struct Built { unsigned n : 3; int m : 4; Built(int k) : n(k) { m = k; } };
enum class Mode : unsigned char { SLOW = 3, FAST = 251 };
struct Box : Size { int depth; };
static const Size SIZES[3] = {{4, 2}, {7, 9}, {3}};
static Size made(int n) { Size s; s.rows = n; s.columns = 2; return s; }
static void more(int *n) { *n += 2; }
static void longer(int &n) { n += 2; }
static void down(int seen[4], int n) { while (n-- > 0) T(0); }
static void each(int seen[4], int n) { for (int i = 0; i < n; i++) T(0); }
static void kept(int seen[4]) { static int n = 3; for (int i = 0; i < n; i++) T(0); n = 5; }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int square(int n) { return n * n; }
static int logarithm(int n) { int found = 0; while (n >>= 1) found++; return found; }
static int early(int x) { if (x) return 3; return 5; }
static int place(int x) { for (int k = 0; k < 4; k++) if (x == k) return k; return 5; }
static int some(int x) { while (x > 3) { x--; return 2; } return 5; }
static void unless(int x, int &n) { if (x) return; n = 9; }
static int alike(int x) { if (x) return 3; return 3; }
static int reached[3] = {4, 6, 8};
static int *into = reached;
static int handed[3] = {4, 6, 8};
static int *of(int k) { return handed + k; }
static const int TABLE[3] = {7, 9, 2};
"""
_KNOWN = {  # with the iterations that g++ 12 counts in it
    # A bit field has its own bits, however it got its value.
    "Packed s = {28, 12}; for (int i = 0; i < (int)s.n; i++) T(0); for (int i = 0; i < 10 + s.m; i++) T(1);": [4, 6],
    "Packed r[2] = {{1, 2}, {13, 9}}, s = r[1]; for (int i = 0; i < 10 * (int)s.n + s.m; i++) T(0);": [43],
    "Built s(28); for (int i = 0; i < (int)s.n; i++) T(0); for (int i = 0; i < 10 + s.m; i++) T(1);": [4, 6],
    # A token that is put into a stream changes no variable.
    "Size s; s.rows = 7; hls::stream<int> o; o.write(1); for (int i = 0; i < s.rows; i++) { T(0); o.write(i); }": [7],
    # A call of a function in itself has variables of its own.
    "int n = 1; for (int k = 0; k < 2; k++) { for (int i = 0; i < n; i++) T(0); n = fib(6); }": [9],
    # Types of enumerations, tables of objects, lists with one for a base.
    "Mode m = Mode::FAST; int n = (int)m - 245; for (int i = 0; i < n; i++) T(0);": [6],
    "for (int k = 0; k < 3; k++) for (int i = 0; i < SIZES[k].columns; i++) T(0);": [11],
    "Box s = {{1, 7}, 3}; for (int i = 0; i < s.columns; i++) T(0); for (int i = 0; i < s.depth; i++) T(1);": [7, 3],
    # Something else has the counter, or the bound.
    "int w; int *q = &w; for (w = 1; w < 300; w++) { T(0); *q += 5; }": [50],
    "int w; int &q = w; for (w = 1; w < 300; w++) { T(0); q += 5; }": [50],
    "int w; int &p = w; int &q = p; for (w = 1; w < 300; w++) { T(0); q += 5; }": [50],
    "int w; for (w = 1; w < 300; w++) { T(0); more(&w); }": [100],
    "int w; for (w = 1; w < 300; w++) { T(0); longer(w); }": [100],
    "int w; int *q = &w; for (w = 1; w < 300; w++) { T(0); more(q); }": [100],
    "Size s; int *q = &s.rows; for (s.rows = 1; s.rows < 300; s.rows++) { T(0); *q += 5; }": [50],
    "int i; int *q = &i; for (i = 0; i < 10; i++) { T(0); if (i == 4) *q = 7; }": [7],
    "int n = 10; int *q = &n; for (int i = 0; i < n; i++) { T(0); if (i < 5) *q = 30; }": [30],
    "int n = 10; longer(n); for (int i = 0; i < n; i++) T(0);": [12],
    "int n[2] = {7, 9}; int *q = n; q[1] = 3; for (int k = 0; k < 2; k++) for (int i = 0; i < n[k]; i++) T(0);": [10],
    # Bounds that depend on a counter that is no sum.
    "for (int l = 2; l <= 64; l <<= 1) for (int i = 0; i < 64; i += l) { T(0); for (int j = 0; j < l / 2; j++) T(1); }":
        [63, 192],
    "int m, h; for (int s = 1; s <= 6; s++) { m = 1 << s; h = m >> 1; for (int k = 0; k < 64; k += m) for (int j = 0; "
    "j < h; j++) T(0); }": [192],
    "int m = 1; for (int s = 0; s < 6; s++) { m *= 2; for (int k = 0; k < 64; k += m) T(0); }": [63],
    "for (int k = 2; k <= 64; k *= 2) for (int j = k / 2; j > 0; j /= 2) { T(0); for (int i = 0; i < 64; i++) T(1); }":
        [21, 1344],
    "for (int g = 32; g > 0; g /= 2) for (int i = g; i < 64; i++) for (int j = i - g; j >= 0; j -= g) T(0);": [3840],
    "for (int i = 0; i < 7; i++) for (int j = i; j < 7; j++) for (int k = 0; k < i * j; k++) T(0);": [266],
    "for (int w = 1; w < 65; w *= 2) each(seen, w); each(seen, 3);": [130],
    "for (int k = 0; k < 3; k++) for (int i = 0; i < TABLE[k]; i++) T(0);": [18],
    "int n = 27; while (n != 1) { T(0); n = (n & 1) ? 3 * n + 1 : n / 2; }": [111],
    "int x = 48, y = 36; while (y) { T(0); int t = x % y; x = y; y = t; }": [2],
    # Bounds that are one of several expressions.
    "for (int i = 0; i < 8; i++) { int k = i > 4 ? 9 - i : 20; for (int j = 0; j < k; j++) T(0); }": [109],
    "for (int i = 0; i < 8; i++) { int k = (i - 3) % 4; for (int j = -4; j < k; j++) T(0); }": [32],
    "unsigned n = 2; for (unsigned j = 0; j < (n - 5) % 7; j++) T(0);": [1],
    # Members, and what functions return.
    "Count s(10), t(20); s.on(seen); t.on(seen);": [30],
    "Size s = {4, 5}; Size t = s; t.rows = 2; for (int i = 0; i < s.rows; i++) for (int j = 0; j < t.rows; j++) T(0);":
        [8],
    "Size s = made(3); for (int i = 0; i < s.rows; i++) T(0);": [3],
    "for (int i = 0; i < 4; i++) for (int j = 0; j < square(i); j++) T(0);": [14],
    "int n = logarithm(64); for (int i = 0; i < n; i++) for (int j = 0; j < (1 << i); j++) T(0);": [63],
    "int n = alike(a[0]); for (int i = 0; i < n; i++) T(0);": [3],
    # Conditions that step.
    "down(seen, 5); down(seen, 7);": [12],
    "unsigned x = 64; while (x >>= 1) { T(0); a[x & 63]++; }": [6],
    "int x = 0; while (++x < 10) { T(0); a[x]++; }": [9],
    "Size s = {9, 0}; while (--s.rows > 0) { T(0); s.rows /= 2; }": [2],
    "int n[2] = {9, 4}; while (--n[0] > 0) T(0);": [8],
    "int x = 10; while (x--) { T(0); if (x == 3) x = 1; }": [8],
    "int n = 10; for (int i = 0; i < n; i++) { T(0); n--; }": [5],
    # Numbers that go round, also where the test alone has fewer bits.
    "for (int i = 0; (signed char)i < 101; i += 50) T(0);": [23],
    "for (int k = 0; k < 2; k++) for (int i = 0; (short)i < 32700 + k; i += 500) T(0);": [1966],
    "for (ap_uint<4> i = 5; i != 0; i++) T(0);": [11],
    "for (ap_uint<4> i = 0; i < 14; i += 6) T(0);": [5],
    "for (unsigned char i = 0; i < 250; i += 100) T(0);": [23],
    "for (int j = 0; j < 5; j++) for (ap_uint<8> i = 2; i != j; i++) T(0);": [512],
    "for (int j = 1; j < 5; j++) for (unsigned char i = 0; i < j * 63; i += 50) T(0);": [55],
    "unsigned n = 3; for (unsigned i = 0; i < n - 5 && i < 20; i++) T(0);": [20],
    "Packed p; p.n = 6; p.m = 7; for (int k = 0; k < 3; k++) { p.n++; p.m++; for (int i = 0; i < p.n + p.m + 10; i++) "
    "T(0); }": [17],
    "ap_uint<4> n = 12; n += 7; for (int i = 0; i < n; i++) T(0);": [3],
    # Unsigned counters that start below 0, also under what keeps them from it; bounds below 0 beside another one.
    "for (unsigned i = 0; i < 10; i++) for (unsigned j = i - 3; j < 12; j++) T(0);": [63],
    "for (unsigned i = 0; i < 10; i++) if (i >= 3) for (unsigned j = i - 3; j < 12; j++) T(0);": [63],
    "for (unsigned i = 0; i < 6; i++) for (unsigned j = i - 3; j != 4; j++) T(0);": [27],
    "for (unsigned i = 0; i < 6; i++) for (unsigned j = 0; j <= i; j++) for (unsigned k = i - j; k < 6; k++) T(0);":
        [91],
    "for (unsigned i = 1; i < 7; i++) for (unsigned j = 0; j < i - 1; j++) T(0);": [15],
    "for (unsigned j = 0; j != 4294967200u; j += 32) T(0);": [134217725],
    "for (int j = 19; !(j < 0 || j == 4); j--) T(0);": [15],
    "int j = 20; while (j-- > 0 && j != 5) T(0);": [14],
    # Ways out that numbers decide.
    "for (int i = 0; i < 64; i++) { T(0); if (i == 20) break; T(1); }": [21, 20],
    "for (int i = 0; i < 64; i++) { if (i == 20) break; T(0); }": [20],
    "for (int k = 0; k < 3; k++) for (int i = 0; i < 64; i++) { T(0); if (i >= TABLE[k]) break; }": [21],
    "for (int k = 0; k < 3; k++) { if (TABLE[k] > 8) break; for (int i = 0; i < TABLE[k]; i++) T(0); }": [7],
    "for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) { if (j > i) break; T(0); }": [36],
    "int n = 0; for (int i = 0; i < 30; i++) { n += i; if (n > 20) break; } for (int i = 0; i < n; i++) T(0);": [21],
    "for (int i = 0; i < 9; i++) { do { if (i == 3) break; T(0); } while (0); T(1); }": [8, 9],  # its own way out
    "for (int i = 0; i < 9; i++) { while (1) { T(0); break; } T(1); }": [9, 9],
    "for (int s = 512; s; s >>= 1) for (int o = s; o < 1024; o++) { o |= s; T(0); b[o] = b[o ^ s] + b[o]; }": [5120],
    "int i; for (i = 0; i < 30; i++) if (i * i > 50) break; for (; i < 20; i++) T(0);": [12],
    "int n = 1; while (n < 5000) { T(0); n *= 3; if (n % 27 == 0) break; } for (int i = 0; i < n; i++) T(1);": [3, 27],
    "int n = 9; do { T(0); n -= 3; if (n == 3) break; } while (n > 0);": [2],
    "int c = 0; for (int i = 0; i < 10; i++) { int s = 0; for (int j = 0; j < 10; j++) { T(0); s += i * j; if (s > 20) "
    "break; c++; } if (c > 40) break; } for (int j = 0; j < c; j++) T(1);": [49, 40],
}  # fmt: skip
_LARGEST = "for (int t = 0; t < a[0]; t++) for (int j = 0; j < (t > 4 ? 9 : 20); j++) T(0);"
_UNKNOWN = (  # data decides, or what an earlier call has left
    "int x = 3, y = 8; int *q = a[0] > 50 ? &x : &y; *q = 5; for (int i = 0; i < y; i++) T(0);",
    "int n = 4; if (a[0] > 50) n = 9; for (int i = 0; i < n; i++) T(0);",
    "int n = 4; for (int k = 0; k < a[1]; k++) n = 5; for (int i = 0; i < n; i++) T(0);",
    "kept(seen);",
    _LARGEST,
    "int n = early(a[0]); for (int i = 0; i < n; i++) T(0);",  # the first return may be the one
    "int n = place(a[0]); for (int i = 0; i < n; i++) T(0);",
    "int n = some(a[0]); for (int i = 0; i < n; i++) T(0);",
    "int n = 4; unless(a[0], n); for (int i = 0; i < n; i++) T(0);",
    "for (int i = 0; i < reached[1]; i++) T(0); into[1] = 9;",
    "for (int i = 0; i < handed[1]; i++) T(0); *of(1) = 9;",
    "int w[2][2] = {{1, 2}, {3, 4}}; int *q = w[0]; q[2] = 9; for (int i = 0; i < w[1][0]; i++) T(0);",
    "for (int w = 1; w < a[0]; w *= 2) T(0);",
    "int c = 0; for (int i = 0; i < 9; i++) { if (a[i]) { if (i > 5) break; } c++; } for (int i = 0; i < c; i++) T(0);",
    "int i; for (i = 0; i < 8; i++) if (a[i]) break; for (; i < 70; i++) T(0);",  # data takes the way out
    "int w = 20, s = 33; do { T(0); w <<= s; w -= 3; } while (w-- > 0);",  # C does not define such shifts
    "ap_uint<8> w[2] = {5, 6}; w[0][4] = 1; for (int i = 0; i < w[0]; i++) T(0);",  # a bit is set of a table's entry
    "int w[2] = {5, 6}; unsigned char *c = (unsigned char *)w; c[1] = 1; for (int i = 0; i < w[0]; i++) T(0);",
)


@cache
def _read() -> dict[str, tuple[Counter[int], str]]:
    """Return the iterations that are counted in each program, and what is said about it."""
    codes = [*_KNOWN, *_UNKNOWN]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "loops.cpp"
        text = (f"void k{at}(int a[256], int seen[4], float b[2048]) {{ {code} }}\n" for at, code in enumerate(codes))
        path.write_text(_BEFORE + "".join(text), encoding="utf-8")
        kernels = load_kernels(str(path), policy=HARDWARE)
    found = {}
    for program in kernels.programs:
        counts = Counter[int]()
        for statement, around, _ in program.placed():
            for access in statement.writes:
                if access.array == "seen":
                    counts[access.subscripts[0].constant] += executions(around)
        line = _BEFORE.count("\n") + 1 + int(program.name[1:])
        said = [each for each in kernels.assumed if f"line {line} " in each or program.name == f"k{len(_KNOWN) + 3}"]
        found[codes[int(program.name[1:])]] = counts, " ".join(said)
    return found


@pytest.mark.parametrize("code", _KNOWN)
def test_a_loop_runs_as_often_as_in_c(code: str) -> None:
    counts, said = _read()[code]
    assert ([counts[at] for at in range(len(_KNOWN[code]))], said) == (_KNOWN[code], "")


@pytest.mark.parametrize("code", _UNKNOWN)
def test_iterations_that_the_source_does_not_say_are_said_to_be_assumed(code: str) -> None:
    assert "runs 64 times" in _read()[code][1] or "allows" in _read()[code][1]


def test_a_loop_that_takes_the_largest_of_its_bounds_says_so() -> None:
    assert "runs to the largest of its bounds" in _read()[_LARGEST][1]


def test_counts_that_differ_at_one_place_are_not_known() -> None:
    around = [Around("i", counts=False)]
    assert counted({((0, 4),): 2, ((1, 8),): 3}, around) is not None
    assert counted({((0, 4),): 2, ((1, 4),): 3}, around) is None
    assert counted({((0, None),): 2, ((1, None),): 3}, around) is None
    assert counted({((0, 4),): None}, around) is None


def test_the_loops_of_one_reading_are_executed_within_one_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = "  for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) if (j % 3 == 0) n = (n + i) % 50;\n"
    use = "  for (int i = 0; i < n; i++) a[i] = i;\n"
    source = tmp_path / "k.c"
    others = (counting + use).replace("n", "m").replace("imt", "int")
    source.write_text(f"void k(int a[64]) {{\n  int n = 3, m = 3;\n{counting}{use}{others}}}\n", encoding="utf-8")
    load_kernels(str(source), function="k", policy=HARDWARE)
    monkeypatch.setattr(budget, "WHOLE", 500)
    with pytest.raises(TooMuchWork) as refused:
        load_kernels(str(source), function="k", policy=HARDWARE)
    words = "its iterations are counted by executing the code around it, which is too much work (over 500 parts are "
    assert str(refused.value).startswith(f"{source}:6:3: {words}")


_INSTANCES = """
template <int N> void part(int a[64]) {
  int n = 0;
  for (int i = 0; i < N; i++) n = (n * 3 + 1) % 7;
  for (int k = 0; k < n; k++) a[k] += N;
}
void top(int a[64]) { part<1>(a); part<2>(a); part<3>(a); part<5>(a); }
"""


def test_the_loops_of_instances_of_a_template_are_counted_by_one_walk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walks, counted_visits = list[int](), visits.visits_of

    def noted(loops: list[SyntaxNode], *given: Any, **named: Any) -> Any:
        walks.append(len(loops))
        return counted_visits(loops, *given, **named)

    monkeypatch.setattr(visits, "visits_of", noted)
    source = tmp_path / "k.cpp"
    source.write_text(_INSTANCES, encoding="utf-8")
    (program,) = load_kernels(str(source), function="top", policy=HARDWARE).programs
    written = [executions(around) for each, around, _ in program.placed() if each.writes[0].array == "a"]
    assert (written, walks) == ([1, 4, 6, 2], [4])  # n from 0 by n = (n * 3 + 1) % 7, N times


_SET = "int n = 3; for (int h = 0; h < 5; h++) n = (n * 7 + 1) % 50; "


@pytest.mark.parametrize(("code", "walks", "known"), [
    (_SET + "for (int i = 0; i < n; i++) T(0); for (int j = 0; j < n; j++) T(0);", [2, 2], 1),  # n: 22 5 36 3 22
    ("for (int i = 0; i < a[0]; i++) T(0);", [1], 0),  # nothing is left out that a second walk would execute
], ids=["same", "data"])  # fmt: skip
def test_loops_that_depend_on_the_same_variables_are_counted_by_one_walk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, walks: list[int], known: int
) -> None:
    walked, done = list[int](), visits.executed

    def noted(walker: Walker, *given: Any) -> bool:
        walked.extend([len(walker.targets)] * (walker.ways == "none"))
        return done(walker, *given)

    monkeypatch.setattr(visits, "executed", noted)
    source = tmp_path / "k.c"
    source.write_text(f"void k(int a[64]) {{ {code.replace('T(0)', 'a[7] += 2')}; }}\n", encoding="utf-8")
    (program,) = load_kernels(str(source), function="k", policy=HARDWARE).programs
    counts = {executions(around) for each, around, _ in program.placed() if each.writes[0].array == "a"}
    assert walked == walks and (counts == {22}) == bool(known)


def test_a_loop_that_takes_too_long_to_count_is_walked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    walked: list[tuple[frozenset[str], str]] = []

    def endless(walker: Walker, *_: object) -> bool:
        walked.append((walker.targets, walker.ways))
        return False

    monkeypatch.setattr(visits, "executed", endless)
    source = tmp_path / "k.c"
    code = "int n = 1;\n for (int i = 0; i < 9; i++) n = (n * 3) % 50;\n for (int i = 0; i < n; i++) a[i] = i;\n"
    source.write_text(f"void k(int a[64]) {{ {code} }}\n", encoding="utf-8")
    load_kernels(str(source), function="k", policy=HARDWARE)
    assert walked and len(walked) == len(set(walked))


_SEVERAL = """
struct Pair { int n, m; Pair(int k) : n(k) { m = k + 1; } };
template <typename F> static void each(int n, F f) { for (int i = 0; i < n; i++) f(i); }
static void part(int a[64], int n) { int m = n + 2; for (int k = 0; k < m; k++) a[k] += n; }
void top(int a[64]) { Pair p(3), q(5); part(a, p.n); int d = q.m; each(d, [&](int k) { a[k] += d; }); part(a, 7); }
"""


def test_declarations_that_clang_gives_one_hash_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hash has 32 bits: in a source of thousands of variables, one was now and then taken for another."""
    monkeypatch.setattr("clang.cindex.Cursor.hash", 7)
    source = tmp_path / "k.cpp"
    source.write_text(_SEVERAL, encoding="utf-8")
    (program,) = load_kernels(str(source), function="top", policy=HARDWARE).programs
    written = [executions(around) for each, around, _ in program.placed() if each.writes[0].array == "a"]
    assert written == [5, 6, 9]
