"""C that is written from loop programs: it compiles, computes the same bits, and reads back as the same program."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from operator import add, sub, xor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ppnsim.c.clang.parser import parse
from ppnsim.c.load import load_programs
from ppnsim.derive.estimate.estimate import estimate_program
from ppnsim.errors import InputError
from ppnsim.loops.as_c.source import c_source
from ppnsim.loops.dependences import firings
from ppnsim.loops.program import Access, LoopProgram, Operation, Region, Statement
from ppnsim.loops.rewrite.interchange import interchange
from ppnsim.loops.rewrite.partition import cut, loops_around, unfold
from ppnsim.loops.rewrite.skew import skew
from tests.derive.test_profile import small
from tests.helpers.c_drivers import run_kernel, run_kernels
from tests.helpers.loop_programs import Location, executions, location, loop_programs

KERNELS = Path(__file__).parents[2] / "scenarios" / "kernels"
SOURCES = Path(__file__).parents[1] / "sources"
NAMES = sorted(path.stem for path in KERNELS.glob("*.c"))
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")


def transformed(program: LoopProgram) -> Iterator[tuple[str, LoopProgram]]:
    """Yield a program as it is and with every statement in loops unfolded or cut, at its inner and outer loops."""
    yield "same", program
    loops = {s.name: loops_around(program, s.name) for s in program.statements()}
    for word, change, number, which in (
        ("inner", unfold, 2, -1), ("outer", unfold, 3, 0), ("cut", cut, 2, -1), ("planes", cut, 3, 0),
    ):  # fmt: skip
        result, done = program, 0
        for name, around in loops.items():
            if around:
                try:
                    result = change(result, name, number, iterator=around[which].iterator)
                    done += 1
                except InputError as reason:  # a triangular loop has no planes, one from a maximum on no trips
                    assert "bounds that vary" in str(reason) or "starts at one of" in str(reason)
        if done:
            yield word, result


def emitted(program: LoopProgram, path: Path) -> Path:
    """Write a program as C and return where."""
    path.write_text(c_source(program, Path(program.file).read_text(encoding="utf-8")), encoding="utf-8")
    return path


def figures(program: LoopProgram) -> tuple[list[int], object, object]:
    """Return the executions of the statements that have any, and the estimates with streams."""
    estimate = estimate_program(program, io=True, latency=3)
    counts = [count for count in firings(program).values() if count]
    return counts, estimate.absolute, estimate.unbounded


@cache
def variants(name: str) -> tuple[LoopProgram, dict[str, LoopProgram]]:
    """Return a shipped kernel, small, and what `transformed` makes of it."""
    (program,) = load_programs(str(KERNELS / f"{name}.c"), defines=small(KERNELS / f"{name}.c"))
    return program, dict(transformed(program))


@needs_gcc
@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_kernel_computes_the_same_bits_after_every_transformation(name: str, tmp_path: Path) -> None:
    source, defines = KERNELS / f"{name}.c", small(KERNELS / f"{name}.c")
    program, changed = variants(name)
    written = {word: emitted(each, tmp_path / f"{name}_{word}.c") for word, each in changed.items()}
    wanted, *found = run_kernels([source, *written.values()], program.name, tmp_path, defines=defines)
    assert wanted and [word for word, told in zip(written, found, strict=True) if told != wanted] == []


@pytest.mark.parametrize("half", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_reads_back_as_the_same_program(name: str, half: int, tmp_path: Path) -> None:
    """Two kernels after another share the transformations between them; the other half of each is slow."""
    for number, (word, changed) in enumerate(variants(name)[1].items(), start=NAMES.index(name) + half):
        if number % 2 == 0:
            written = emitted(changed, tmp_path / f"{name}_{word}.c")
            (again,) = load_programs(str(written), defines=small(KERNELS / f"{name}.c"))
            assert figures(again) == figures(changed), word


@needs_gcc
@pytest.mark.parametrize(("file", "kernel", "compiler"), [("hard.c", "hard", "gcc"), ("references.cpp", "work", "g++")])
def test_conversions_structs_pointers_and_names_survive(file: str, kernel: str, compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    source = SOURCES / file
    (program,) = load_programs(str(source), function=kernel)
    options: dict[str, Any] = {"defines": {}, "compiler": (compiler,), "unit": parse(str(source), {}, ())}
    wanted = run_kernel(source, kernel, tmp_path, **options)
    for word, changed in transformed(program):
        written = emitted(changed, tmp_path / f"{source.stem}_{word}{source.suffix}")
        assert run_kernel(written, kernel, tmp_path, **options) == wanted, word
        (again,) = load_programs(str(written), function=kernel)
        assert figures(again) == figures(changed), word


ARRAYS = {"s": "*s", "a": "a", "b": "b"}
RANDOM = "void random(unsigned int *s, unsigned int a[9], unsigned int b[9][9])\n{\n@;\n}\n"


COMBINED = (("+", add), ("-", sub), ("^", xor))
"""How a value and the next element that is read are combined, as C and as numbers; every second time the other way."""


def computing(program: LoopProgram, file: Path) -> LoopProgram:
    """Return a random program with subscripts within the arrays and statements that compute something."""
    arrays = tuple(
        replace(array, type="unsigned int", role="parameter", symbol=ARRAYS[array.name]) for array in program.arrays
    )
    start, end = RANDOM.index("@"), RANDOM.index(";") + 1

    def within(accesses: tuple[Access, ...]) -> tuple[Access, ...]:
        return tuple(replace(each, subscripts=tuple(e % 9 for e in each.subscripts)) for each in accesses)

    def change(statement: Statement) -> Statement:
        value = Operation("constant", "unsigned int", text=str(7 + len(statement.name)))
        for number in range(len(statement.reads)):
            value = Operation("*", "unsigned int", (value, Operation("constant", "unsigned int", text="31")))
            sides = value, Operation("read", "unsigned int", read=number)
            kind = COMBINED[number % len(COMBINED)][0]
            value = Operation(kind, "unsigned int", sides[::-1] if number % 2 else sides)
        writes = within(statement.writes[:1]) or (Access("s"),)
        return replace(statement, reads=within(statement.reads), writes=writes, value=value)

    region = Region(start, end, (0, len(RANDOM)))
    return replace(program.replaced(change), arrays=arrays, file=str(file), region=region)


def interpreted(program: LoopProgram) -> dict[Location, int]:
    """Return what is left in memory by a program made by `computing`; all is 0 at the start."""
    memory: dict[Location, int] = {}
    for statement, values in executions(program):
        assert statement.value is not None
        total = 7 + len(statement.name)
        for number, access in enumerate(statement.reads):
            sides = total * 31, memory.get(location(access, values), 0)
            combine = COMBINED[number % len(COMBINED)][1]
            total = combine(*(sides[::-1] if number % 2 else sides)) % (1 << 32)
        memory[location(statement.writes[0], values)] = total
    return memory


PRINTED = "".join(
    f'for (int k = 0; k < {size}; k++) printf("%u ", {element}); '
    for element, size in (("s", 1), ("a[k]", 9), ("b[0][k]", 81))
)


def compiled(programs: Sequence[LoopProgram], folder: Path) -> list[list[int]]:
    """Return what each program made by `computing` leaves in memory as C; gcc is called once for all of them."""
    texts, calls = [], []
    for number, program in enumerate(programs):
        texts.append(c_source(program, RANDOM).replace("void random(", f"void random_{number}("))
        arrays = "s = 0; memset(a, 0, sizeof a); memset(b, 0, sizeof b);"
        calls.append(f'{arrays} random_{number}(&s, a, b); {PRINTED} printf("\\n");\n')
    main = f"unsigned int s, a[9], b[9][9]; int main(void) {{ {''.join(calls)} return 0; }}\n"
    (folder / "main.c").write_text(f"#include <stdio.h>\n#include <string.h>\n{''.join(texts)}{main}", encoding="utf-8")
    subprocess.run(["gcc", "-w", "main.c", "-o", "main"], cwd=folder, check=True)
    printed = subprocess.run([folder / "main"], capture_output=True, text=True, check=True).stdout
    return [[int(number) for number in line.split()] for line in printed.splitlines()]


def as_printed(memory: dict[Location, int]) -> list[int]:
    wanted = [memory.get(("s",), 0), *(memory.get(("a", k), 0) for k in range(9))]
    return wanted + [memory.get(("b", k, j), 0) for k in range(9) for j in range(9)]


def check_compiled(drawn: Sequence[LoopProgram], folder: Path) -> None:
    programs = [computing(program, folder / "random.c") for program in drawn]
    assert compiled(programs, folder) == [as_printed(interpreted(program)) for program in programs]


@needs_gcc
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs=st.lists(loop_programs(), min_size=10, max_size=10))  # a start of gcc takes longer than a program
def test_random_programs_compute_what_an_interpreter_computes(programs: list[LoopProgram], tmp_path: Path) -> None:
    check_compiled(programs, tmp_path)


def test_conversions_that_c_makes_by_itself_are_not_written(tmp_path: Path) -> None:
    text = "void k(double a[4], float b[4]) { for (int i = 0; i < 4; i++) a[i] = a[i] * b[i] + 2 * i; }\n"
    (tmp_path / "k.c").write_text(text, encoding="utf-8")
    (program,) = load_programs(str(tmp_path / "k.c"), function="k")
    assert "a[i] = a[i] * b[i] + 2 * i;" in c_source(program, text)


def test_conversions_of_what_is_tested_are_written(tmp_path: Path) -> None:
    value = "(char)b[i] ? 5 : !(char)a[i] || ((char)b[i] && a[i])"
    text = f"void k(int a[4], int b[4]) {{ for (int i = 0; i < 4; i++) a[i] = {value}; }}\n"
    (tmp_path / "k.c").write_text(text, encoding="utf-8")
    (program,) = load_programs(str(tmp_path / "k.c"), function="k")
    assert f"a[i] = {value};" in c_source(program, text).replace("(int)", "")  # of a char: no value changes


@pytest.mark.parametrize(("last", "type_"), [(2**31 - 1, "int"), (2**31, "long")])
def test_an_iterator_has_room_for_the_value_that_ends_its_loop(last: int, type_: str, tmp_path: Path) -> None:
    text = f"void k(double a[4]) {{ for (long i = 0; i < {last}; i++) a[i % 4] = a[i % 4] * 2.0; }}\n"
    (tmp_path / "k.c").write_text(text, encoding="utf-8")
    (program,) = load_programs(str(tmp_path / "k.c"), function="k")
    assert f"for ({type_} i = 0; i < {last}; i++)" in c_source(program, text)


FILL = "for (int i = 0; i < 4; i++) a[i] = i;"
LOST = {
    f"{FILL} clock(); {FILL}": "'clock()' is amid the loops and would be lost; put #pragma scop and #pragma endscop",
    f"{FILL} static int b[4]; for (int i = 0; i < 4; i++) a[i] = b[i];": "'b' is static; declare it before the loops",
    f"\n#pragma scop\n{FILL}\n#pragma endscop\n#pragma scop\n{FILL}\n#pragma endscop\n": "'k' has 2 scops; only one",
    "a[0] = 1; struct { int x; } c; c.x = a[0]; a[1] = c.x;": "the type of 'c' has no name",
    "float x = a[0]; a[1] = *(int *)&x;": "'*&x' has another type than its array, and the new C would convert it",
}


@pytest.mark.parametrize("body", LOST)
def test_what_would_be_lost_is_refused(body: str, tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(f"long clock(void);\nvoid k(int a[4]) {{ {body} }}\n", encoding="utf-8")
    (program,) = load_programs(str(tmp_path / "k.c"), function="k")
    with pytest.raises(InputError, match=re.escape(LOST[body])):
        c_source(program, (tmp_path / "k.c").read_text(encoding="utf-8"))


FROM_3 = "\n#pragma scop\nfor (i = 0; i < 3; i++) a[i] = i; m = 3; p = &a[1]; a[m] = 7; p[m] = 5;\n#pragma endscop\n"
BEHIND = {
    "a[5] = i;": "i", "if (i == 3) a[5] = 1;": "i", "for (; i < 6; i++) a[i] = 1;": "i", "a[i] = 1;": "i",
    "for (int j = i; j < 6; j++) a[j] = 1;": "i", "while (i > 1) i = i - 1;": "i", "if (a[1]) i = 0; a[i] = 9;": "i",
    "a[5] = m;": "m", "m += 1;": "m", "p[0] = 4;": "p",
    "a[1] == 9 && (i = 5); a[5] = i;": "i", "a[5] = a[1] ? (i = 5) : 0; a[5] += i;": "i",
    "int z[i]; a[5] = sizeof z;": "i", "a[5] = sizeof(int[i]);": "i",
    "if (a[1] == 9 || (i = 5)) a[4] = 1; a[5] = i;": "i",
    "if (a[1]) goto end; i = 5; end: a[5] = i;": "i",
}  # fmt: skip
# What stands around the loops decides what is executed after them.
AROUND = (
    "int i, *q = &i; {} a[5] = *q;",
    "int i = 0; if (a[1]) { {} } else i = 9; a[5] = i;",
    "int i = 0; do { {} if (a[1]) break; i = 0; } while (0); a[5] = i;",
    "int i = 0; for (int t = 0; t < 2 + i; t++) { {} if (a[1]) continue; i = 0; }",
    "int i = 0, n = 0; again: a[5] += i; {} if (n++ < 2) goto again;",
)
SET_ANEW = (
    "", "i = 5; a[i] = 9;", "for (i = 4; i < 6; i++) a[i] = 9;", "if (a[1]) i = 0;", "i = a[0]; m = i; a[m]++;",
    "for (int j = 0; j < 4; j++) { if (a[j] == 2) break; a[4]++; } i = 3; a[5] = i;",
)  # fmt: skip


def behind(statements: str, tmp_path: Path) -> tuple[LoopProgram, str]:
    text = f"void k(int a[6]) {{ int i, m = 1, *p; {FROM_3}{statements} }}\n"
    (tmp_path / "k.c").write_text(text, encoding="utf-8")
    (program,) = load_programs(str(tmp_path / "k.c"))
    return program, text


@pytest.mark.parametrize("statements", BEHIND)
def test_a_value_of_the_loops_that_is_read_behind_them_is_refused(statements: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"k\.c:3:\d+: '{BEHIND[statements]}' may be read after the loops"):
        c_source(*behind(statements, tmp_path))


@pytest.mark.parametrize("around", AROUND)
def test_a_value_that_some_way_from_the_loops_reads_is_refused(around: str, tmp_path: Path) -> None:
    loop = "\n#pragma scop\nfor (i = 0; i < 3; i++) a[i] = i;\n#pragma endscop\n"
    text = f"void k(int a[6]) {{ {around.replace('{}', loop)} }}\n"
    (tmp_path / "k.c").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"'i' may (be read after the loops|change behind the loop's back)"):
        (program,) = load_programs(str(tmp_path / "k.c"))
        c_source(program, text)


@pytest.mark.parametrize("around", ["int i;\nvoid k(int a[4]) {", "void k(int a[4]) { static int i;"])
def test_an_iterator_that_outlives_the_kernel_is_refused(around: str, tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(f"{around} {FILL.replace('int i', 'i')} }}\n", encoding="utf-8")
    (program,) = load_programs(str(tmp_path / "k.c"))
    with pytest.raises(InputError, match="'i' may be read after the loops"):
        c_source(program, "")


@needs_gcc
@pytest.mark.parametrize("statements", SET_ANEW)
def test_a_value_that_is_set_anew_behind_the_loops_is_computed(statements: str, tmp_path: Path) -> None:
    emitted(behind(statements, tmp_path)[0], tmp_path / "written.c")
    wanted = run_kernel(tmp_path / "k.c", "k", tmp_path, defines={})
    assert run_kernel(tmp_path / "written.c", "k", tmp_path, defines={}) == wanted


def test_all_around_the_loops_stays_as_it_was(tmp_path: Path) -> None:
    head = "#include <stdio.h>\nint k(int a[4])\n{\n    int n = 3, left[2]; // kept\n    "
    loop = "for (int i = 0; i <= n; i++)\n        a[i] = i;"
    tail = '  /* behind */\n    printf("%d", a[0]);\n    return n;\n}\n/* \u00e9nd */\n'
    (tmp_path / "k.c").write_text(head + loop + tail, encoding="utf-8")
    (program,) = load_programs(str(tmp_path / "k.c"))
    text = c_source(program, head + loop + tail)
    assert text == head + "for (int i = 0; i < 4; i++)\n        a[i] = i; /* a */" + tail


def test_what_stands_in_the_kernel_before_the_scop_is_not_amid_the_loops(tmp_path: Path) -> None:
    head = "long clock(void);\nvoid k(int a[4]) {\n    static int b[4];\n    clock();\n"
    text = f"{head}#pragma scop\n    for (int i = 0; i < 4; i++) a[i] = b[i];\n#pragma endscop\n}}\n"
    (tmp_path / "k.c").write_text(text, encoding="utf-8")
    (program,) = load_programs(str(tmp_path / "k.c"))
    written = c_source(program, text)
    assert written.startswith(head)
    assert "a[i] = b[i]" in written.removeprefix(head)
    assert "clock" not in written.removeprefix(head)


@needs_gcc
def test_a_skewed_and_interchanged_stencil_computes_the_same_bits(tmp_path: Path) -> None:
    source, defines = KERNELS / "seidel_2d.c", small(KERNELS / "seidel_2d.c")
    (program,) = load_programs(str(source), defines=defines)
    (name,) = (statement.name for statement in program.statements())
    slanted = interchange(skew(program, name, "j", "i", 2), name, "i", "j")
    written = emitted(slanted, tmp_path / "slanted.c")
    assert written.read_text(encoding="utf-8").index("int j") < written.read_text(encoding="utf-8").index("int i")
    wanted = run_kernel(source, program.name, tmp_path, defines=defines)
    assert run_kernel(written, program.name, tmp_path, defines=defines) == wanted
    (again,) = load_programs(str(written), defines=defines)
    assert figures(again) == figures(slanted)
