"""Vendor types of public code: modes of ``ap_fixed`` choose templates, and what numbers and errors say beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim import schedule
from ppnsim.c.clang.nearby import headers_named
from ppnsim.errors import PpnsimError
from ppnsim.hls.schedule.model import StateMachine


def machine(folder: Path, text: str, name: str = "k.cpp") -> StateMachine:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return schedule(path, function="k").kernels[0].machine


CHOSEN = """#include "ap_fixed.h"
template <class T> struct held { T v; };
template <class T> struct trips {};
template <int W, int I> struct trips<held<ap_fixed<W, I>>> { static const int n = 2; };
template <int W, int I, ap_q_mode Q> struct trips<held<ap_fixed<W, I, Q>>> { static const int n = 3; };
template <int W, int I, ap_q_mode Q, ap_o_mode O, int N>
struct trips<held<ap_fixed<W, I, Q, O, N>>> { static const int n = 4; };
template <int W, int I, ap_q_mode Q, ap_o_mode O, int N> void each(ap_fixed<W, I, Q, O, N> x, int a[64]) {
    for (int i = 0; i < W + N; i++) a[i] += i;
}
template <int W, int I> void each(ap_fixed<W, I, AP_RND> x, int a[64]) { for (int i = 0; i < 9; i++) a[i] += i; }
void k(int a[64], ap_fixed<6, 3, AP_TRN, AP_SAT, 1> saturated, ap_fixed<6, 3, AP_RND> rounded) {
    for (int i = 0; i < trips<held<ap_fixed<16, 8>>>::n; i++) a[i] += i;
    for (int i = 0; i < trips<held<ap_fixed<16, 8, AP_RND>>>::n; i++) a[i] += i;
    for (int i = 0; i < trips<held<ap_fixed<16, 8, AP_TRN, AP_SAT>>>::n; i++) a[i] += i;
    each(saturated, a);
    each(rounded, a);
}
"""


def test_modes_choose_among_templates(tmp_path: Path) -> None:
    assert [nest.iterations for nest in machine(tmp_path, CHOSEN).nests] == [2, 3, 4, 7, 9]


def test_numbers_with_modes_cost_what_those_without_cost(tmp_path: Path) -> None:
    text = (
        '#include "ap_fixed.h"\nvoid k(ap_fixed<16, 6MODE> a[8], ap_fixed<16, 6> b[8]) {\n'
        "for (int i = 0; i < 8; i++) { a[i] = a[i] * b[i] + a[i] / 3; a[i] ^= 1; b[i] = (a[i] ^ 3) & b[i]; }\n}\n"
    )
    plain, rounded = (machine(tmp_path, text.replace("MODE", mode)) for mode in ("", ", AP_RND, AP_SAT, 2"))
    assert plain.cycles == rounded.cycles > 8


def test_a_number_is_assigned_to_a_complex_one_as_its_real_part(tmp_path: Path) -> None:
    text = (
        '#include <complex>\n#include "ap_fixed.h"\ntypedef std::complex<ap_fixed<16, 6>> c;\n'
        "void k(c a[8]) { for (int i = 0; i < 8; i++) { c x = a[i]; x = VALUE; a[i] = x; } }\n"
    )
    number, pair = (machine(tmp_path, text.replace("VALUE", value)) for value in ("0", "c(0, 0)"))
    assert number.cycles == pair.cycles


def test_a_reversed_number_is_a_value(tmp_path: Path) -> None:
    text = '#include "ap_int.h"\nvoid k(ap_uint<8> x, ap_uint<8> *y) { *y = x.reverse() + 1; }\n'
    assert machine(tmp_path, text).cycles == machine(tmp_path, text.replace("x.reverse()", "x(0, 7)")).cycles


FAMILY = ("lround", "lrint", "llround", "llrint", "nearbyint", "ilogb", "lroundf", "ilogbf", "tgamma_p_reduce")


@pytest.mark.parametrize("name", FAMILY)
def test_functions_of_hls_math_have_operators(tmp_path: Path, name: str) -> None:
    loop = f"for (int i = 0; i < 8; i++) y[i] = hls::{name}(x[i]);"
    text = f'#include "hls_math.h"\nvoid k(float x[8], float y[8]) {{ {loop} }}'
    assert machine(tmp_path, text).nests[0].iterations == 8


@pytest.mark.parametrize("name", ["lround", "remainderf", "fdim", "copysign"])
def test_functions_of_math_need_no_header(tmp_path: Path, name: str) -> None:
    given = "x[i]" if name == "lround" else "x[i], 2"
    assert machine(tmp_path, f"void k(float x[8]) {{ for (int i = 0; i < 8; i++) x[i] = {name}({given}); }}").cycles > 8


def test_a_second_result_behind_a_pointer_has_a_remedy(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < 8; i++) x[i] = frexp(x[i], &q[i]);"
    text = f"#include <math.h>\nvoid k(double x[8], int q[8]) {{ {loop} }}\n"
    with pytest.raises(PpnsimError, match=r"through a pointer; call 'hls::frexp' of hls_math\.h"):
        machine(tmp_path, text)


def test_a_header_with_words_of_another_language_is_read_in_it(tmp_path: Path) -> None:
    text = "namespace n { const int count = 6; }\nvoid k(int a[8]) { for (int i = 0; i < n::count; i++) a[i] += i; }\n"
    assert machine(tmp_path, text, "k.h").nests[0].iterations == 6


def test_headers_that_the_tool_writes_are_not_taken(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "k.cpp").write_text('#include "sizes.h"\n', encoding="utf-8")
    for folder in ("solution1/syn/systemc", "solution1/sim/autowrap", "lib/sim"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "sizes.h").write_text(f"// {folder}\n", encoding="utf-8")
    found = headers_named("sizes.h", str(tmp_path / "src" / "k.cpp"))
    assert [each.relative_to(tmp_path).as_posix() for each in found] == ["lib/sim/sizes.h"]


ERRORS = {
    "void k(pixel a[4]) { a[0] = 1; }": "unknown type name 'pixel'; #include the header that declares it",
    "struct s { int x; };\nvoid k(s a[4]) { a[0].y = 1; }": "no member named 'y' in 's'; declare it there",
    "int g(int, int);\nvoid k(int a[4]) { a[0] = g(1); }": "2 arguments, but 1 was provided.; give it the arguments",
    "#ifdef X\nvoid k(int a[4]) { a[0] = 1; }": "unterminated conditional directive; write the #endif of this #if",
    "struct s { int x; };\nvoid k(s a[4]) { a[0] = 1; }": "no viable overloaded '='; convert the value",
    "struct s;\nvoid k(int a[4]) { s x; a[0] = 1; }": "incomplete type 's'; #include the header that has",
    "void k(int a[4]) { a[0] = 1 a[1] = 2; }": "expected ';' after expression; end the statement before it",
    "int g(int, float); int g(float, int);\nvoid k(int a[4]) { a[0] = g(1, 2); }": "is ambiguous; convert an operand",
}


@pytest.mark.parametrize("text", ERRORS)
def test_errors_of_the_parser_say_what_to_do(tmp_path: Path, text: str) -> None:
    with pytest.raises(PpnsimError, match=ERRORS[text]):
        machine(tmp_path, text)
