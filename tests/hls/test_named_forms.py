"""Forms of C++, of loops and of pragmas that people write: each has the schedule of its plain spelling, or a rule's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.library.schedule import schedule
from ppnsim.source_networks.load import load_source
from tests.helpers.hls_sources import written

_LOOP = "for (int i = 0; i < 64; i++)"
_TWO = "void f(int a[64], int b[64])"
_PLUS = f"{_TWO} {{ {_LOOP} b[i] = a[i] + 1; }}"
_PAIRS = f"{_TWO} {{ for (int i = 0; i < 32; i++) b[i] = a[2 * i] + a[2 * i + 1]; }}"
_TRIPLE = f"{_TWO} {{ {_LOOP} b[i] = a[i] * 3; }}"
_ROWS = """void f(int a[64][8], int b[64]) {
#pragma HLS array_partition variable=a dim=2 complete
for (int i = 0; i < 64; i++) {
#pragma HLS pipeline
"""
_TREE = _ROWS + "b[i] = ((a[i][0] + a[i][1]) + (a[i][2] + a[i][3])) + ((a[i][4] + a[i][5]) + (a[i][6] + a[i][7])); } }"

STEPS = {  # a step in the test, or more than one step in an iteration: 67 and 35 cycles before
    "do, step before": (f"{_TWO} {{ int i = 0; do {{ b[i] = a[i] + 1; }} while (++i < 64); }}", _PLUS),
    "do, step behind": (f"{_TWO} {{ int i = 0; do {{ b[i] = a[i] + 1; }} while (i++ < 63); }}", _PLUS),
    "do, downwards": (f"{_TWO} {{ int i = 63; do {{ b[i] = a[i] + 1; }} while (i-- > 0); }}", _PLUS),
    "while, step before": (f"{_TWO} {{ int i = -1; while (++i < 64) b[i] = a[i] + 1; }}", _PLUS),
    "while, down to 0": (f"{_TWO} {{ int i = 64; while (--i >= 0) b[i] = a[i] + 1; }}", _PLUS),
    "do once": (
        f"{_TWO} {{ int i = 0; do {{ b[i] = a[i] + 1; }} while (i++ < 0); }}",
        f"{_TWO} {{ b[0] = a[0] + 1; }}",
    ),
    "value behind a do": (
        "void f(int a[80], int b[80]) { int i = 0; do { b[i] = a[i] + 1; } while (i++ < 63);"
        " for (int j = i; j < 80; j++) b[j] = 7; }",
        "void f(int a[80], int b[80]) { for (int i = 0; i < 64; i++) b[i] = a[i] + 1;"
        " for (int j = 64; j < 80; j++) b[j] = 7; }",
    ),
    "value behind a while": (
        "void f(int a[64], int b[80]) { int i = -1; while (++i < 60) b[i] = a[i] + 1;"
        " for (int j = i; j < 80; j++) b[j] = 0; }",
        "void f(int a[64], int b[80]) { for (int i = 0; i < 60; i++) b[i] = a[i] + 1;"
        " for (int j = 60; j < 80; j++) b[j] = 0; }",
    ),
    "do with continue": (
        f"{_TWO} {{ int i = 0; do {{ if (a[i] < 0) continue; b[i] = a[i] + 1; }} while (++i < 64); }}",
        f"{_TWO} {{ {_LOOP} if (!(a[i] < 0)) b[i] = a[i] + 1; }}",
    ),
    "a sum without common bits, by a variable": (
        f"{_TWO} {{ {_LOOP} {{ int x = a[i] * 2; b[i] = x + 1; }} }}",
        f"{_TWO} {{ {_LOOP} b[i] = a[i] * 2 + 1; }}",
    ),
    "a sum without common bits, by an element": (
        f"{_TWO} {{ {_LOOP} {{ b[i] = a[i] * 4; b[i] += 3; }} }}",
        f"{_TWO} {{ {_LOOP} b[i] = a[i] * 4 + 3; }}",
    ),
    "a sum with common bits": (
        f"{_TWO} {{ {_LOOP} {{ int x = a[i] * 4; b[i] = x + 5; }} }}",
        f"{_TWO} {{ {_LOOP} b[i] = a[i] * 4 + 5; }}",
    ),
    "cases that fall through": (
        f"{_TWO} {{ {_LOOP} {{ int v = a[i]; switch (v & 3) {{ case 0: v += 1; case 1: v -= 5; break;"
        " case 2: v ^= 7; } b[i] = v; } }",
        f"{_TWO} {{ {_LOOP} {{ int v = a[i]; int s = v & 3; if (s == 0) v += 1;"
        " if (s == 0 || s == 1) v -= 5; else if (s == 2) v ^= 7; b[i] = v; } }",
    ),
    "two steps": (f"{_TWO} {{ int k = 0; for (int i = 0; i < 32; i++) b[i] = a[k++] + a[k++]; }}", _PAIRS),
    "two steps of a pointer": (
        f"{_TWO} {{ int *p = a; for (int i = 0; i < 32; i++) {{ int x = *p++; int y = *p++; b[i] = x + y; }} }}",
        _PAIRS,
    ),
    "up and down": (
        f"{_TWO} {{ int k = 0; for (int i = 0; i < 32; i++) {{ b[k] = a[i]; k += 3; b[k] = 1; k--; }} }}",
        f"{_TWO} {{ for (int i = 0; i < 32; i++) {{ b[2 * i] = a[i]; b[2 * i + 3] = 1; }} }}",
    ),
    "value behind two steps": (
        "void f(int a[64], int b[80]) { int k = 4; for (int i = 0; i < 30; i += 3) { b[k++] = a[i]; b[k++] = 1; }"
        " for (int j = k; j < 80; j++) b[j] = 0; }",
        "void f(int a[64], int b[80]) { for (int i = 0; i < 10; i++) { b[4 + 2 * i] = a[3 * i]; b[5 + 2 * i] = 1; }"
        " for (int j = 24; j < 80; j++) b[j] = 0; }",
    ),
}
TABLES = {  # numbers that the compiler computes: 35 cycles and three DSP blocks before
    "names": (
        f"const int N = 3;\nconst int T[3] = {{1, 2 * N, N}};\n{_TWO} {{ {_LOOP} b[i] = a[i] * T[2]; }}",
        _TRIPLE,
    ),
    "operators": (f"static const int T[2] = {{1, 1 + (1 << 1)}};\n{_TWO} {{ {_LOOP} b[i] = a[i] * T[1]; }}", _TRIPLE),
    "fixed point by hand": (
        "#define C(x) ((int)((x) * 256))\nconst int T[2] = {C(0.5), C(0.25)};\n"
        f"{_TWO} {{ {_LOOP} b[i] = a[i] * T[1]; }}",
        f"{_TWO} {{ {_LOOP} b[i] = a[i] * 64; }}",
    ),
    "constexpr function": (
        "constexpr int g(int n) { return n < 2 ? 1 : n * g(n - 1); }\nstatic constexpr int T[2] = {1, g(4)};\n"
        f"{_TWO} {{ {_LOOP} b[i] = a[i] * T[1]; }}",
        f"{_TWO} {{ {_LOOP} b[i] = a[i] * 24; }}",
    ),
    "of a template": (
        "template <int K> struct S { static const int T[2]; };\n"
        f"template <int K> const int S<K>::T[2] = {{K, 2 * K}};\n{_TWO} {{ {_LOOP} b[i] = a[i] * S<3>::T[0]; }}",
        _TRIPLE,
    ),
    "in a function": (
        f"const int N = 3;\n{_TWO} {{ const int T[3] = {{1, 2, N}}; {_LOOP} b[i] = a[i] * T[2]; }}",
        _TRIPLE,
    ),
    "in a bound": (
        "const int N = 20; const int T[2] = {N, 2 * N};\n"
        f"{_TWO} {{ for (int i = 0; i < T[1]; i++) b[i] = a[i] * T[0]; }}",
        f"{_TWO} {{ for (int i = 0; i < 40; i++) b[i] = a[i] * 20; }}",
    ),
}
CLASSES = {
    "functor of a template": (
        "template <int K> struct Scale { int operator()(int x) const { return K * x; } };\n"
        f"template <typename G> void each(int a[64], int b[64], G g) {{ {_LOOP} b[i] = g(a[i]); }}\n"
        f"{_TWO} {{ each(a, b, Scale<3>()); }}",
        _TRIPLE,
    ),
    "constructors": (
        "struct P { int x = 3; int y; P() : P(4) {} explicit P(int of) : y{of} {}\n"
        "P(const P &o) : x(o.x), y(o.y) {} };\n"
        f"{_TWO} {{ P p; P q(p); {_LOOP} b[i] = a[i] * q.x * q.y; }}",
        f"{_TWO} {{ {_LOOP} b[i] = a[i] * 12; }}",
    ),
    "recursion of a class": (
        "template <int N> struct T { static int sum(const int *x) {"
        " return T<N / 2>::sum(x) + T<N - N / 2>::sum(x + N / 2); } };\n"
        "template <> struct T<1> { static int sum(const int *x) { return x[0]; } };\n"
        f"{_ROWS} b[i] = T<8>::sum(a[i]); }} }}",
        _TREE,
    ),
    "recursion of a function": (
        "template <int N> int sum(const int *x) { if constexpr (N == 1) return x[0];"
        f" else return sum<N / 2>(x) + sum<N - N / 2>(x + N / 2); }}\n{_ROWS} b[i] = sum<8>(a[i]); }} }}",
        _TREE,
    ),
    "bases": (
        "struct B { int k; int mul(int x) { return k * x; } };\n"
        "template <typename D> struct C { int go(int x) { return static_cast<D *>(this)->impl(x); } };\n"
        "struct D : B, C<D> { D() { k = 3; } int impl(int x) { return mul(x) + 1; } };\n"
        f"{_TWO} {{ D d; {_LOOP} b[i] = d.go(a[i]); }}",
        f"{_TWO} {{ {_LOOP} b[i] = 3 * a[i] + 1; }}",
    ),
    "lambda of a template": (
        "template <typename G> void each(int n, G g) { for (int i = 0; i < n; i++) g(i); }\n"
        f"{_TWO} {{ each(64, [&](auto i) {{ b[i] = a[i] + 1; }}); }}",
        _PLUS,
    ),
    "enums": (
        "enum M { ADD, SUB = 5 }; enum class B : unsigned char { X = 2, Y };\n"
        f"void f(int a[64], int b[64], M m) {{ {_LOOP} b[i] = a[i] + (m == SUB ? static_cast<int>(B::Y) : 7); }}",
        f"void f(int a[64], int b[64], unsigned m) {{ {_LOOP} b[i] = a[i] + (m == 5 ? 3 : 7); }}",
    ),
    "views": (
        "void copied(const int *s, int *d, int n) { for (int j = 0; j < n; j++) d[j] = s[j]; }\n"
        "void f(int a[256], int b[256]) { copied(a + 64, b + 128, 100); copied(&a[10], &b[3], 20); }",
        "void f(int a[256], int b[256]) { for (int j = 0; j < 100; j++) b[128 + j] = a[64 + j];"
        " for (int k = 0; k < 20; k++) b[3 + k] = a[10 + k]; }",
    ),
}


def _answer(folder: Path, text: str) -> tuple[int, int, list[tuple[int, int, int]]]:
    """Return the cycles, the DSP blocks, and interval, depth and iterations of the loops of ``f``."""
    kernel = schedule(written(folder, text), function="f").kernels[0]
    nests = [(each.body.schedule.ii, each.body.depth, each.iterations) for each in kernel.nests]
    return kernel.machine.cycles, kernel.area.dsp, nests


FORMS = {**STEPS, **TABLES, **CLASSES}


@pytest.mark.parametrize(("form", "plain"), FORMS.values(), ids=FORMS)
def test_a_form_has_the_schedule_of_its_plain_spelling(form: str, plain: str, tmp_path: Path) -> None:
    found = _answer(tmp_path, form)
    assert found == _answer(tmp_path, plain)
    assert found[0] > 0


@pytest.mark.parametrize(
    ("loop", "trips"),
    [
        ("unsigned char i = 255; while (++i < 10)", 10),  # wraps around: a test of i + 1 would never be true
        ("unsigned i = -1; while (++i < 10)", 10),
        ("unsigned i = 0; while (--i < 10u)", 0),
    ],
)
def test_a_step_that_wraps_around_counts_as_c_does(loop: str, trips: int, tmp_path: Path) -> None:
    text = f"{_TWO} {{ {loop} {{ b[i & 63] = a[i & 63] + 1; }} b[0] = 3; }}"
    nests = schedule(written(tmp_path, text), function="f").kernels[0].nests
    assert [nest.iterations for nest in nests] == [trips] * (trips > 0)  # R5.10: a loop that never runs is removed


_COPY = f"{_TWO} {{ {_LOOP} {{\n%s\n b[i] = a[i] * 3; }} }}"
_SUM4 = f"""void f(int a[64][4], int b[64]) {{
#pragma HLS array_partition variable=a dim=2 complete
%s
{_LOOP} {{
#pragma HLS pipeline
 b[i] = a[i][0] * a[i][1] + a[i][2] * a[i][3] + a[i][0] * a[i][3]; }} }}"""
_EVEN = "void f(int a[64], int c[32]) {\n%s\n for (int i = 0; i < 32; i++) c[i] = a[2 * i] + a[2 * i + 1]; }"
_UPDATE = (
    f"void f(int a[256], int x[64]) {{ {_LOOP} {{\n#pragma HLS pipeline II=1\n%s\n a[x[i]] = a[x[i]] * 7 + 1; }} }}"
)


@pytest.mark.parametrize(
    ("text", "pragma", "ii"),
    [
        (_COPY, "#pragma HLS pipeline II=2 style=frp", 2),
        (_COPY, "#pragma HLS PIPELINE II = 3", 3),
        (_SUM4, "#pragma HLS allocation operation instances=mul limit=1", 3),
        (_SUM4, "#pragma HLS ALLOCATION instances=mul limit=1 operation", 3),
        (_SUM4, "", 1),
        (_EVEN, "", 1),
        (_EVEN, "#pragma HLS bind_storage variable=a type=RAM_1P impl=bram", 2),
        (_EVEN, "#pragma HLS RESOURCE variable=a core=RAM_1P_BRAM", 2),
        (_EVEN, "#pragma HLS array_reshape variable=a cyclic factor=2", 1),
        (_UPDATE, "", 2),
        (_UPDATE, "#pragma HLS dependence variable=a inter false", 1),
        (_UPDATE, "#pragma HLS DEPENDENCE variable=a type=inter direction=RAW dependent=false", 1),
        (_UPDATE, "#pragma HLS dependence array inter false", 1),
        (_UPDATE, "#pragma HLS dependence variable=a inter RAW distance=2 true", 1),
    ],
)
def test_a_pragma_sets_the_interval(text: str, pragma: str, ii: int, tmp_path: Path) -> None:
    (nest,) = schedule(written(tmp_path, text % pragma), function="f").kernels[0].nests
    assert nest.body.schedule.ii == ii


@pytest.mark.parametrize(
    "pragma",
    [
        "pipeline II=1 enable_flush", "occurrence cycle=4", "performance target_ti=64",
        "frobnicate variable=a", "bind_op variable=zz op=mul latency=3", "array_partition variable=aa complete",
        "latency max=9", "protocol floating",
    ],
)  # fmt: skip
def test_a_pragma_without_effect_is_listed_with_its_line(pragma: str, tmp_path: Path) -> None:
    kernel = schedule(written(tmp_path, _COPY % f"#pragma HLS {pragma}"), function="f").kernels[0]
    assert any(re.search(r"kernel\.cpp:2:", each) for each in kernel.without_effect)


_NESTED = """void g(int r[4], int *s) {
int t = 0; for (int j = 0; j < 4; j++) {
%s
 t += r[j]; } *s = t; }
void f(int a[64][4], int b[64]%s) {
for (int i = 0; i < 64; i++) {
#pragma HLS pipeline
 g(a[i], &b[i]); }
%s }"""


@pytest.mark.parametrize(
    ("pragma", "listed"),
    [("pipeline", True), ("pipeline off", True), ("unroll factor=2", True), ("unroll off=true", True),
     ("unroll", False), ("unroll factor=4", False)],
)  # fmt: skip
def test_a_directive_on_a_loop_in_a_pipeline_is_listed(pragma: str, *, listed: bool, tmp_path: Path) -> None:
    """A pipeline unrolls the loops in it completely, whatever they ask for; it was not said."""
    text = _NESTED % (f"#pragma HLS {pragma}", "", "")
    kernel = schedule(written(tmp_path, text), function="f").kernels[0]
    assert [nest.iterations for nest in kernel.nests] == [64]
    assert any("kernel.cpp:3:1: " in each and "line 6" in each for each in kernel.without_effect) is listed


def test_a_directive_that_acts_in_another_call_is_not_listed(tmp_path: Path) -> None:
    text = _NESTED % ("#pragma HLS pipeline II=3", ", int c[4], int *d", "g(c, d);")
    kernel = schedule(written(tmp_path, text), function="f").kernels[0]
    assert [(nest.iterations, nest.body.schedule.ii) for nest in kernel.nests] == [(4, 3), (64, 2)]
    assert not any("kernel.cpp:3:1: " in each for each in kernel.without_effect)


_PASSED = "for (int i = 0; i < 100; i++) {"
HEADERS = {  # the source, and interval and depth of its loop
    "ports with a handshake": (
        "#include <hls_directio.h>\nvoid f(hls::ap_hs<int> &in, hls::ap_hs<int> &out) {"
        f"{_PASSED} int v = 0; if (in.valid()) in >> v; if (out.ready()) out << v + 1; }} }}",
        (1, 2),
    ),
    "packets of qdma": (
        "#include <ap_axi_sdata.h>\n#include <hls_stream.h>\ntypedef qdma_axis<32, 0, 0, 0> packet;\n"
        f"void f(hls::stream<packet> &in, hls::stream<packet> &out) {{ {_PASSED} packet v = in.read(), o;"
        " o.set_data(v.get_data() + 5); o.set_last(v.get_last()); o.keep_all(); out.write(o); } }",
        (1, 3),
    ),
    "packets without data": (
        "#include <ap_axi_sdata.h>\n#include <hls_stream.h>\n"
        "typedef hls::axis_user<8> user;\n"
        "typedef hls::axis_data<ap_uint<32>, AXIS_ENABLE_LAST | AXIS_ENABLE_KEEP> word;\n"
        f"void f(hls::stream<user> &in, hls::stream<word> &out) {{ {_PASSED} word o; o.data = in.read().user;"
        " o.last = i == 99; o.keep = -1; out.write(o); } }",
        (1, 2),
    ),
    "registers of a DSP block": (
        "#include <hls_dsp_builtins.h>\nusing namespace hls::dsp48e2;\n"
        "void f(A_t a[64], B_t b[64], C_t c[64], C_t p[64]) { for (int i = 0; i < 64; i++)"
        " p[i] = mul_add<REG_A1 | REG_B1 | REG_M | REG_P>(a[i], b[i], c[i]); }",
        (1, 5),  # the load, three registers (R6.10), the store
    ),
}


@pytest.mark.parametrize(("text", "expected"), HEADERS.values(), ids=HEADERS)
def test_a_header_of_the_vendor_is_there_without_it(text: str, expected: tuple[int, int], tmp_path: Path) -> None:
    (nest,) = schedule(written(tmp_path, text), function="f").kernels[0].nests
    assert (nest.body.schedule.ii, nest.body.depth) == expected


_OF_TOOLS = """#ifdef __VIVADO_HLS__
#define N 40
#else
#define N 30
#endif
#ifdef __VITIS_HLS__
#define M 12
#else
#define M 7
#endif
void part(int a[64], int t[64]) { for (int i = 0; i < N; i++) t[i] = a[i] * 3; }
void last(int t[64], int b[64]) { for (int i = 0; i < N; i++) b[i] = t[i] + M; }
void f(int a[64], int b[64]) {
#pragma HLS dataflow
 int t[64];
 part(a, t); last(t, b); }"""


@pytest.mark.parametrize(("release", "defined"), [("2019.2", (40, 7)), ("2021.1", (30, 12)), (None, (30, 12))])
def test_each_tool_defines_its_own_macro(release: str | None, defined: tuple[int, int], tmp_path: Path) -> None:
    source, (trips, added) = written(tmp_path, _OF_TOOLS), defined
    kernel = schedule(source, function="f", release=release).kernels[0]
    assert [loop.last[0].constant + 1 for loop in all_loops(kernel.program.body)] == [trips, trips]
    assert f"'{added}'" in repr(kernel.program.statements()[1].value)
    assert load_source(str(source), release=release).network.run().finish == kernel.machine.cycles


_CALLS = """void g(int a[64], int b[64]) { for (int i = 0; i < 64; i++) b[i] = a[i] * 3 + 1; }
void f(int a[64], int b[64], int c[64], int d[64], int p[64], int q[64]) {
%s
 g(a, b); g(c, d); g(p, q); }"""


@pytest.mark.parametrize(
    ("pragma", "rounds"),
    [
        ("", 1), ("#pragma HLS allocation function instances=g limit=1", 3),
        ("#pragma HLS ALLOCATION instances=g limit=2 function", 2),
        ("#pragma HLS allocation instances=g type=function limit=3", 1),
    ],
)  # fmt: skip
def test_calls_take_the_modules_that_an_allocation_leaves(pragma: str, rounds: int, tmp_path: Path) -> None:
    kernel = schedule(written(tmp_path, _CALLS % pragma), function="f").kernels[0]
    assert not any("allocation" in each for each in kernel.without_effect)
    assert kernel.machine.cycles == rounds * 66 + rounds - 1


def test_an_allocation_of_a_function_without_effect_is_listed(tmp_path: Path) -> None:
    text = """int g(int x) { return x * x + 1; }
void f(int a[64], int b[64]) {
#pragma HLS allocation function instances=g limit=1
 for (int i = 0; i < 64; i++) {
#pragma HLS pipeline
  b[i] = g(a[i]) + g(a[i] + 2); } }"""
    (said,) = schedule(written(tmp_path, text), function="f").kernels[0].without_effect
    assert "kernel.cpp:3:1: allocation of a function, whose calls have operators of their own" in said
    other = schedule(written(tmp_path, text.replace("instances=g", "instances=h")), function="f").kernels[0]
    assert any("'h', which nothing in this function calls" in each for each in other.without_effect)


@pytest.mark.parametrize(
    ("of", "asked", "ii"), [("float", " II=1", 4), ("double", " II=1", 5), ("float", "", 7), ("double", "", 8)]
)
def test_a_sum_at_3_33_ns_takes_the_faster_adder_that_a_directive_asks_for(
    of: str, asked: str, ii: int, tmp_path: Path
) -> None:
    """R9.1, R9.9; without a directive, the adders keep their states."""
    pragma = f"\n#pragma HLS pipeline{asked}\n" if asked else " "
    text = f"void f({of} x[64], {of} *y) {{ {of} s = 0; {_LOOP} {{{pragma}s += x[i]; }} *y = s; }}"
    kernel = schedule(written(tmp_path, text), function="f", device="xcu280-fsvh2892-2L-e", clock="3.33 ns").kernels[0]
    assert [nest.body.schedule.ii for nest in kernel.nests] == [ii]


@pytest.mark.parametrize(
    "body",
    [
        "int x = a[i] * 4; if (a[i] > 7) x = a[i]; b[i] = x + 1;", "int x = a[i] * 4; x += 3; b[i] = x + 1;",
        "int x = a[i]; if (a[i] > 7) x = a[i] * 4; b[i] = x + 1;",
        "int x = a[i] * 4; x = a[i]; b[i] = x + 1;", "b[a[i] & 63] = a[i] * 2; b[i] = a[i]; b[a[i] & 63] += 1;",
    ],
)  # fmt: skip
def test_a_variable_with_unknown_lowest_bits_is_added_to(body: str, tmp_path: Path) -> None:
    kernel = schedule(written(tmp_path, f"{_TWO} {{ {_LOOP} {{ {body} }} }}"), function="f").kernels[0]
    assert any(node.name == "add" for node in kernel.nests[0].body.graph.nodes if node.kind == "op")


def test_a_variable_that_a_loop_changes_is_added_to_behind_it(tmp_path: Path) -> None:
    body = f"int x = a[0] * 4; {_LOOP} x = x * 3 + a[i]; b[0] = x + 1;"
    kernel = schedule(written(tmp_path, f"{_TWO} {{ {body} }}"), function="f").kernels[0]
    assert any(node.name == "add" for region in kernel.machine.regions for node in region.graph.nodes)
