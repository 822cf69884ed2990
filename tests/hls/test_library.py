"""Operator libraries, types, and C++ with numbers of any width."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.errors import InputError
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format, joined, result


@pytest.mark.parametrize("name", ["zynq-7020", "virtex-6", "virtex-7", "stratix-v", "ultrascale+"])
def test_the_devices_of_the_sources_have_all_operators(name: str) -> None:
    library = load_library(name, 10)
    for operator in ("add", "mul", "div", "sqrt", "cmp", "select"):
        for kind in ("int", "ap_fixed<32,16>", "float", "double"):
            found = library.operator(operator, Format.of(kind))
            assert found.states > 0 or 0 < found.delay < library.budget


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
