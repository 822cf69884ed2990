"""What a user's build gives a source beside its text: macros, submodules, sources; and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim import schedule
from ppnsim.errors import InputError

LOOP = "void k(int a[64]) { for (int i = 0; i < N; i++) a[i] += i; }\n"


def refused(path: Path) -> str:
    with pytest.raises(InputError) as error:
        schedule(path, function="k")
    return str(error.value).replace(f"{path.parent}/", "")


def cycles(path: Path) -> int:
    return schedule(path, function="k").kernels[0].machine.cycles


@pytest.mark.parametrize(
    ("build", "text"),
    [
        ("Makefile", "N := 9\nFLAGS += -DN=12 # -DN=99\n"), ("Makefile", "SIZE ?= 12\nall:\n\tv++ -DN=$(SIZE) k.cpp\n"),
        ("rules.mk", "# -DN=5\nCFLAGS = -D N=12\n"), ("CMakeLists.txt", 'set(N 12 CACHE STRING "how many")\n'),
        ("CMakeLists.txt", "set(SIZE 12)\nadd_custom_target(k v++ -DN=${SIZE})\n"),
        ("hls.tcl", 'set size 12\nadd_files k.cpp -cflags "-DN=${size}"\n'),
    ],
)  # fmt: skip
def test_a_macro_has_the_value_that_the_build_beside_the_source_gives_it(
    build: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.cpp").write_text(LOOP)
    (tmp_path / build).write_text(text)
    (tmp_path / "given.cpp").write_text(LOOP.replace("N", "12"))
    assert cycles(tmp_path / "k.cpp") == cycles(tmp_path / "given.cpp")
    assert f"'N' is 12, as in {tmp_path / build}:" in capsys.readouterr().err


def test_of_several_values_none_is_taken_and_each_is_named_with_its_option(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(LOOP)
    (tmp_path / "Makefile").write_text("ifeq ($(BIG), 1)\nF = -DN=32\nelse\nF = -DN=8\nendif\n")
    both = "builds give it different values: -D N=32 (Makefile:2), -D N=8 (Makefile:4)"
    assert refused(tmp_path / "k.cpp") == f"k.cpp:1:41: 'N' is not declared: {both}"


def test_a_build_above_the_folder_of_the_repository_is_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    (tmp_path / "repository" / "k.cpp").write_text(LOOP)
    (tmp_path / "Makefile").write_text("F = -DN=8\n")
    assert "give it with -D N=..." in refused(tmp_path / "repository" / "k.cpp")


def test_a_macro_that_a_file_defines_under_conditions_is_told_with_them(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text('#include "sizes.h"\n' + LOOP)
    sizes = "#ifdef SMALL\n#define N 8\n#endif\n#ifdef LARGE\n#define N 64\n#endif\n"
    (tmp_path / "sizes.h").write_text(f"#ifndef SIZES_H\n#define SIZES_H\n{sizes}#endif\n")
    said = "it is declared only under a condition: -D SMALL (sizes.h:4), -D LARGE (sizes.h:7)"
    assert refused(tmp_path / "k.cpp") == f"k.cpp:2:41: 'N' is not declared: {said}"


def test_the_only_condition_under_which_a_name_is_declared_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kernel = "void k(word_t a[12]) { for (int i = 0; i < 12; i++) a[i] += a[i] * 3; }\n"
    (tmp_path / "host").mkdir()
    (tmp_path / "host" / "types.h").write_text("#pragma once\n#ifdef BOARD\ntypedef double word_t;\n#endif\n")
    (tmp_path / "all.h").write_text('#include "host/types.h"\n')
    (tmp_path / "k.cpp").write_text('#include "all.h"\n' + kernel)
    (tmp_path / "given.cpp").write_text(kernel.replace("word_t", "double"))
    assert cycles(tmp_path / "k.cpp") == cycles(tmp_path / "given.cpp")
    assert "'BOARD' is defined: without it nothing declares 'word_t' (types.h:3)" in capsys.readouterr().err


def test_an_error_names_what_was_taken_from_around_the_file_before(tmp_path: Path) -> None:
    """The width that a build gives may be one for which a function does not exist."""
    (tmp_path / "Makefile").write_text("F = -DN=8\n")
    head = "template <int W> struct word { int bits[W]; };\nvoid sum(word<16> &w);\n"
    (tmp_path / "k.cpp").write_text(head + "template <int W> void part(word<W> &w) { sum(w); }\n"
                                    "void k(word<N> &w) { part<N>(w); }\n")  # fmt: skip
    said = refused(tmp_path / "k.cpp")
    assert "no matching function for call to 'sum' (no known conversion from 'word<8>' to 'word<16> &' for" in said
    assert said.endswith("(read so far with: 'N' is 8, as in Makefile:1; -D N=.. gives another one)")


def test_a_name_that_no_single_macro_declares_is_not_guessed(tmp_path: Path) -> None:
    """Another declaration, or a condition inside another one, and each of them would be a guess."""
    (tmp_path / "k.cpp").write_text('#include "types.h"\nvoid k(word_t a[12]) { a[0] = 1; }\n')
    for text in (
        "#ifdef A\ntypedef int word_t;\n#elif B\ntypedef char word_t;\n#endif\n",
        "#ifdef A\n#if B > 2\ntypedef int word_t;\n#endif\n#endif\n",
    ):
        (tmp_path / "types.h").write_text(text)
        assert "'word_t': it is declared only under a condition: " in refused(tmp_path / "k.cpp")


def test_a_header_of_a_submodule_that_is_not_checked_out_is_told_with_the_command(tmp_path: Path) -> None:
    (tmp_path / ".gitmodules").write_text(
        '[submodule "lib"]\n\tpath = ext/lib\n\turl = https://example.org/lib.git\n'
        '[submodule "tool"]\n\tpath = ext/tool\n\turl = https://example.org/tool.git\n'
    )
    (tmp_path / "k.cpp").write_text('#include "lib/nowhere_else.h"\n' + LOOP)
    assert refused(tmp_path / "k.cpp").endswith(
        "; 'ext/lib' is a submodule of git that is not checked out: git submodule update --init ext/lib"
    )
    (tmp_path / "k.cpp").write_text('#include "nowhere_else.h"\n' + LOOP)
    assert "in a submodule of git that is not checked out (ext/lib, ext/tool)" in refused(tmp_path / "k.cpp")


def test_a_source_beside_has_a_body_whose_sizes_call_functions(tmp_path: Path) -> None:
    head = "constexpr int half(int n) { return n / 2; }\nvoid part(int a[half(64)]);\n"
    body = "void part(int a[half(64)]) { for (int i = 0; i < half(64); i++) a[i] *= 3; }\n"
    kernel = "void k(int a[32]) { part(a); }\n"
    (tmp_path / "part.h").write_text("#pragma once\n" + head)
    (tmp_path / "part.cpp").write_text('#include "part.h"\n' + body)
    (tmp_path / "k.cpp").write_text('#include "part.h"\n' + kernel)
    (tmp_path / "whole.cpp").write_text(head + body + kernel)
    assert cycles(tmp_path / "k.cpp") == cycles(tmp_path / "whole.cpp") > 32


def test_a_source_beside_that_cannot_be_read_is_told_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "part.h").write_text("#pragma once\nint part(int x);\n")
    (tmp_path / "part.cpp").write_text('#include "part.h"\nint part(int x) { return x + MISSING; }\n')
    (tmp_path / "k.cpp").write_text('#include "part.h"\n' + LOOP.replace("N", "8").replace("+= i", "= part(i)"))
    with pytest.raises(InputError, match="function 'part' has no operator"):
        schedule(tmp_path / "k.cpp", function="k")
    part = tmp_path / "part.cpp"
    assert (
        f"'{part}' defines 'part' and cannot be read with it: {part}:2:30: 'MISSING' is not" in capsys.readouterr().err
    )


def test_the_function_that_a_file_defines_itself_keeps_its_name(tmp_path: Path) -> None:
    """A template of the same name in a header had it, and its cycles were the answer."""
    (tmp_path / "lib.h").write_text("namespace lib { inline int k(int x) { return x + 1; } }\n")
    text = '#include "lib.h"\nvoid k(int a[64]) { for (int i = 0; i < 64; i++) a[i] = lib::k(a[i]); }\n'
    (tmp_path / "k.cpp").write_text(text)
    assert cycles(tmp_path / "k.cpp") > 64


def test_of_two_functions_of_one_name_it_is_that_of_the_header(tmp_path: Path) -> None:
    """The task came first in the file, had the name, and its cycles were the answer."""
    (tmp_path / "k.h").write_text("void k(int a[64], int b[64]);\n")
    task = "static void k(int a[64]) { for (int i = 0; i < 64; i++) a[i] = i; }\n"
    whole = "void k(int a[64], int b[64]) { k(a); for (int i = 0; i < 64; i++) b[i] = a[63 - i]; }\n"
    (tmp_path / "k.cpp").write_text(f'#include "k.h"\n{task}{whole}')
    assert cycles(tmp_path / "k.cpp") > 128


@pytest.mark.parametrize(
    ("pragma", "said"),
    [
        ("array partition variable=t complete", "array partition, which is no directive"),
        ("resource variable t core=RAM_2P_BRAM", "resource of no variable"),
    ],
)
def test_pragmas_that_a_tool_passes_over_are_listed(pragma: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(
        f"void k(int a[64]) {{ int t[64];\n#pragma HLS {pragma}\nfor (int i = 0; i < 64; i++) t[i] = a[i];\n"
        "for (int i = 0; i < 64; i++) a[i] = t[63 - i]; }"
    )
    found = schedule(tmp_path / "k.cpp", function="k")
    assert any(said in str(each) and ":2:1" in str(each) for each in found.kernels[0].without_effect)


def test_registers_and_bits_of_numbers_as_vivado_s_own_header_has_them(tmp_path: Path) -> None:
    text = "void k(float a[64], unsigned b[64]) { for (int i = 0; i < 64; i++) b[i] = BITS; }\n"
    bits = "fp_struct<float>(a[i]).data() + BitWidth<8>::Value"
    (tmp_path / "k.cpp").write_text('#include "utils/x_hls_utils.h"\n' + text.replace("BITS", f"reg({bits})"))
    found = schedule(tmp_path / "k.cpp", function="k")
    assert found.kernels[0].machine.cycles > 64
    assert any("latency max" in str(each) for each in found.kernels[0].without_effect)


def test_bits_of_a_number_are_wiring_as_those_of_a_union_are(tmp_path: Path) -> None:
    text = "void k(float a[64], unsigned b[64]) { for (int i = 0; i < 64; i++) { BODY } }\n"
    union = "union { float f; unsigned u; } t; t.f = a[i]; b[i] = t.u;"
    for name, body in (("own", "fp_struct<float> t(a[i]); b[i] = t.data();"), ("union", union)):
        (tmp_path / f"{name}.cpp").write_text('#include "utils/x_hls_utils.h"\n' + text.replace("BODY", body))
    assert cycles(tmp_path / "own.cpp") == cycles(tmp_path / "union.cpp")


MAKE = """APP := big
include rules.mk
ifeq ($(APP), small)
SIZE = 8
else
SIZE = 12 # of elements
endif
ifdef NOBODY
FLAGS += -I nowhere -DN=99
endif
FLAGS += -I apps/$(APP) -I missing \\
  -DM=$(SIZE)
k:
\tv++ $(FLAGS) k.cpp
"""


SCRIPT = 'set app big\nadd_files "k.cpp" -cflags "-DK=1 -I ../apps/${app} -I$gone" ;# -I ../apps/small\n'


@pytest.mark.parametrize(("build", "text", "line"), [("Makefile", MAKE, 11), ("src/hls.tcl", SCRIPT, 2)])
def test_a_build_says_which_of_several_headers_is_meant(
    build: str, text: str, line: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, count in (("small", 8), ("big", 12)):
        (tmp_path / "apps" / folder).mkdir(parents=True)
        (tmp_path / "apps" / folder / "app.h").write_text(f"#define N {count}\n")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "k.cpp").write_text('#include "app.h"\n' + LOOP)
    both = f"{tmp_path}/apps/big, {tmp_path}/apps/small have one"
    assert refused(tmp_path / "src" / "k.cpp").endswith(f"header 'app.h' is not found; give its folder with -I: {both}")
    (tmp_path / build).write_text(text)
    (tmp_path / "src" / "other.tcl").write_text("add_files other.cpp -cflags -I../apps/small\n")
    (tmp_path / "rules.mk").write_text("export OTHER = -DX=3\n")
    (tmp_path / "given.cpp").write_text(LOOP.replace("N", "12"))
    assert cycles(tmp_path / "src" / "k.cpp") == cycles(tmp_path / "given.cpp")
    place = f"{tmp_path}/apps/big, as in {tmp_path}/{build}:{line}; -I gives another one"
    assert f"header 'app.h' is taken from {place}" in capsys.readouterr().err


def test_a_macro_whose_value_is_a_variable_set_elsewhere_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.cpp").write_text(LOOP.replace("N", "M"))
    (tmp_path / "Makefile").write_text(MAKE)
    (tmp_path / "given.cpp").write_text(LOOP.replace("N", "12"))
    assert cycles(tmp_path / "k.cpp") == cycles(tmp_path / "given.cpp")
    assert f"'M' is 12, as in {tmp_path}/Makefile:11; -D M=.. gives another one" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        "F = -DM=$(shell cat size)", "F = -DM=$(SIZE)", "SIZE = $(SIZE)\nF = -DM=$(SIZE)", "F = -DM=4$(shell cat size)",
        "F = -DM=$(words a b)4", "SIZE = $(SIZE) $(SIZE) $(SIZE) $(SIZE)\nF = -DM=$(firstword $(SIZE))",
        f"include {300 * 'm'}\nF = -I{300 * 'f'}",
        "ifeq ($(shell uname), Linux)\nE = 4\nelse\nE = 8\nendif\nF = -DM=$(E)$(E)",
    ],
)  # fmt: skip
def test_a_macro_whose_value_a_makefile_does_not_tell_is_not_known(tmp_path: Path, line: str) -> None:
    (tmp_path / "k.cpp").write_text(LOOP.replace("N", "M"))
    (tmp_path / "Makefile").write_text(f"{line}\n")
    assert "give it with -D M=..." in refused(tmp_path / "k.cpp")


@pytest.mark.parametrize(
    "text",
    [
        "A = 1\nifeq ($(A), 1)\nN = 12\nelse ifeq ($(A), 2)\nN = 2\nelse\nN = 3\nendif\nF = -DM=$(N)\n",
        "A =\nE = 12\nifdef A\nF = -DM=$(A)9\nelse\nF = -DM=$(E)\nendif\n",
        "F = -DM=4*3\n", "APP = big\nbig_n = 12\nF = -DM=$($(APP)_n)\n",
    ],
)  # fmt: skip
def test_a_macro_has_the_value_that_make_gives_it(text: str, tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(LOOP.replace("N", "M"))
    (tmp_path / "Makefile").write_text(text)
    (tmp_path / "given.cpp").write_text(LOOP.replace("N", "12"))
    assert cycles(tmp_path / "k.cpp") == cycles(tmp_path / "given.cpp")


def test_a_header_of_cmake_may_name_its_folders(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text("set(SIZE 12 CACHE STRING x)\nconfigure_file(c.h.in c.h)\n")
    (tmp_path / "c.h.in").write_text('const char DIR[] = "${CMAKE_BINARY_DIR}";\n#define N ${SIZE}\n')
    (tmp_path / "k.cpp").write_text('#include "c.h"\n' + LOOP)
    (tmp_path / "given.cpp").write_text(LOOP.replace("N", "12"))
    assert cycles(tmp_path / "k.cpp") == cycles(tmp_path / "given.cpp")
    (tmp_path / "c.h.in").write_text("#define N ${SIZE}\n#define M ${OTHER}\n")
    assert refused(tmp_path / "k.cpp").endswith("gives some of its variables no constant values (OTHER)")


def test_a_header_that_a_makefile_names_is_not_looked_for_in_submodules(tmp_path: Path) -> None:
    (tmp_path / ".gitmodules").write_text('[submodule "lib"]\n\tpath = ext/lib\n\turl = https://example.org/lib.git\n')
    (tmp_path / "k.cpp").write_text('#include "made.h"\n' + LOOP)
    (tmp_path / "Makefile").write_text("# made.h\nall: unmade.h\n\tcp out/made.h .\n")
    assert refused(tmp_path / "k.cpp").endswith("; Makefile:3 names it: the build may make it there")
    (tmp_path / "Makefile").write_text("# made.h\nall: unmade.h\n")
    assert "git submodule update" in refused(tmp_path / "k.cpp")
