"""Forms of repositories that were opened last: each was refused, or read as something else than it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim import schedule
from ppnsim.errors import InputError
from ppnsim.hls.schedule.model import StateMachine


def machine(folder: Path, text: str, name: str = "k.cpp") -> StateMachine:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return schedule(path, function="k").kernels[0].machine


def intervals(folder: Path, text: str) -> list[int]:
    """Return the II of each loop, and hold that no directive is said to be in a branch that is never taken."""
    (folder / "k.cpp").write_text(text, encoding="utf-8")
    found = schedule(folder / "k.cpp", function="k").to_dict()
    assert "never taken" not in str(found)
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
