"""Temporary objects in the tasks of a region: each spelling reads its token once, in the same cycles."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.engines.run import run
from ppnsim.source_networks.load import load_source
from tests.helpers.hls_sources import written

HEAD = """#include <hls_stream.h>
struct N { int w; int v; };
struct P { int k; int m[2]; N nn[2]; };
static int at(const int *q) { return q[1]; }
static int of(const P &p) { return p.m[1]; }
static int changed(P &&p) { p.k = 3; p.m[1] += 4; return p.k + p.m[1]; }
static P more(P p) { p.m[1] += 3; return p; }
static void send(const int c[64], hls::stream<P> &s) { for (int i = 0; i < 64; i++) { SEND } }
static void pass(hls::stream<P> &s, hls::stream<P> &t) { for (int i = 0; i < 64; i++) { PASS } }
static void take(hls::stream<P> &t, int o[64]) { for (int i = 0; i < 64; i++) { TAKE } }
void f(const int c[64], int o[64]) {
#pragma HLS dataflow
  hls::stream<P> s, t;
  send(c, s); pass(s, t); take(t, o);
}
"""
SPELLINGS = {
    "SEND": ("P p; p.k = c[i]; p.m[0] = i; p.m[1] = 3; p.nn[0].w = 1; p.nn[0].v = 2; p.nn[1] = p.nn[0]; s.write(p);",
             "s.write({c[i], {i, 3}, {{1, 2}, {1, 2}}});", "s << P{c[i], i, 3, 1, 2, 1, 2};",
             "P p = {c[i], {i, 3}, {{1, 2}, {1, 2}}}; s.write(p);"),
    "PASS": ("P p = s.read(); p.m[1] += 3; t.write(p);", "auto &&p = s.read(); p.m[1] += 3; t.write(p);",
             "P &&p = s.read(); p.m[1] += 3; t.write(static_cast<P &&>(p));", "t.write(more(s.read()));",
             "t.write(more(P{s.read()}));"),
    "TAKE": ("P p = t.read(); o[i] = p.m[1];", "o[i] = t.read().m[1];", "const P &p = t.read(); o[i] = p.m[1];",
             "o[i] = P(t.read()).m[1];", "o[i] = P{t.read()}.m[1];", "o[i] = at(t.read().m);", "o[i] = of(t.read());",
             "o[i] = of(P{t.read()});", "o[i] = t.read().nn[1].v;", "const N &n = t.read().nn[1]; o[i] = n.v;"),
    "TAKE and change": ("P p = t.read(); p.k = 3; p.m[1] += 4; o[i] = p.k + p.m[1];",
                        "P &&p = t.read(); p.k = 3; p.m[1] += 4; o[i] = p.k + p.m[1];", "o[i] = changed(t.read());",
                        "o[i] = changed(P{t.read()});",
                        "auto &&p = t.read(); o[i] = changed(static_cast<P &&>(p));"),
}  # fmt: skip


@pytest.mark.parametrize("place", SPELLINGS)
def test_spellings_of_a_temporary_in_a_task_end_in_the_same_cycle(place: str, tmp_path: Path) -> None:
    found = {}
    for code in SPELLINGS[place]:
        text = HEAD.replace(place.split()[0], code)
        for name in ("SEND", "PASS", "TAKE"):
            text = text.replace(name, SPELLINGS[name][0])
        network = load_source(str(written(tmp_path, text)), function="f").network
        found[code] = run(network, engine="des").finish, len(network.channels)
    assert len(set(found.values())) == 1, found
