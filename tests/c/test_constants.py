"""Which initialisers of constants are numbers, in C++, and which formulas are followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.clang.parser import parse
from ppnsim.c.lowering.values.constants import constant_of, is_formula
from ppnsim.c.pragmas import by_line
from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.errors import InputError
from ppnsim.library.schedule import schedule

NUMBERS = {
    "static const float X = 0.5f;": True,
    "const double X = -0.5;": True,
    "const double X = +0.5 * 3;": True,
    "const float X = (float)1 / 3;": True,
    "const float A = 2; const float X = A * 0.5f;": True,
    "const int N = 4; const float X = 1.0f / N;": True,
    "const int M = 2; const int N = M + 1; const float X = N;": True,
    "float A = 2; const float X = A * 0.5f;": False,
    "int N = 4; const float X = 1.0f / N;": False,
    "float g(); const float X = g();": False,
    "float g(); const float X = 2 * g();": False,
    "int N = 4; const int M = N; const float X = M;": False,
    "const float T[2] = {1, 2}; const float X = T[1];": False,
    "const float X = !2;": False,
    "static float X = 0.5f;": False,
    "const int X = 3;": False,  # known to the compiler
    "extern const float X;": False,
}


@pytest.mark.parametrize("text", NUMBERS)
def test_a_constant_is_made_of_numbers_and_constants(text: str, tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text(f"{text}\nvoid k(float *y) {{ y[0] = X; }}\n")
    body = parse(str(path), {}, ()).functions["k"].body
    assert body is not None
    uses = [
        node for node in body.walk() if node.kind == "name" and node.variable is not None and node.variable.name == "X"
    ]
    assert [constant_of(node) is not None for node in uses] == [NUMBERS[text]] * len(uses)
    assert uses or text.startswith("const int")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int f(int a) { return a + 1; }", True),
        ("unsigned char f(int a) { return a; }", True),
        ("float f(int a) { return a; }", False),
        ("int f(int a) { int b = a; return b; }", False),
        ("int f(int a) { a = 1; }", False),
        ("int f(int a) { }", False),
        ("void f(int a) { return; }", False),
        ("int f(int a) { if (a) return 1; }", False),
        ("int f(int a);", False),
    ],
)
def test_a_formula_does_nothing_but_return_a_whole_number(text: str, expected: bool, tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text(f"{text}\nvoid k(int *y) {{ f(y[0]); }}\n")
    assert is_formula(parse(str(path), {}, ()).functions["f"]) is expected


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("std::numeric_limits<int>::max()", 2**31 - 1),
        ("std::numeric_limits<short>::min()", -(2**15)),
        ("std::numeric_limits<float>::max()", None),  # no whole number
        ("own()", None),  # of the source: a call like any other
    ],
)
def test_a_constant_of_the_standard_library_is_its_number(call: str, value: int | None, tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text(f"#include <limits>\nint own();\nvoid k(float *y) {{ y[0] = {call}; }}\n")
    body = parse(str(path), {}, ()).functions["k"].body
    assert body is not None
    (assigned,) = [node for node in body.walk() if node.kind == "assign"]
    found = assigned.children[1].bare
    assert ((found.kind, found.value) == ("integer", value)) is (value is not None)


OF_CLASSES = """
template <int W, int N> struct Base {
    static const int BITS = W * N;
    static const int WORDS = (BITS + 7) >> 3;
    enum { HALF = N / 2 };
};
template <int W, int N> struct Middle : Base<W, N> {};
template <int W, int N> struct Reader : Middle<W, N> {
    using Base<W, N>::WORDS;
    static const int OWN = WORDS + 1;
    static void move(const int *a, int *b, int n) {
        for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount min=1 max=WHAT
            b[i] = a[i];
        }
    }
};
struct Plain {
    static const int OWN = 12;
    enum { HALF = 6 };
    static void move(const int *a, int *b, int n) {
        for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount min=1 max=WHAT
            b[i] = a[i];
        }
    }
};
namespace far {
struct Plain { static const int OWN = 9; };
namespace sizes { const int M = 5, N = 6; }
namespace near {
template <class P> void move(const int *a, int *b, int n) {
    for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount min=1 max=WHAT
        b[i] = a[i];
    }
}
}
}
namespace other { struct Only { static const int OWN = 31; }; }
"""


@pytest.mark.parametrize(
    ("calls", "what", "trips"),
    [
        ("Reader<16, 50>::move(a, b, n);", "WORDS", [100]),
        ("Reader<16, 50>::move(a, b, n); Reader<8, 50>::move(a, b, n);", "OWN - 1", [100, 50]),
        ("Reader<16, 50>::move(a, b, n);", "HALF*2", [50]),
        ("Reader<16, 50>::move(a, b, n);", "N", [50]),
        ("Plain::move(a, b, n);", "OWN", [12]),
        ("Plain::move(a, b, n);", "HALF + 1", [7]),
        ("far::near::move<Reader<16, 50>>(a, b, n); far::near::move<Base<8, 4>>(a, b, n);", "P::BITS", [800, 32]),
        ("far::near::move<Plain>(a, b, n);", "P::OWN", [12]),
        ("far::near::move<int>(a, b, n);", "Plain::OWN + sizes::M", [14]),
        ("far::near::move<int>(a, b, n);", "far::Plain::OWN * far::sizes::M", [45]),
        ("using namespace other; far::near::move<int>(a, b, n);", "Only::OWN", [31]),
    ],
)
def test_directives_name_constants_of_classes(tmp_path: Path, calls: str, what: str, trips: list[int]) -> None:
    """Their maximum was not known, and the minimum was counted in silence."""
    path = tmp_path / "k.cpp"
    path.write_text(f"{OF_CLASSES.replace('WHAT', what)}void k(const int *a, int *b, int n) {{ {calls} }}\n")
    nests = schedule(path, function="k", worst=True).kernels[0].machine.nests
    assert [nest.iterations for nest in nests] == trips


def test_a_maximum_without_a_number_is_refused_although_there_is_a_minimum(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    code = OF_CLASSES.replace("max=WHAT", "max=MOST")
    path.write_text(f"{code}void k(const int *a, int *b, int n) {{ Plain::move(a, b, n); }}\n")
    with pytest.raises(InputError, match=r"k\.cpp:23:1: loop_tripcount max = MOST is not a whole number .* -D MOST=16"):
        schedule(path, function="k", worst=True)


@pytest.mark.parametrize(
    ("around", "local", "later", "trips"),
    [
        ("", "", "", 4),
        ("", "struct a { enum { F = 16 }; };", "", 16),
        ("", "namespace a = q;", "", 16),
        ("", "struct s { struct a { enum { F = 8 }; }; };", "", 4),
        ("namespace a = q;", "", "", 16),
        ("enum class a { F = 8 };", "", "", None),
        ("", "enum class a { F = 8 };", "", None),
        ("", "", "struct a { enum { F = 16 }; };", None),
        ("", "{ struct a { enum { F = 16 }; }; }", "", None),
    ],
)
def test_names_in_a_function_hide_those_around_it(
    tmp_path: Path, around: str, local: str, later: str, trips: int | None
) -> None:
    """The outer namespace's number was counted in silence."""
    path = tmp_path / "k.cpp"
    path.write_text(f"""namespace a {{ enum {{ F = 4 }}; }} namespace q {{ enum {{ F = 16 }}; }} namespace z {{ {around}
void k(int x[64], int n) {{ {local} for (int i = 0; i < n; i++) {{
#pragma HLS loop_tripcount max=a::F
      x[i] = i; }} {later} }} }}\n""")
    if trips is None:
        with pytest.raises(InputError, match=r"k\.cpp:3:1: loop_tripcount max = a::F is not a whole number"):
            schedule(path, function="k", worst=True)
    else:
        assert schedule(path, function="k", worst=True).kernels[0].machine.nests[0].iterations == trips


def test_whole_numbers_of_std_need_no_header(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text(
        "void k(std::uint16_t a[16], std::int32_t b[16]) { for (std::size_t i = 0; i < 16; i++) b[i] = a[i]; }"
    )
    assert schedule(path).kernels[0].machine.nests[0].iterations == 16


def test_names_of_directives_are_looked_up_near_each_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All directives of the file were visited for each function: 600 functions took 360 000 visits."""
    seen: list[int] = []

    def line(directive: PragmaLine) -> int:
        seen.append(directive.position.line)
        return directive.position.line

    monkeypatch.setattr(by_line, "_line", line)
    loop = "for (int i = 0; i < 8; i++) {{\n#pragma HLS unroll factor=N\n a[i]++; }}"
    one = f"template <int N> void f{{0}}(int *a) {{{{ {loop} }}}}"
    functions = "\n".join(one.format(number) for number in range(100))
    calls = " ".join(f"f{number}<2>(a);" for number in range(100))
    (file := tmp_path / "k.cpp").write_text(f"{functions}\nvoid k(int a[8]) {{ {calls} }}\n")
    unit = parse(str(file), {}, [])
    assert [dict(each.values) for name, each in unit.functions.items() if name != "k"] == [{"N": 2}] * 100
    assert len(seen) < 50 * 101  # two searches by halving for each of a few questions
