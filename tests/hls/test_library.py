"""Operator libraries, types, and C++ with numbers of any width."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.errors import InputError
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format, joined, result
from ppnsim.hls.library.uncertainty import ClockUncertainty


@pytest.mark.parametrize("name", ["zynq-7020", "virtex-6", "virtex-7", "stratix-v", "ultrascale+"])
def test_the_devices_of_the_sources_have_all_operators(name: str) -> None:
    library = load_library(name, 10)
    for operator in ("add", "mul", "div", "sqrt", "cmp", "select"):
        for kind in ("int", "ap_fixed<32,16>", "float", "double"):
            found = library.operator(operator, Format.of(kind))
            assert found.states > 0 or 0 < found.delay < library.budget


@pytest.mark.parametrize(
    ("part", "clock", "states"),
    [
        ("xczu7ev-ffvc1156-2-e", 10, {"add": 4, "mul": 3, "div": 9, "cmp": 2, "elementary": 8}),
        ("xczu7ev-ffvc1156-2-e", 3.33, {"add": 11, "mul": 7, "div": 30, "sqrt": 28}),
        ("xczu5eg-sfvc784-1-e", 10, {"add": 5, "mul": 4, "div": 10}),
        ("xck26-sfvc784-2LV-c", 10, {"add": 4, "mul": 3, "cmp": 2}),
        ("xck26-sfvc784-2LV-c", 3.33, {"add": 11, "mul": 7, "div": 30, "cmp": 3}),
        ("xcu50-fsvh2104-2-e", 10, {"add": 3, "mul": 2, "div": 6}),
        ("xc7z020-clg400-1", 30, {"add": 3, "mul": 2, "div": 7, "cmp": 2, "elementary": 4}),
    ],
)
def test_floating_point_has_the_states_that_names_of_modules_say(
    part: str, clock: float, states: dict[str, int]
) -> None:
    """Rule R9.42."""
    library = load_library(part, clock)
    assert {name: library.operator(name, Format.of("float")).states for name in states} == states


@pytest.mark.parametrize(
    ("part", "states"),
    [
        ("xczu3eg-sbva484-1-i", {"add": 4, "mul": 3, "div": 9}),
        ("xczu9eg-ffvb1156-2-i", {"add": 4, "mul": 2}),
    ],
)
def test_a_clock_of_which_less_is_kept_is_a_longer_one_in_the_tables(part: str, states: dict[str, int]) -> None:
    """Rule R9.42, in schedules of Vivado HLS at 10 ns, which keeps 12.5 %."""
    library = load_library(part, 10, ClockUncertainty("12.5%"))
    assert {name: library.operator(name, Format.of("float")).states for name in states} == states


@pytest.mark.parametrize(("clock", "states"), [(5, 0), (4, 2), (3, 5), (2, 7), (1, 7)])
def test_a_product_on_ultrascale_has_the_registers_of_a_form(clock: float, states: int) -> None:
    """Rule R2.13: a part of grade -1 in Vivado HLS."""
    library = load_library("xqzu5ev-ffrb900-1-i", clock, ClockUncertainty("12.5%"))
    assert library.operator("mul", Format.of("int")).states == states


def test_a_quotient_takes_a_state_per_bit() -> None:
    library = load_library("xc7z020", 10)
    fixed = Format.of("ap_fixed<32,16>")
    assert library.operator("div", result("div", fixed, fixed)).states == 32 + 16 + 4


def test_what_no_device_has() -> None:
    with pytest.raises(InputError, match=r"no device 'xc7z021' \(did you mean 'xc7z020'\?\)"):
        load_library("xc7z021", 10)
    with pytest.raises(InputError, match="1 ns is too fast"):
        load_library("xc7z020", 1)
    with pytest.raises(InputError, match=r"no operator 'muul' for double of 64 bits \(did you mean 'mul'\?\)"):
        load_library("xc7z020", 10).operator("muul", Format.of("double"))


def test_formats_grow_as_the_vendor_says() -> None:
    fixed, small = Format.of("ap_fixed<32, 16, AP_TRN>"), Format.of("ap_ufixed<8,8>")
    assert result("add", fixed, fixed) == Format("fixed", 33, 16)
    assert result("mul", fixed, small) == Format("fixed", 40, 16)
    assert joined(small, fixed) == Format("fixed", 32, 16)
    with pytest.raises(InputError, match="type 'struct complex' has no operators"):
        Format.of("struct complex")


def test_cplusplus_of_high_level_synthesis_is_read_without_the_vendors_headers(tmp_path: Path) -> None:
    path = tmp_path / "kernel.cpp"
    path.write_text(
        '#include "ap_int.h"\n#include "ap_fixed.h"\n#include "hls_math.h"\n#include "hls_stream.h"\n'
        "typedef ap_fixed<24, 8> value;\n"
        "void kernel(value a[16], ap_uint<12> b[16], int c[16]) {\n"
        "  for (ap_uint<5> i = 0; i < 16; i++) {\n"
        "    a[i] = hls::sqrt(a[i] * a[i]) + value(0.25);\n"
        "    a[i] *= a[i] > 0.5 ? value(1) : a[i];\n"
        "    c[i] = b[i] + b[i].to_int();\n"
        "  }\n}\n"
    )
    (program,) = load_programs(str(path))
    types = {array.name: (array.type, array.bits) for array in program.arrays}
    assert types == {"a": ("ap_fixed<24,8>", 24), "b": ("ap_uint<12>", 12), "c": ("int", 32)}
    first = program.statements()[0].value
    assert first is not None and first.kind == "cast"
    assert [operand.type for operand in first.operands[0].operands] == ["ap_ufixed<40,8>", "ap_fixed<24,8>"]


def test_names_of_a_users_macros_do_not_reach_into_the_headers(tmp_path: Path) -> None:
    path = tmp_path / "kernel.cpp"
    path.write_text(
        '#include "ap_fixed.h"\nvoid kernel(ap_fixed<8, 4> a[N]) {\n  for (int i = 0; i < N; i++) a[i] += 1;\n}\n'
    )
    macros = dict.fromkeys(("N", "M", "W", "I", "S", "Q", "T", "OP", "NAME", "R"), "5")
    assert load_programs(str(path), defines=macros)[0].arrays[0].shape == (5,)


def test_a_memory_that_is_slower_than_the_clock_takes_more_states() -> None:
    slow, fast = load_library("xc7z020", 10), load_library("xc7z020", 3.33)
    assert (slow.more_states("ram"), fast.more_states("ram")) == (0, 1)
    assert fast.ns("ram") == fast.budget


def test_an_operator_is_the_narrowest_entry_that_its_bits_fit() -> None:
    library = load_library("xc7z020", 10)
    found = {bits: library.operator("mul", Format("integer", bits)) for bits in (10, 11, 18, 19, 26, 40, 41)}
    assert [(each.states, each.delay) for each in found.values()] == [
        (0, 4.2), (0, 5.58), (0, 5.58), (0, 6.54), (2, 0.0), (2, 0.0), (5, 0.0)
    ]  # fmt: skip
    assert [each.entry for each in found.values()] == [0.0, 0.0, 0.0, 6.91, 6.91, 6.91, 6.98]
    assert (found[19].unit, found[26].unit) == ("", "mul_integer26")  # a combinational product has no unit
    assert [each.cost for each in (found[40], found[41])] == [(50.0, 165.0, 3, 0), (180.0, 440.0, 6, 0)]
    assert library.operator("mul", Format("struct", 40, 0, False)).states == 2
    assert library.operator("add", Format("integer", 32)).delay == pytest.approx(1.6 + 32 * 0.027)
    assert library.delay_ns("add", 16) == pytest.approx(1.6 + 16 * 0.027)
    fadd = library.operator("add", Format.of("float"))
    assert (fadd.unit, fadd.ii, fadd.hoisted, fadd.states, fadd.dsp) == ("add_float32", 1, True, 5, 2)
    assert library.knows("add", Format.of("float"))
    assert not library.knows("shift", Format.of("float"))


@pytest.mark.parametrize(("clock", "states"), [(10, 5), (20, 4), (5, 10), (12.5, 5), (9.9, 7), (50, 2), (1000, 2)])
def test_a_slower_clock_has_fewer_states_of_the_same_logic(clock: float, states: int) -> None:
    # R2.14: forms of 2, 4, 5, 7 and 10 states with 22.5, 10.5, 7.25, 5.92 and 3.35 ns.
    library = load_library("xc7z020", clock)
    assert library.operator("add", Format.of("float")).states == states
    assert library.budget == pytest.approx(0.73 * clock)


def test_logic_that_is_longer_than_a_state_takes_several() -> None:
    library = load_library("xc7z020", 5)  # 3.65 ns of a state for logic
    wide = library.operator("mul", Format("integer", 10))  # 4.2 ns
    assert (wide.states, wide.entry, wide.delay) == pytest.approx((2, 3.65, 0.0))
    assert library.operator("select", Format("integer", 32)).states == 0
    assert library.operator("mul", Format("integer", 32)).entry == pytest.approx(3.65)  # 6.91 ns, at most a state


@pytest.mark.parametrize(("clock", "more"), [(10, 0), (4, 1), (2, 2)])
def test_a_memory_that_is_slower_than_a_state_takes_more(clock: float, more: int) -> None:
    library = load_library("xc7z020", clock)
    assert library.more_states("ram") == more  # 3.254 ns beside 73 % of the clock
    assert library.ns("ram") == pytest.approx(min(3.254, 0.73 * clock))
    assert library.states("mac") == 3


@pytest.mark.parametrize("clock", [0, -1, float("inf")])
def test_a_clock_is_a_positive_number(clock: float) -> None:
    with pytest.raises(InputError, match=r"^--clock: .* ns is not a clock period"):
        load_library("xc7z020", clock)


def test_a_clock_that_its_memories_cannot_follow_is_refused() -> None:
    assert load_library("xc7z020", 1.2).more_states("ram") == 3
    with pytest.raises(InputError, match=r"^--clock: 1.1 ns is too fast for xc7z020: .* 5 states \(at most 4\)$"):
        load_library("xc7z020", 1.1)
