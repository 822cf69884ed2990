"""Forms of public code that were refused, crashed or took minutes; drawn by rule, read as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from ppnsim.c.clang import aggregates
from ppnsim.c.clang.parser import parse
from ppnsim.c.clang.special_members import Special, is_slow
from tests.hls.test_other_repositories import cycles, written

EACH = "void top({}) {{ for (int i = 0; i < 16; i++) {{\n#pragma HLS pipeline\n{} }} }}"
NUMBERS = "#include <ap_int.h>\n#include <hls_stream.h>\n"


@pytest.mark.parametrize(
    ("written_so", "same"),
    [
        (
            "(a, b, c) = in.read(); out.write((c, b, a));",
            "ap_uint<12> v = in.read(); (a, b, c) = v; out.write((c, b, a));",
        ),
        (
            "a = in.read(); c = a; (a, c) = (c, a); out.write(a);",
            "a = in.read(); c = a; ap_uint<9> v = (c, a); (a, c) = v; out.write(a);",
        ),
        ("(a, b) = ap_uint<7>(in.read()).get(); out.write(b);", "ap_uint<7> v = in.read(); (a, b) = v; out.write(b);"),
    ],
)  # fmt: skip
def test_a_value_that_is_spread_is_computed_once(tmp_path: Path, written_so: str, same: str) -> None:
    given, names = (
        "hls::stream<ap_uint<12> > &in, hls::stream<ap_uint<12> > &out",
        "ap_uint<4> a; ap_uint<3> b; ap_uint<5> c; ",
    )
    found = [ppnsim.schedule(written(tmp_path / f"{k}.cpp", NUMBERS + EACH.format(given, names + body))).rows()
             for k, body in enumerate((written_so, same))]  # fmt: skip
    assert [[row[key] for key in ("ii", "depth", "iterations")] for row in found[0]] == [
        [row[key] for key in ("ii", "depth", "iterations")] for row in found[1]
    ]


def test_the_last_number_of_a_spread_value_has_its_lowest_bits(tmp_path: Path) -> None:
    text = "ap_uint<12> f(); void top(int o[1]) { ap_uint<4> a; ap_uint<3> b; ap_uint<5> c; (a, b, c) = f(); }"
    body = parse(str(written(tmp_path / "top.cpp", NUMBERS + text)), {}, []).functions["top"].body
    assert body is not None
    given = [" = ".join(map(str, each.children)) for each in body.walk() if each.kind == "assign"]
    assert given == ["c = joined(4, 0)", "b = joined(7, 5)", "a = joined(11, 8)"]


@pytest.mark.parametrize(
    ("include", "value", "same"),
    [
        ("#include <limits>\n", "std::numeric_limits<float>::infinity()", "1e38f"),
        ("#include <limits>\n", "std::numeric_limits<double>::epsilon()", "2.2e-16"),
        ("#include <ap_int.h>\n", "AP_MAX(3, 5) + AP_MIN(3, 5) + AP_ABS(-2)", "10"),
        ("", "MAX(3, 5)", "5"),
    ],
)
def test_limits_and_macros_of_headers_are_numbers(tmp_path: Path, include: str, value: str, same: str) -> None:
    text = (
        include
        + "void top(float a[16], float o[16]) {{ for (int i = 0; i < 16; i++) o[i] = a[i] < {0} ? a[i] : {0}; }}"
    )
    found = (
        cycles(written(tmp_path / f"{k}.cpp", text.format(f"float({each})"))) for k, each in enumerate((value, same))
    )
    assert len({*found}) == 1


TASKS = """
void put(int in[64], {0}, {1}) {{ for (int i = 0; i < 64; i++) {{
#pragma HLS pipeline
  {2} }} }}
void use({0}, {1}, int out[64]) {{ const int W[2] = {{3, {4}}}; for (int i = 0; i < 64; i++) {{
#pragma HLS pipeline
  {3} }} }}
void top(int in[64], int out[64]) {{
#pragma HLS dataflow
"""
END = " put(in, a, b); use(a, b, out); }"
ARRAYS = ("int a[64]", "int b[64]", "a[i] = in[i]; b[i] = in[i] + 1;", "out[i] = a[i] * W[0] + b[i] * W[1];")
STREAMS = (
    "hls::stream<int> &a",
    "hls::stream<int> &b",
    "a << in[i]; b << in[i];",
    "out[i] = a.read() * W[0] + b.read() * W[1];",
)
DECLARED = {
    ARRAYS: "int a[64], b[64];\n#pragma HLS stream variable=a depth=4\n#pragma HLS stream variable=b depth=4\n",
    STREAMS: "hls::stream<int> a, b;",
}


@pytest.mark.parametrize("form", [ARRAYS, STREAMS])
def test_a_token_that_is_multiplied_by_zero_is_taken(tmp_path: Path, form: tuple[str, str, str, str]) -> None:
    """The FIFO had a writer and no reader."""
    made = [NUMBERS + TASKS.format(*form, weight) + DECLARED[form] + END for weight in (0, 1)]
    zero, one = (
        ppnsim.schedule(written(tmp_path / f"{k}.cpp", text)).kernels[0].machine for k, text in enumerate(made)
    )
    assert zero.cycles <= one.cycles


@pytest.mark.parametrize(
    ("of", "value"),
    [
        ("int", "int v = s.read() * (k & 0); t[k ^ 1] = v; out[i] = t[k];"),
        ("ap_fixed<16, 8>", "out[i] = s.read() * 0.0;"),
        ("int", "out[i] = (s.read() > 0) == 2;"),
        ("int", "out[i] = (s.read() > 0 ? 3 : 3) == 3;"),
        ("int", "out[i] = s.read() && z;"), ("int", "out[i] = s.read() || !z;"),
    ],
)  # fmt: skip
def test_a_token_whose_value_does_not_matter_is_taken(tmp_path: Path, of: str, value: str) -> None:
    """Constants were computed without it, where an element is chosen, of fixed point, and before ``&& 0``."""
    body = f"const int z = 0; int t[16]; for (int k = 0; k < 2; k++) {{ {value} }}"
    path = written(
        tmp_path / "k.cpp",
        f"#include <ap_fixed.h>\n{NUMBERS}" + EACH.format(f"hls::stream<{of}> &s, {of} out[16]", body),
    )
    assert ppnsim.schedule(path, function="top").rows()[0]["ii"] == 2


def test_sources_have_types_and_constants_of_their_own(tmp_path: Path) -> None:
    body = "static state s = state::A; for (int i = 0; i < N; i++) a[i] = s == state::A; s = state::B;"
    own = "enum class state { A, B };\nconst int N = %d;\nvoid %s(int a[8]) { " + body + " }"
    written(tmp_path / "one.cpp", own % (4, "one"))
    written(tmp_path / "two.cpp", own % (6, "two"))
    written(tmp_path / "top.cpp", "void one(int a[8]); void two(int a[8]); void top(int a[8]) { one(a); two(a); }")
    script = "set_top top\nadd_files top.cpp\nadd_files one.cpp\nadd_files two.cpp\n"
    found = ppnsim.schedule(written(tmp_path / "run.tcl", script)).rows()
    assert [row["iterations"] for row in found] == [4, 6]


def test_a_method_is_called_with_the_arguments_of_a_template(tmp_path: Path) -> None:
    """The first of them was taken for the object."""
    text = """struct util {
  template <int W, int T> void scale(int *a, int *b) { for (int i = 0; i < T; i++) b[i] = a[i] * W; }
  template <int W> void both(int *a, int *b) { scale<W, 32>(a, b); }
};
void top(int a[32], int b[32]) { util u; u.both<3>(a, b); }"""
    (loop,) = ppnsim.schedule(written(tmp_path / "top.cpp", text)).rows()
    assert loop["iterations"] == 32


def test_an_access_to_a_stream_in_order_of_another_one_is_an_access(tmp_path: Path) -> None:
    given = "hls::stream<int> &in, hls::stream<int> &out"
    bodies = "int v; bool d = in.read_dep(v, false); out.write_dep(v, d);", "int v = in.read(); out.write(v);"
    texts = (NUMBERS + EACH.format(given, body) for body in bodies)
    assert len({cycles(written(tmp_path / f"{k}.cpp", text)) for k, text in enumerate(texts)}) == 1


def test_a_directive_of_dataflow_has_an_option_without_a_value(tmp_path: Path) -> None:
    written(tmp_path / "top.cpp", "void top(int a[8]) { for (int i = 0; i < 8; i++) a[i] = i; }")
    script = 'set_top top\nadd_files top.cpp\nset_directive_dataflow -disable_start_propagation "top"\n'
    assert cycles(written(tmp_path / "run.tcl", script)) >= 8


def test_a_load_beside_a_store_of_some_iterations_needs_no_order(tmp_path: Path) -> None:
    """A load that only is where its store is not, of an array whose accesses a pragma says are apart, crashed."""
    text = """void top(int a[64], int k[64]) {
  for (int i = 0; i < 64; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=a inter false
#pragma HLS dependence variable=a intra false
    if (k[i] > 3) a[i] = k[i];
    k[i] = a[i];
  }
}"""
    assert cycles(written(tmp_path / "top.cpp", text)) >= 64


def test_a_table_of_structs_asks_once_for_their_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counted(of: object, what: Special) -> bool:
        asked.append(what)
        return is_slow(of, what)

    monkeypatch.setattr(aggregates, "is_slow", counted)
    rows = ", ".join(f"{{{k}, {{{k}, 1}}}}" for k in range(99))
    text = f"struct inner {{ int x, y; }}; struct row {{ int a; inner b; }};\nstatic const row t[99] = {{{rows}}};\n"
    parse(str(written(tmp_path / "top.cpp", f"{text}void top(int i, int o[1]) {{ o[0] = t[i].b.x; }}")), {}, [])
    assert len(asked) <= 4
