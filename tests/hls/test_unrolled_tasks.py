"""Calls in an unrolled loop of a dataflow region are tasks of their own: what they are written out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.hls.rules import TOOL
from ppnsim.model.network import Network
from ppnsim.source_networks.load import load_source
from tests.helpers.hls_sources import schedule_of, written

TASKS = """#include "hls_stream.h"
static void feed(const int x[32], hls::stream<int> &s) { for (int i = 0; i < 32; i++) s.write(x[i]); }
static void half(hls::stream<int> &s, hls::stream<int> &t, int id) {
    int table[4];
    for (int i = 0; i < 4; i++) table[i] = i * id;
    for (int i = 0; i < 32; i++) t.write(s.read() + table[i & 3]); }
static void pass(hls::stream<int> &s, hls::stream<int> &t) { for (int i = 0; i < 32; i++) t.write(s.read()); }
static void drain(hls::stream<int> &s, int y[32]) { for (int i = 0; i < 32; i++) y[i] = s.read(); }
void top(const int x[32], int y[32]) {
#pragma HLS dataflow
    hls::stream<int> c[4];
    feed(x, c[0]);
    @
    drain(c[3], y);
}
"""
LOOP = """for (int k = 0; k < 3; k++) {
%s
        hls::stream<int, 3> m;
        half(c[k], m, k);
        pass(m, c[k + 1]);
    }"""
COPIES = "".join(
    f"hls::stream<int, 3> m{k}; half(c[{k}], m{k}, {k}); pass(m{k}, c[{k + 1}]);\n" for k in range(3)
)  # fmt: skip


def network_of(folder: Path, text: str, **options: object) -> Network:
    return load_source(str(written(folder, TASKS.replace("@", text))), function="top", **options).network  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "directives",
    ["#pragma HLS unroll", "#pragma HLS unroll factor=3", "#pragma HLS unroll\n#pragma HLS dataflow"],
)
def test_an_unrolled_loop_is_what_it_is_written_out(tmp_path: Path, directives: str) -> None:
    network, flat = network_of(tmp_path, LOOP % directives), network_of(tmp_path, COPIES)
    assert [each.name for each in network.processes] == [each.name for each in flat.processes]
    assert len(network.processes) == 8
    pairs = [sorted((c.source, c.target, c.depth or 0) for c in each.channels) for each in (network, flat)]
    assert pairs[0] == pairs[1]
    finish = run(network).finish
    assert finish == run(flat).finish
    assert finish is not None and finish < 3 * 32


def test_a_loop_that_is_not_unrolled_is_one_task(tmp_path: Path) -> None:
    one = "for (int k = 0; k < 1; k++) {\n half(c[0], c[1], k); }\npass(c[1], c[3]);"
    assert len(network_of(tmp_path, one).processes) == 4


def test_what_only_a_directive_outside_of_the_source_unrolls_is_refused(tmp_path: Path) -> None:
    loop = "for (int k = 0; k < 3; k++) {\n half(c[k], c[k + 1], k); }"
    with pytest.raises(InputError, match=r"kernel\.cpp:13:5: the calls in a loop of a dataflow region that"):
        network_of(tmp_path, loop, pragmas=["13: unroll"])


ROWS = """static void w(int x[64], int b[64]) { for (int i = 0; i < 64; i++) b[i] = x[i] * 11; }
static void sum(int b[4][64], int y[64]) {
    for (int i = 0; i < 64; i++) { int s = 0; for (int k = 0; k < 4; k++) s += b[k][i]; y[i] = s; } }
void top(int p[64], int q[64], int y[64], int z[64]) {
#pragma HLS dataflow
    int b[4][64];
#pragma HLS array_partition variable=b complete dim=1
    @
}
"""
W, S = 67, 65  # cycles of w and of sum
LATER = replace(TOOL, release="2023.2")  # rows with constant numbers are apart before (R9.28)


@pytest.mark.parametrize(
    ("body", "cycles"),
    [
        ("w(p, b[0]); w(q, b[1]); w(b[0], y); w(b[1], z);", 2 * W),
        ("w(p, b[0]); w(b[0], b[1]); w(b[1], y); w(q, z);", 3 * W),
        ("w(p, b[0]); w(q, b[1]); w(p, b[2]); w(q, b[3]); sum(b, y);", W + S),
        ("for (int k = 0; k < 4; k++) {\n#pragma HLS unroll\nw(p, b[k]); }\nsum(b, y);", W + S),
        (
            "int *t[4] = {p, q, p, q}; for (int k = 0; k < 4; k++) {\n#pragma HLS unroll\nw(t[k], b[k]); }\nsum(b, y);",
            W + S,
        ),
    ],
)
def test_rows_of_a_partitioned_array_are_handed_over_by_themselves(tmp_path: Path, body: str, cycles: int) -> None:
    """They were one array that several tasks write, whose tasks take turns (R7.3)."""
    text = ROWS.replace("@", body)
    assert schedule_of(written(tmp_path, text), "top").cycles == cycles
    network = load_source(str(written(tmp_path, text)), function="top").network
    assert run(network).finish == cycles
    directive = "#pragma HLS array_partition variable=b complete dim=1\n"
    plain = schedule_of(written(tmp_path, text.replace(directive, "")), "top", rules=LATER)
    assert plain.region is not None
    as_if = any("'b' is handed over as if it were divided into b[0]" in each for each in plain.region.said)
    assert as_if == ("sum" not in body)  # its loop is unrolled, which divides the rows (R9.3)
    assert plain.cycles < cycles + S  # two ports of one memory are left to sum


@pytest.mark.parametrize("body", ["w(p, b[0]); w(q, b[0]); w(b[0], y);", "w(p, b[0]); sum(b, y); w(q, b[1]);"])
def test_a_row_that_two_tasks_write_is_refused(tmp_path: Path, body: str) -> None:
    with pytest.raises(
        InputError, match=r"array 'b' of a dataflow region is (written by several|read by 'sum' before)"
    ):
        schedule_of(written(tmp_path, ROWS.replace("@", body)), "top")


def test_an_element_in_registers_waits_for_each_task_that_writes_one(tmp_path: Path) -> None:
    """The reader waited for the last one alone."""
    text = """static void s(int n, int *o) { int t = n; for (int i = 0; i < 9; i++) t = t * n + i; *o = t; }
    static void f(int n, int *o) { *o = n; }
    static void sum(int v[2], int *y) { *y = v[0] + v[1]; }
    void top(int n, int *y) {
    #pragma HLS dataflow
        int v[2];
    #pragma HLS array_partition variable=v complete
        s(n, &v[0]); f(n, &v[1]); sum(v, y);
    }"""
    machine = schedule_of(written(tmp_path, text), "top")
    assert [task.start for task in machine.tasks][-1] == machine.tasks[0].end > 9
