"""Numbers beyond the limits of their type: subscripts that go round, as C and the vendor's types have them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppnsim.c.lowering.values.piecewise import Choice, Value
from ppnsim.c.lowering.values.wraps import kept, unsigned_of
from ppnsim.c.syntax import CType
from ppnsim.library.schedule import schedule
from ppnsim.loops.expressions import Affine, Compare

TYPES = [
    CType("integer", "unsigned char", 8), CType("integer", "char", 8), CType("integer", "ap_uint<3>", 3),
    CType("integer", "ap_int<5>", 5), CType("integer", "unsigned short", 16), CType("integer", "ap_int<1>", 1),
]  # fmt: skip


@given(
    of=st.sampled_from(TYPES), factor=st.integers(-3, 3), add=st.integers(-700, 700), first=st.integers(-300, 300),
    trips=st.integers(1, 40),
)  # fmt: skip
def test_a_type_keeps_its_lowest_bits(of: CType, factor: int, add: int, first: int, trips: int) -> None:
    found = kept(Affine.of("i") * factor + add, of, {"i": (first, first + trips - 1)})
    assert isinstance(found, Affine)
    least, most = of.limits
    for i in range(first, first + trips):
        assert found.value({"i": i}) == (factor * i + add - least) % (most - least + 1) + least


@pytest.mark.parametrize("factor", [1, 2654435761, -2654435761, 4294967295])
def test_an_unsigned_number_is_congruent(factor: int) -> None:
    word = CType("integer", "unsigned int", 32)
    found = unsigned_of(Affine.of("i") * factor + 5, word, {"i": (0, 99)})
    assert found is not None
    for i in range(100):
        value = found.value({"i": i})
        assert (value - factor * i - 5) % 2**32 == 0
        assert -(2**32) < value < 2**32


def test_what_is_not_affine_in_pieces_is_told() -> None:
    byte, flag = TYPES[0], CType("integer", "bool", 8)
    ranges = {"i": (0, 300)}
    here: Value = Affine.of("i")
    assert kept(Choice(Compare(Affine.of("i")), here, Affine.of(3)), byte, ranges) == Choice(
        Compare(Affine.of("i")), Affine.of("i") % 256, Affine.of(3)
    )
    assert kept(here, flag, ranges) == Choice(Compare(Affine.of("i"), "="), Affine.of(0), Affine.of(1))
    assert unsigned_of(Affine.of("i") * 2**63, CType("integer", "unsigned long", 64), ranges) is None


def interval(folder: Path, text: str) -> int:
    helpers = "static int at(int *a, ap_uint<4> k) { return a[k]; }\nstatic ap_uint<4> low(int k) { return k; }\n"
    path = folder / "k.cpp"
    path.write_text(f"#include <ap_int.h>\n#include <stdint.h>\n{helpers}void f(int a[512]) {{ {text} }}\n", "utf-8")
    loops = schedule(path).to_dict()["loops"]
    return int(loops[-1]["ii"])


@pytest.mark.parametrize("text", [
    "for (int i = 0; i < 200; i++) a[(unsigned char)(i + 257)] = a[i] * 11 / 7;",
    "for (int i = 0; i < 200; i++) { unsigned char k = i + 257; a[k] = a[i] * 11 / 7; }",
    "for (int i = 0; i < 200; i++) { const uint8_t k = i + 257; a[k] = a[i] * 11 / 7; }",
    "for (int i = 0; i < 120; i++) a[i + 1] = a[(signed char)(i + 256)] * 11 / 7;",
    "for (int i = 0; i < 256; i++) a[i] = a[(unsigned char)(i + 255)] * 11 / 7;",
    "for (int i = 0; i < 16; i++) a[i] = a[(ap_uint<4>)(i + 15)] * 11 / 7;",
    "for (int i = 0; i < 16; i++) a[i] = a[ap_uint<4>(i + 15)] * 11 / 7;",
    "for (int i = 0; i < 16; i++) { ap_uint<4> k = i; k += 15; a[i] = a[k] * 11 / 7; }",
    "for (int i = 0; i < 16; i++) a[i] = a[low(i + 15)] * 11 / 7;",
    "for (int i = 0; i < 16; i++) a[i] = at(a, i + 15) * 11 / 7;",
    "for (int r = 0; r < 4; r++) for (int i = 0; i < 200; i++) a[(unsigned char)(i + 257)] = a[i] * 11 / 7;",
    "int *p = a; for (int i = 0; i < 200; i++) p[(unsigned char)(i + 257)] = a[i] * 11 / 7;",
    "static const unsigned char o = 257; for (int i = 0; i < 200; i++) a[i + o] = a[i] * 11 / 7;",
    "auto w = [](int x) -> unsigned char { return x; }; for (int i = 0; i < 200; i++) a[w(i + 257)] = a[i] * 11 / 7;",
    "for (int i = 0; i < 200; i++) if ((unsigned char)(i + 200) < 100) a[i + 1] = a[i] * 11 / 7;",
    "for (unsigned i = 1; i < 60; i++) a[i] = a[i + 4294967295u] * 11 / 7;",
])  # fmt: skip
def test_a_subscript_that_goes_round_is_the_one_that_the_iteration_before_stored(tmp_path: Path, text: str) -> None:
    """All were II 1, in silence; without the conversion they are `a[i + 1] = a[i] * 11 / 7`, which is II 9."""
    assert interval(tmp_path, text) == 9


@pytest.mark.parametrize(("text", "ii"), [
    ("for (unsigned i = 0; i < 256; i++) a[(i * 2654435761u) >> 28] += a[i & 15] * 11 / 7;", 9),  # was 2
    ("for (unsigned i = 0; i < 256; i++) a[(i * 2654435761u) >> 23] = i;", 1),
    ("for (int i = 0; i < 16; i++) a[(bool)i] += i;", 2),  # one of two elements: was 1, an element of its own for each
    ("for (int i = 0; i < 200; i++) { unsigned char k = i + 1; a[k] = a[i + 1] * 11 / 7; }", 1),  # does not go round
])  # fmt: skip
def test_what_goes_round_elsewhere(tmp_path: Path, text: str, ii: int) -> None:
    assert interval(tmp_path, text) == ii


@pytest.mark.parametrize(
    ("loop", "trips"),
    [
        ("for (long j = 0; j < k * k; j++)", 131073),
        ("int m = k * k; for (long j = 0; j < m; j++)", 131073),
        ("for (unsigned j = k * (unsigned)k; j > 0; j--)", 131073),
        ("for (long j = 0; j < (long)k * k; j++)", 65537 * 65537),
        ("for (unsigned j = 0; j < 4294967295u * 2u - 4294967200u; j++)", 94),
        ("for (long j = 0; j < (k << 16); j++)", 65536),
    ],
)
def test_a_bound_goes_round_in_its_own_type(tmp_path: Path, loop: str, trips: int) -> None:
    (tmp_path / "k.cpp").write_text(f"int f(int a[4], int k) {{ int s = 0; {loop} s += a[j & 3]; return s; }}", "utf-8")
    (found,) = schedule(tmp_path / "k.cpp", device="xc7z020", release="2022.2", settings={"k": 65537}).to_dict()[
        "loops"
    ]
    assert found["trip"] == trips


def test_a_bound_that_iterators_take_round_is_counted_by_execution(tmp_path: Path) -> None:
    """5, 4 and 3 iterations, as of ``5 - i``; if no number went round they would be 3 times 2 ** 32."""
    text = "for (unsigned i = 0; i < 3; i++) for (long j = 0; j < i * 4294967295u + 5; j++) s += a[j & 3];"
    (tmp_path / "k.cpp").write_text(f"int f(int a[4]) {{ int s = 0; {text} return s; }}", "utf-8")
    assert 12 <= schedule(tmp_path / "k.cpp", device="xc7z020", release="2022.2").to_dict()["cycles"] <= 40
