"""Forms in which other people write high-level synthesis, each as small as it shows what was refused once."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.declarations import stream_declarations
from ppnsim.errors import InputError
from ppnsim.library.schedule import KernelSchedules, schedule

HEADERS = """#include <ap_int.h>
#include <ap_fixed.h>
#include <hls_math.h>
#include <hls_print.h>
#include <hls_stream.h>
#include <string.h>
typedef ap_fixed<28, 10> T;
"""


def scheduled(folder: Path, text: str) -> KernelSchedules:
    path = folder / "k.cpp"
    path.write_text(HEADERS + text, encoding="utf-8")
    return schedule(path, function="f")


def iterations(found: KernelSchedules) -> list[int]:
    return [loop["iterations"] for loop in found.to_dict()["loops"]]


@pytest.mark.parametrize("statement", [
    "o[i] = a[i];", "o[i] = expf(a[i]);", "o[i] += a[i];", "o[i] = exp(a[i]);", "int k = a[i]; o[i] = k;",
    "if (a[i]) o[i] = 1;", "bool b = a[i]; o[i] = b;", "o[i] = a[i] * 2.0f + a[i] * a[i];",
    "ap_int<9> k = a[i]; o[i] = k;",
])  # fmt: skip
def test_a_fixed_point_number_is_converted_to_what_it_is_given_to(tmp_path: Path, statement: str) -> None:
    loop = f"for (int i = 0; i < 9; i++) {{ {statement} }}"
    assert iterations(scheduled(tmp_path, f"void f(T a[9], float o[9]) {{ {loop} }}")) == [9]


@pytest.mark.parametrize(("said", "meant"), [
    ("a[0] = a[1] >> (int(log2(N)) - 1);", "a[0] = a[1] >> 5;"), ("p[0] = p[1] * powf(2, 3);", "p[0] = p[1] * 8.0f;"),
    ("int s = a[0] < 0 ? 1 : -1; p[0] = p[1] * -s;", "float s = a[0] < 0 ? -1.0f : 1.0f; p[0] = p[1] * s;"),
    ("ap_int<9> m = 17, k = m & 1; a[0] = a[1] * (k << 3);", "a[0] = a[1] * 8;"),
    ("const int m = 5; put(const_cast<int *>(&m), a);", "a[0] = 5;"), ("a[0] = hls::sqrt(a[1]);", "a[0] = root(a[1]);"),
])  # fmt: skip
def test_what_the_compiler_computes_takes_no_time(tmp_path: Path, said: str, meant: str) -> None:
    """Rules R1.1 and R2.17: functions of numbers, conversions of a choice of two, whole roots."""
    head = "const int N = 64;\nvoid put(int *m, int *a) {\n#pragma HLS inline\n a[0] = *m; }\n"
    head += "int root(ap_int<32> of) { return hls::sqrt(of); }\n"
    both = [scheduled(tmp_path, f"{head}void f(int a[9], float p[9]) {{ {each} }}").to_dict() for each in (said, meant)]
    assert both[0]["cycles"] == both[1]["cycles"]
    assert both[0]["resources"]["units"] == both[1]["resources"]["units"]


def test_a_choice_may_be_a_statement(tmp_path: Path) -> None:
    text = "void f(int a[9], int s[2]) { int u = 0, d = 0; for (int i = 0; i < 9; i++) {"
    end = "} s[0] = u; s[1] = d; }"
    both = scheduled(tmp_path, f"{text} a[i] ? u++ : d--; a[i] > 3 && (u = 1); {end}").to_dict()
    same = scheduled(tmp_path, f"{text} if (a[i]) u++; else d--; if (a[i] > 3) u = 1; {end}").to_dict()
    assert both["cycles"] == same["cycles"]


def test_bits_are_turned_and_prints_are_nothing(tmp_path: Path) -> None:
    text = "void f(ap_uint<8> a[9]) {{ for (int i = 0; i < 9; i++) {{ ap_uint<8> v = a[i]; {} a[i] = v; }} }}"
    plain = scheduled(tmp_path, text.format("v = ~v;")).to_dict()["cycles"]
    assert scheduled(tmp_path, text.format('v.reverse(); hls::print("v = %d", v);')).to_dict()["cycles"] == plain


def test_a_block_has_the_bytes_of_its_type_in_memory(tmp_path: Path) -> None:
    found = scheduled(tmp_path, "void f(T a[64], int n) { T b[64]; memset(b, 0, 48 * sizeof(T)); a[n] = b[n]; }")
    assert iterations(found) == [48]


def test_a_loop_with_a_steady_count_becomes_copies_and_one_without_stays(tmp_path: Path) -> None:
    text = """void f(int a[16], int b[16][16]) { for (int i = 0; i < 8; i++) {
      #pragma HLS pipeline
      for (int j = 2 * i; j < 2 * i + 2; j++) {
        #pragma HLS unroll
        a[j] += 3; } }
      for (int i = 0; i < 16; i++) for (int j = 0; j < i; j++) {
        #pragma HLS unroll
        b[i][j] = 0; } }"""
    found = scheduled(tmp_path, text)
    assert iterations(found) == [8, 120]
    assert "unroll of a loop whose trip count is not known" in found.to_dict()["without_effect"][0]


def test_pragmas_that_mean_nothing_are_listed_and_not_refused(tmp_path: Path) -> None:
    text = """struct S { hls::stream<int> _; hls::stream<int> _peek; };
    void f(S &s, int a[9][9]) {
    #pragma HLS interface mode=ap_fifo port=s._peek
    #pragma HLS unroll factor=2
    #pragma HLS bind_storage variable=a impl=bram
    #pragma HLS array_partition variable=a cyclic factor=3 dim=0
      for (int i = 0; i < 9; i++) {
    #pragma HLS pipeline II
        a[i][i] = s._.read(); } }"""
    found = scheduled(tmp_path, text)
    assert any("pipeline with an II that is no number" in each for each in found.to_dict()["without_effect"])
    assert any("unroll outside of loops" in each for each in found.to_dict()["without_effect"])
    partition = found.kernels[0].directives.partitions["a"]
    assert [(each.dim, each.factor) for each in (partition, *partition.more)] == [(1, 3), (2, 3)]


def test_the_depth_of_one_fifo_of_an_array_is_that_of_the_array(tmp_path: Path) -> None:
    text = """void f(int a[9], int b[9]) { hls::stream<int> s[2];
    #pragma HLS stream variable=s[0] depth=12
    #pragma HLS stream variable=s[1] depth=12
      for (int i = 0; i < 9; i++) s[0].write(a[i]);
      for (int i = 0; i < 9; i++) b[i] = s[0].read(); }"""
    assert scheduled(tmp_path, text).kernels[0].directives.depths["s"] == 12
    with pytest.raises(InputError, match="two depths of"):
        scheduled(tmp_path, text.replace("s[1] depth=12", "s[1] depth=4"))


def test_a_struct_of_numbers_is_a_token(tmp_path: Path) -> None:
    head = '#include "hls_stream.h"\nstruct packet { int head; short rest; };\n'
    body = "for (int i = 0; i < 4; i++) { packet t; t.head = 0; t.rest = 1; s.write(t); }"
    assert scheduled(tmp_path, f"{head}void f(hls::stream<packet> &s) {{ {body} }}").to_dict()["cycles"] == 4


def test_of_the_depths_that_both_ends_of_a_fifo_say_the_larger_one_is_assumed_and_said(tmp_path: Path) -> None:
    text = """static void w(int a[9], hls::stream<int> &o) {
    #pragma HLS stream variable=o depth=12
      for (int i = 0; i < 9; i++) o.write(a[i]); }
    static void r(hls::stream<int> &p, int b[9]) {
    #pragma HLS stream variable=p depth=4
      for (int i = 0; i < 9; i++) b[i] = p.read(); }
    void f(int a[9], int b[9]) {
    #pragma HLS dataflow
      hls::stream<int> s; w(a, s); r(s, b); }"""
    found = scheduled(tmp_path, text)
    assert found.kernels[0].directives.depths["s"] == 12
    assert any("depth=4 beside depth=12 of 's': the larger" in each for each in found.to_dict()["without_effect"])


def test_a_script_that_the_tool_wrote_names_files_from_around_its_project(tmp_path: Path) -> None:
    folder = tmp_path / "copied" / "solution1"
    folder.mkdir(parents=True)
    (tmp_path / "copied" / "k.cpp").write_text("void f(int a[9]) { for (int i = 0; i < 9; i++) a[i] = i; }", "utf-8")
    script = "open_project proj\nset_top f\nadd_files proj/k.cpp\nopen_solution solution1\nset_part xc7z020clg400-1\n"
    script += "create_clock -period 10\nsource ./proj/solution1/directives.tcl\n"
    (folder / "script.tcl").write_text(script, "utf-8")
    (folder / "directives.tcl").write_text('set_directive_interface -mode ap_memory "f"\n', "utf-8")
    found = schedule(folder / "script.tcl").to_dict()
    assert [loop["iterations"] for loop in found["loops"]] == [9]
    assert any("interface" in each for each in found["without_effect"])


def test_a_region_too_long_to_run_is_estimated_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """void make(int a[64], int b[64]) { for (int i = 0; i < 64; i++) b[i] = a[i]; }
    void take(int b[64], int c[64]) { for (int i = 0; i < 64; i++) c[i] = b[i]; }
    void f(int a[64], int c[64]) {
    #pragma HLS dataflow
      int b[64]; make(a, b); take(b, c); }"""
    run = scheduled(tmp_path, text)
    monkeypatch.setattr("ppnsim.hls.region.network.LARGEST", 63)
    estimated = scheduled(tmp_path, text).to_dict()
    assert run.kernels[0].machine.region is not None
    assert estimated["cycles"] == run.to_dict()["cycles"] == 128  # they take turns
    assert "k.cpp:8:35: task 'make' starts 64 iterations, and at most 63 are run one by one" in str(
        estimated["assumptions"]
    )


def test_a_fifo_of_one_task_whose_tokens_data_decide_is_not_checked_and_says_so(tmp_path: Path) -> None:
    text = """void f(int a[9], int b[9]) { hls::stream<int> s;
      for (int i = 0; i < 9; i++) { if (a[i]) s.write(a[i]); if (a[i]) b[i] = s.read(); } }"""
    assert "is not checked: data decides whether FIFO 's' is accessed" in str(scheduled(tmp_path, text).to_dict())


BURSTS = """#include <hls_burst_maxi.h>
void write(hls::burst_maxi<int> out, int b[64]) {
  out.write_request(0, 64); for (int i = 0; i < 64; i++) out.write(b[i]); out.write_response(); }
void f(hls::burst_maxi<int> in, hls::burst_maxi<int> out) {
%s
  int b[64]; in.read_request(8, 64); for (int i = 0; i < 64; i++) b[i] = in.read(); write(out, b); }
"""


def test_bursts_by_hand_are_read_and_written_over_their_bus(tmp_path: Path) -> None:
    """Writes were refused as structs; a port that is handed on is not copied, element by element."""
    found = scheduled(tmp_path, BURSTS % "").to_dict()
    assert [(loop["iterations"], loop["ii"], loop["depth"]) for loop in found["loops"]] == [(64, 1, 2), (64, 1, 73)]
    ways = [
        f"a {way} states"
        for way in ("read of 'in' over bus 'gmem' takes 72", "write of 'out' over bus 'gmem' takes 69")
    ]
    assert [each for each in found["assumptions"] if "over bus" in each] == ways
    told = "#pragma HLS interface m_axi port=in bundle=one latency=32"
    found = scheduled(tmp_path, BURSTS % told).to_dict()
    assert "a read of 'in' over bus 'one' takes 40 states" in found["assumptions"]


_READS = "for (int i = {}; i < {}; i++) {{\n#pragma HLS pipeline off\nb[i] = p.read(); }}"


@pytest.mark.parametrize(("code", "cycles"), [  # 71 states of a request, 69 of a response, two for each word
    ("p.read_request(0, 64);" + _READS.format(0, 64), 71 + 128),  # each word paid the latency: 4673
    ("p.read_request(0, 64);" + _READS.format(0, 32) + _READS.format(32, 64), 71 + 128 + 1),
    ("p.read_request(0, 32);" + _READS.format(0, 32) + "p.read_request(32, 32);" + _READS.format(32, 64), 2 * 71 + 128),
    ("p.write_request(0, 64); for (int i = 0; i < 64; i++) {\n#pragma HLS pipeline off\np.write(b[i]); }"
     " p.write_response();", 128 + 69),
    ("p.read_request(0, 64); for (int i = 0; i < 32; i++) b[i] = p.read();\n"
     "for (int i = 32; i < 64; i++) b[i] = p.read();", 71 + 2 * 34),
    ("for (int j = 0; j < 64; j += 8) {\n#pragma HLS pipeline off\np.read_request(j, 8);\n"
     "for (int i = 0; i < 8; i++) {\n#pragma HLS pipeline\nb[i + j] = p.read(); } }", 8 * (71 + 11) + 1),
])  # fmt: skip
def test_the_latency_of_a_burst_by_hand_is_paid_once_for_a_request(tmp_path: Path, code: str, cycles: int) -> None:
    text = f"#include <hls_burst_maxi.h>\nvoid f(hls::burst_maxi<int> p, int b[64]) {{ {code} }}\n"
    assert scheduled(tmp_path, text).to_dict()["cycles"] == cycles


def test_what_keeps_no_order_of_bursts_by_hand_is_said(tmp_path: Path) -> None:
    text = (
        "#include <hls_burst_maxi.h>\nvoid f(hls::burst_maxi<int> p) { p.read_request(0, 8); p.write_request(8, 8);\n"
    )
    text += "for (int i = 0; i < 8; i++) p.write(p.read() + 1); p.write_response(); }\n"
    said = "what is read of 'p' by hand waits for nothing that is written there (rule R6.4)"
    assert said in scheduled(tmp_path, text).to_dict()["assumptions"]


@pytest.mark.parametrize(
    ("word", "before"),
    [
        ("float", ""),
        ("hls::vector<float, 4>", "#include <hls_vector.h>"),
        ("pair", "struct pair { float a, b; pair operator*(float s) const { return {a * s, b * s}; } };"),
    ],
)
def test_bursts_are_read_and_written_at_the_same_port_in_one_pipeline(tmp_path: Path, word: str, before: str) -> None:
    """A read waited for the write of the iteration before, and the directive was said to be of a single value."""
    text = f"""#include <hls_burst_maxi.h>
{before}
void f(hls::burst_maxi<{word}> y) {{
#pragma HLS interface m_axi port=y bundle=one latency=32
  y.read_request(0, 64); y.write_request(0, 64);
  for (int i = 0; i < 64; i++) y.write(y.read() * 3.0f); y.write_response(); }}
"""
    found = scheduled(tmp_path, text).to_dict()
    assert [(loop["iterations"], loop["ii"]) for loop in found["loops"]] == [(64, 1)]
    assert found["without_effect"] == []
    ways = [each for each in found["assumptions"] if "over bus 'one' takes 40 states" in each]
    assert ways and all("of 'y" in each and "ppnsim" not in each for each in ways)


@pytest.mark.parametrize("guarded", [
    "int k = 0; for (int i = 0; i < 40; i++) { if (k > 0) s[k - 1].write(in.read()); k++; if (k == 5) k = 0; }",
    "for (int i = 0; i < 40; i++) { if (i % 5 > 0) s[i % 5 - 1].write(in.read()); }",
])  # fmt: skip
def test_a_fifo_that_a_condition_keeps_away_from_is_not_there(tmp_path: Path, guarded: str) -> None:
    """It was refused: 'FIFO s[-1] is written and nobody reads it'."""
    text = f"""void put(hls::stream<int> &in, hls::stream<int> s[4]) {{ {guarded} }}
    void take(hls::stream<int> s[4], int out[32]) {{ for (int i = 0; i < 32; i++) out[i] = s[i % 4].read(); }}
    void f(hls::stream<int> &in, int out[32]) {{
    #pragma HLS dataflow
      hls::stream<int> s[4]; put(in, s); take(s, out); }}"""
    assert 40 <= scheduled(tmp_path, text).to_dict()["cycles"] <= 44
    with pytest.raises(InputError, match=r"FIFO 's\[."):
        scheduled(tmp_path, text.replace("% 5", "% 6").replace("k == 5", "k == 6"))


def test_a_reference_to_a_constant_keeps_a_bit(tmp_path: Path) -> None:
    text = """void f(ap_uint<9> w[4], int o[4]) { for (int i = 0; i < 4; i++) {
      int s = 0;
      for (int j = 0; j < 9; j++) { const ap_uint<1> &b = w[i][8 - j]; s += b == 0 ? j : -j; }
      o[i] = s; } }"""
    plain = scheduled(tmp_path, text.replace("&b", "b")).to_dict()
    assert scheduled(tmp_path, text).to_dict()["cycles"] == plain["cycles"]


def test_a_directive_may_name_an_integer_that_keeps_its_value(tmp_path: Path) -> None:
    text = """void f(int a[12], int o[12]) { int ways = 12 / 4; int b[12];
    #pragma HLS array_partition variable=b cyclic factor=ways
      for (int i = 0; i < 12; i++) b[i] = a[i];
      for (int i = 0; i < 12; i++) o[i] = b[i]; }"""
    assert scheduled(tmp_path, text).kernels[0].directives.partitions["b"].factor == 3
    with pytest.raises(InputError, match="'ways' has no constant value here"):
        scheduled(tmp_path, text.replace("int b", "ways++; int b"))


def test_a_memory_may_have_a_latency_alone(tmp_path: Path) -> None:
    text = """void f(int a[99], int o[99]) { int b[99];
    #pragma HLS bind_storage variable=b latency=3
      for (int i = 0; i < 99; i++) b[i] = a[i];
      for (int i = 0; i < 99; i++) o[i] = b[i]; }"""
    assert scheduled(tmp_path, text).kernels[0].directives.storage["b"].latency == 3


def test_streams_of_a_source_are_those_of_synthesis(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text("#include <hls_stream.h>\nvoid f() {\n#ifndef __SYNTHESIS__\n  nowhere(3);\n#endif\n"
                    "  hls::stream<int> s; s.write(1); }\n", "utf-8")  # fmt: skip
    assert [each.variable for each in stream_declarations(str(path)).streams] == ["s"]


def test_copies_of_the_vendors_headers_stand_behind_our_own(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / "ap_int.h").write_text("#error of the vendor\n", "utf-8")
    (tmp_path / "copies" / "sizes.h").write_text("#define N 9\n", "utf-8")
    path = tmp_path / "k.cpp"
    loop = "for (int i = 0; i < N; i++) a[i] = i;"
    path.write_text(f'#include "sizes.h"\n#include <ap_int.h>\nvoid f(ap_int<9> a[N]) {{ {loop} }}', "utf-8")
    assert iterations(schedule(path, function="f", include=[str(tmp_path / "copies")])) == [9]


def test_a_class_is_made_of_one_value_in_parentheses(tmp_path: Path) -> None:
    text = """struct R { ap_uint<1> s; int key; R() {} R(int k) : key(k), s(0) {} };
    void f(int a[9], int o[9]) { for (int i = 0; i < 9; i++) { R r = R(a[i]); o[i] = r.key + int(ap_uint<4>(a[i])); } }
    void g(hls::stream<R> &o, hls::stream<int> &i) { for (int n = 0; n < 9; n++) o.write(R(i.read())); }"""
    assert iterations(scheduled(tmp_path, text)) == [9]
    assert iterations(schedule(tmp_path / "k.cpp", function="g")) == [9]


def test_a_clause_that_no_directive_has_is_listed_and_a_misspelt_one_is_refused(tmp_path: Path) -> None:
    text = "void f(int a[9]) {\n#pragma HLS dataflow interval=1\nfor (int i = 0; i < 9; i++) a[i] = i; }"
    said = scheduled(tmp_path, text).to_dict()["without_effect"]
    assert any("dataflow interval, which is no clause of it" in each for each in said)
    with pytest.raises(InputError, match="did you mean 'factor'"):
        scheduled(tmp_path, text.replace("dataflow interval=1", "array_partition variable=a cyclic facter=3"))


def test_the_line_buffer_and_window_of_hls_video_are_arrays(tmp_path: Path) -> None:
    head = "#include <hls_video.h>\nvoid f(int a[9][16], int o[9][16]) { "
    body = """for (int r = 0; r < 9; r++) for (int c = 0; c < 16; c++) {
    #pragma HLS pipeline II=1
      SHIFT
      int s = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) s += GET(i, j);
      o[r][c] = s; } }"""
    library = """b.shift_pixels_up(c); b.insert_bottom_row(a[r][c], c); w.shift_pixels_left();
      for (int i = 0; i < 3; i++) w.insert_pixel(b.getval(i, c), i, 2);"""
    plain = """for (int i = 0; i < 2; i++) b[i][c] = b[i + 1][c]; b[2][c] = a[r][c];
      for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) w[i][j] = w[i][j + 1];
      for (int i = 0; i < 3; i++) w[i][2] = b[i][c];"""
    partitions = """int b[3][16], w[3][3];
    #pragma HLS array_partition variable=b complete dim=1
    #pragma HLS array_partition variable=w complete dim=0
    """
    objects = "hls::LineBuffer<3, 16, int> b; hls::Window<3, 3, int> w; "
    theirs = head + objects + body.replace("SHIFT", library).replace("GET", "w.getval")
    ours = head + partitions + body.replace("SHIFT", plain).replace("GET(i, j)", "w[i][j]")
    found, same = (scheduled(tmp_path, text).to_dict() for text in (theirs, ours))
    assert found["cycles"] == same["cycles"]
    assert found["loops"][0]["ii"] == same["loops"][0]["ii"] == 1


def test_a_header_of_a_library_that_is_not_there_says_which_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is of Vitis_Libraries, vision/L1/include; give its folder with -I"):
        scheduled(tmp_path, '#include "common/xf_common.hpp"\nvoid f() {}')


def test_a_pragma_of_another_compiler_before_a_loop_is_none_of_ours(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < 9; i++) a[i] = i;"
    assert iterations(scheduled(tmp_path, f"void f(int a[9]) {{\n#pragma unroll\n{loop} }}")) == [9]
