"""How often loops run at most that shift or divide a variable until it is 0: counted by the type's largest value."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_kernels
from ppnsim.c.policy import HARDWARE


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
