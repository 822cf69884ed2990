"""Forms of real sources that were refused, or took minutes, when repositories of others were read unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from ppnsim.errors import InputError


def cycles(source: Path) -> int:
    """Return the cycles of the only kernel."""
    (kernel,) = ppnsim.schedule(source).kernels
    return kernel.machine.cycles


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


LANES = "#include <hls_vector.h>\n#include <ap_fixed.h>\ntypedef hls::vector<ap_fixed<16, 4>, 4> vec;\n"


@pytest.mark.parametrize("value", ["a[i] * s + b[i]", "s * a[i] + b[i]", "u ? a[i] * s : b[i]"])
def test_vectors_of_ap_numbers_and_a_number_are_computed_lane_by_lane(tmp_path: Path, value: str) -> None:
    body = f"for (int i = 0; i < 64; i++) {{ b[i] = {value}; }}"
    kernel = f"void top(vec a[64], vec b[64], ap_fixed<16, 4> s, bool u) {{ {body} }}"
    (loop,) = ppnsim.schedule(written(tmp_path / "top.cpp", LANES + kernel)).rows()
    assert (loop["ii"], loop["iterations"]) == (1, 64)


def test_conditions_between_two_variables_of_data_end(tmp_path: Path) -> None:
    """The limit of each was looked for in that of the other, without end."""
    text = """
void top(int a[64], int b[64], unsigned m, unsigned n) {
  unsigned at = 0;
  for (int i = 0; i < 64; i++) {
    unsigned now = at;
    unsigned end = m;
    at = now == end ? 0 : now + 1;
    if (now == end) { for (unsigned j = 0; j < now; j++) {
#pragma HLS loop_tripcount max=8
      b[j] += a[i]; } }
  }
}"""
    assert cycles(written(tmp_path / "top.cpp", text)) >= 64


@pytest.mark.parametrize("parameter", ["plane p[]", "int (*p)[3][8][16]"])
def test_a_pointer_to_arrays_hands_one_of_them_on(tmp_path: Path, parameter: str) -> None:
    text = f"""typedef int plane[3][8][16];
static void one(plane x, int o[8]) {{ for (int i = 0; i < 8; i++) for (int j = 0; j < 16; j++) o[i] += x[1][i][j]; }}
void top({parameter}, int o[4][8]) {{ for (int k = 0; k < 4; k++) one(p[k], o[k]); }}"""
    sized = text.replace(parameter, "plane p[4]")
    found = cycles(written(tmp_path / "top.cpp", text))
    assert found == cycles(written(tmp_path / "sized.cpp", sized))


def test_a_trip_count_may_be_the_result_of_a_function(tmp_path: Path) -> None:
    text = """constexpr int up(int a, int b) { return (a + b - 1) / b; }
const int N = 100;
void top(int a[64], int n) { for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount min=1 max=(up(N, 8) + 1)
  a[i % 64] = i; } }"""
    (loop,) = ppnsim.schedule(written(tmp_path / "top.cpp", text), worst=True).rows()
    assert loop["iterations"] == 14


def test_sources_of_a_design_may_each_have_their_own_inline_function(tmp_path: Path) -> None:
    own = "inline int half(int v) {{ return v {}; }}\n"
    one = "void one(int a[64]) { for (int i = 0; i < 64; i++) a[i] = half(a[i]); }\n"
    top = "void one(int a[64]);\n"
    top += "void top(int a[64], int b[64]) { one(a); for (int i = 0; i < 64; i++) b[i] = half(a[i]); }"
    written(tmp_path / "one.cpp", own.format(">> 1") + one)
    written(tmp_path / "top.cpp", own.format("/ 7") + top)
    script = "open_project p\nset_top top\nadd_files one.cpp\nadd_files top.cpp\nopen_solution s\n"
    project = written(tmp_path / "run_hls.tcl", script + "set_part xc7z020clg400-1\ncreate_clock -period 10\n")
    first, second = ppnsim.schedule(project).rows()
    assert first["depth"] < second["depth"]  # a shift beside a division: each source calls its own


def test_what_the_standard_library_declares_needs_no_include(tmp_path: Path) -> None:
    written(tmp_path / "part.h", "std::array<int, 4> held();\n")
    text = '#include "part.h"\nvoid top(int a[64]) { for (int i = 0; i < 64; i++) a[i] = std::max(a[i], 3); }'
    assert cycles(written(tmp_path / "top.cpp", text)) >= 64


def test_functions_of_templates_may_be_named_in_an_allocation(tmp_path: Path) -> None:
    text = """template <typename t_> t_ twice(t_ v) { return 2 * v; }
void top(int a[64]) {
#pragma HLS allocation function instances=twice<int> limit=1
  for (int i = 0; i < 64; i++) a[i] = twice(a[i]); }"""
    assert cycles(written(tmp_path / "top.cpp", text)) >= 64


def test_members_that_a_constructor_lists_in_braces_have_their_values(tmp_path: Path) -> None:
    """They had none, in silence."""
    before = "struct S { int x[2]; int y; S(int v) : x{v, v * 3}, y{v + 1} {} };\n"
    body = "for (int i = 0; i < 64; i++) { S s(a[i]); b[i] = s.x[1] + s.y; }"
    source = written(tmp_path / "top.cpp", before + f"void top(int a[64], int b[64]) {{ {body} }}")
    kernels = ppnsim.schedule(source).kernels
    writes = [str(statement.writes[0]) for statement in kernels[0].program.statements()]
    assert writes == ["v", "s_x[0]", "s_x[1]", "s", "b[i]"]


WIDE = "#include <ap_int.h>\n#include <ap_fixed.h>\ntypedef ap_fixed<16, 5> fix;\n"
EACH = "for (int i = 0; i < 16; i++) {{ {} }}"


@pytest.mark.parametrize("part", ["*((fix *)&w + j)", "((fix *)&w)[j]", "w.range(16 * j + 15, 16 * j)"])
def test_a_pointer_of_a_narrower_type_takes_bits_of_a_wide_number(tmp_path: Path, part: str) -> None:
    inner = f"ap_uint<512> w = in[i]; for (int j = 0; j < 32; j++) out[i * 32 + j] = {part};"
    text = f"{WIDE}void top(ap_uint<512> in[16], fix out[512]) {{ {EACH.format(inner)} }}"
    (loop,) = ppnsim.schedule(written(tmp_path / "top.cpp", text)).rows()
    assert (loop["ii"], loop["iterations"]) == (16, 16)  # 32 stores through two ports


def test_it_stores_them_too(tmp_path: Path) -> None:
    inner = "ap_uint<512> w; for (int j = 0; j < 32; j++) ((fix *)&w)[j] = in[i * 32 + j]; out[i] = w;"
    text = f"{WIDE}void top(ap_uint<512> out[16], fix in[512]) {{ {EACH.format(inner)} }}"
    (loop,) = ppnsim.schedule(written(tmp_path / "top.cpp", text)).rows()
    assert (loop["ii"], loop["iterations"]) == (16, 16)


def test_an_array_of_vectors_may_begin_with_zeros(tmp_path: Path) -> None:
    """It was an internal error."""
    inner = "for (int i = 0; i < 64; i++) { held[i % 8] += a[i]; } for (int i = 0; i < 8; i++) b[i] = held[i];"
    text = f"{LANES}void top(vec a[64], vec b[64]) {{ vec held[8] = {{ap_fixed<16, 4>(0)}}; {inner} }}"
    assert len(ppnsim.schedule(written(tmp_path / "top.cpp", text)).rows()) >= 2


def test_more_memories_than_elements_are_one_for_each(tmp_path: Path) -> None:
    def source(kind: str) -> Path:
        lines = (
            "void top(int a[64], int b[4]) { int t[4];",
            f"#pragma HLS array_partition variable=t {kind}",
            "for (int i = 0; i < 64; i++) for (int j = 0; j < 4; j++) t[j] += a[i];",
            "for (int j = 0; j < 4; j++) b[j] = t[j]; }",
        )
        return written(tmp_path / f"top{len(kind)}.cpp", "\n".join(lines))

    assert cycles(source("cyclic factor=16")) == cycles(source("complete")) < cycles(source("cyclic factor=2"))
    ignored = ppnsim.schedule(source("cyclic factor=16")).to_dict()["without_effect"]
    assert "factor 16 is more than the 4 elements of dimension 1 of 't'" in ignored[0]


@pytest.mark.parametrize(
    ("value", "same"),
    [
        ("a[i] * hls::x_conj(b[i]) + 1.0f", "a[i].real() * b[i].real() + a[i].imag() * b[i].imag() + 1.0f"),
        ("a[i] * b[i]", "a[i].real() * b[i].real() - a[i].imag() * b[i].imag()"),
        ("complex<float>(x + 1, 2 * x)", "x + 1"),
        ("a[i] + conj(b[i])", "a[i].real() + b[i].real()"),
        ("a[i] * x", "x * a[i].real()"),
    ],
)
def test_complex_numbers_are_computed_part_by_part(tmp_path: Path, value: str, same: str) -> None:
    def depth(of: str, kind: str) -> int:
        body = f"for (int i = 0; i < 64; i++) {{ float x = f[i]; o[i] = {of}; }}"
        arrays = f"complex<float> a[64], complex<float> b[64], float f[64], {kind} o[64]"
        head = "#include <complex>\nusing std::complex;\n"
        if "hls::" in value:
            head = '#include "hls_x_complex.h"\ntemplate <class T> using complex = hls::x_complex<T>;\n'
        text = f"{head}void top({arrays}) {{ {body} }}"
        (loop,) = ppnsim.schedule(written(tmp_path / "top.cpp", text)).rows()
        return int(loop["depth"])

    assert depth(value, "complex<float>") == depth(same, "float")


def test_a_header_that_is_not_followed_may_stand_unused(tmp_path: Path) -> None:
    text = '#include "hls_dds.h"\nvoid top(int a[64]) {{ {} for (int i = 0; i < 64; i++) a[i] += 3; }}'
    assert cycles(written(tmp_path / "top.cpp", text.format(""))) >= 64
    with pytest.raises(InputError, match=r"header 'hls_dds\.h' is not followed: .*used in .*used\.cpp:2:"):
        cycles(written(tmp_path / "used.cpp", text.format("hls::ip_dds::params_t c;")))


def test_a_function_around_a_loop_of_unknown_length_is_not_pipelined(tmp_path: Path) -> None:
    inner = (
        "static void part(int a[64], int n) {\n#pragma HLS pipeline\nfor (int i = 0; i < 64 - n; i++) a[i] += 3; }\n"
    )
    text = inner + "void top(int a[64]) { for (int n = 0; n < 8; n++) part(a, n); }"
    found = ppnsim.schedule(written(tmp_path / "top.cpp", text)).to_dict()
    assert "pipeline of a function with a loop whose trip count is not known" in found["without_effect"][0]


def test_a_pipelined_kernel_around_a_loop_of_unknown_length_unrolls_its_other_loops(tmp_path: Path) -> None:
    """R1.3."""
    text = """void top(int a[64], int n) {
    #pragma HLS pipeline
    #pragma HLS array_partition variable=a complete
    for (int i = 0; i < 64 - n; i++) a[i] += 3;
    for (int i = 0; i < 32; i++) a[i] += 5; }"""
    found = ppnsim.schedule(written(tmp_path / "top.cpp", text))
    assert "pipeline of a function with a loop whose trip count is not known" in found.to_dict()["without_effect"][0]
    assert [nest.body.pipeline.loops[-1].position.line for nest in found.kernels[0].machine.nests] == [4]


def test_a_loop_around_a_call_of_a_pipelined_function_stays_a_loop(tmp_path: Path) -> None:
    """It was unrolled with the function's own: 63 cycles for 256 loads and stores through two ports."""
    inner = "static void part(int a[64]) {\n#pragma HLS pipeline\nfor (int i = 0; i < 32; i++) a[i] += 3; }\n"
    text = inner + "void top(int a[64]) { for (int n = 0; n < 8; n++) part(a); }"
    (kernel,) = ppnsim.schedule(written(tmp_path / "top.cpp", text)).kernels
    assert [(nest.name, nest.body.schedule.ii, nest.iterations) for nest in kernel.machine.nests] == [("n", 32, 8)]
    assert kernel.machine.cycles == 256  # R3.5: the last of 8 has 32 states and the test of the head


def test_sources_do_not_see_macros_and_static_functions_of_each_other(tmp_path: Path) -> None:
    """The top called the function of the other source, an overload: 7 iterations for 100."""
    own = "#ifndef N\n#define N {}\n#endif\n"
    sums = (
        "static int f({} x) {{ int s = 0; for (int i = 0; i < N; i++) s += x * i; return s; }}\nvoid g(int b[64]){}\n"
    )
    written(tmp_path / "part.cpp", own.format(7) + sums.format("int", " { b[2] = f(b[3]); }"))
    top = "void top(int a[64], int b[64]) { a[0] = f(b[0]); g(b); }"
    written(tmp_path / "top.cpp", own.format(100) + sums.format("long", ";") + top)
    script = "open_project p\nset_top top\nadd_files part.cpp\nadd_files top.cpp\nopen_solution s\n"
    project = written(tmp_path / "run_hls.tcl", script + "set_part xc7z020clg400-1\ncreate_clock -period 10\n")
    assert [row["iterations"] for row in ppnsim.schedule(project).rows()] == [100, 7]
