"""What was left when most code of other people was read: small functions, each with the values that g++ computes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim.errors import InputError
from ppnsim.library.schedule import KernelSchedules, schedule
from tests.helpers.hls_sources import iterations, scheduled


def without_effect(found: KernelSchedules) -> list[str]:
    return [each.partition(":")[2] for each in found.kernels[0].directives.ignored]


_BEFORE = "typedef struct { int x, y; int t[4]; } P; typedef struct { P p; int k; } Q; struct S { unsigned a : 3; };\n"


@pytest.mark.parametrize(("statement", "count"), [  # as gcc 12 counts
    ("P p = {.y = 1, .x = 28}; int n = p.x;", 28), ("P p = {.y = 1, {2, 5}, .x = 3}; int n = p.t[1];", 5),
    ("struct S s = {.a = 28}; int n = s.a;", 4), ("int a[8] = {[2] = 5, 6, [0] = 1}; int n = a[3] + a[0];", 7),
    ("int a[8] = {[1 ... 4] = 9, 7}; int n = a[4] + a[5];", 16),
    ("Q q = {.p.x = 3, .p.y = 4, .k = 2}; int n = q.p.y;", 4),
    ("Q q = {.p = {.x = 3, .t = {[1] = 13}}, .k = 2}; int n = q.p.t[1];", 13),
])  # fmt: skip
def test_a_list_may_name_its_parts(tmp_path: Path, statement: str, count: int) -> None:
    loop = "for (int i = 0; i < n; i++) y[i] += 1;"
    assert iterations(scheduled(tmp_path, f"{_BEFORE} void f(int y[64]) {{ {statement} {loop} }}", "k.c")) == [count]


def test_members_without_a_name_have_the_values_of_their_class(tmp_path: Path) -> None:
    text = "struct D { int x = 5; int y; int z = 3; }; void f(int y[64]) { D d = {.y = 2}; int a[4] = {1}; "
    text += "for (int i = 0; i < d.x * 10 + d.y + d.z + a[3]; i++) y[i] += 1; }"
    assert iterations(scheduled(tmp_path, text)) == [55]


def test_names_in_a_list_are_refused_where_braces_or_values_are_left_out(tmp_path: Path) -> None:
    for given, words in (
        ("P p = {.y = 1, 2, .x = 3};", "braces that are left out"),
        ("D p = {.y = 1, 2};", "name all"),
    ):
        text = (
            f"{_BEFORE} struct D {{ int x = 5; int y; int z = 3; }}; void f(int y[64]) {{ {given} y[0] = p.x + p.y; }}"
        )
        with pytest.raises(InputError, match=rf"k.cpp:2:\d+.*{words}"):
            scheduled(tmp_path, text)


def test_directives_that_overrule_each_other_are_listed(tmp_path: Path) -> None:
    body = "for (int i = 0; i < 64; i++) y[i] = y[i] * y[i] + g(y[i]);"
    text = f"""static int g(int v) {{
#pragma HLS inline off
#pragma HLS latency min=2
return v + 1; }}
void f(int y[64]) {{
#pragma HLS allocation operation instances=mul limit=2
{body} }}"""
    (tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    lines = ("latency -min 5 g", "inline g", "allocation -limit 1 -type operation f mul", "latency -min 3 g")
    script = [*(f"set_directive_{each}" for each in lines), "csynth_design"]
    head = ["open_project p", "set_top f", "add_files k.cpp", "open_solution s", "set_part xc7z020clg400-1"]
    (tmp_path / "run.tcl").write_text("\n".join([*head, "create_clock -period 10", *script]), encoding="utf-8")
    found = schedule(tmp_path / "run.tcl").kernels[0].directives.ignored
    said = {each.replace(f"{tmp_path}/", "") for each in found}
    assert said >= {
        "k.cpp:2:1: inline off: run.tcl:8 says on", "k.cpp:3:1: latency min=2: run.tcl:7 says min=5",
        "run.tcl:10: latency min=3: run.tcl:7 says min=5", "k.cpp:6:1: allocation limit=2: run.tcl:9 says limit=1",
    }  # fmt: skip


def test_directives_with_nothing_to_do_are_listed(tmp_path: Path) -> None:
    text = """void f(int x[64], int y[64]) {
#pragma HLS inline recursive
for (int i = 0; i < 64; i++) {
#pragma HLS dependence variable=x inter false
#pragma HLS dependence variable=y inter false
y[i] = x[i]; } }"""
    assert without_effect(scheduled(tmp_path, text)) == [
        "2:1: inline of what 'f' calls, which is nothing",
        "4:1: dependence of 'x': nothing in this loop both loads and stores it",
        "5:1: dependence of 'y': nothing in this loop both loads and stores it",
    ]


_CALLS = "void second(int y[64]);\n{} void f(int y[64]) {{ for (int i = 0; i < {}; i++) y[i] += 1; second(y); }}"
_CALLED = "{} void second(int y[64]) {{ for (int i = 0; i < {}; i++) y[i] += 2; }}"


@pytest.mark.parametrize(("first", "bound", "second", "other"), [  # what the main source has, and the other one
    ("static const int N = 10;", "N", "static const int N = 20;", "N"),
    ("constexpr int N = 10;", "N", "const int N = 20;", "N"),
    ("namespace { int n() { return 10; } }", "n()", "namespace { int n() { return 20; } }", "n()"),
    ("namespace { int n(float k) { return 10; } }", "n(3)", "namespace { int n(int k) { return 20; } }", "n(3)"),
    ("int n(float k) { return 10; }", "n(3)", "static int n(int k) { return 20; }", "n(3)"),
    ("enum { N = 10, M };", "N", "enum { N = 20, M };", "N"),
    ("typedef unsigned char t;", "t(266)", "typedef short t;", "t(20)"),
    ("struct P { int a; }; const P p = {10};", "p.a", "struct P { short k; int a; }; const P p = {1, 20};", "p.a"),
    ("static int t[4] = {10};", "t[0]", "static int t[8] = {20};", "t[0]"),
    ("static int n() { return 10; }", "n()", "int n() { return 20; }", "n()"),
    ("int n() { return 10; }", "n()", "static int n() { return 20; }", "n()"),
    ('#include "a.h"\n', "N", '#include "b.h"\n', "N"),
])  # fmt: skip
def test_each_source_has_names_of_its_own(tmp_path: Path, first: str, bound: str, second: str, other: str) -> None:
    for name, text in (("a.h", "const int N = 10;"), ("b.h", "const int N = 20;")):
        (tmp_path / name).write_text(f"#pragma once\n{text}", encoding="utf-8")
    (tmp_path / "a.cpp").write_text(_CALLS.format(first, bound), encoding="utf-8")
    (tmp_path / "b.cpp").write_text(_CALLED.format(second, other), encoding="utf-8")
    script = ["open_project p", "set_top f", "add_files a.cpp", "add_files b.cpp", "open_solution s"]
    script += ["set_part xc7z020clg400-1", "create_clock -period 10", "csynth_design"]
    (tmp_path / "run.tcl").write_text("\n".join(script), encoding="utf-8")
    assert sorted(iterations(schedule(tmp_path / "run.tcl"))) == [10, 20]


def test_a_name_with_a_number_is_no_second_function_of_a_name(tmp_path: Path) -> None:
    """The function of a header was called like that of the source, which was taken for both."""
    (tmp_path / "a.h").write_text("inline int n() { return 20; }", encoding="utf-8")
    loops = " ".join(f"for (int i = 0; i < {name}(); i++) y[i] += {at};" for at, name in enumerate(("n_2", "n"), 3))
    text = f'#include "a.h"\nstatic int n_2() {{ return 10; }} void f(int y[64]) {{ {loops} }}'
    assert iterations(scheduled(tmp_path, text)) == [10, 20]


def test_a_name_that_other_sources_use_keeps_its_own(tmp_path: Path) -> None:
    """Of a static function and another one of its name it is the static one that is renamed."""
    loop = "for (int i = 0; i < n(); i++) y[i] += 1;"
    texts = {
        "a.cpp": f"void second(int y[64]); static int n() {{ return 10; }} void f(int y[64]) {{ {loop} second(y); }}",
        "b.cpp": "int n() { return 20; }", "c.cpp": f"int n(); void second(int y[64]) {{ {loop} }}",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = schedule(tmp_path / "a.cpp", function="f", linked=[str(tmp_path / name) for name in ("b.cpp", "c.cpp")])
    assert iterations(found) == [10, 20]


@pytest.mark.parametrize("comment", ["", "/* two\n lines */"])
def test_a_type_that_two_sources_define_alike_is_one(tmp_path: Path, comment: str) -> None:
    struct = "struct P {\n int a, b; };\n"
    first = "void g(P p, int y[64]); void f(int y[64]) { P p = {7, y[0]}; g(p, y); }"
    second = "void g(P p, int y[64]) { for (int i = 0; i < p.a; i++) y[i] += p.b; }"
    (tmp_path / "a.cpp").write_text(struct + first, encoding="utf-8")
    (tmp_path / "b.cpp").write_text(struct.replace(" int", f" {comment} int") + second, encoding="utf-8")
    found = schedule(tmp_path / "a.cpp", function="f", linked=[str(tmp_path / "b.cpp")])
    assert iterations(found) == [7]


_OPTIONAL = """static void f_(int *a, int *b, int n) { for (int i = 0; i < n; i++) { a[i] += 1; if (b) b[i] = a[i]; } }
static void g(int *a, const int *b, int n) { for (int i = 0; i < n; i++) a[i] += b && i > 3 ? b[i] : 7; }
static void h(int *a, int *b) { if (b == nullptr) return; f_(a, b, 30); }
void f(int x[64], int y[64]) { %s }"""


@pytest.mark.parametrize(("absent", "present"), [
    ("f_(x, nullptr, 64);", "for (int i = 0; i < 64; i++) x[i] += 1;"),
    ("f_(x, 0, 60); f_(x, y, 61);", "for (int i = 0; i < 60; i++) x[i] += 1; for (int i = 0; i < 61; i++) "
     "{ x[i] += 1; y[i] = x[i]; }"),
    ("g(x, __null, 64);", "for (int i = 0; i < 64; i++) x[i] += 7;"),
    ("h(x, nullptr); h(x, y);", "for (int i = 0; i < 30; i++) { x[i] += 1; y[i] = x[i]; }"),
])  # fmt: skip
def test_an_argument_may_point_to_nothing(tmp_path: Path, absent: str, present: str) -> None:
    found, same = (scheduled(tmp_path, _OPTIONAL % each).to_dict() for each in (absent, present))
    assert found["cycles"] == same["cycles"]


def test_an_access_through_a_pointer_to_nothing_is_refused(tmp_path: Path) -> None:
    text = "static void g(int *a, int *b) { a[0] = b[0]; } void f(int x[64]) { g(x, nullptr); }"
    with pytest.raises(InputError, match=r"k.cpp:1:40: 'b' points to nothing in a call; test it"):
        scheduled(tmp_path, text)


def test_limits_of_types_are_numbers(tmp_path: Path) -> None:
    limit = "hls::numeric_limits<{}>::{}()"
    loops = [
        f"for (int i = 0; i < {limit.format('ap_uint<4>', 'max')}; i++) y[i] += 1;",
        f"for (int i = {limit.format('ap_int<4>', 'min')}; i < 0; i++) y[i + 8] += 1;",
    ]
    least = limit.format("ap_fixed<8, 4>", "min")
    text = "#include <hls_math.h>\nvoid f(int y[64], ap_fixed<8, 4> t[1], float z[1]) { %s t[0] = %s; z[0] = %s; }"
    found = scheduled(tmp_path, text % (" ".join(loops), least, "-std::numeric_limits<float>::infinity()"))
    assert iterations(found) == [15, 8]


def test_a_function_is_found_by_its_own_name(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < {}; i++) a[i] += 1;"
    names = {"f_": "int", "_f": "int", "f": "int", "f ": "short", "f_2": "int"}
    text = "".join(
        f"void {name}({of} a[64]) {{ {loop.format(at)} }}\n" for at, (name, of) in enumerate(names.items(), 2)
    )
    (tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    asked = ("f_", "_f", "f(int[64])", "f(short[64])", "f_2")
    found = {name: iterations(schedule(tmp_path / "k.cpp", function=name)) for name in asked}
    assert list(found.values()) == [[2], [3], [4], [5], [6]]


_VIEWS = """struct A { int m[4][16]; };
struct R { A const &a; int n; R(A const &b, int k) : a(b), n(k) {} int at(int i) const { return a.m[i][n]; } };
struct L { A const &a; int n; };
struct W { int (&row)[64]; int *p; W(int (&r)[64], int *q) : row(r), p(q) {}
  void put(int i, int v) { row[i] = v; p[i] += v; } };
static R as(A const &a, int k) { return R(a, k); }
static L listed(A const &a, int k) { return L{a, k}; }
static W both(int (&r)[64], int *q) { return W(r, q); }
void f(int x[64], int y[64]) { A a; int t[64];
  for (int i = 0; i < 64; i++) { t[i] = 0; a.m[i / 16][i %% 16] = x[i]; }
  %s
  for (int i = 0; i < 64; i++) y[i] += t[i]; }"""


@pytest.mark.parametrize(("view", "plain"), [
    ("R r = as(a, 3); for (int i = 0; i < 4; i++) y[i] = r.at(i);", "for (int i = 0; i < 4; i++) y[i] = a.m[i][3];"),
    ("L r = listed(a, 3); for (int i = 0; i < 4; i++) y[i] = r.a.m[i][1];",
     "for (int i = 0; i < 4; i++) y[i] = a.m[i][1];"),
    ("W w = both(t, y); for (int i = 0; i < 64; i++) w.put(i, x[i]);",
     "for (int i = 0; i < 64; i++) { t[i] = x[i]; y[i] += x[i]; }"),
])  # fmt: skip
def test_an_object_that_refers_to_arrays_is_returned_and_copied(tmp_path: Path, view: str, plain: str) -> None:
    found, same = (scheduled(tmp_path, _VIEWS % each).to_dict() for each in (view, plain))
    assert found["cycles"] == same["cycles"]


def test_a_pointer_to_a_pointer_stands_for_it(tmp_path: Path) -> None:
    text = "static int g(int **p, int i) { return (*p)[i] + 1; }\n"
    text += "void f(int m[64], int y[64]) { int *q = m; for (int i = 0; i < 64; i++) y[i] = %s; }"
    found, same = (scheduled(tmp_path, text % each).to_dict() for each in ("g(&q, i)", "m[i] + 1"))
    assert found["cycles"] == same["cycles"]


@pytest.mark.parametrize(("cast", "plain"), [  # bytes and words, the lowest byte first
    ("y[i] = ((unsigned char *)x)[i];", "y[i] = x[i / 4](i % 4 * 8 + 7, i % 4 * 8);"),
    ("unsigned char *p = (unsigned char *)&x[2]; y[i] = p[4 * i + 1];", "y[i] = x[i + 2](15, 8);"),
    ("y[i] = ((unsigned *)b)[i];", "y[i] = (b[4 * i + 3], b[4 * i + 2], b[4 * i + 1], b[4 * i]);"),
])  # fmt: skip
def test_an_array_is_seen_as_numbers_of_another_width(tmp_path: Path, cast: str, plain: str) -> None:
    text = "#include <ap_int.h>\nvoid f(ap_uint<32> x[64], ap_uint<8> b[64], int y[16]) {"
    text += "for (int i = 0; i < 16; i++) { %s } }"
    found, same = (scheduled(tmp_path, text % each).to_dict() for each in (cast, plain))
    assert (found["cycles"], iterations_of(found)) == (same["cycles"], iterations_of(same))


def iterations_of(found: dict[str, Any]) -> list[int]:
    return [loop["ii"] for loop in found["loops"]]


@pytest.mark.parametrize("place", [
    "g(x[i] * 2)", "h(x[i] * 2)", "*(unsigned *)&s.v[1]", "*(unsigned *)&t.w",
    "*reinterpret_cast<unsigned const *>(&r)",
])  # fmt: skip
def test_the_bits_of_a_number_are_wired_and_not_converted(tmp_path: Path, place: str) -> None:
    text = """struct S { float v[4]; }; struct T { float w; int k; };
static unsigned g(float v) { return *(unsigned *)&v; }
static unsigned h(float const &v) { return *(unsigned *)&v; }
void f(float x[64], unsigned z[64]) { for (int i = 0; i < 64; i++) {
  S s; T t; s.v[1] = t.w = x[i] * 2; float const &r = x[i] * 2; z[i] = %s; } }"""
    (nest,) = scheduled(tmp_path, text % place).kernels[0].machine.nests
    assert not [node.name for node in nest.body.graph.nodes if "integer" in node.name]


def test_a_struct_of_a_pointer_and_a_stream_is_handed_on(tmp_path: Path) -> None:
    text = """#include <hls_stream.h>
struct Context { int *data; hls::stream<int> *out; int n; };
static void put(Context c) { for (int i = 0; i < c.n; i++) c.out->write(c.data[i]); }
static void take(hls::stream<int> &s, int *y, int n) { for (int i = 0; i < n; i++) y[i] = s.read() + 1; }
void f(int x[64], int y[64]) {
#pragma HLS dataflow
  hls::stream<int> s; Context c = {x, &s, 64}; put(c); take(s, y, 64); }"""
    plain = text.replace("static void put(Context c)", "static void put(int *x, hls::stream<int> &s, int n)")
    plain = plain.replace("c.n; i++) c.out->write(c.data[i])", "n; i++) s.write(x[i])").replace(
        "put(c)", "put(x, s, 64)"
    )
    found, same = (scheduled(tmp_path, each) for each in (text, plain))
    assert iterations(found) == iterations(same) == [64, 64]
    assert abs(found.to_dict()["cycles"] - same.to_dict()["cycles"]) <= 1  # c.n is a number that the task is handed


def test_a_function_may_be_handed_words_as_bytes(tmp_path: Path) -> None:
    text = "static int sum(const unsigned char *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; "
    text += "return s; }\n"
    text += "void f(unsigned x[16], int y[1]) { y[0] = sum((unsigned char *)x, 64); }"
    (tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    found = schedule(tmp_path / "k.cpp")
    assert [each.program.name for each in found.kernels] == ["f"]
    assert (iterations(found), [row["ii"] for row in found.rows()]) == ([64], [1])


def test_a_function_that_is_called_like_such_a_form_is_none(tmp_path: Path) -> None:
    """It was called instead, in silence."""
    text = "static int sum(const char *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }\n"
    text += "static int sum_of_32_32(int *p, int n) { return 7; }\n"
    text += "void f(int x[16], int y[2]) { y[0] = sum((char *)x, 64); y[1] = sum_of_32_32(x, 3); }"
    with pytest.raises(InputError, match="takes 32 bits of 'x'"):
        scheduled(tmp_path, text)


def test_a_block_is_copied_as_bits(tmp_path: Path) -> None:
    text = (
        "#include <string.h>\nvoid f(float x[64], unsigned y[64]) { for (int i = 0; i < 64; i++) { float v = x[i] * 2; "
    )
    (nest,) = scheduled(tmp_path, text + "memcpy(&y[i], &v, 4); } }").kernels[0].machine.nests
    assert not [node.name for node in nest.body.graph.nodes if "integer" in node.name]


def test_a_block_of_other_elements_is_said(tmp_path: Path) -> None:
    text = "#include <string.h>\nvoid f(unsigned char b[256], unsigned y[64]) { memcpy(y, b, 256); }"
    assert "copies elements of 8 bits to elements of 32 bits" in str(scheduled(tmp_path, text).to_dict()["assumptions"])
    narrow = text.replace("memcpy(y, b", "memcpy(b, y")
    assert "accesses element" not in str(scheduled(tmp_path, narrow).to_dict())


def test_the_bytes_of_a_member_are_copied_as_one_number(tmp_path: Path) -> None:
    """Each byte was one of a member of its own: four of 'x', the last three of other structs."""
    head = "#include <string.h>\nstruct R { unsigned x, y; };\n"
    head += "void f(unsigned char b[256], unsigned y[64], const R t[64]) {"
    loop = " for (int i = 0; i < 64; i++) {\n#pragma HLS pipeline II=1\n%s } }"
    for copy in ("memcpy(b + i * 4, &t[i].x, 4);", "memcpy(&y[i], b + i * 4, 4);"):
        found = scheduled(tmp_path, head + loop % copy).to_dict()
        assert found["loops"][0]["ii"] == 2  # four bytes at two ports
        assert "accesses element" not in str(found)
    with pytest.raises(InputError, match="goes on behind member 'x', which has 4 bytes; copy each member by itself"):
        scheduled(tmp_path, head + loop % "memcpy(b + i * 4, &t[i].x, 8);")


def test_each_byte_of_a_copied_word_is_a_number_of_its_own(tmp_path: Path) -> None:
    """All were the same number, which left one compare of 16; of those copied back the first alone was used."""
    text = """#include <string.h>
#include <ap_int.h>
void f(ap_uint<128> x[64], ap_uint<128> y[64]) { for (int k = 0; k < 64; k++) { char t[16]; memcpy(t, x + k, 16);
  for (int i = 0; i < 16; i++) { if (t[i] >= 'a') t[i] -= 32; } memcpy(y + k, t, 16); } }"""
    (nest,) = scheduled(tmp_path, text).kernels[0].machine.nests
    assert [node.name for node in nest.body.graph.nodes].count("cmp") == 16


def test_bytes_are_no_struct(tmp_path: Path) -> None:
    """One byte was loaded for each struct of two numbers, and nothing said so."""
    text = (
        "#include <string.h>\nstruct R { unsigned x, y; };\nvoid f(R t[64], const char b[512]) { memcpy(t, b, 512); }"
    )
    with pytest.raises(InputError, match=r"k.cpp:3:\d+: 'memcpy.* copies elements of 8 bits to structs"):
        scheduled(tmp_path, text)


def test_a_block_that_begins_in_a_row_and_a_column_of_data_is_copied(tmp_path: Path) -> None:
    text = "#include <string.h>\nvoid f(char b[4][16], char y[64], int n) { %s }"
    bodies = ("memcpy(&b[n & 3][n & 7], y, 8);", "for (int i = 0; i < 8; i++) b[n & 3][(n & 7) + i] = y[i];")
    assert len({scheduled(tmp_path, text % each).to_dict()["cycles"] for each in bodies}) == 1


@pytest.mark.parametrize(("cast", "plain"), [
    ("y[i] = h[i].a + h[i].d;", "y[i] = x[4 * i] + x[4 * i + 3];"),
    ("y[i] = g((const H *)&x[4 * i]);", "y[i] = x[4 * i] + x[4 * i + 2];"),
    ("H k = *(const H *)&x[4 * i]; y[i] = k.b + k.c;", "y[i] = x[4 * i + 1] + x[4 * i + 2];"),
])  # fmt: skip
def test_structs_behind_a_pointer_to_words_are_their_words(tmp_path: Path, cast: str, plain: str) -> None:
    text = """struct H { unsigned a, b, c, d; }; static unsigned g(const H *p) { return p->a + p->c; }
void f(unsigned x[256], unsigned y[64]) { const H *h = (const H *)x; for (int i = 0; i < 64; i++) { %s } }"""
    found, same = (scheduled(tmp_path, text % each).to_dict() for each in (cast, plain))
    assert (found["cycles"], iterations_of(found)) == (same["cycles"], iterations_of(same))


def test_a_struct_over_other_numbers_is_refused(tmp_path: Path) -> None:
    text = "struct R { float a; unsigned n; }; void f(unsigned x[64], unsigned y[32]) { R *r = (R *)x; "
    with pytest.raises(InputError, match=r"k.cpp:1:\d+: 'r\[i\].n' takes elements of 'x' .* write the elements"):
        scheduled(tmp_path, text + "for (int i = 0; i < 32; i++) y[i] = r[i].n; }")


_RETURNS = """#define T(k) seen[k] += 1
static int prime(int seen[4], int n) { for (int i = 2; i < n; i++) { T(0); if (n %% i == 0) return 0; } return 1; }
static void until(int seen[4], int n) { for (int i = 0; i < 64; i++) { T(0); if (i == n) return; T(1); } }
static int log2_(int seen[4], int n) { int k = 0; while (true) { T(0); n /= 2; if (n == 0) return k; k++; } }
static int find(int seen[4], int x) { for (int i = 0; i < 30; i++) { T(0); if (x == i) return i; } return -1; }
void f(int seen[4], int x) { %s }"""


@pytest.mark.parametrize(("calls", "count"), [  # as g++ 12 counts them
    ("for (int i = 2; i < 60; i++) if (prime(seen, i)) T(3);", 470), ("until(seen, 20);", 21),
    ("for (int k = 1; k < 5; k++) until(seen, k * 10);", 104), ("T(log2_(seen, 1000) & 3);", 10),
    ("T(find(seen, 12) & 3);", 13), ("T(find(seen, x) & 3);", 30),
])  # fmt: skip
def test_a_return_that_numbers_decide_leaves_its_loop(
    tmp_path: Path, calls: str, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found = scheduled(tmp_path, _RETURNS % calls)
    assert sum(loop["iterations"] for loop in found.to_dict()["loops"] if loop["line"] < 6) == count
    assert ("runs to its end" in capsys.readouterr().err) == ("x)" in calls)


@pytest.mark.parametrize("behind", ["for (int i = 0; i < 4; i++) T(1); return 0;", "return g(seen);"])
def test_a_return_before_more_work_leaves_its_loop_at_the_end(
    tmp_path: Path, behind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What stands behind would have to wait for what is not known where the loop is left."""
    text = f"""#define T(k) seen[k] += 1
static int g(int seen[4]) {{ for (int i = 0; i < 4; i++) T(1); return seen[1]; }}
static int early(int seen[4], int n) {{ for (int i = 0; i < 64; i++) {{ T(0); if (i == n) return 1; }} {behind} }}
void f(int seen[4]) {{ T(early(seen, 20) & 3); }}"""
    assert sorted(iterations(scheduled(tmp_path, text))) == [4, 64]
    assert "runs to its end" in capsys.readouterr().err


def test_bursts_of_other_numbers_are_refused_with_a_remedy(tmp_path: Path) -> None:
    text = "#include <hls_burst_maxi.h>\nvoid f(hls::burst_maxi<int> x) { x.read_request_unaligned<char>(0, 4); }"
    with pytest.raises(
        InputError, match=r"k.cpp:2:\d+: hls::burst_maxi::read_request_unaligned .* the port's own type"
    ):
        scheduled(tmp_path, text)


def test_bytes_behind_a_pointer_that_moves_in_a_branch_are_refused(tmp_path: Path) -> None:
    """The move was left out, so that all code behind the branch had the bytes from before it, in silence."""
    text = "void f(int x[16], int y[4]) { char *p = (char *)x; if (y[3]) { y[1] = p[1]; p = p + 4; } y[2] = p[0]; }"
    with pytest.raises(InputError, match="takes 32 bits of 'x'"):
        scheduled(tmp_path, text)


@pytest.mark.parametrize("changed", ["k = 5;", "t[0] = 5;", "s.n = 5;", "next(k);"])
def test_bytes_behind_a_place_that_changes_are_refused(tmp_path: Path, changed: str) -> None:
    """They were those of the place that it is after the change, in silence."""
    first = "t[0]" if "t[0]" in changed else "s.n" if "s.n" in changed else "k"
    text = "struct S { int n; }; static void next(int &k) { k += 3; }\n"
    text += f"void f(int x[16], int y[4], int k, int t[4], S s) {{ char *p = (char *)&x[{first}]; %s y[0] = p[1]; }}"
    assert scheduled(tmp_path, text % "").to_dict()["cycles"] >= 1
    with pytest.raises(InputError, match="takes 32 bits of 'x'"):
        scheduled(tmp_path, text % changed)


def test_a_list_that_is_assigned_to_an_array_is_stored(tmp_path: Path) -> None:
    """It was taken for what the array has at time 0: its stores were lost."""
    before = "#include <array>\nvoid f(int y[64], int n) { std::array<int, 70> r = {1, 2}; y[0] = r[n]; r[n] = y[1]; "
    found = [
        scheduled(tmp_path, f"{before}{middle} y[2] = r[n + 1]; }}").to_dict()["cycles"]
        for middle in ("", "r = {5, 6};")
    ]
    assert found[1] > found[0] + 30
    first = "#include <array>\nvoid f(int y[64], int n) { std::array<int, 70> r; if (n > 3) r = {1, 2}; y[0] = r[n]; }"
    assert scheduled(tmp_path, first).to_dict()["cycles"] > 30  # data decides whether it is: not at time 0
