"""Sources of one design that are read as one text, and numbers that macros make of addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError

OFFSETS = """#include <ap_int.h>
#include <stddef.h>
typedef struct __attribute__((packed)) { unsigned short id; unsigned int vertex; unsigned char f[4]; } item;
#define OFFSET(type, member) ((const size_t)((char *)&((type *)0)->member - (char *)0))
"""


def computed(folder: Path, body: str) -> list[tuple[str, str]]:
    """Return the operations that a body computes, without conversions, with their texts."""
    file = folder / "k.cpp"
    file.write_text(f"{OFFSETS}void k(ap_uint<80> a[8], unsigned b[8]) {{ for (int i = 0; i < 8; i++) {body} }}\n")
    (program,) = load_programs(str(file), function="k", policy=HARDWARE)
    values = [statement.value for statement in program.statements() if statement.value is not None]
    return [(each.kind, each.text) for value in values for each in value.walk() if each.kind != "cast"]


@pytest.mark.parametrize(
    ("of_address", "number"),
    [
        (
            "b[i] = a[i].range((OFFSET(item, vertex) + 4) * 8 - 1, OFFSET(item, vertex) * 8);",
            "b[i] = a[i].range(((size_t)2 + 4) * 8 - 1, (size_t)2 * 8);",
        ),
        ("b[i] = (size_t)&((item *)0)->f[2];", "b[i] = (size_t)8;"),
    ],
)
def test_the_place_of_a_member_is_a_number(of_address: str, number: str, tmp_path: Path) -> None:
    assert computed(tmp_path, of_address) == computed(tmp_path, number)


def test_the_address_of_an_array_is_no_number(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        computed(tmp_path, "b[i] = (size_t)&b[2];")


def test_using_std_in_one_source_does_not_reach_the_names_of_another(tmp_path: Path) -> None:
    # Sources that are read as one text: `is_same` would be that of the library or that of `own`.
    using = "#include <type_traits>\nusing namespace std;\nint twice(int x) { return 2 * x; }\n"
    own = """#include <type_traits>
namespace own { template <class A, class B> struct is_same { static const int value = 3; }; }
using namespace own;
int three() { return is_same<int, int>::value; }
"""
    loop = "for (int i = 0; i < 4; i++) a[i] = twice(a[i]) + three();"
    top = f"int twice(int); int three();\nvoid top(int a[4]) {{ {loop} }}\n"
    files = {name: tmp_path / name for name in ("twice.cpp", "three.cpp", "top.cpp")}
    for file, text in zip(files.values(), (using, own, top), strict=True):
        file.write_text(text)
    linked = [str(files["twice.cpp"]), str(files["three.cpp"])]
    for order in (linked, linked[::-1]):
        (program,) = load_programs(str(files["top.cpp"]), function="top", policy=HARDWARE, linked=order)
        assert "a[i]" in {str(each) for statement in program.statements() for each in statement.writes}
