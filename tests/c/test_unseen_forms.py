"""Forms of sources that nobody here had seen: what they compute is what g++ makes of the same text."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import ppnsim
from ppnsim.c.clang.cmake_headers import configured
from ppnsim.c.clang.nearby import headers_named
from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.hls.structure.members import without_structs
from ppnsim.library.schedule import schedule
from ppnsim.loops.program import LoopProgram
from tests.c.test_frontend import Memory, execute


def lowered(folder: Path, text: str, name: str = "k.cpp") -> LoopProgram:
    (folder / name).write_text(text, encoding="utf-8")
    (program,) = load_programs(str(folder / name), function="k", policy=HARDWARE)
    return without_structs(program)


def shown(program: LoopProgram) -> list[str]:
    return [f"{', '.join(map(str, s.writes))} < {', '.join(map(str, s.reads))}" for s in program.statements()]


EVENTS = """
#include <utility>
struct event { int kind; int id; event() {} event(int t, int i) : kind(t), id(i * 3) {} };
struct inner { event e; int port; };
struct longer : public event {
  int more;
  longer() {}
  longer(const event &e) : event(e.kind + 1, e.id) {}
  longer(int w) : longer(event(w, w)) { more = w; }
  longer(const event &e, int m) : event(e), more(m) {}
};
struct aged { int n = 3, m = n + 2, o; aged(int v) : o(v * m) {} };
struct part { int p; int q = 7; int r[3] = {1, 2, 3}; };
struct whole { part x; int y; };
struct heir : public longer { using longer::longer; int h = 4; };
static event cut(longer x) { return x; }
struct duo { int u, v; };
static int plus(const int &x, int &&y) { return 2 * x + y; }
template <class t> int plus_one(t &&x) { return std::forward<t>(x) + 1; }
template <class... t> struct counts { static constexpr int n = sizeof...(t) + 1; };
template <int n> struct lowest { int low, high; void put(int x) { low = x; high = x * n; } };
template <int n, class t> struct middle : public lowest<n + 1> { t mid; };
template <int n> struct top : private middle<n, int> {
  using lowest<n + 1>::low;
  int set(int x) { this->mid = x + 1; low = 4; lowest<n + 1>::put(x); return this->high - this->mid; }
};
template <class t, unsigned char n> t steps(int x) { if (n == 1) return x; else return steps<t, t(n - 1)>(x + n); }
template <class t> class list { public: t p[3]; int size; list() { size = 2; p[1] = 0; } void add(t v) { p[1] = v; } };
struct board { int id = 6; list<int> open; };
template <int n> struct tripled { static const int m = n * 3; };
void k(int a[8], int b[8], int c[8]) {
  for (int i = 0; i < 8; i++) { BODY }
}
"""
BODIES = {
    "an initialiser of a base class": "longer y(event(a[i], 7)); b[i] = y.id + y.kind;",
    "a constructor that calls another one": "longer y(a[i] + 2); b[i] = y.id * y.more; c[i] = y.kind;",
    "a copy of a base class": "longer z(event(1, a[i]), 9); b[i] = z.id + 2 * z.more; c[i] = z.kind;",
    "an object as one of its base class": "longer z(event(a[i], i), 9); event e = cut(z); b[i] = e.id + e.kind;",
    "a struct in a struct, whole": "inner n, m; n.e.kind = a[i]; n.e.id = i; n.port = 1; m = n; event e = m.e; "
    "b[i] = e.kind + e.id;",
    "a long array of which a list names some": "int t[1030] = {a[i], 7}; t[i + 1] += 5; b[i] = t[0] + t[1] + t[i + 1]; "
    "c[i] = t[1029] + t[i];",
    "values of a class, in their order": "aged y(a[i]); b[i] = y.o; c[i] = y.m + y.n;",
    "values that braces leave out": "part y{a[i]}; whole w{{i}, 5}; b[i] = y.p + y.q * y.r[1]; "
    "c[i] = w.x.q * w.y + w.x.p;",
    "a constructor that is inherited": "heir y(a[i] + 2); b[i] = y.id * y.h + y.more;",
    "a value that a lambda captures": "auto f = [n = a[i] + 1](int v) { return v * n; }; b[i] = f(i);",
    "a pointer that counts": "int s = 0; for (int *p = a + 2; p < a + i; p++) s += *p; b[i] = s;",
    "a pointer behind its loop": "int s = 0, *p; for (p = a; p != &a[5]; ++p) s += p[i % 3]; b[i] = s + *p;",
    "names of the parts of an object": "auto [p, q] = cut(longer(a[i] + 2)); b[i] = p; c[i] = q + p;",
    "names of the parts of an element": "duo n[2] = {{a[i], 3}, {4, 5}}; auto &[p, q] = n[i % 2]; q += p; "
    "b[i] = n[0].v; c[i] = n[1].v;",
    "an object without a name, assigned": "duo p; p = duo{a[i], i}; b[i] = p.u - p.v; duo r[2]; r[i & 1] = {i, a[i]}; "
    "c[i] = r[i & 1].v;",
    "computed numbers for references": "b[i] = plus(-1, -a[i]); c[i] = plus(a[i] + 1, -i);",
    "arguments handed on": "b[i] = plus_one(a[i]) + plus_one(i * 2); c[i] = std::move(a[i]);",
    "constants of class templates": "for (int j = 0; j < counts<int, int>::n; j++) b[i] += a[j]; c[i] = tripled<2>::m;",
    "bases that templates make": "top<3> t; b[i] = t.set(a[i]); c[i] = t.low; middle<2, short> m; m.put(i); "
    "c[i] += m.high;",
    "instances up to one that calls no further one": "b[i] = steps<unsigned char, 4>(a[i]);",
    "a part that a template makes and braces leave out": "board d{}; d.open.add(a[i]); b[i] = d.open.p[1] * d.id; "
    "c[i] = d.open.size;",
    "commas between statements": "int s, t; s = a[i], t = 2 * s; b[i] = t, c[i] = s;",
}  # fmt: skip


@pytest.mark.skipif(not shutil.which("g++"), reason="the programs are held against what g++ makes of them")
@pytest.mark.parametrize("name", BODIES)
def test_objects_have_the_values_that_the_compiler_gives_them(name: str, tmp_path: Path) -> None:
    text = EVENTS.replace("BODY", BODIES[name])
    main = """#include <cstdio>
int main() { int a[8], b[8] = {0}, c[8] = {0}; for (int i = 0; i < 8; i++) a[i] = 5 * i - 9;
  k(a, b, c); for (int i = 0; i < 8; i++) printf("%d %d ", b[i], c[i]); }
"""
    program = lowered(tmp_path, text)
    (tmp_path / "main.cpp").write_text(text + main, encoding="utf-8")
    subprocess.run(["g++", "-w", "-O0", "-o", str(tmp_path / "k"), str(tmp_path / "main.cpp")], check=True)
    expected = subprocess.run([str(tmp_path / "k")], capture_output=True, check=True, text=True).stdout.split()
    memory: Memory = {("a", (i,)): 5 * i - 9 for i in range(8)}
    memory |= {(array, (i,)): 0 for array in "bc" for i in range(8)}
    execute(program.body, memory, {})
    assert [memory[array, (i,)] for i in range(8) for array in "bc"] == [int(each) for each in expected]


def test_a_long_initialiser_list_takes_the_cycles_of_the_loop_that_it_stands_for(tmp_path: Path) -> None:
    text = "void k(int a[8]) {{ for (int i = 0; i < 8; i++) {{ int t[2000]{}; t[i + 3] += a[i]; a[i] = t[i]; }} }}"
    by_list, by_loop = " = {i, 7}", "; for (int j = 0; j < 2000; j++) t[j] = 0; t[0] = i; t[1] = 7"
    cycles = []
    for each in (by_list, by_loop):
        (tmp_path / "k.cpp").write_text(text.format(each))
        cycles.append(ppnsim.schedule(tmp_path / "k.cpp").kernels[0].machine.cycles)
    assert cycles[0] == cycles[1] > 8 * 2000


@pytest.mark.parametrize(
    ("text", "value"),
    [('ap_uint<5>("0", 10)', 0), ('ap_uint<8>("ff", 16)', 255), ('ap_uint<4>("0x1f")', 15), ('ap_int<4>("-3")', -3),
     ('ap_int<4>("1101", 2)', -3)],
)  # fmt: skip
def test_a_number_that_is_written_as_text_is_that_number(text: str, value: int, tmp_path: Path) -> None:
    program = lowered(tmp_path, f"#include <ap_int.h>\nvoid k(int a[4]) {{ a[0] = {text}; }}")
    (statement,) = program.statements()
    assert statement.value is not None
    assert [each.text for each in statement.value.walk() if each.kind == "constant"] == [str(value)]


@pytest.mark.parametrize("text", ["0.5493", "-.25", "3", "1e-3"])
def test_a_fixed_point_number_that_is_written_as_text_is_that_number(text: str, tmp_path: Path) -> None:
    head = "#include <ap_fixed.h>\nvoid k(ap_fixed<16, 4> a[4]) "
    written = [lowered(tmp_path, f"{head}{{ a[0] = ap_fixed<16, 4>({each}); }}") for each in (f'"{text}"', text)]
    values = [[float(each.text) for each in p.statements()[0].value.walk() if each.kind == "constant"] for p in written]  # type: ignore[union-attr]
    assert values[0] == values[1] or values == [[float(text)], [-float(text)]]  # a sign of its own


@pytest.mark.parametrize(("name", "head"), [("k.cpp", "#include <cstddef>"), ("k.c", "#include <stddef.h>")])
@pytest.mark.parametrize("test", ["p", "p != NULL", "NULL == p || n > 3", "!p", "n && p"])
def test_whether_a_pointer_is_null_is_data(test: str, name: str, head: str, tmp_path: Path) -> None:
    text = (
        f"{head}\nvoid k(int *p, int n, int b[8]) {{ if ({test}) b[0] = 1; for (int i = 0; i < 8; i++) b[i] += p[i]; }}"
    )
    program = lowered(tmp_path, text, name)
    assert "address of p" in shown(program)[0]
    assert shown(program)[1:] == ["b[0] < ", "b[i] < b[i], p[i]"]


def test_commas_between_numbers_of_any_width_are_statements_not_a_concatenation(tmp_path: Path) -> None:
    text = "#include <ap_int.h>\nvoid k(ap_uint<9> h[4]) { h[0] = 1, h[1] = 2; ap_uint<9> i, j; "
    text += "for (i = 0, j = 2; i < 2; i++, j++) h[j] = 3; }"
    assert shown(lowered(tmp_path, text)) == ["h[0] < ", "h[1] < ", "j < ", "h[?] < j", "j < j"]


def test_a_function_that_sets_bits_of_a_number_changes_it(tmp_path: Path) -> None:
    """It was taken to leave the number as it is, which stood for its value then."""
    text = """#include <ap_int.h>
static void set(ap_uint<64> &d, char *m) { for (int i = 0; i < 8; i++) d(8 * i + 7, 8 * i) = (ap_uint<8>)m[i]; }
void k(char *m, ap_uint<64> *out) { ap_uint<64> d; d = 0; set(d, m); out[0] = d; }"""
    assert shown(lowered(tmp_path, text)) == ["d < ", "d < d, m[i]", "out[0] < d"]


def test_tests_of_the_compiler_s_own_are_operators_in_c(tmp_path: Path) -> None:
    text = "#include <math.h>\nint k(float a[8]) { int s = 0; "
    text += "for (int i = 0; i < 8; i++) s += isnan(a[i]) + isinf(a[i]); return s; }"
    calls = [op.text for s in lowered(tmp_path, text, "k.c").statements() if s.value for op in s.value.walk()]
    assert "__builtin_isnan" in calls


def test_the_name_of_a_function_may_be_a_macro(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text("#define TOP scale\nvoid TOP(int a[8]) { for (int i = 0; i < 8; i++) a[i] *= 3; }\n")
    assert [each.name for each in load_programs(str(tmp_path / "k.c"), function="TOP", policy=HARDWARE)] == ["scale"]


# -- headers


def test_a_header_is_looked_for_further_up_where_its_name_or_its_folder_says_so(tmp_path: Path) -> None:
    (deep := tmp_path / "a" / "b" / "c" / "d").mkdir(parents=True)
    for folder in ("lib/metal", "own/include", "own/other"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("lib/metal/stream.h", "own/include/far.h", "own/other/near.h", "lib/Letters.h"):
        (tmp_path / file).write_text("#define N 8\n")
    source = str(deep / "k.c")
    assert headers_named("metal/stream.h", source) == [tmp_path / "lib/metal/stream.h"]
    assert headers_named("far.h", source) == [tmp_path / "own/include/far.h"]
    assert headers_named("near.h", source) == []
    assert headers_named("near.h", str(tmp_path / "a" / "k.c")) == [tmp_path / "own/other/near.h"]
    (tmp_path / "a" / ".git").mkdir()
    assert headers_named("far.h", source) == []  # of another repository


def test_the_only_header_of_its_name_in_a_repository_is_found_from_anywhere_in_it(tmp_path: Path) -> None:
    source = tmp_path / "bnn" / "src" / "network" / "cnv" / "hw" / "k.c"
    (tmp_path / ".git").mkdir()
    source.parent.mkdir(parents=True)
    for folder in ("library", "older"):
        (tmp_path / "bnn" / "src" / folder).mkdir()
    (tmp_path / "bnn" / "src" / "library" / "lib.h").write_text("#define N 8\n")
    assert headers_named("lib.h", str(source)) == [tmp_path / "bnn/src/library/lib.h"]
    (tmp_path / "bnn" / "src" / "older" / "lib.h").write_text("#define N 9\n")
    assert headers_named("lib.h", str(source)) == []


def test_headers_with_the_same_text_are_one_and_letters_may_be_others(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "sizes.h").write_text("#define N 8\n")
    assert headers_named("sizes.h", str(tmp_path / "k.c")) == [tmp_path / "one/sizes.h"]
    (tmp_path / "two" / "sizes.h").write_text("#define N 9\n")
    assert len(headers_named("sizes.h", str(tmp_path / "k.c"))) == 2
    (tmp_path / "Other.h").write_text("#define M 4\n")
    program = lowered(tmp_path, '#include "other.h"\nvoid k(int a[M]) { for (int i = 0; i < M; i++) a[i] = 0; }')
    assert [array.shape for array in program.arrays] == [(4,)]


@pytest.mark.parametrize(
    "whole",
    [
        "C:\\Users\\me\\app\\weights\\sizes.h",
        "/home/me/app/weights/sizes.h",
        "weights\\\\sizes.h",
        "..\\weights\\sizes.h",
    ],
)
def test_a_whole_path_of_another_machine_means_the_file_with_its_last_folders(tmp_path: Path, whole: str) -> None:
    for folder, size in (("weights", 8), ("other", 9)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "sizes.h").write_text(f"#define N {size}\n")
    program = lowered(tmp_path, f'#include "{whole}"\nvoid k(int a[N]) {{ for (int i = 0; i < N; i++) a[i] = 0; }}')
    assert [array.shape for array in program.arrays] == [(8,)]


PROJECT = """
project(k)
set(LANES 4 CACHE STRING "lanes (of a word)")
set(WIDTH 32)  # bits
option(FAST "quick" ON)
option(SLOW "slow")
if (BIG)
  set(DEPTH 64)
endif()
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/sizes.h.in sizes.h)
"""


def test_a_header_that_a_project_makes_has_the_values_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    template = tmp_path / "sizes.h.in"
    template.write_text(
        "#define N ${LANES}\n#define W @WIDTH@\n#cmakedefine FAST 1\n#cmakedefine SLOW\n#cmakedefine01 SLOW\n"
    )
    text, values = configured(template)
    assert text == "#define N 4\n#define W 32\n#define FAST 1\n/* #undef SLOW */\n#define SLOW 0\n"
    assert values == {"LANES": "4", "WIDTH": "32", "FAST": "ON", "SLOW": "OFF"}
    kernel = '#include "sizes.h"\nvoid k(int a[N]) { for (int i = 0; i < N; i++) a[i] = W; }'
    assert [array.shape for array in lowered(tmp_path, kernel).arrays] == [(4,)]
    template.write_text("#define N ${LANES}\n#define W 1\n#ifdef OLD\nvoid f(int a[N]);\n#endif\n")
    with pytest.raises(InputError, match="no function 'f' with a body"):
        load_programs(
            str(tmp_path / "k.cpp"), function="f", policy=HARDWARE
        )  # what is left out of it stands in no file
    template.write_text("#define N ${LANES}\n#define D ${DEPTH}\n")  # a condition decides
    with pytest.raises(InputError, match=r"k\.cpp:1:10: header 'sizes\.h' .* no constant values \(DEPTH\)"):
        lowered(tmp_path, kernel)
    (tmp_path / "CMakeLists.txt").write_text("project(k)\n")
    assert configured(template)[0] == ""


@pytest.mark.parametrize(
    "sets",
    [
        "set(n);",
        "if (a[0]) n = 40; else n = 20;",
        "[&] { n = 40; }();",
        "bits(n);",
        "n.range(5, 3) = 5;",
        "n(7, 3) = 5;",
    ],
)
def test_a_bound_that_somebody_sets_is_no_constant(sets: str, tmp_path: Path) -> None:
    lines = (
        "#include <ap_int.h>", "static void set(ap_uint<8> &d) { d = 40; }",
        "static void bits(ap_uint<8> &d) { d(7, 0) = 40; }",
        f"void k(int a[64]) {{ ap_uint<8> n = 0; {sets} for (int i = 0; i < n; i++) a[i] += 3; }}",
    )  # fmt: skip
    (file := tmp_path / "k.cpp").write_text("\n".join(lines) + "\n")
    assert schedule(file).kernels[0].machine.cycles > 10


@pytest.mark.parametrize("sets", ["set(q[1]);", "int &r = q[1]; r = 20;"])
def test_an_element_that_a_reference_sets_is_no_number_of_a_table(sets: str, tmp_path: Path) -> None:
    body = f"int q[2] = {{3, 4}}; {sets} int n = q[1]; for (int i = 0; i < n; i++) a[i] += 3;"
    text = f"static void set(int &d) {{ d = 20; }}\nvoid k(int a[64]) {{ {body} }}\n"
    (file := tmp_path / "k.cpp").write_text(text)
    assert schedule(file).kernels[0].machine.cycles > 10


@pytest.mark.parametrize(
    "moved",
    [
        "for (int i = 0; i < 40; i++) t += *b++;",
        "for (int *p = b; p < b + 40; p++) t += *p;",
        "for (int *p = b; p != &b[40]; ++p) t += p[0];",
        "int *p; for (p = b; p < b + n; p++) t += *p; p = b;",
    ],
)
def test_a_pointer_that_steps_through_an_array_is_a_number(moved: str, tmp_path: Path) -> None:
    named = "for (int i = 0; i < 40; i++) t += b[i];"
    cycles = []
    for each in (moved, named):
        (file := tmp_path / "k.cpp").write_text(f"int k(int b[64], int n) {{ int t = 0; {each} return t; }}\n")
        cycles.append(schedule(file, settings={"n": 40}).kernels[0].machine.cycles)
    assert cycles[0] == cycles[1]


def test_a_loop_that_moves_a_pointer_otherwise_says_how_to_write_it(tmp_path: Path) -> None:
    (file := tmp_path / "k.cpp").write_text("void k(int b[64]) { for (int *p = b + 40; p > b; p--) *p = 2; }\n")
    with pytest.raises(InputError, match=r"'p' is a pointer .* write for \(int i = 0; i < n; i\+\+\) and a\[i\]"):
        schedule(file)


def test_a_pointer_that_moves_has_moved_from_its_first_use_on(tmp_path: Path) -> None:
    ports = "\n#pragma HLS interface m_axi port=b\n"
    lines = (
        f"int moved(int *b, int n) {{{ports} int t = 0; for (int i = 0; i < n; i++) t += *b++; return t; }}",
        f"int named(int *b, int n) {{{ports} int t = 0; for (int i = 0; i < n; i++) t += b[i]; return t; }}",
    )
    (file := tmp_path / "k.cpp").write_text("\n".join(lines) + "\n")
    moved, named = (
        schedule(file, function=each, settings={"n": 40}).kernels[0].machine.cycles for each in ("moved", "named")
    )
    assert abs(moved - named) <= 1


def test_a_step_that_reads_what_has_stepped_is_refused_in_its_function_alone(tmp_path: Path) -> None:
    lines = (
        "void k(int a[64], int b[64]) { for (int i = 0; i < 40; i++, b[i] += 1) a[i] += b[i]; }",
        "int g; int read(int b[64]) { return b[g]; }",
        "void by_call(int a[64], int b[64]) { int s = 0; for (g = 0; g < 40; g++, s += read(b)) a[g] += s; }",
        "void sets(int a[64], int b[64]) { int s = 1; for (int i = 0; i < 40; i += s, s = 2) a[i] += b[i]; }",
        "void right(int a[64], int b[64]) { for (int i = 0; i < 40; b[i] += 1, i++) a[i] += b[i]; }",
    )
    (file := tmp_path / "k.cpp").write_text("\n".join(lines) + "\n")
    for function in ("k", "by_call", "sets"):
        with pytest.raises(InputError, match=r"behind the step in the head of a loop .* is not followed"):
            schedule(file, function=function)
    assert schedule(file, function="right").kernels[0].machine.cycles == 41


def test_a_class_of_a_template_has_the_members_of_its_base(tmp_path: Path) -> None:
    lines = (
        "struct Plain { int n; };", "template <int K> struct Made : Plain { int m; Made() : m(2) {} };",
        "void k(int a[64]) { Made<20> o; o.n = 3; for (int i = 0; i < 40; i++) a[i] += o.n; }",
    )  # fmt: skip
    (file := tmp_path / "k.cpp").write_text("\n".join(lines) + "\n")
    assert schedule(file).kernels[0].machine.cycles == 41


def test_the_first_member_of_a_union_may_be_named(tmp_path: Path) -> None:
    body = "{ union { int s; unsigned u; } const v = {NAMED a[i]}; b[i] = v.u + 1; }"
    text = f"void k(int a[8], int b[8]) {{ for (int i = 0; i < 8; i++) {body} }}"
    named, plain = (lowered(tmp_path, text.replace("NAMED", name)) for name in (".s =", ""))
    assert shown(named) == shown(plain) and len(shown(named)) == 2
    with pytest.raises(InputError, match="a later member of a union"):
        lowered(tmp_path, text.replace("NAMED", ".u ="))


def test_a_function_may_return_what_it_read_from_as_a_truth(tmp_path: Path) -> None:
    """As compilers before C++11 read it."""
    text = "#include <istream>\nbool scan(std::istream &in, int &x) { return in >> x; }\n"
    assert len(shown(lowered(tmp_path, text + "void k(int a[8]) { for (int i = 0; i < 8; i++) a[i] = i; }"))) == 1
