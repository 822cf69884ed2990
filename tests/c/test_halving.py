"""How often loops run that shift, divide or multiply: from a known value, else at most as the type allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_kernels
from ppnsim.c.policy import HARDWARE
from ppnsim.library.schedule import schedule


def _said(folder: Path, kind: str, loop: str) -> str:
    path = folder / "loop.cpp"
    path.write_text(f"int halve({kind} x, int k) {{ int n = 0; {loop} return n; }}", encoding="utf-8")
    return " ".join(load_kernels(str(path), function="halve", policy=HARDWARE).assumed)


@pytest.mark.parametrize(
    ("kind", "loop", "trips"),
    [
        ("unsigned", "while (x) { n += x & 1; x >>= 1; }", 32),
        ("unsigned char", "for (; x != 0; x >>= 2) n++;", 4),
        ("unsigned short", "do { n++; x = x / 2; } while (x);", 16),
        ("int", "while (x > 0) { n += x % 10; x /= 10; }", 10),
        ("short", "while (x != 0) { n++; x /= 2; }", 16),  # -32768 takes one more than 32767
        ("short", "while (x > 0) { n++; x /= 2; }", 15),
        ("unsigned", "while (x) { if (x & 1) continue; n++; x >>= 1; }", 64),  # some iterations do not shift
        ("unsigned", "while (x) { n++; if (n > 3) x >>= 1; }", 64),
        ("unsigned", "while (x) { n++; x >>= 1; x += n; }", 64),
        ("unsigned", "while (x) { n++; x >>= k; }", 64),
        ("unsigned", "while (x != 1) { n++; x >>= 1; }", 64),
    ],
)
def test_a_variable_that_is_halved_has_its_bits_as_the_most_trips(
    tmp_path: Path, kind: str, loop: str, trips: int
) -> None:
    assert f"runs {trips} times" in _said(tmp_path, kind, loop)


@pytest.mark.parametrize(
    ("loop", "trips"),
    [
        ("for (int w = 1; w < 64; w *= 2) a[w]++;", 6),  # stages of a butterfly network, of a merge sort
        ("for (int s = N / 2; s > 0; s >>= 1) a[s]++;", 6),  # not the 31 that an int allows
        ("for (unsigned char s = 1; s; s <<= 1) a[s & 63]++;", 8),
        ("for (int k = 0; k < 3; k++) { int w = 64; while (w > 1) { a[w & 63]++; w /= 2; } }", 18),
        ("int w = 64; for (int k = 0; k < 3; k++) while (w > 1) { a[w & 63]++; w /= 2; }", 6),  # once 6, then none
        ("for (int w = 1; w < n; w *= 2) a[w]++;", 64),
        ("for (int w = 1; w < 64; w *= 2) { int &v = w; a[w & 63]++; v += 5; }", 3),
    ],
)
def test_a_loop_is_walked_from_a_first_value_that_is_known(tmp_path: Path, loop: str, trips: int) -> None:
    path = tmp_path / "loop.cpp"
    path.write_text(f"#define N 64\nvoid top(int a[N], int n) {{ {loop} }}", encoding="utf-8")
    (nest,) = schedule(path).kernels[0].machine.nests
    assert nest.iterations == trips


def test_a_walked_loop_is_unrolled_in_a_pipeline(tmp_path: Path) -> None:
    """Folding a word onto itself takes no loop of its own: one word is begun each cycle."""
    path = tmp_path / "loop.cpp"
    fold = "unsigned v = a[i]; for (int s = 16; s > 0; s >>= 1) v ^= v >> s; a[i] = v;"
    path.write_text(f"void top(unsigned a[32]) {{ for (int i = 0; i < 32; i++) {{\n#pragma HLS pipeline\n{fold} }} }}")
    (nest,) = schedule(path).kernels[0].machine.nests
    assert (nest.body.schedule.ii, nest.iterations) == (1, 32)


def test_each_visit_counts_where_bounds_depend_on_a_walked_counter(tmp_path: Path) -> None:
    """A transform of 64 elements has 6 stages of 32 butterflies each."""
    path = tmp_path / "fft.cpp"
    loops = "for (int l = 2; l <= 64; l <<= 1) for (int i = 0; i < 64; i += l) for (int j = 0; j < l / 2; j++)"
    path.write_text(f"void top(int a[64]) {{ {loops} a[i + j] += a[i + j + l / 2]; }}", encoding="utf-8")
    (nest,) = schedule(path).kernels[0].machine.nests
    assert (nest.visits, nest.iterations, nest.least, nest.most) == (6, 192, 32, 32)


def test_a_branch_that_the_source_decides_is_executed_only_then(tmp_path: Path) -> None:
    path = tmp_path / "branch.cpp"
    ways = "if (w > 8) for (int j = 0; j < w; j++) a[j]++; else for (int j = 0; j < 3; j++) a[j]--;"
    path.write_text(f"void top(int a[64]) {{ for (int w = 1; w < 64; w *= 2) {ways} }}", encoding="utf-8")
    assert [nest.iterations for nest in schedule(path).kernels[0].machine.nests] == [48, 12]
