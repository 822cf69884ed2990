"""R4.10, R4.11 and their neighbours on small loops of 2023.2 at 10 ns; intervals are those of *ForgeHLS*."""

from __future__ import annotations

from pathlib import Path

import pytest

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


def intervals(folder: Path, body: str) -> list[int]:
    path = folder / "k.cpp"
    arrays = (
        "int a[1024], int b[1024], float x[1024], float y[1024], int m[64][64], double d[64][64], double e[1400][64]"
    )
    path.write_text(f"#include <cmath>\nvoid k({arrays}, int n, int &out) {{ {body} }}\n", encoding="utf-8")
    (kernel,) = schedule(path, function="k", **DEVICE).kernels  # type: ignore[arg-type]
    return [nest.body.schedule.ii for nest in kernel.machine.nests]


@pytest.mark.parametrize(
    ("body", "ii"),
    [
        (FOUND, 2),  # random_search, deepwalk, cache_replacement_lru_fifo
        (STORED, 1),  # arbiter: nothing says where the loop ended
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


@pytest.mark.parametrize(("function", "copied"), [("expf", False), ("cosf", False), ("sqrtf", True)])
def test_functions_that_keep_short_loops(tmp_path: Path, function: str, copied: bool) -> None:
    inner = "float s = 0; for (int k = 0; k < 10; k++) s += x[i * 8 + k];"
    body = f"for (int i = 0; i < 100; i++) {{ {inner} y[i] = {function}(s); }}"
    assert (intervals(tmp_path, body) == [5]) == copied


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
