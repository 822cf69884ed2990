"""What makes a loop faster is said at once, not one array after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from ppnsim.hls.advice import advice

PRODUCT = """void product(const int a[16][16], const int b[16][16], const int few[4][16], int c[16][16]) {
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
#pragma HLS pipeline II=1
            int s = 0;
            for (int k = 0; k < 16; k++) s += a[i][k] * b[k][j] + few[k % 4][j];
            c[i][j] = s;
        }
}
"""
A, B, FEW = ("array_partition variable=a complete dim=2", "array_partition variable=b complete dim=1",
             "array_partition variable=few complete dim=1")  # fmt: skip


@pytest.mark.parametrize(
    ("pragmas", "said"),
    [
        ([], "II 8 by the ports of a: partition that array, and b, whose ports alone need II 8, and few, whose ports "
         "alone need II 2"),
        ([A], "II 8 by the ports of b: partition that array, and few, whose ports alone need II 2"),
        ([A, B], "II 2 by the ports of few: partition that array"),
        ([A, B, FEW], "one iteration each cycle: only unrolling makes it faster"),
    ],
)  # fmt: skip
def test_all_arrays_that_are_short_of_ports_are_named(pragmas: list[str], said: str, tmp_path: Path) -> None:
    path = tmp_path / "product.cpp"
    path.write_text(PRODUCT, encoding="utf-8")
    found = ppnsim.schedule(str(path), pragmas=pragmas)
    (nest,) = found.kernels[0].machine.nests
    assert advice(nest) == said
