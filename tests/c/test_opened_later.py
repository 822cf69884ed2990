"""Forms of repositories that were opened last: each was refused, or read as something else than it says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ppnsim import schedule
from ppnsim.c.clang.library import STUBS
from ppnsim.errors import InputError
from ppnsim.hls.schedule.model import StateMachine


def machine(folder: Path, text: str, name: str = "k.cpp") -> StateMachine:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return schedule(path, function="k").kernels[0].machine


def intervals(folder: Path, text: str) -> list[int]:
    """Return the II of each loop, and hold that no directive is said to be in code that is not executed."""
    (folder / "k.cpp").write_text(text, encoding="utf-8")
    found = schedule(folder / "k.cpp", function="k").to_dict()
    assert "nothing is executed" not in str(found)
    return [each["ii"] for each in found["loops"]]


REDUCED = """
constexpr int half(int n) { int of = 1; while (of * 2 < n) of *= 2; return of; }
template <class T> class Add { public: T operator()(T a, T b) { return a + b; } };
template <class T, int N, class Op> T reduced(const T *x, Op op) {
    static constexpr int left_n = half(N), right_n = N - half(N) > 0 ? N - half(N) : 0;
    if (N == 1) {
        return x[0];
    } else if (N == 2) {
        return op(x[0], x[1]);
    } else {
        T left[left_n], right[right_n > 0 ? right_n : 1];
#pragma HLS array_partition variable=left complete
#pragma HLS array_partition variable=right complete
        for (int i = 0; i < left_n; i++) {
#pragma HLS unroll
            left[i] = x[i];
        }
        for (int i = 0; i < right_n; i++) {
#pragma HLS unroll
            right[i] = x[left_n + i];
        }
        return op(reduced<T, left_n, Op>(left, op), reduced<T, right_n, Op>(right, op));
    }
}
void k(const int in[8], int *out) {
#pragma HLS array_partition variable=in complete
#pragma HLS pipeline
    Add<int> add;
    *out = reduced<int, 8, Add<int>>(in, add);
}
"""


def test_a_tree_by_recursion_of_templates_is_the_sum_written_out(tmp_path: Path) -> None:
    head = (
        "void k(const int in[8], int *out) {\n#pragma HLS array_partition variable=in complete\n#pragma HLS pipeline\n"
    )
    pairs = "((in[0] + in[1]) + (in[2] + in[3])) + ((in[4] + in[5]) + (in[6] + in[7]))"
    tree, written = machine(tmp_path, REDUCED), machine(tmp_path, f"{head}*out = {pairs};\n}}\n")
    assert tree.cycles == written.cycles


@pytest.mark.parametrize("test", ["if (false) {\nreturn 0;\n} else {", "if (true) {"])
def test_directives_in_the_branch_that_is_taken_count(tmp_path: Path, test: str) -> None:
    body = "int held[64];\n#pragma HLS array_partition variable=held complete\n"
    body += "for (int i = 0; i < 64; i++) held[i] = x[i];\nint sum = 0;\n"
    body += "for (int i = 0; i < 60; i += 4) {\n#pragma HLS pipeline\n"
    body += "sum += held[i] + held[i + 1] + held[i + 2] + held[i + 3];\n}\nreturn sum;\n"
    text = f"int f(const int x[64]) {{\n{test}\n{body}}}\n}}\nvoid k(const int x[64], int *out) {{ *out = f(x); }}\n"
    assert intervals(tmp_path, text) == [1, 1]  # two ports of one memory: 2


def test_an_object_without_members_takes_no_time_to_hand_over(tmp_path: Path) -> None:
    adds = "template <class Op> int two(int a, int b, Op op) { return op(a, op(a, b)); }\n"
    of = "struct Add { int operator()(int a, int b) const { return a + b; } };\n"
    call = "void k(int a, int b, int *out) {{ {} }}\n"
    named = machine(tmp_path, of + adds + call.format("Add add; *out = two(a, b, add);")).cycles
    assert named == machine(tmp_path, of + adds + call.format("*out = two(a, b, Add());")).cycles
    assert named == machine(tmp_path, call.format("*out = a + (a + b);")).cycles


def test_a_function_that_a_condition_leaves_out_is_told_with_it(tmp_path: Path) -> None:
    work = "void work(int a[8]) { for (int i = 0; i < 8; i++) a[i]++; }\n"
    with pytest.raises(InputError, match=r"no function 'k' .*: '#ifndef __SYNTHESIS__' in line 2 leaves it out; name"):
        machine(tmp_path, f"{work}#ifndef __SYNTHESIS__\nvoid k(int a[8]) {{\nwork(a);\n}}\n#endif\n")


def test_a_header_of_types_without_a_guard_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "types.h").write_text("typedef struct { int of[4]; } four;\nvoid sum(four *x, int *out);\n", "utf-8")
    loop = "for (int i = 0; i < 4; i++) *out += x->of[i];"
    (tmp_path / "sum.c").write_text(f'#include "types.h"\nvoid sum(four *x, int *out) {{ {loop} }}\n', "utf-8")
    text = '#include "types.h"\nvoid k(four *x, int *out) { sum(x, out); }\n'
    assert machine(tmp_path, text, "k.c").nests[0].iterations == 4


def test_a_declaration_of_c_without_a_type_is_an_int(tmp_path: Path) -> None:
    of = "void k(int a, int *out) {{ static {}sum = 0; sum += a; *out = sum; }}\n"
    assert machine(tmp_path, of.format(""), "k.c").cycles == machine(tmp_path, of.format("int "), "k.c").cycles


CLASSES = """
template <int N> class Sum {
    int of[N];
  public:
    Sum();
    int add(int x, int weight = 2);
    static int twice(int x);
};
class Held {
    int value;
  public:
    Held(int x);
    int next();
};
"""
USES = """
void k(int a[16], int *out) {
    Sum<4> sum;
    Held held(3);
    for (int i = 0; i < 16; i++) *out = sum.add(a[i]) + Sum<4>::twice(i) + held.next();
}
"""
BODIES = """
template <int N> Sum<N>::Sum() {
#pragma HLS array_partition variable=of complete
    for (int i = 0; i < N; i++) of[i] = 0;
}
template <int N> int Sum<N>::add(int x, int weight) {
    int sum = x * weight;
    for (int i = 0; i < N; i++) sum += of[i];
    of[x & 3] = sum;
    return sum;
}
template <int N> int Sum<N>::twice(int x) { return 2 * x; }
Held::Held(int x) : value(x) {}
int Held::next() { return value = value * 3; }
"""


def test_methods_may_be_defined_behind_their_use_or_in_another_source(tmp_path: Path) -> None:
    before = machine(tmp_path, CLASSES + BODIES + USES)
    assert before.cycles == machine(tmp_path, CLASSES + USES + BODIES).cycles
    templates, of_class = BODIES[: BODIES.index("Held::")], BODIES[BODIES.index("Held::") :]
    (tmp_path / "held.h").write_text(f"#ifndef H\n#define H\n{CLASSES}#endif\n", "utf-8")
    (tmp_path / "held.cpp").write_text(f'#include "held.h"\n{of_class}', "utf-8")
    assert machine(tmp_path, f'#include "held.h"\n{templates}{USES}').cycles == before.cycles


def test_a_function_of_one_of_several_namespaces_is_found_in_its_own_source(tmp_path: Path) -> None:
    for name, count in (("first", 4), ("second", 9)):
        (tmp_path / f"{name}.h").write_text(f"namespace {name} {{ void put(int a[16]); }}\n", "utf-8")
        body = f"void {name}::put(int a[16]) {{ for (int i = 0; i < {count}; i++) a[i] = i; }}\n"
        (tmp_path / f"{name}.cpp").write_text(f'#include "{name}.h"\n{body}', "utf-8")
    text = '#include "first.h"\n#include "second.h"\nvoid k(int a[16]) { first::put(a); second::put(a); }\n'
    assert [nest.iterations for nest in machine(tmp_path, text).nests] == [4, 9]


def test_directives_name_what_their_own_source_calls_so(tmp_path: Path) -> None:
    """``static`` numbers and arrays of one name in two sources are two."""
    body = "static const int N = {1};\nstatic int held[64];\nvoid {0}(int a[64]) {{\nDIRECTIVE\n"
    body += "for (int i = 0; i < 16; i++) {{\n#pragma HLS unroll factor=N\na[i] = i;\n}}\n"
    body += "for (int i = 0; i < 64; i++) a[i] += held[i];\nfor (int i = 0; i < 16; i++)\n"
    body += "held[i] = held[i + 16] = held[i + 32] = held[i + 48] = a[i];\n}}\n"
    parted = "#pragma HLS array_partition variable=held complete"
    sources = {name: body.format(name, factor) for name, factor in (("first", 2), ("second", 8))}
    for name, text in sources.items():
        (tmp_path / f"{name}.cpp").write_text(text.replace("DIRECTIVE", parted if name == "second" else ""), "utf-8")
    text = "void first(int a[64]);\nvoid second(int a[64]);\nvoid k(int a[64]) { first(a); second(a); }\n"
    found = [(nest.iterations, nest.body.schedule.ii) for nest in machine(tmp_path, text).nests]
    assert found == [(8, 1), (64, 1), (16, 2), (2, 4), (64, 1), (16, 1)]


def test_a_reference_to_a_constant_of_another_type_is_to_a_converted_value(tmp_path: Path) -> None:
    text = """int power(const short int &exponent) {
    int result = 1;
    for (int i = 0; i < 32; i++) if (i < exponent) result *= 2;
    return result;
}
float half(const float &x) { return x * 0.5f; }
void k(unsigned char n, int m, int *out, float *of) { *out = power(n); *of = half(m); }
"""
    by_value = machine(tmp_path, text.replace("&exponent", "exponent").replace("&x", "x"))
    assert machine(tmp_path, text).cycles == by_value.cycles


def test_a_case_in_the_block_of_another_one_is_fallen_into(tmp_path: Path) -> None:
    text = """void k(int a[8], int b[8], int which) {
    switch (which) {
    case 0: {
        for (int i = 0; i < 8; i++) a[i] = i;
    case 1:
        for (int i = 0; i < 8; i++) b[i] = i * i;
        break;
    }
    case 2:
        for (int i = 0; i < 4; i++) a[i] = 2 * i;
    }
}
"""
    flat = text.replace("case 0: {", "case 0:").replace("break;\n    }", "break;")
    nested = machine(tmp_path, text)
    assert nested.cycles == machine(tmp_path, flat).cycles
    assert [nest.iterations for nest in nested.nests] == [nest.iterations for nest in machine(tmp_path, flat).nests]


IN_TURN = """static const int A[6] = {1, 2, 3, 4, 5, 6}, B[6] = {7, 9, 11, 13, 15, 17};
void k(int out[64]) {
    const int *p = A, *q = B;
    for (int j = 0; j < 6; j++) {
        for (int i = 0; i < p[j]; i++) out[i] += j;
        CHANGE
    }
}
"""
CHANGES = {
    "exchanged": "const int *t = p; p = q; q = t;",
    "by cases": "switch (j) { case 1: p = q; break; case 4: p = A; break; }",
    "by data": "if (j == 2) p = B; else if (j == 3) p = A;",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_pointer_to_arrays_in_turn_is_followed_as_a_compiler_has_it(tmp_path: Path, change: str) -> None:
    text = IN_TURN.replace("CHANGE", change)
    main = '#include <stdio.h>\nint main() { int out[64] = {0}; k(out); printf("%d", out[63]); }\n'
    counted = text.replace("out[i] += j;", "out[63]++;") + main
    (tmp_path / "v.cpp").write_text(counted, encoding="utf-8")
    subprocess.run(["g++", "-o", str(tmp_path / "v"), str(tmp_path / "v.cpp")], check=True)
    iterations = int(subprocess.run([str(tmp_path / "v")], check=True, capture_output=True, text=True).stdout)
    (tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    (loop,) = schedule(tmp_path / "k.cpp", function="k").to_dict()["loops"]
    assert (loop["visits"], loop["cycles"]) == (6, iterations + 6 * (loop["depth"] - 1))


def test_buffers_that_a_stencil_exchanges_are_accessed_as_in_branches_of_their_own(tmp_path: Path) -> None:
    head = "void k(int a[64], int b[64]) {\nint *p = a, *q = b;\nfor (int j = 0; j < 6; j++) {\n"
    head += "for (int i = 1; i < 63; i++) {\n#pragma HLS pipeline\n"
    step, ends = "{0}[i] = {1}[i] * 3 + {1}[i - 1];", "}\nint *t = p;\np = q;\nq = t;\n}\n}\n"
    own = f"if (j & 1) {step.format('b', 'a')} else {step.format('a', 'b')}\n"
    assert intervals(tmp_path, head + step.format("p", "q") + ends) == intervals(tmp_path, head + own + "}\n}\n}\n")


def test_a_pointer_that_steps_from_one_array_to_another_is_still_refused(tmp_path: Path) -> None:
    text = "void k(int n, int a[8], int b[8], int *out) {\nint *p = a;\n"
    text += "for (int i = 0; i < 8; i++) {\n*out += *p++;\nif (i == n) p = b;\n}\n}\n"
    with pytest.raises(InputError, match="'p' may point into 'a' or into 'b'"):
        machine(tmp_path, text)


GLOBAL = """int a[256];
int *p;
int next() { return *p++; }
int k(int n) {
int s = 0;
p = {start};
for (int i = 0; i < 256; i++) a[i] = n + i;
for (int i = 0; i < 256; i++) s += {element};
return s;
}
"""


@pytest.mark.parametrize(("start", "element"), [("a", "p[i]"), ("a", "next()"), ("a + n", "*p++")])
def test_a_global_pointer_is_the_array_to_which_code_sets_it(tmp_path: Path, start: str, element: str) -> None:
    found = machine(tmp_path, GLOBAL.replace("{start}", start).replace("{element}", element))
    direct = machine(tmp_path, GLOBAL.replace("{start}", "a").replace("{element}", "a[i]"))
    assert abs(found.cycles - direct.cycles) <= 2  # the second loop waits for the first one
    assert [nest.iterations for nest in found.nests] == [256, 256]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("p = a; s += *p; p = b; s += *p;", "'p' may point into 'a' or into 'b'"),
        ("s += p[n]; p = a;", "'p' is accessed before 'p = a' in the code"),
    ],
)
def test_a_global_pointer_to_arrays_that_are_not_known_is_refused(tmp_path: Path, code: str, words: str) -> None:
    text = f"int a[8], b[8];\nint *p;\nint k(int n) {{\nint s = 0;\n{code}\nreturn s;\n}}\n"
    with pytest.raises(InputError, match=words):
        machine(tmp_path, text)


def test_two_pointers_into_one_array_are_compared_by_their_subscripts(tmp_path: Path) -> None:
    text = "int k(int a[64], int n, int m) {{\n{0}\nreturn s;\n}}\n"
    by_place = "int *p = a, s = 0; for (int i = 0; i < n; i++) { if (p >= a + m) p = a; s += *p++; }"
    by_number = "int p = 0, s = 0; for (int i = 0; i < n; i++) { if (p >= m) p = 0; s += a[p++]; }"
    assert machine(tmp_path, text.format(by_place)).cycles == machine(tmp_path, text.format(by_number)).cycles
    with pytest.raises(InputError, match="'p < b' compares places in 'a' and in 'b'"):
        machine(tmp_path, "int k(int a[8], int b[8], int n) { int *p = a + n; if (p < b) p++; return *p; }")


def test_a_pointer_in_a_global_table_is_said_to_be_not_followed(tmp_path: Path) -> None:
    text = "int a[8];\nint *const all[2] = {a, a + 4};\nint k(int n) { return all[1][n & 3]; }\n"
    with pytest.raises(InputError, match=r"'all\[1\]' is a pointer of a table.*; name its array"):
        machine(tmp_path, text)


def test_the_value_that_the_calls_give_a_parameter_is_told(tmp_path: Path) -> None:
    text = "int k(int a[64], int t) { int s = 0; if (t > 0) for (int i = 0; i < 64; i++) s += a[i]; return s; }\n"
    (tmp_path / "k.c").write_text(f"{text}int main() {{ int a[64]; return k(a, 0); }}\n", encoding="utf-8")
    assert "'t' is 0, as in the calls of 'k'" in " ".join(schedule(tmp_path / "k.c", function="k").assumed)
    found = schedule(tmp_path / "k.c", function="k", settings={"t": 1})
    assert found.assumed == () and found.kernels[0].machine.cycles > 64


STARTED = """{outside}
int k(int n) {
{inside}
int s = 0;
for (int i = 0; i < 256; i++) a[i] = n + i;
for (int i = 0; i < 250; i++) s += {element};
return s;
}
"""


@pytest.mark.parametrize(
    ("outside", "inside", "element"),
    [
        ("int a[256];\nint *p = a;", "", "p[i]"),
        ("int a[256];\nint *p = &a[4];", "", "p[i]"),
        ("int a[256];\nint &p = a[4];", "", "p"),
        ("int a[256];\nint (&p)[256] = a;", "", "p[i]"),
        ("", "static int a[256]; static int *const p = a;", "p[i]"),
        ("", "static int a[256]; static int *p; p = a;", "p[i]"),
    ],
)
def test_a_pointer_that_lasts_is_the_place_of_its_declaration(
    tmp_path: Path, outside: str, inside: str, element: str
) -> None:
    text = STARTED.replace("{outside}", outside).replace("{inside}", inside).replace("{element}", element)
    found = machine(tmp_path, text)
    assert found.cycles > sum(nest.iterations for nest in found.nests)  # the second loop waits for the first one


def test_a_pointer_that_code_moves_from_the_place_of_its_declaration_is_refused(tmp_path: Path) -> None:
    text = STARTED.replace("{outside}", "int a[256];\nint *p = a;").replace("{inside}", "")
    with pytest.raises(InputError, match=r"'p' starts at 'a' and is changed later.*'p = a;'"):
        machine(tmp_path, text.replace("{element}", "*p++"))
    assert machine(tmp_path, text.replace("{element}", "*p++").replace("int s = 0;", "int s = 0;\np = a;")).cycles > 500


HELD = """#include <hls_stream.h>
template <int N> class View {
    int *data;
  public:
    View(int *port) { data = port; }
    int get(int i) { return data[i * N]; }
    void set(int i, int x) { data[i] = x; }
};
struct sink { hls::stream<int> *out; };
void begin(sink *to, hls::stream<int> &out) { to->out = &out; }
void k(int a[64], int b[64], hls::stream<int> &out) {
    View<2> from(a), to(b);
    sink last;
    begin(&last, out);
    for (int i = 0; i < 32; i++) {
#pragma HLS pipeline
        to.set(i, from.get(i) + 1);
        last.out->write(i);
    }
}
"""


def test_pointers_that_objects_hold_are_what_they_point_to(tmp_path: Path) -> None:
    direct = HELD.replace("to.set(i, from.get(i) + 1)", "b[i] = a[i * 2] + 1").replace("last.out->write", "out.write")
    assert machine(tmp_path, HELD).cycles == machine(tmp_path, direct).cycles == 33


def test_a_pointer_that_an_object_holds_to_two_arrays_is_refused(tmp_path: Path) -> None:
    text = "struct two { int *p; };\nvoid k(int c, int a[8], int b[8]) {\ntwo t;\nif (c) t.p = a; else t.p = b;\n"
    with pytest.raises(
        InputError, match=r"'t\.p' may point into 'a' or into 'b' after 't\.p = b'; use an object of its"
    ):
        machine(tmp_path, f"{text}t.p[c] = 1;\n}}\n")


def test_zeros_above_and_below_are_counted_as_compilers_do(tmp_path: Path) -> None:
    text = '#include "ap_int.h"\nint k(unsigned x) { return __builtin_clz(x) + __builtin_ctzll(x); }\n'
    assert machine(tmp_path, text).cycles <= 3
    values = """#include "ppnsim_bits.h"
#undef __builtin_clz
#undef __builtin_clzll
int main() {
    unsigned long long x = 1;
    for (int i = 0; i < 4000; i++, x = (x * 6364136223846793005ull + 1442695040888963407ull) >> (i % 3 * 16))
        if (x && (ppnsim_clzll(x) != __builtin_clzll(x) || 63 - ppnsim_clzll(x & -x) != __builtin_ffsll(x) - 1
            || ((unsigned)x && ppnsim_clz((unsigned)x) != __builtin_clz((unsigned)x)))) return 1;
    return ppnsim_clz(1) != 31 || ppnsim_clz(~0u) || ppnsim_clzll(1) != 63 || ppnsim_clzll(1ull << 32) != 31;
}
"""
    (tmp_path / "v.cpp").write_text(values, encoding="utf-8")
    words = ["g++", "-w", "-I", str(STUBS / "vendor"), "-o", str(tmp_path / "v"), str(tmp_path / "v.cpp")]
    subprocess.run(words, check=True)
    assert subprocess.run([str(tmp_path / "v")], check=False).returncode == 0


@pytest.mark.parametrize("behind", ["n1.next->v", "(*n1.next).v"])
def test_a_struct_behind_a_pointer_in_an_object_is_refused(tmp_path: Path, behind: str) -> None:
    """It was a KeyError."""
    structs = "struct N { int v; N *next; };\nN n2 = {2, 0};\nN n1 = {1, &n2};\n"
    text = f"{structs}void k(int a[8]) {{ for (int i = 0; i < 8; i++) a[i] += {behind}; }}\n"
    with pytest.raises(InputError, match=r"'n1\.next' is a pointer in an array or an object"):
        machine(tmp_path, text)


def test_a_global_without_a_size_is_no_argument(tmp_path: Path) -> None:
    """It was a wire of the flow for IPs: as many elements in a state as the code asks for (R6.25, R6.26)."""
    text = "extern int m[];\nvoid k(int a[8]) { for (int i = 0; i < 8; i++) a[i] = m[i] + m[i + 1]; }\n"
    with pytest.raises(InputError, match="does not say how many elements there are; declare it with its size, int m"):
        machine(tmp_path, text)
