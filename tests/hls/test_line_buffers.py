"""Line buffers whose rows data chooses: each memory is read once for all of them (R6.1), and written once (R5.8)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule

FILTER = """#include "ap_int.h"
#include "hls_stream.h"
void top(int src[4096], hls::stream<int> &in, hls::stream<int> &out, int h, int w) {
    int rows[3][128];
#pragma HLS array_partition variable=rows complete dim=1
#pragma HLS resource variable=rows core=RAM_S2P_BRAM
    ap_uint<2> r;
    r = 1;
    for (int x = 0; x < w; x++) {
#pragma HLS loop_tripcount max=128
#pragma HLS pipeline
        rows[0][x] = 0;
        rows[r][x] = in.read();
    }
    for (int y = 0; y < h; y++) {
#pragma HLS loop_tripcount max=64
        ap_uint<2> top = r == 2 ? 0 : 2, mid = r == 1 ? 0 : 1, low = r;
        for (int x = 0; x < w; x++) {
#pragma HLS loop_tripcount max=128
#pragma HLS pipeline
            BODY
        }
        r++;
        if (r == 3) r = 0;
    }
}
"""
EITHER = "if (x < h) { if (y < h - 1) rows[low][x] = src[x * h]; else rows[low][x] = 0; }"


@pytest.mark.parametrize(
    ("body", "ii"),
    [
        (f"{EITHER} out.write(rows[top][x] + rows[mid][x] + rows[low][x]);", 1),
        # A store between them may change what the second one reads.
        ("int a = rows[top][x]; rows[low][x] = in.read(); out.write(a + rows[mid][x]);", 2),
        # Elements at two places are two reads of a memory that has one port for them.
        ("out.write(rows[top][x] + rows[mid][x + 1]);", 2),
    ],
)
def test_rows_that_data_chooses_are_read_once_for_a_column(tmp_path: Path, body: str, ii: int) -> None:
    path = tmp_path / "filter.cpp"
    path.write_text(FILTER.replace("BODY", body), encoding="utf-8")
    first, nest = schedule(path, worst=True).kernels[0].machine.nests
    assert nest.body.schedule.ii == ii
    assert first.body.schedule.ii == 1  # its row is a number: stores to two memories


MOVED = """
void top(int in[64], int out[128]) {
    int t[2][8][64];
#pragma HLS array_partition variable=t complete dim=1
#pragma HLS array_partition variable=t complete dim=2
#pragma HLS resource variable=t core=RAM_2P_BRAM
    for (int x = 0; x < 64; x++)
        for (int k = 0; k < 8; k++) {
#pragma HLS unroll
            t[0][k][x] = t[1][k][x] = in[x] + k;
        }
    for (int x = 0; x < 64; x++)
        for (int d = 0; d < 2; d++) {
#pragma HLS pipeline
            int s = 0;
            for (int k = 0; k < 4; k++) {
                if (d == 0) s += t[0][k][x] * t[1][k][x];
                else s += t[0][AT][x] * t[1][AT][x];
            }
            out[2 * x + d] = s;
        }
}
"""


@pytest.mark.parametrize(
    ("at", "ii"), [("4 * d + k", 1), ("4 * d + k / 2", 1), ("4 * d", 1), ("d + 6 - 2 * (k & 1) * d", 2)]
)
def test_accesses_take_ports_of_the_memories_that_iterators_bring_them_to(tmp_path: Path, at: str, ii: int) -> None:
    path = tmp_path / "moved.cpp"
    path.write_text(MOVED.replace("AT", at), encoding="utf-8")
    assert schedule(path).kernels[0].machine.nests[1].body.schedule.ii == ii


def test_accesses_that_differ_by_a_number_of_memories_share_none_of_them(tmp_path: Path) -> None:
    """Three rows that follow one another are in three memories, though iterators move each of them (R6.1)."""
    text = "void f(int a[64][128], int o[60][126]) {\n#pragma HLS array_partition variable=a complete dim=1\n"
    text += "for (int i = 0; i < 60; i++) for (int j = 0; j < 126; j++)\n"
    path = tmp_path / "rows.cpp"
    path.write_text(f"{text}o[i][j] = a[i][j] + a[i + 1][j + 1] + a[i + 2][j + 2]; }}", encoding="utf-8")
    assert schedule(path).kernels[0].machine.nests[0].body.schedule.ii == 1
