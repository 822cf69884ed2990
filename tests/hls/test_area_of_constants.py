"""Constants take no flip-flops, though they are kept where registers would be."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim

TABLE = """{table}
void f(const int a[16], int out[16]) {{
    {local}
    int kept[8];
#pragma HLS array_partition variable=t complete
#pragma HLS array_partition variable=kept complete
    for (int i = 0; i < 8; i++) {{
#pragma HLS pipeline
        kept[i] = a[i] * t[i];
    }}
    for (int i = 0; i < 16; i++) {{
#pragma HLS pipeline
        out[i] = a[i] * t[i & 7] + kept[(i + 1) & 7];
    }}
}}
"""
NUMBERS = "int t[8] = {1, 2, 3, 4, 5, 6, 7, 8};"


def flip_flops(folder: Path, **parts: str) -> int:
    path = folder / "table.cpp"
    path.write_text(TABLE.format(**{"table": "", "local": "", **parts}), encoding="utf-8")
    found: int = ppnsim.schedule(str(path)).to_dict()["resources"]["ff"]
    return found


@pytest.mark.parametrize("where", ["table", "local"])
def test_a_table_that_nothing_writes_takes_none(where: str, tmp_path: Path) -> None:
    """R8.2: eight words of 32 bits less than an array that the code fills; those of `kept` are there in both."""
    constant = flip_flops(tmp_path, **{where: f"static const {NUMBERS}"})
    written = flip_flops(tmp_path, local="int t[8];\n    for (int i = 0; i < 8; i++) t[i] = a[i];")
    assert written - constant == 8 * 32
    assert constant >= 8 * 32
