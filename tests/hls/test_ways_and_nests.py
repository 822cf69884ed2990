"""Nests around what data decides, and what leaves a nest; small loops of 2023.2 at 10 ns, intervals of *ForgeHLS*."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.hls.structure.last_only import last_only
from ppnsim.library.schedule import schedule
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Execution, Loop, Operation, Statement

DEVICE = {"device": "xcu280-fsvh2892-2L-e", "clock": "10 ns", "release": "2023.2", "flow": "vivado", "worst": True}


def _found(tmp_path: Path, text: str) -> tuple[int, list[tuple[str, int]]]:
    """Return the cycles of the function ``f``, and the loops of its pipelines with their intervals."""
    (file := tmp_path / "f.cpp").write_text(text)
    machine = schedule(file, function="f", **DEVICE).kernels[0].machine  # type: ignore[arg-type]
    return machine.cycles, [(each.name, each.body.schedule.ii) for each in machine.nests]


CHOSEN = """void f(short a[64][64], short x[64][128], short s[128]) {
    for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++)
        if (a[i][j] != 0) for (int k = 0; k < 128; k++) s[k] += x[j][k]; }"""
COPIES = """void f(int a[1024], float x[1024][64], float o[64]) {
    float s[64];
    for (int k = 0; k < 64; k++) s[k] = 0;
    for (int j = 0; j < 1024; j++) { if (a[j] == 1) { for (int k = 0; k < 64; k++) s[k] += x[j][k]; } }
    for (int k = 0; k < 64; k++) o[k] = s[k]; }"""


def test_a_loop_that_data_decides_on_stays_apart(tmp_path: Path) -> None:
    """hough_transform: 221 cycles for each pixel, of which the loop has 218; graph_embeddings."""
    cycles, loops = _found(tmp_path, CHOSEN)
    assert loops == [("k", 1)]
    assert cycles == 64 * 64 * 134 + 1


def test_copies_of_a_loop_that_data_decides_on_load_and_store_each_time(tmp_path: Path) -> None:
    """federated_graph_learning, sparse_attention: II 64 for 64 sums in one memory of two ports, which none divides."""
    assert ("j", 64) in _found(tmp_path, COPIES)[1]


MAXIMUM = """#include <hls_math.h>
void f(float a[64][512], float w[512][256], float o[64][256], float b[256]) {
    for (int i = 0; i < 64; i++) for (int j = 0; j < 256; j++) {
        o[i][j] = b[j];
        for (int k = 0; k < 512; k++) o[i][j] += a[i][k] * w[k][j];
        o[i][j] = hls::max(0.0f, o[i][j]); } }"""
MIRROR = """void f(double d[140][120], double c[120][120]) {
    for (int i = 0; i < 119; i++) { c[i][i] = 1; for (int j = i + 1; j < 120; j++) {
        c[i][j] = 0;
        for (int k = 0; k < 140; k++) c[i][j] += d[k][i] * d[k][j];
        c[j][i] = c[i][j]; } } }"""
UPDATE = """void f(double r[1024], double c[1024][1024], double w[1024]) {
    for (int i = 0; i < 1024; i++) {
        double g = r[i];
        for (int j = 0; j < 1024; j++) g -= c[i][j] * w[j];
        w[i] += 0.01 * g; } }"""
SOLVE = """void f(double l[2000][2000], double b[2000], double x[2000]) {
    for (int i = 0; i < 2000; i++) { x[i] = b[i]; for (int j = 0; j < i; j++) x[i] -= l[i][j] * x[j];
        x[i] = x[i] / l[i][i]; } }"""
PREFIX = """void f(int a[1024], int p[1024][128]) {
    for (int i = 0; i < 1024; i++) for (int j = 0; j < 128; j++) {
        if (j == 0) p[i][j] = a[i]; else p[i][j] = p[i][j - 1] ^ 3; } }"""
ROW = """void f(int a[1024], int p[1024]) {
    for (int i = 0; i < 1024; i++) { if (i == 0) p[i] = a[i]; else p[i] = p[i - 1] ^ a[i]; } }"""
MEANS = """#include <cmath>
void f(float d[1024], float c[1024], float s[1024]) {
    for (int i = 0; i < 1024; i++) {
        float sum = 0; int n = 0;
        for (int j = 0; j < 1024; j++) if (d[j] - c[i] < 0.5f) { sum += d[j]; n++; }
        if (n > 0) { s[i] = sum / n - c[i]; c[i] += s[i]; } else { s[i] = 0; } } }"""
POSITIVE = MEANS.replace("s[i] = sum / n - c[i]; c[i] += s[i]; }", "s[i] = 1; }")
STENCIL = """void f(int c[2], int o[34][16], int s[34][16]) {
    for (int j = 1; j < 33; j++) for (int k = 1; k < 15; k++)
        s[j][k] = c[0] * o[j][k] + c[1] * (o[j + 1][k] + o[j - 1][k] + o[j][k + 1] + o[j][k - 1]); }"""
CARRIES = """#include <ap_int.h>
void f(ap_uint<1024> p, ap_uint<1024> g, ap_uint<1024>& o) {
    ap_uint<1024> c = 0;
    for (int i = 1; i < 1024; i++) c[i] = g[i - 1] | (p[i - 1] & c[i - 1]);
    o = c; }"""


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        (MAXIMUM, [("i.j.k", 2)]),  # transformer_decoder_block (3 before)
        (MIRROR, [("j.k", 4)]),  # correlation (7)
        (UPDATE, [("i.j", 16)]),  # portfolio_optimization (13)
        (SOLVE, [("j", 9)]),  # trisolv (8)
        (PREFIX, [("i.j", 2)]),  # wallace_tree_adder (1)
        (ROW, [("i", 1)]),  # pll: in a lone loop a register hands it on
        (MEANS, [("j", 2)]),  # mean_shift_clustering (one nest)
        (POSITIVE, [("i.j", 1)]),  # neural_architecture_modules: a number is stored
        (STENCIL, [("j.k", 3)]),  # stencil3d: 14 iterations stay a loop (copies before)
        (CARRIES, [("i", 1)]),  # carry_lookahead_adder (2)
    ],
)  # fmt: skip
def test_what_an_iteration_hands_on(tmp_path: Path, text: str, loops: list[tuple[str, int]]) -> None:
    assert _found(tmp_path, text)[1] == loops


@pytest.mark.parametrize(
    ("body", "loops"),
    [
        ("for (int i = 0; i < 1024; i++) { unsigned char n = 0; for (int j = 0; j < 256; j++) n++; o[i] = n; }", 1),
        ("for (int i = 0; i < 1024; i++) *last = a[i];", 0),
        ("int t = 0; for (int i = 0; i < 1024; i++) { t = a[i] ^ t; } *last = t;", 1),  # each iteration counts
        ("volatile int t = 0; for (int i = 0; i < 1024; i++) t = 3;", 1),
        ("for (int i = 0; i < 1024; i++) { *last = a[i]; if (a[i] == 3) break; }", 1),
        ("for (int i = 0; i < 1024; i++) { ap_wait(); *last = a[i]; }", 1),
        ("ap_ufixed<8, 8, AP_TRN, AP_SAT> t = a[0]; for (int i = 0; i < 1024; i++) t = t + 1; *last = t;", 1),
    ],
)
def test_of_some_loops_the_last_iteration_counts(tmp_path: Path, body: str, loops: int) -> None:
    """timer_8bit (1026 cycles) and piso_shift_register (1029) of *ForgeHLS* (R1.10)."""
    text = '#include "ap_utils.h"\n#include "ap_fixed.h"\n'
    text += f"void f(unsigned char a[1024], unsigned char o[1024], unsigned char *last) {{ {body} }}"
    assert len(_found(tmp_path, text)[1]) == loops


@pytest.mark.parametrize("port", ["volatile int *port", "volatile int &port", "reg *port", "reg &port"])
def test_every_access_to_what_is_volatile_counts(tmp_path: Path, port: str) -> None:
    text = f"typedef volatile int reg; void f(int a[64], {port}) {{"
    text += f" for (int i = 0; i < 64; i++) {'*' * ('*' in port)}port = a[i]; }}"
    assert _found(tmp_path, text)[1] == [("i", 1)]


@pytest.mark.parametrize(
    ("body", "interval"),
    [
        ("x[i] = t[i] + i * t[i] + t[i];", 2),  # three loads of two ports
        ("x[i] = t[3] + t[3] + t[3];", 2),  # not before the loop
        ("t[i] = x[i]; x[i] = t[i] + t[i];", 2),  # not taken from the store
        ("t[5] += x[i];", 2),  # no register holds the sum
        ("t[5] = x[i]; t[5] = 3; t[5] = i;", 2),  # none of the stores is left out
        ("x[i] = t[3] * 0 + t[4] + t[5];", 2),  # a load whose value does not matter is one
        ("volatile int *q = x; t[i] = q[i] + i * q[i] + q[i];", 2),  # so are loads through such a pointer
        ("if (t[5] > 3) x[i] = 1; if (t[5] <= 3) x[i] = t[5];", 2),  # nor is the second test the else of the first
    ],
)
def test_each_access_to_a_volatile_element_takes_a_port(tmp_path: Path, body: str, interval: int) -> None:
    """FilterImage of assignment2: three loads of each element, 354 cycles for 118 of three arrays."""
    text = f"void f(int x[64], volatile int t[64]) {{ for (int i = 0; i < 64; i++) {{ {body} }} }}"
    assert _found(tmp_path, text)[1] == [("i", interval)]


@pytest.mark.parametrize(("member", "said"), [("volatile int v", 1), ("int v", 0)])
def test_accesses_to_volatile_members_that_are_those_of_other_arrays_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], member: str, said: int
) -> None:
    text = f"struct s {{ {member}; int w; }}; void f(int x[64], s t[64]) {{"
    _found(tmp_path, f"{text} for (int i = 0; i < 64; i++) x[i] = t[i].v + i * t[i].v; }}")
    assert capsys.readouterr().err.count("all members of 't' are accessed as volatile ones") == said


def test_a_loop_that_is_left_out_is_said_and_one_with_a_directive_stays(tmp_path: Path) -> None:
    text = "void f(int a[64], int *o) {\nfor (int i = 0; i < 64; i++) {\n@\n*o = a[i]; } }"
    (file := tmp_path / "f.cpp").write_text(text.replace("@", ""))
    assert any("line 2 only the last iteration counts" in each for each in schedule(file).kernels[0].assumptions)
    assert len(_found(tmp_path, text.replace("@", "#pragma HLS pipeline II=1"))[1]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "void f(int a[4][64], int o[4]) {\nfor (int i = 0; i < 4; i++) for (int j = 0; j < 64; j++) o[i] = a[i][j]; }",
        "void f(int a[4][64], int o[4]) {\nfor (int i = 0; i < 4; i++) { int t; "
        "for (int j = 0; j < 64; j++) t = a[i][j]; o[i] += t; } }",
        "struct pair { int x, y; };\nvoid f(int a[64], pair *o) { for (int i = 0; i < 64; i++) o->x = a[i]; }",
    ],
)  # fmt: skip
def test_loops_that_are_left_out_are_said_beside_others_and_of_members(tmp_path: Path, text: str) -> None:
    (file := tmp_path / "f.cpp").write_text(text)
    said = [each for each in schedule(file).kernels[0].assumptions if "only the last iteration counts" in each]
    assert len(said) == int("o[i] = a" not in text)


def test_every_access_through_a_pointer_to_what_is_volatile_counts(tmp_path: Path) -> None:
    text = "void g(volatile int *to, int x) { *to = x; }\nvoid f(int a[64], int *o) {"
    assert _found(tmp_path, f"{text} for (int i = 0; i < 64; i++) g(o, a[i]); }}")[1] == [("i", 1)]
    text = "struct block { volatile int x; int y; };\nstruct two { block b[2]; };\nstruct three : block { two t; };\n"
    for of, member in (("block", "x"), ("three", "x"), ("two", "b[1].x"), ("three", "t.b[0].x")):
        stores = f"{text}void f(int a[64], {of} *o) {{ for (int i = 0; i < 64; i++) o->{member} = a[i]; }}"
        assert _found(tmp_path, stores)[1] == [("i", 1)]
        loads = f"{text}void f({of} *o, int *r) {{ int s; for (int i = 0; i < 64; i++) s = o->{member}; *r = s; }}"
        assert len(_found(tmp_path, loads)[1]) == 1


def test_every_access_to_a_port_counts(tmp_path: Path) -> None:
    text = '#include "hls_directio.h"\nvoid f(hls::ap_none<int> &in, hls::ap_vld<int> &out) {\n'
    assert _found(tmp_path, text + "for (int i = 0; i < 64; i++) out.write(in.read() + 1); }")[1] == [("i", 1)]


def test_a_loop_under_a_condition_of_data_whose_last_iteration_counts_is_left_out(tmp_path: Path) -> None:
    """Data then selects the value, as for an assignment: the time is that of the condition and one value."""
    head = "static void pulse(bool c[1], int *o, int y) { if (c[0]) { @ } }\n"
    top = "void f(int x, int y, int *o) { bool c[1]; c[0] = x > 3; *o = 7; pulse(c, o, y); }"
    times = []
    for inside in ("for (int i = 0; i < 25000; i++) *o = y;", "*o = y;"):
        (file := tmp_path / "f.cpp").write_text(head.replace("@", inside) + top)
        machine = schedule(file, function="f").kernels[0].machine
        times.append((machine.cycles, len(machine.nests)))
    assert times[0] == times[1]
    (file := tmp_path / "f.cpp").write_text(head.replace("@", "for (int i = 0; i < 25000; i++) *o += *o * y;") + top)
    assert schedule(file, function="f").kernels[0].machine.cycles > 25000


def test_a_variable_that_each_iteration_sets_anew_does_not_count() -> None:
    x = Access("x")
    number = {name: Operation("constant", "int", text=name) for name in ("1", "5")}
    setting = Statement(name="s", writes=(x,), value=number["5"])
    counting = Statement(
        name="c", reads=(x,), writes=(x,),
        value=Operation("+", "int", (Operation("read", "int", read=0), number["1"])),
    )  # fmt: skip

    def left(*statements: Statement) -> list[str]:
        body = tuple(Execution(each) for each in statements)
        loop = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(9),), body=body)
        found = last_only((loop,), ())
        return [str(each.statement.value) for each in found if isinstance(each, Execution)]

    assert left(counting) != [str(counting.value)]
    assert left(setting, counting) == [str(setting.value), str(counting.value)]
