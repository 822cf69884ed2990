"""Forms of C++ that libraries of kernels use: values and cycles as of the plain program that means the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.hls.structure.members import without_structs
from ppnsim.library.schedule import KernelSchedules, schedule
from tests.oracles.compiled import differing
from tests.oracles.lowered import Evaluator, Memory

FUNCTIONS = """
static int plus(int x, int y) { return x + 2 * y; }
template <class T> static T times(T x, T y) { return x * y - y; }
template <class T> static void added(T &r, T x) { r += x; }
template <class T, T (*F)(T, T), void (*G)(T &, T)> struct Fold {
    T run(const int *x) { T s = 1; for (int i = 1; i < 8; i++) G(s, F(x[i], x[i - 1])); return s; }
};
template <int (*F)(int, int)> static int twice(int x) { return F(F(x, 3), 5); }
"""
CALLED = {
    "functions of a class": "Fold<int, plus, added<int> > f; b[0] = f.run(a);",
    "addresses of functions": "Fold<int, &times<int>, &added<int> > f; b[0] = f.run(a);",
    "two instances": "Fold<int, plus, added> f; Fold<int, times<int>, added> g; b[0] = f.run(a); c[0] = g.run(a);",
    "a function of a function": "b[0] = twice<plus>(a[1]); c[0] = twice<&times<int> >(a[2]);",
}


def test_functions_in_arguments_of_templates_are_called_as_the_compiler_calls_them(tmp_path: Path) -> None:
    assert differing(FUNCTIONS, CALLED, tmp_path) == []


def values(folder: Path, head: str, body: str) -> list[int]:
    """Return what a kernel makes of eight numbers."""
    (folder / "k.cpp").write_text(
        f"#include <ap_int.h>\n{head}\nvoid k(int a[8], int b[8]) {{ for (int i = 0; i < 8; i++) {{ {body} }} }}\n"
    )
    (program,) = (each for each in load_programs(str(folder / "k.cpp"), policy=HARDWARE) if each.name == "k")
    memory: Memory = {("a", (i,)): 37 * i + 5 for i in range(8)}
    memory |= {("b", (i,)): 0 for i in range(8)}
    whole = without_structs(program)
    Evaluator(whole, memory).run(whole.body, {})
    return [int(memory["b", (i,)]) for i in range(8)]


WORDS = {
    "a public base": "struct Word : ap_uint<12>",
    "a private base": "struct Word : private ap_uint<12>",
    "a base of a template": "template <int A, int B> struct Words : private ap_uint<A + B>",
    "a base of a base": "struct Held : ap_uint<12> {}; struct Word : Held",
}
_METHODS = """{
    void low(ap_uint<8> d) { this->range(7, 0) = d; }
    void high(ap_uint<4> d) { this->range(11, 8) = d; }
    ap_uint<12> all() { return this->range(11, 0); }
    ap_uint<1> top() { return (*this)[11]; }
};"""
_USE = "TYPE w; w.low(a[i]); w.high(a[i] + 3); TYPE v = w; v.high(9); b[i] = w.all() * 2 + w.top() + v.all();"


def _used(x: int) -> int:
    word = (x & 255) | ((x + 3) & 15) << 8
    return word * 2 + (word >> 11) + ((word & 255) | 9 << 8)


@pytest.mark.parametrize("name", WORDS)
def test_a_class_derived_from_a_number_has_its_bits(name: str, tmp_path: Path) -> None:
    used = _USE.replace("TYPE", "Words<8, 4>" if "Words" in WORDS[name] else "Word")
    assert values(tmp_path, WORDS[name] + _METHODS, used) == [_used(37 * i + 5) for i in range(8)]


def test_the_null_pointer_is_false_where_it_becomes_a_number(tmp_path: Path) -> None:
    by_null = values(tmp_path, "", "ap_uint<9> v = a[i], w; w = v > 40 ? v - 40 : (ap_uint<9> *)0; b[i] = w;")
    assert by_null == [max(0, 37 * i + 5 - 40) for i in range(8)]


def test_parts_of_the_vendors_complex_numbers_are_places(tmp_path: Path) -> None:
    head = '#include "hls_x_complex.h"\nstatic void set(hls::x_complex<int> &z, int x) { z.real() = x; z.imag() = -x; }'
    body = "hls::x_complex<int> z; set(z, a[i]); z.real() += 2; b[i] = z.real() * 10 + z.imag();"
    assert values(tmp_path, head, body) == [(x + 2) * 10 - x for x in (37 * i + 5 for i in range(8))]


@pytest.mark.parametrize("value", ["v * 1.4826", "(v + v) / 2.0", "2.5f / v", "v - 0.1f"])
def test_an_integer_beside_floating_point_is_converted(value: str, tmp_path: Path) -> None:
    """The operator was one of integers, in silence."""
    cycles = []
    for kind in ("ap_int<16>", "short"):
        text = f"#include <ap_int.h>\nint k(short a[8], int i) {{ {kind} v = a[i]; int r = {value}; return r; }}\n"
        (tmp_path / "k.cpp").write_text(text)
        cycles.append(schedule(tmp_path / "k.cpp").kernels[0].machine.cycles)
    assert cycles[0] == cycles[1] > 8


def test_complex_roots_beside_a_kernel_do_not_refuse_it(tmp_path: Path) -> None:
    """Only what calls such a function has no answer; all of the file was refused."""
    head = "#include <complex>\nfloat beside(float x) { return std::abs(std::sqrt(std::complex<float>(x))); }"
    assert values(tmp_path, head, "b[i] = a[i] + 1;") == [37 * i + 6 for i in range(8)]
    with pytest.raises(InputError, match="'std::sqrt' makes a struct"):
        values(tmp_path, head, "b[i] = beside(a[i]);")


def test_types_of_results_have_the_bits_of_the_operators(tmp_path: Path) -> None:
    head = '#include "utils/std_complex_utils.h"\ntypedef hls::x_traits<ap_uint<8>, ap_uint<8> > of;'
    body = "of::MULT_T p = ap_uint<8>(a[i]) * ap_uint<8>(200); hls::x_traits_d<int, 4>::ACCUM_T s = p; b[i] = s;"
    assert values(tmp_path, head, body) == [(37 * i + 5) % 256 * 200 for i in range(8)]


def test_a_sum_of_numbers_whose_width_is_not_known_is_refused(tmp_path: Path) -> None:
    head = '#include "utils/x_hls_traits.h"'
    with pytest.raises(InputError, match=r"k\.cpp:3:.*x_traits_d"):
        values(tmp_path, head, "hls::x_traits_d<ap_uint<8>, 4>::ACCUM_T s = a[i]; b[i] = s;")


def scheduled(folder: Path, text: str) -> KernelSchedules:
    (folder / "k.cpp").write_text(f"#include <ap_int.h>\n#include <hls_stream.h>\n{text}\n")
    return schedule(folder / "k.cpp", function="k")


def test_directives_name_constants_that_an_argument_inherits_from_a_template(tmp_path: Path) -> None:
    text = """template <int N> struct Traits { static const int II = N / 2; static const int OFF = 3; };
    struct Mine : Traits<8> { static const int OFF = 5; };
    template <class C> void work(int a[64]) {
        for (int i = 0; i < 64; i++) {
    #pragma HLS pipeline II = C::II
            a[i] = a[i] / (i + 3);
        }
        for (int i = 0; i < 64; i++) {
    #pragma HLS pipeline II = C::OFF
            a[i] = a[i] / (i + 5);
        }
    }
    void k(int a[64]) { work<Mine>(a); }"""
    assert [row["ii"] for row in scheduled(tmp_path, text).rows()] == [4, 5]


def test_each_call_of_an_unrolled_loop_is_a_task_in_a_condition_too(tmp_path: Path) -> None:
    text = """void one(hls::stream<int> &a, hls::stream<int> &b) { for (int i = 0; i < 16; i++) b.write(a.read() + 1); }
    template <int N> void all(hls::stream<int> a[N], hls::stream<int> b[N]) {
    #pragma HLS dataflow
        if (N == 1) one(a[0], b[0]);
        else {
            for (int p = 0; p < N; p++) {
    #pragma HLS unroll
                one(a[p], b[p]);
            }
        }
    }
    void k(hls::stream<int> a[4], hls::stream<int> b[4]) { all<4>(a, b); }"""
    outcome = scheduled(tmp_path, text).kernels[0].machine.outcome
    assert outcome is not None
    assert sum(each.name.startswith("one") for each in outcome.network.processes) == 4


@pytest.mark.parametrize("change", ["c[3] = 1", "c.range(3, 2) = 2", "c.set(3)"])
def test_a_loop_that_bits_of_a_variable_end_is_not_endless(change: str, tmp_path: Path) -> None:
    text = f"""void k(int a[64]) {{
        ap_uint<4> c = 0;
        int i = 0;
        while (c != 8) {{ if (a[i] == 5) {change}; a[i] = i; i++; }}
    }}"""
    (told,) = scheduled(tmp_path, text).assumed
    assert "what ends it is data" in told


def test_a_binding_of_no_operator_has_no_effect_and_is_told(tmp_path: Path) -> None:
    text = """void k(float a[8]) {
        for (int i = 0; i < 8; i++) {
            float t = a[i] * 2 + 1;
    #pragma HLS bind_op variable = t impl = primitivedsp
            a[i] = t;
        }
    }"""
    found = scheduled(tmp_path, text)
    plain = scheduled(tmp_path, text.replace("#pragma HLS bind_op variable = t impl = primitivedsp", ""))
    assert found.kernels[0].machine.cycles == plain.kernels[0].machine.cycles
    assert any("bind_op of no operator" in each for each in found.to_dict()["without_effect"])


def test_a_port_registered_in_both_directions_is_told_once(tmp_path: Path) -> None:
    text = """void k(hls::stream<int> &a, hls::stream<int> &b) {
    #pragma HLS interface axis register both port=a
    #pragma HLS interface axis register reverse port=b
        for (int i = 0; i < 8; i++) b.write(a.read());
    }"""
    found = scheduled(tmp_path, text).to_dict()["without_effect"]
    told = [each.rpartition("interface ")[2] for each in found]
    assert told == ["register: registers of a port take no cycle here"] * 2


def test_constants_with_imaginary_literals_are_complex_numbers(tmp_path: Path) -> None:
    """A file with a table of them was refused, as a complex number became its real part."""
    table = "typedef std::complex<float> C; const C GOLD[4] = {0.5 + 0.25i, -1.5f - 2.0if, 1.5, 2i};"
    assert values(tmp_path, f"#include <complex>\n{table}", "b[i] = a[i] + 1;") == [37 * i + 6 for i in range(8)]
