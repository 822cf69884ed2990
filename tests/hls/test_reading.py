"""C++ of high-level synthesis as read for scheduling: functions opened, data deciding, bits, structs, templates."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ppnsim.c.load import load_kernels, load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.library.schedule import schedule
from ppnsim.loops.program import Guard, Loop, LoopProgram
from tests.helpers.hls_sources import loops_of, nest_of, schedule_of, written

HEADERS = '#include "ap_int.h"\n#include "ap_fixed.h"\n#include "hls_math.h"\n#include <string.h>\n'
EACH = "for (int i = 0; i < 64; i++) {{ {0} }}"


def read(folder: Path, body: str, arguments: str = "int a[64], int b[64]", before: str = "") -> LoopProgram:
    path = written(folder, f"{HEADERS}{before}\nvoid k({arguments}) {{\n{body}\n}}\n")
    (program,) = load_programs(str(path), function="k", policy=HARDWARE)
    return program


def kernel(folder: Path, body: str, arguments: str = "int a[64], int b[64]", before: str = "") -> StateMachine:
    return schedule_of(written(folder, f"{HEADERS}{before}\nvoid k({arguments}) {{\n{body}\n}}\n"), "k")


def operators(machine: StateMachine) -> Counter[str]:
    return Counter(n.name for n in nest_of(machine).body.graph.nodes if n.kind == "op" and n.wide is not None)


# -- functions --------------------------------------------------------------------------------------------------------


def test_functions_in_expressions_are_opened(tmp_path: Path) -> None:
    before = """namespace math {
    constexpr int BIAS = 3;
    template <typename T> T square(const T &x) { return x * x; }
    static inline int biased(int x) { int y = square(x); y += BIAS; return y; }
    }
    using namespace math;"""
    assert operators(kernel(tmp_path, EACH.format("b[i] = biased(a[i]) - math::square(b[i]);"), before=before)) == {
        "mul": 2, "add": 2,
    }  # fmt: skip


def test_a_function_that_gives_a_subscript_is_seen_through(tmp_path: Path) -> None:
    before = "static int at(int row, int column) { return row * 8 + column; }"
    body = "for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) b[at(i, j)] = a[at(j, i)];"
    (statement,) = read(tmp_path, body, before=before).statements()
    assert [str(each) for each in (*statement.writes, *statement.reads)] == ["b[8*i + j]", "a[8*j + i]"]


def test_returns_from_several_places_are_choices(tmp_path: Path) -> None:
    before = """static int clip(int x) {
        if (x < 0) { return 0; }
        if (x > 255) return 255;
        return x; }"""
    # A comparison, the bit of the sign (R2.19), and a multiplexer less than there are returns.
    assert operators(kernel(tmp_path, EACH.format("b[i] = clip(a[i]);"), before=before)) == {"cmp": 1, "select": 2}


def test_a_kernel_may_return_early(tmp_path: Path) -> None:
    body = "if (n == 7) return 1;\nfor (int i = 0; i < 4; i++) {\n#pragma HLS unroll\nb[i] = a[i]; }\nreturn a[9];"
    path = written(tmp_path, f"int k(int a[64], int b[64], int n) {{\n{body}\n}}")
    machine = schedule_of(path, "k")
    assert machine.cycles > 0
    inside = "int k(int a[9]) { for (int i = 0; i < 9; i++) if (a[i]) return i; return 9; }"
    assert [nest.iterations for nest in schedule_of(written(tmp_path, inside), "k").nests] == [9]


def test_references_are_the_variables_that_they_are_bound_to(tmp_path: Path) -> None:
    before = "static void swap(int &x, int &y) { int t = x; x = y; y = t; }"
    found = read(tmp_path, EACH.format("swap(a[i], b[63 - i]);"), before=before).statements()
    assert [str(statement.writes[0]) for statement in found] == ["t", "a[i]", "b[-i + 63]"]


def test_a_value_that_is_handed_over_is_computed_once(tmp_path: Path) -> None:
    before = "static int both(const int &x) { return x * x + x; }"
    assert operators(kernel(tmp_path, EACH.format("b[i] = both(a[i] / 3);"), before=before))["div"] == 0
    assert operators(kernel(tmp_path, EACH.format("b[i] = both(a[i] / b[i]);"), before=before))["div"] == 1


# -- what data decides ------------------------------------------------------------------------------------------------


def test_both_branches_are_executed_and_multiplexers_choose(tmp_path: Path) -> None:
    body = EACH.format("int x = a[i]; int y = 1; if (x > 3) { x = x + 5; y = x * x; } else { y = x; } b[i] = x + y;")
    # Inside the branch x is what it has been given there: the product does not wait for a multiplexer.
    machine = kernel(tmp_path, body)
    assert operators(machine) == {"cmp": 1, "add": 2, "mul": 1, "select": 2}
    nodes = nest_of(machine).body.graph.nodes
    (product,) = [n for n in nodes if n.kind == "op" and n.name == "mul"]
    assert {nodes[operand].name for operand in product.operands} == {"add"}


def test_a_variable_of_a_branch_is_no_recurrence(tmp_path: Path) -> None:
    body = EACH.format("if (a[i] > b[i]) { int t = a[i] * 3; b[i] = t / 5; }")
    assert loops_of(kernel(tmp_path, body))[0][1:3] == (1, "one per cycle")


def test_a_variable_that_is_written_only_sometimes_is_one(tmp_path: Path) -> None:
    body = f"double last = 0;\n{EACH.format('if (a[i] > 3) last = last + a[i]; b[i] = last;')}"
    assert loops_of(kernel(tmp_path, body))[0][1:3] == (8, "recurrence through last")  # an adder of 7 and a multiplexer


def test_a_store_that_data_decides_on_waits_for_it(tmp_path: Path) -> None:
    depths = [
        loops_of(kernel(tmp_path, EACH.format(f"c[i] = 0; {word} b[i] = 1;"), "int a[64], int b[64], int c[64]"))[0][3]
        for word in ("", "if (a[i] / a[63 - i] > 2)")
    ]
    assert depths[0] == 2
    assert depths[1] > 36


def test_conditions_of_iterators_beside_data_stay_known(tmp_path: Path) -> None:
    (loop,) = read(tmp_path, EACH.format("if (i > 3 && a[i] > 2 && i < 60) b[i] = 1;")).body
    assert isinstance(loop, Loop)
    (guard,) = loop.body
    assert isinstance(guard, Guard)
    assert "'i'" in str(guard.condition)
    test, inner = guard.body
    assert isinstance(inner, Guard)
    assert "if@" in str(inner.condition)
    del test


def test_loops_run_as_often_as_the_vendors_pragma_says(tmp_path: Path) -> None:
    body = """for (int i = 0; i < 8; i++)
        for (int j = a[i]; j < a[i + 1]; j++) {
#pragma HLS LOOP_TRIPCOUNT min=1 max=2*COUNT avg = COUNT
            b[j] += j; }"""
    machine = kernel(tmp_path, body, before="#define COUNT 5\n")
    assert [(nest.visits, nest.iterations, nest.body.pipeline.unrolled) for nest in machine.nests] == [(8, 40, False)]
    asked = kernel(tmp_path, body.replace("for (int j", "#pragma ppnsim tripcount(3)\nfor (int j"))
    assert [nest.iterations for nest in asked.nests] == [24]


def test_a_loop_of_known_length_needs_no_pragma_and_heeds_none(tmp_path: Path) -> None:
    body = "for (int i = 0; i < 9; i++) {\n#pragma HLS loop_tripcount max=77\nb[i] = a[i]; }"
    assert nest_of(kernel(tmp_path, body)).iterations == 9
    given = kernel(tmp_path, body.replace("i < 9", "i < n"), "int a[64], int b[64], int n")
    assert nest_of(given).iterations == 77


COUNTED = "for (int i = 0; i < a[0]; i++) {{\n#pragma HLS loop_tripcount max={}\nb[i] = a[i]; }}"


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("const int N = 4 * 2;", COUNTED.format("N")),
        ("static const unsigned N = 8;", COUNTED.format("N - 0")),
        ("", f"const int N = 8;\n{COUNTED.format('N')}"),
    ],
)
def test_a_trip_count_may_be_a_constant_by_name(tmp_path: Path, before: str, body: str) -> None:
    assert [str(each.last[0]) for each in read(tmp_path, body, before=before).body if isinstance(each, Loop)] == ["7"]


@pytest.mark.parametrize(
    "before", ["int N = 8;", "const double N = 8;", "extern const int N;", "const int N[1] = {8};", ""]
)
def test_a_trip_count_by_a_name_that_is_no_whole_constant_is_refused(tmp_path: Path, before: str) -> None:
    with pytest.raises(
        InputError, match=r"kernel\.cpp:8:1: loop_tripcount max = N is not a whole number from 0 on: .N. has no"
    ):
        read(tmp_path, COUNTED.format("N"), before=before)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("memcpy(b, a, 6);", "copies no constant number of elements of 32 bits"),
    ],
)  # fmt: skip
def test_what_hardware_cannot_be_made_of_is_refused_by_name(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        kernel(tmp_path, body, before="struct counter { int n; int next() { return ++n; } };")
    assert message in str(raised.value)
    assert "kernel.cpp:7:" in str(raised.value)


# -- numbers, bits, structs, tables -----------------------------------------------------------------------------------


def widths(machine: StateMachine, name: str) -> list[int]:
    return [n.format.bits for n in nest_of(machine).body.graph.nodes if n.kind == "op" and n.name == name]


def test_widths_grow_as_far_as_they_are_needed(tmp_path: Path) -> None:
    small = "ap_uint<8> a[64], ap_int<5> b[64], int c[64]"
    machine = kernel(tmp_path, EACH.format("c[i] = (a[i] + b[i]) ^ (a[i] * b[i]);"), small)
    assert widths(machine, "mul") == [8 + 5]
    assert widths(machine, "add") == [10]  # -16..270: nine bits and a sign
    narrow = kernel(tmp_path, EACH.format("ap_uint<8> x = a[i] + 1; c[i] = x + x;"), small)
    assert sorted(widths(narrow, "add")) == [8, 9]  # the ninth bit of a[i] + 1 is never kept


@pytest.mark.parametrize(
    "body",
    [
        "ap_uint<8> x = a[i]; b[i] = x.range(5, 2);",
        "ap_uint<8> x = a[i]; b[i] = x(5, 2);",
        "ap_uint<8> x = a[i]; b[i] = x[3];",
        "ap_uint<8> x = a[i]; x(3, 0) = 5; x[7] = x[6]; x.set(2); x.clear(1); b[i] = x;",
        "ap_uint<8> x = a[i]; ap_uint<12> y = (x, x(3, 0)); b[i] = y.concat(x);",
        "b[i] = (a[i] & 0xf0) >> 4;",
        "b[i] = (a[i] | 3) << 2;",
        "ap_fixed<16, 8> x; x.range(15, 0) = a[i]; b[i] = x(7, 0);",
    ],
)
def test_bits_at_places_that_are_known_are_wires(tmp_path: Path, body: str) -> None:
    assert operators(kernel(tmp_path, EACH.format(body))) == {}


@pytest.mark.parametrize(
    ("call", "value"),
    [("set(2)", "1"), ("clear(1)", "0"), ("set_bit(3, n)", "n")],
)
def test_a_bit_takes_the_value_that_it_is_given(tmp_path: Path, call: str, value: str) -> None:
    program = read(tmp_path, f"ap_uint<8> x = a[0]; x.{call}; b[0] = x;", "int a[64], int b[64], int n")
    written = [str(each.value) for each in program.statements() if each.writes and each.writes[0].array == "x"]
    assert value in written[-1]


def test_bits_at_places_that_are_data_are_shifted(tmp_path: Path) -> None:
    body = "ap_uint<32> x = a[i], y = b[i]; y.range(a[i] + 3, a[i]) = x.range(b[i], 1); b[i] = y[a[i]];"
    assert operators(kernel(tmp_path, EACH.format(body))) == {"add": 1, "shift": 2, "logic": 1}


def test_bits_that_an_unrolled_loop_counts_through_are_wires(tmp_path: Path) -> None:
    body = """for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
        ap_uint<32> w = a[i]; int s = 0;
        for (int j = 0; j < 4; j++) s += w.range(8 * j + 7, 8 * j);
        b[i] = s; }"""
    machine = kernel(tmp_path, body)
    assert operators(machine) == {"add": 3}
    assert max(widths(machine, "add")) <= 11


def test_all_bits_of_a_number_are_compared_at_once(tmp_path: Path) -> None:
    body = EACH.format("ap_uint<8> x = a[i]; b[i] = x.or_reduce() ? 1 : x.and_reduce() ? 2 : 3;")
    assert operators(kernel(tmp_path, body))["cmp"] == 1  # both of the same bits


def test_structs_of_an_argument_are_words_and_others_a_memory_for_each_number(tmp_path: Path) -> None:
    before = "struct inner { int p, q; };\nstruct point { short x; inner in; };"
    body = EACH.format("points[i].in.p = a[i]; points[i].x += 1;") + EACH.format(
        "point r = points[i], s = {1, {2, r.in.q}}; b[i] = r.x + s.in.q; points[i] = s;"
    )
    words = kernel(tmp_path, body, "int a[64], int b[64], point points[64]", before)
    apart = kernel(tmp_path, "static point points[64];\n" + body, "int a[64], int b[64]", before)
    assert _ports(words) == [["a", "points"], ["b", "points"]]
    assert _ports(apart) == [["a", "points.in.p", "points.x"], ["b", "points.in.p", "points.in.q", "points.x"]]
    assert [nest.body.schedule.ii for machine in (words, apart) for nest in machine.nests] == [1, 1, 1, 1]


def _ports(machine: Any) -> list[list[str]]:
    return [sorted({n.port for n in nest.body.graph.nodes if n.port}) for nest in machine.nests]


def test_entries_of_a_constant_table_are_numbers_once_loops_are_unrolled(tmp_path: Path) -> None:
    before = "static const int table[4] = {0, 1, 8, 5};"
    body = """for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
        int s = 0; for (int j = 0; j < 4; j++) s += a[4 * i + j] * table[j];
        b[i] = s; }"""
    machine = kernel(tmp_path, body, before=before)
    assert operators(machine) == {"add": 3}  # times 0 is nothing, times 1 and 8 are wires, times 5 is a sum (R2.18)
    assert not any(n.port == "table" for n in nest_of(machine).body.graph.nodes)
    assert not any("[0]" in n.name or "4*i]" in n.name for n in nest_of(machine).body.graph.nodes if n.kind == "load")


def test_an_element_that_data_chooses_is_loaded_after_what_chooses_it(tmp_path: Path) -> None:
    # The address is there at 3.25 ns of state 1, where the second load still fits; its data is in state 2.
    assert loops_of(kernel(tmp_path, EACH.format("b[i] = c[a[i]];"), "int a[64], int b[64], int c[64]"))[0][3] == 3
    twice = kernel(tmp_path, EACH.format("b[i] = c[a[i]] + c[a[i]];"), "int a[64], int b[64], int c[64]")
    assert sum(n.port == "c" for n in nest_of(twice).body.graph.nodes) == 1


def test_memcpy_is_a_loop_of_an_element_per_cycle(tmp_path: Path) -> None:
    body = "int c[4][8];\nmemcpy(c, a + 16, 32 * sizeof(int));\n" + EACH.format("b[i] = c[i / 8 % 4][i % 8];")
    machine = kernel(tmp_path, body)
    assert [(nest.iterations, nest.body.schedule.ii) for nest in machine.nests] == [(32, 1), (64, 1)]
    with pytest.raises(InputError, match="copies no constant number of elements of 32 bits"):
        kernel(tmp_path, "memcpy(b, a, 6);")


def test_memcpy_of_a_struct_is_its_assignment(tmp_path: Path) -> None:
    text = """#include <ap_int.h>
    #include <string.h>
    struct Out { ap_uint<8> id; char gap; ap_uint<16> task; float v[40]; };
    void f(Out ram[4], float d[40], int n) {
        Out o; o.id = n; o.task = 3; memcpy(&o.v, d, sizeof(float) * 40); WHOLE }"""
    found = []
    for whole in ("ram[2] = o;", "memcpy(ram + 2, &o, sizeof(o));"):  # 164 bytes, 41 words of 32 bits
        (tmp_path / "k.cpp").write_text(text.replace("WHOLE", whole), encoding="utf-8")
        found.append(schedule(tmp_path / "k.cpp").kernels[0].machine)
    assert found[0].cycles == found[1].cycles
    assert len(found[1].nests) == len(found[0].nests) > 0  # nothing of v is removed as unused


EXPONENT = "struct { unsigned man : 23; unsigned exp : 8; unsigned sign : 1; }"
UNIONS = {
    "named": (f"union {{ float f; {EXPONENT} p; }} n;", "n.p"),
    "anonymous": (f"union {{ float f; {EXPONENT}; }} n;", "n"),
    "in a struct": (f"struct {{ union {{ float f; {EXPONENT}; }}; }} n;", "n"),
    "beside a number": (f"struct {{ int k; union {{ float f; {EXPONENT} p; }}; }} n;", "n.p"),
}


@pytest.mark.parametrize("name", UNIONS)
def test_the_members_of_a_union_are_one_number(name: str, tmp_path: Path) -> None:
    union, parts = UNIONS[name]
    body = f"{union} n.f = a[i] * 2; {parts}.exp += 1; b[i] = n.f; e[i] = {parts}.sign;"
    machine = kernel(tmp_path, EACH.format(body), "float a[64], float b[64], int e[64]")
    assert operators(machine) == {"mul": 1, "add": 1}
    nodes = nest_of(machine).body.graph.nodes
    needed = [next(n for n in nodes if n.kind == "store" and str(n.access) == "b[i]")]
    for node in needed:
        needed += [nodes[at] for at in node.operands if nodes[at] not in needed]
    assert {"add", "mul"} <= {node.name for node in needed}


def test_structs_travel_through_unions(tmp_path: Path) -> None:
    before = f"typedef {EXPONENT} parts; union number {{ float f; parts p; }};"
    body = "number n; n.f = a[i]; parts q = n.p; q.exp += 1; n.p = q; b[i] = n.f;"
    assert operators(kernel(tmp_path, EACH.format(body), "float a[64], float b[64]", before)) == {"add": 1}


@pytest.mark.parametrize(
    "body",
    [
        "unsigned n = *(unsigned *)&a[i]; n += 1; b[i] = *(float *)&n;",
        "unsigned *n = (unsigned *)&b[i]; *n = *(unsigned *)&a[i] + 1;",
        "*(unsigned *)&b[i] = *(unsigned *)&a[i]; *(unsigned *)&b[i] += 1;",
    ],
)
def test_a_pointer_of_another_type_takes_bits_and_converts_nothing(body: str, tmp_path: Path) -> None:
    assert operators(kernel(tmp_path, EACH.format(body), "float a[64], float b[64]")) == {"add": 1}


def test_a_pointer_to_parts_of_elements_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"takes 32 bits of 'a' \(float\) for 16 bits \(short\)"):
        kernel(tmp_path, EACH.format("b[i] = *(short *)&a[i];"), "float a[64], int b[64]")


def test_an_array_in_a_union_is_refused(tmp_path: Path) -> None:
    body = EACH.format("union { float f; char bytes[4]; } n; n.f = a[i]; b[i] = n.bytes[0];")
    with pytest.raises(InputError, match=r"'n.bytes' is an array that shares its bits with other members of a union"):
        kernel(tmp_path, body)


def test_members_of_a_struct_without_a_name_are_members_of_the_struct_around(tmp_path: Path) -> None:
    body = EACH.format("struct { int p; struct { int q; short r; }; } s; s.q = a[i] + 1; s.r = 11; b[i] = s.q * s.r;")
    assert operators(kernel(tmp_path, body)) == {"add": 1, "mul": 1}


@pytest.mark.parametrize(
    ("body", "iterations", "said"),
    [
        (EACH.format("if (a[i]) break; b[i] = 1;"), 64, "the loop around the break in line 7 runs to its end"),
        (
            "int v[2] = {5, 0}; for (int i = 0; i < v[0] * 8; i++) { v[1] = 7; if (a[9] > 5) break; b[i] += 3; }",
            40,
            "the loop around the break in line 7 runs to its end",
        ),
        ("for (int i = 0; i < a[0]; i++) b[i] = 1;", 64, "its bound 'i < a[0]' is data or a parameter without a value"),
        ("for (int i = 0; i < n; i++) b[i] = 1;", 64, "as many as an array with 'i' as its subscript has elements"),
        (
            "for (int i = 0; i < 49 && a[i] < n; i++) b[i + 9] = 1;",
            49,
            "the loop around the test in line 7 runs to its end",
        ),
        ("int m = a[0]; while (m > 0) m -= 2;", 64, "what ends it is data"),
        ("for (int m = a[0]; m; m >>= 1) b[m] += 1;", 31, "the loop in line 7 runs 31 times"),
        (
            "if (n > 1) { for (int i = 0; i < 32; i++) b[i] = 1; }",
            32,
            "the body of the if in line 7 is always executed",
        ),
        (
            "if (n > 1) { b[2] = 1; } else { for (int i = 0; i < 32; i++) b[i] = 1; }",
            32,
            "the else of the if in line 7 is always executed",
        ),
        (
            "if (n > 1) goto out; for (int i = 0; i < 32; i++) b[i] = 1; out: b[0] = 2;",
            32,
            "the code behind the if in line 7 is always executed",
        ),
        (
            "if (n > 1) return; for (int i = 0; i < 32; i++) b[i] = 1;",
            32,
            "the code behind the if in line 7 is always executed",
        ),
    ],
)
def test_what_data_decides_is_assumed_and_said(tmp_path: Path, body: str, iterations: int, said: str) -> None:
    text = f"#include <stdint.h>\n\n\n\n\nvoid k(int a[64], int b[64], int n) {{\n{body}\n}}"
    path = written(tmp_path, text)
    found = load_kernels(str(path), function="k", policy=HARDWARE)
    assert said in " ".join(found.assumed)
    assert [nest.iterations for nest in schedule_of(path, "k").nests] == [iterations]


def test_directives_in_what_a_branch_calls_that_is_not_taken_mean_nothing(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < %d; i++) {\n#pragma HLS pipeline II=1\n%s; }\n"
    text = f"""#include <hls_stream.h>
void parts(int a[64], int b[64]) {{
#pragma HLS dataflow
hls::stream<int> s;
{loop % (8, "s.write(a[i])")}{loop % (8, "b[i] = s.read()")}}}
void other(int a[64], int b[64]) {{ {loop % (40, "b[i] = a[i]")} }}
void k(int a[64], int b[64], int n) {{ if (n > 1) parts(a, b); else other(a, b); }}"""
    assert [nest.iterations for nest in schedule_of(written(tmp_path, text), "k").nests] == [40]


def test_the_kernel_s_default_arguments_say_how_often_its_loops_run(tmp_path: Path) -> None:
    body = "for (int i = 2; i <= 2 * n; i++) a[i] = 1;\nfor (int i = n; i >= 0; i--) a[i] = n;\n"
    loop = "m = a[0];\nfor (int i = 0; i < m; i++) a[i] = 2;"
    path = written(tmp_path, f"void k(int a[64], int n = 5, int m = 7) {{\n{body}{loop}\n}}")
    assert [nest.iterations for nest in schedule_of(path, "k").nests] == [9, 6, 64]
    found = load_kernels(str(path), function="k", policy=HARDWARE)
    assert " ".join(found.assumed).count("as the default arguments of the kernel say") == 2


def test_a_method_is_a_function_of_its_object(tmp_path: Path) -> None:
    before = """template <int N> struct line {
        int held[N], last;
        line(int v) : last(v) { held[0] = v; }
        int &at(int k) { return held[k]; }
        int push(int v) { last = v; for (int k = 0; k < N - 1; k++) held[k + 1] = held[k]; return last + at(0); }
    };"""
    found = read(tmp_path, "line<4> l(a[0]);\n" + EACH.format("l.at(0) = a[i]; b[i] = l.push(i);"), before=before)
    writes = [str(statement.writes[0]) for statement in found.statements()]
    assert writes == ["v", "l", "l_held[0]", "l_held[0]", "l", "l_held[k + 1]", "push_result", "b[i]"]


def test_a_switch_is_a_chain_of_branches(tmp_path: Path) -> None:
    body = "switch (a[i] & 3) { case 0: case 1: b[i] = 1; break; case 2: b[i] = 2; default: b[i] += 3; }"
    (loop,) = read(tmp_path, EACH.format(body)).body
    assert isinstance(loop, Loop)
    writes = [str(statement.writes[0]) for statement in read(tmp_path, EACH.format(body)).statements()]
    assert [each for each in writes if each == "b[i]"] == ["b[i]"] * 4


def test_a_struct_with_arrays_is_copied_member_by_member(tmp_path: Path) -> None:
    before = "struct pack { int of[3], n; };\n"
    body = "pack p, q; p.n = a[0]; for (int i = 0; i < 3; i++) p.of[i] = a[i]; q = p; b[0] = q.of[2] + q.n;"
    writes = [str(s.writes[0]) for s in read(tmp_path, body, before=before).statements()]
    assert writes == ["p", "p_of[i]", "q_of[0]", "q_of[1]", "q_of[2]", "q", "b[0]"]


def test_a_token_with_an_array_passes_a_stream_in_one_access(tmp_path: Path) -> None:
    before = '#include "hls_stream.h"\nstruct pack { int of[4], n; };\n'
    arguments = "hls::stream<pack> &in, hls::stream<pack> &out"
    body = EACH.format(
        "\n#pragma HLS pipeline\npack p = in.read(); for (int j = 0; j < 4; j++) p.of[j] *= 2; out << p;"
    )
    machine = kernel(tmp_path, body, arguments, before=before)
    assert [(nest.iterations, nest.body.schedule.ii) for nest in machine.nests] == [(64, 1)]


def test_lanes_of_a_vector_are_computed_side_by_side(tmp_path: Path) -> None:
    before = '#include "hls_vector.h"\ntypedef hls::vector<float, 8> lanes;\n'
    arguments = "lanes x[64], lanes y[64], lanes z[64]"
    machine = kernel(tmp_path, EACH.format("z[i] = x[i] * y[i] + 1.5f;"), arguments, before=before)
    assert [(nest.iterations, nest.body.schedule.ii) for nest in machine.nests] == [(64, 1)]
    assert operators(machine)["mul"] == 8


def test_nothing_is_said_of_what_stands_in_our_own_headers(tmp_path: Path) -> None:
    body = "float whole; for (int i = 0; i < 64; i++) b[i] = hls::modf(a[i], &whole);"
    last = "b[0] += std::count_if(a, a + 64, [](float v) { return v > 0; });"
    path = written(
        tmp_path, f"#include <algorithm>\n#include <hls_math.h>\nvoid k(float a[64], float b[64]) {{ {body} {last} }}"
    )
    assert not load_kernels(str(path), policy=HARDWARE).skipped
    assert not schedule(path).kernels[0].directives.ignored


@pytest.mark.parametrize("body", ["while (*p) { b[0] += *p; p++; }", "for (int i = 0; i < n; i++) *p++ = b[i];"])
def test_a_pointer_that_data_move_is_any_element(tmp_path: Path, body: str) -> None:
    path = written(tmp_path, f"void k(int a[64], int b[64], int n) {{ int *p = a; {body} }}")
    assert [nest.iterations for nest in schedule_of(path, "k").nests] == [64]
    found = load_kernels(str(path), function="k", policy=HARDWARE)
    assert "'p' points to any element of 'a'" in " ".join(found.assumed)


def test_a_directive_may_depend_on_a_macro(tmp_path: Path) -> None:
    body = "for (int i = 0; i < 64; i++) {\n#pragma HLS if (FAST == 1 && !SLOW) unroll factor=4\nb[i] = a[i]; }"
    fast, slow = (kernel(tmp_path, body, before=f"#define FAST {n}\n#define SLOW 0\n") for n in (1, 2))
    assert ([nest.iterations for nest in fast.nests], [nest.iterations for nest in slow.nests]) == ([16], [64])
