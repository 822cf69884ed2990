"""R4.10, R4.11 and their neighbours on small loops; intervals are those of *ForgeHLS* (2023.2, 10 ns), if not said."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.hls.advice import advice
from ppnsim.library.schedule import schedule

DEVICE = {"device": "xcu280-fsvh2892-2L-e", "clock": "10 ns", "release": "2023.2", "flow": "vivado", "worst": True}
FOUND = "out = -1; for (int i = 0; i < 1024; i++) { if (a[i] == n) { out = i; break; } }"
STORED = "for (int i = 0; i < 1024; i++) { if (a[i] == n) { b[i] = 1; break; } }"
SUMMED = "float s = 0; for (int i = 0; i < 1024; i++) { s += x[i]; if (s >= y[0]) { out = i; break; } }"
HELD = "for (int i = 0; i < 99; i++) for (int j = 0; j < 99; j++) { if (x[i] > x[j]) b[i]++; }"
LATCH = "for (int i = 1; i < 1024; i++) { if (a[i]) b[i] = n; else b[i] = b[i - 1]; }"
COUNTED = "for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) { if (a[j] > n) b[(i + j) % 30]++; }"
APART = "for (int i = 0; i < 1024; i++) { if (a[i] > n) b[i] = b[i] + 1; }"
RELAXED = """for (int k = 0; k < 64; k++) for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++)
    if (m[i][k] + m[k][j] < m[i][j]) m[i][j] = m[i][k] + m[k][j];"""
MIRRORED = """for (int i = 0; i < 64; i++) for (int j = i; j < 64; j++) {
    d[i][j] = 0; for (int k = 0; k < 1400; k++) d[i][j] += e[k][i] * e[k][j];
    d[i][j] /= 3.5; d[j][i] = d[i][j]; }"""
ELIMINATED = """for (int k = 0; k < 64; k++) for (int i = k + 1; i < 64; i++) for (int j = k + 1; j < 64; j++)
    d[i][j] = d[i][j] - e[i][k] * e[k][j];"""
REUSED = """for (int i = 0; i < 64; i++) for (int j = 0; j < i; j++) for (int k = 0; k < j; k++)
    d[i][j] -= d[i][k] * d[k][j];"""
HANDED = "double v = 1; for (int i = 0; i < 1024; i++) { v = v * e[0][i % 64] + e[1][i % 64]; d[0][i % 64] = v; }"

BOUNDS = "if (low[i][j] <= d[j] && high[i][j] >= d[j]) "
FOUND_IN = f"""bool found(const float low[16][8], const float high[16][8], const float d[8], int n) {{
    for (int i = 0; i < n; i++) {{
#pragma HLS loop_tripcount max=16
#pragma HLS pipeline II=4
        for (int j = 0; j < 8; j++) {{ {BOUNDS} return true; }} }}
    return false; }}"""
NESTED = FOUND_IN.replace(" return true; }", " { if (j == 7) return true; } else break; }")
INSIDE = f"""bool found(const float low[16][8], const float high[16][8], const float d[8], int i) {{
    for (int j = 0; j < 8; j++) {{ {BOUNDS} {{ if (j == 7) return true; }} else break; }}
    return false; }}"""
OTHER = """bool found(const long low[8], const long high[8], const long d[8], int n) { bool other = false;
    for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount max=5
        if (low[i] != d[i] || high[i] != d[i + 1]) { other = true; break; } }
    return other; }"""
COPIED = """bool found(const int low[64], const int high[64], int d[64], int n) {
    for (int i = 0; i < 64; i++) { if (i == n) break; d[i] = low[i] + high[i]; } return true; }"""
ABOVE = "static bool above(int of[1024], int at) { return of[at] > 3; }"
FIND = """#define FINDS(k) for (i = 0; i < 1024; i++) { if (a[i] == k) { b[i] = 1; break; } }
#define FIND(k) int i; FINDS(k) out = i;"""


def intervals(folder: Path, body: str) -> list[int]:
    path = folder / "k.cpp"
    arrays = (
        "int a[1024], int b[1024], float x[1024], float y[1024], int m[64][64], double d[64][64], double e[1400][64]"
    )
    path.write_text(
        f"#include <cmath>\n{ABOVE}\n{FIND}\nvoid k({arrays}, int n, int &out) {{ {body} }}\n", encoding="utf-8"
    )
    (kernel,) = schedule(path, function="k", **DEVICE).kernels  # type: ignore[arg-type]
    return [nest.body.schedule.ii for nest in kernel.machine.nests]


@pytest.mark.parametrize(
    ("body", "ii"),
    [
        (FOUND, 2),  # random_search, deepwalk, cache_replacement_lru_fifo
        (STORED, 1),  # arbiter: nothing says where the loop ended
        ("int i; for (i = 0; i < 1024; i++) { if (a[i] == n) { b[i] = 1; break; } } out = i;", 2),  # the iterator says
        ("int i; for (i = 0; i < 1024; i++) { if (a[i] == n) { b[i] = 1; break; } } i = 3; out = i;", 1),
        ("FIND(3)", 2),  # statements of a macro stand in one place
        ("for (int r = 0; r < 9; r++) { int i; if (n) { FINDS(3) } else i = 3; b[r] = i; }", 2),  # `else` is not behind
        # the head of a loop without a number of iterations tests what it loads: as `while (a[i] != 0)`
        ("int i = 0; while (a[i] != 0) i++; out = i;", 2),
        ("int i = 0, c; while ((c = a[i]) != 0) { b[i] = c; i++; }", 2),
        # after a scalar part, calls and assignments too
        ("for (int i = 0, c; i < 1024 && (c = a[i]) != 0; i++) { b[i] = c; }", 2),
        ("for (int i = 0; i < 1024 && above(a, i); i++) { b[i] = n; }", 2),
        ("int i = 0; while ((b[i] = a[i]) != 0) i++;", 2),
        ("int *p = a, *q = b; while (*q++ = *p++);", 2),
        ("int i = 0; do { b[i] = n; } while (a[i++] != 0);", 2),
        ("int i = 0, c; do { c = a[i]; b[i] = n; i++; } while (c != 0);", 2),
        ("for (int i = 0; a[i] != 0; i++) b[i] = n;", 2),
        (SUMMED, 6),  # top_p_sampling: the addition is not eased
        (HELD, 2),  # mann_whitney_u_test
        (LATCH, 2),  # sr_latch, sr_flip_flop
        (COUNTED, 2),  # histogram_hough_transform_processor
        (APART, 1),  # primMST: each iteration has an element of its own
        (RELAXED, 3),  # floyd_warshall
        (MIRRORED, 4),  # covariance
        (ELIMINATED, 4),  # lu_decomposition
        (REUSED, 7),  # cholesky, lu, trmm: product and difference with all their states
        (HANDED, 6),  # adi: in a register the difference is eased
    ],
)
def test_what_data_leaves_out_or_ends(tmp_path: Path, body: str, ii: int) -> None:
    assert max(intervals(tmp_path, body)) == ii


def test_a_member_in_a_head_is_a_bound_and_no_data(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text(
        "struct size { int n; int m; };\nvoid k(int a[64]) { size s; s.n = 20; s.m = 2;"
        " for (int i = 0; i < 32 && i < s.n; i++) a[i] += s.m; }"
    )
    (kernel,) = schedule(path, **DEVICE).kernels  # type: ignore[arg-type]
    assert [nest.iterations for nest in kernel.machine.nests] == [20]  # 21 with a way out


TABLE = "static const int t[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 0};"


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < 32 && t[i] != 0; i++) b[i] = t[i];",
        "for (int i = 0; t[i] != 0 && i < 32; i++) b[i] = t[i];",
        "for (int i = 0; i < 32 && !(t[i] == 0); i++) b[i] = t[i];",
        "for (int i = 0; i < n && t[i] != 0; i++) b[i] = t[i];",
        "int i; for (i = 0; i < 32 && t[i] != 0; i++) b[i] = t[i]; out = i;",
        "int i = 0; while (i < 32 && t[i] != 0) { b[i] = t[i]; i++; } out = i;",
        "int m[2] = {3, 60}; for (int i = 0; i < 32 && m[0] * i < m[1]; i++) b[i] = i;",
    ],
)
@pytest.mark.parametrize("worst", [False, True])
def test_the_round_in_which_a_table_ends_a_loop_is_no_iteration(tmp_path: Path, loop: str, worst: bool) -> None:
    """The element that ends it is known: nothing waits for its test, and 20 iterations are 20 in each spelling."""
    path = tmp_path / "k.cpp"
    path.write_text(f"{TABLE}\nvoid k(int b[32], int n, int &out) {{ {loop} }}", encoding="utf-8")
    (kernel,) = schedule(path, function="k", **DEVICE | {"worst": worst}).kernels  # type: ignore[arg-type]
    (nest,) = kernel.machine.nests
    assert (nest.body.schedule.ii, nest.iterations) == (1, 20)


@pytest.mark.parametrize("braces", ["{}", "{{ {} }}"])
def test_braces_do_not_change_the_fewest_cycles(tmp_path: Path, braces: str) -> None:
    """The only statement of a loop is the loop around an early exit: the exit leaves the inner loop alone."""
    path = tmp_path / "k.cpp"
    loop = braces.format("for (int i = 3 * k; i < 99; i++) { if (a[i] == n) break; b[i]++; }")
    path.write_text(f"void k(int a[99], int b[99], int n) {{ for (int k = 0; k < 8; k++) {loop} }}", encoding="utf-8")
    (kernel,) = schedule(path, function="k", **DEVICE | {"worst": False}).kernels  # type: ignore[arg-type]
    assert kernel.extremes is not None and kernel.extremes.best is not None and kernel.extremes.best > 8 * 3


MOVED = "a[j + 1] = a[j];"


@pytest.mark.parametrize(
    ("loop", "most"),
    [
        (f"int j = i - 1; while (j >= 0 && a[j] > k) {{ {MOVED} j--; }}", 1024),
        (f"int j = i - 1; for (; j >= 0 && a[j] > k; j--) {{ {MOVED} }}", 1024),
        (f"int j; for (j = i - 1; j >= 0 && a[j] > k; j--) {{ {MOVED} }}", 1024),
        (f"int j; for (j = i - 1; j >= 0; j--) {{ if (a[j] <= k) break; {MOVED} }}", 1023),
        (f"int j = i - 1; while (j >= 0) {{ if (a[j] <= k) break; {MOVED} j--; }}", 1023),
    ],
)
def test_an_insertion_sort_is_one_in_each_spelling(tmp_path: Path, loop: str, most: int) -> None:
    """Reports count the size of the array where the head tests data: "0 ~ 10" of AngeloDamiani/es_vivadohls_cfiles."""
    path = tmp_path / "k.cpp"
    path.write_text(
        f"void k(int a[1024]) {{ for (int i = 1; i < 1024; i++) {{ int k = a[i]; {loop} a[j + 1] = k; }} }}"
    )
    for worst, trips in ((False, 1023 * 1024 // 2), (True, 1023 * most)):
        (kernel,) = schedule(path, **DEVICE | {"worst": worst}).kernels  # type: ignore[arg-type]
        (nest,) = kernel.machine.nests
        assert (nest.body.schedule.ii, nest.iterations) == (2, trips)


@pytest.mark.parametrize(("function", "copied"), [("expf", False), ("cosf", False), ("sqrtf", True)])
def test_functions_that_keep_short_loops(tmp_path: Path, function: str, copied: bool) -> None:
    inner = "float s = 0; for (int k = 0; k < 10; k++) s += x[i * 8 + k];"
    body = f"for (int i = 0; i < 100; i++) {{ {inner} y[i] = {function}(s); }}"
    assert (intervals(tmp_path, body) == [5]) == copied


def test_a_break_of_the_copies_of_a_loop_does_not_end_the_loop_around(tmp_path: Path) -> None:
    """encoder_8to3 (1026 cycles) of *ForgeHLS*: the loop over j becomes eight copies in each iteration of i."""
    body = "for (int i = 0; i < 1024; i++) { int o = 0; for (int j = 0; j < 8; j++) "
    body += "{ if ((a[i] >> j) & 1) { o = j; break; } } b[i] = o; }"
    (file := tmp_path / "f.cpp").write_text(f"void f(int a[1024], int b[1024]) {{ {body} }}")
    (nest,) = schedule(file, **DEVICE).kernels[0].machine.nests  # type: ignore[arg-type]
    assert (nest.body.schedule.ii, nest.iterations) == (1, 1024)


def test_loops_that_data_ends_stay_apart(tmp_path: Path) -> None:
    body = f"for (int r = 0; r < 16; r++) {{ int found = 0; {FOUND.replace('out', 'found')} b[r] = found; }}"
    path = tmp_path / "k.cpp"
    path.write_text(f"void k(int a[1024], int b[16], int n) {{ {body} }}", encoding="utf-8")
    (kernel,) = schedule(path, function="k", **DEVICE).kernels  # type: ignore[arg-type]
    assert [len(nest.body.pipeline.loops) for nest in kernel.machine.nests] == [1]


def test_directives_name_macros_that_call_macros(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    macros = "#define N 40\n#define BOUND(x, y) x\n#define _N BOUND(N, n)\n"
    body = "for (int j = i + 1; j < _N; j++)\n#pragma HLS loop_tripcount min=1 max=_N\n b[i * j] += a[j];"
    path.write_text(f"{macros}void k(int a[64], int b[64]) {{ for (int i = 0; i < _N; i++) {body} }}", encoding="utf-8")
    (kernel,) = schedule(path, function="k", **DEVICE).kernels  # type: ignore[arg-type]
    assert kernel.machine.cycles > 40 * 40


@pytest.mark.parametrize(
    ("function", "shape", "of", "ii"),
    [
        (FOUND_IN, "[16][8]", "float", 33),  # francesco-ratti/heterogeneousRTOS_faultDetector_HLS: eight after another
        (NESTED, "[16][8]", "float", 33),  # another state of it
        (INSIDE, "[16][8]", "float", 5),  # another state of it: the second bound is loaded behind the first test
        (OTHER, "[8]", "long", 3),  # zakk-h/PartitionAcceleratorHLS
        (COPIED, "[64]", "int", 1),  # alanlo980510/HLS_LabC: the test needs nothing that is loaded
    ],
)
def test_what_a_return_ends_before_2023_2(tmp_path: Path, function: str, shape: str, of: str, ii: int) -> None:
    path, parts = tmp_path / "k.cpp", "#pragma HLS array_partition variable=d complete\n" if of == "float" else ""
    length = 64 if of == "int" else 8
    ports = f"{of} low{shape}, {of} high{shape}, {of} d[{length}], int n, bool *o"
    path.write_text(f"{function}\nvoid k({ports}) {{\n{parts}*o = found(low, high, d, n); }}\n", encoding="utf-8")
    (kernel,) = schedule(
        path, function="k", device="xc7z020-clg484-1", clock="18 ns", release="2022.1", worst=True
    ).kernels
    assert [nest.body.schedule.ii for nest in kernel.machine.nests] == [ii]


@pytest.mark.parametrize(
    ("loop", "words"),
    [
        ("for (int i = 0; i < 64; i++) b[i] = b[i] + n;", "only unrolling makes it faster"),
        ("for (int i = 0; i < 64; i++) b[i] = g[i];", "gmem (read) takes one access per cycle"),
        ("for (int i = 0; i < 64; i++) { if (b[i] == n) { out = i; break; } }", "waits for the test by data"),
        ("for (int i = 0; i < 64; i++) { if (i == n) { out = i; break; } }", "data ends it"),
    ],
)
def test_what_makes_a_loop_faster_is_not_unrolling_where_a_bus_or_data_decides(
    tmp_path: Path, loop: str, words: str
) -> None:
    path = tmp_path / "k.cpp"
    port = "#pragma HLS interface m_axi port=g\n"
    path.write_text(f"void k(int b[64], int *g, int n, int &out) {{\n{port}{loop} }}", encoding="utf-8")
    (kernel,) = schedule(path, function="k", **DEVICE).kernels  # type: ignore[arg-type]
    assert words in advice(kernel.machine.nests[0])
