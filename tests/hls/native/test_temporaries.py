"""Temporary objects, and vectors that are compared and stepped, in tasks that are executed with a testbench."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.errors import InputError
from ppnsim.hls.library.library import load_library
from ppnsim.hls.native.execute import NativeDesign, timed
from tests.hls.native.designs import executed, needs_compiler, written
from tests.hls.native.test_structure import BENCH, HEAD, POLL, top

TOKENS = """struct N { int w; int v; };
struct P { int k; int m[2]; N nn[2]; };
static int at(const int *q) { return q[1]; }
static int of(const P &p) { return p.m[1]; }
static int first(N &&n) { return n.v; }
void feed(stream<P> &x) { for (int i = 0; i < 9; i++) { P p; p.m[1] = i; p.nn[1].v = i; x.write(p); } }
void send(stream<P> &x, stream<int> &s) { for (int i = 0; i < 9; i++) { CODE } s.write(-1); }
"""
LANES = """#include <hls_vector.h>
typedef hls::vector<int, 4> P;
void feed(stream<P> &x) { for (int i = 0; i < 9; i++) x.write(P{i, 1, 2, 3}); }
void send(stream<P> &x, stream<int> &s) { for (int i = 0; i < 9; i++) { P v = x.read(); CODE } s.write(-1); }
"""
TOP = top("feed(x); send(x, s); poll(s, sum, idle);", "stream<P, 16> x; stream<int> s;")


@pytest.mark.parametrize(("head", "codes"), [
    (TOKENS, ("P p = x.read(); s.write(p.m[1]);", "s.write(x.read().m[1]);", "auto &&p = x.read(); s.write(p.m[1]);",
              "s.write(P{x.read()}.m[1]);", "s.write(at(x.read().m));", "s.write(of(x.read()));",
              "s.write(first(x.read().nn[1]));", "const int &v = x.read().m[1]; s.write(v);")),
    (LANES, ("v += 1; s.write(v[0]);", "++v; s.write(v[0]);", "v++; s.write(v[0]);", "P w = ++v; s.write(w[0]);")),
])  # fmt: skip
def test_spellings_of_a_temporary_in_an_executed_task_have_the_same_pipeline(
    head: str, codes: tuple[str, ...], tmp_path: Path
) -> None:
    found = {}
    for code in codes:
        kernel, bench = written(tmp_path, HEAD + POLL + head.replace("CODE", code) + TOP, BENCH)
        made = timed(NativeDesign(path=kernel, testbench=bench, function="top"), load_library("xcvu9p", 5))
        found[code] = [(each.ii, each.depth) for each in made.timings[1].pipelines()]
    assert all(each == found[codes[0]] for each in found.values()), found


@needs_compiler
def test_the_first_lane_that_differs_decides_a_comparison_of_vectors(tmp_path: Path) -> None:
    code = "if (v < P{4, 1, 2, 3}) { int q = 0; for (int k = 0; k < 4; k++) q += v[k]; s.write(q); }"
    run = executed(tmp_path, HEAD + POLL + LANES.replace("CODE", code) + TOP, BENCH)
    assert run.printed.split()[0] == str(sum(i + 6 for i in range(4)))


@pytest.mark.parametrize("row", ["int y[4] = {1, 2, 3, 4};", "P y = v;"])
def test_a_range_based_loop_in_an_executed_task_is_refused(row: str, tmp_path: Path) -> None:
    """It ended with an IndexError."""
    code = f"{row} for (int each : y) v[0] += each; s.write(v[0]);"
    kernel, bench = written(tmp_path, HEAD + POLL + LANES.replace("CODE", code) + TOP, BENCH)
    with pytest.raises(InputError, match=r"kernel.cpp:\d+:\d+: a loop that a macro or a range makes .*write it out"):
        timed(NativeDesign(path=kernel, testbench=bench, function="top"), load_library("xcvu9p", 5))
