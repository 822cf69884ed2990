"""Conditions that are known though parts of them are data, and numbers that a narrower type makes 0."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE, STRICT, LoweringPolicy
from ppnsim.errors import InputError
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.loops.points import iteration_points
from tests.helpers.hls_sources import schedule_of, written

LOOP = "for (int i = 0; i < 64; i++) a[i] += 3;"


@pytest.mark.parametrize(
    "body",
    [
        "while (0) { LOOP }",
        "while (ZERO) { a[0] = 1; LOOP }",
        "while (n > 3 && 0) LOOP",
        "if (0 && c) LOOP",
        "if (c && 0) LOOP",
        "if (c && ZERO) LOOP",
        "if (a[3] > 2 && 0) LOOP",
        "if (1 || c) ; else LOOP",
        "if (c || 1) ; else LOOP",
        "if (!(c || 1)) LOOP",
        "if ((c || 1) && 0) LOOP",
        "if (0 && c) LOOP else ;",
        "for (int k = 0; k < 4; k++) { if (c > k && k > 9) LOOP }",
    ],
)
def test_what_never_executes_is_not_counted(tmp_path: Path, body: str) -> None:
    text = f"#define ZERO 0\nvoid k(int a[64], int c, int n) {{ {body.replace('LOOP', LOOP)} a[2] = 7; }}"
    machine = schedule_of(written(tmp_path, text, "k.c"))
    assert [nest for nest in machine.nests if nest.iterations > 4] == []


@pytest.mark.parametrize("body", ["if (1 && c) LOOP", "if (c || 0) LOOP", "if (0 || c) LOOP", "while (c) LOOP"])
def test_what_data_decides_is_counted(tmp_path: Path, body: str) -> None:
    text = f"void k(int a[64], int c, int n) {{ {body.replace('LOOP', LOOP)} a[2] = 7; }}"
    assert any(nest.iterations >= 64 for nest in schedule_of(written(tmp_path, text, "k.c")).nests)


def test_a_narrow_number_beside_data_keeps_its_type(tmp_path: Path) -> None:
    text = "void k(int a[1024], int b[1024]) { for (int i = 0; i < 1024; i++) if ((unsigned char)i && b[i]) a[i] = 1; }"
    (program,) = load_programs(str(written(tmp_path, text, "k.c")), policy=HARDWARE)
    around = next(around for statement, around, _ in program.placed() if statement.writes[0].array == "a")
    assert len(iteration_points(around[:2])) == 1024 - 4  # the loop and the part that is known


def test_a_directive_of_the_command_for_a_branch_that_is_left_out_is_listed(tmp_path: Path) -> None:
    text = f"void k(int a[64], int n) {{\nif (n > 3) {{\n{LOOP}\n}} else {{\n{LOOP.replace('64', '8')}\n}} }}"
    path = written(tmp_path, text, "k.c")
    (program,) = load_programs(str(path), policy=HARDWARE)
    (ignored,) = read_directives(sources_of(program), program, ["5: unroll"]).ignored
    assert ignored == "--pragma 5: unroll: line 5 is in a branch that is not executed here"
    with pytest.raises(InputError, match="no loop begins in line 1"):
        read_directives(sources_of(program), program, ["1: unroll"])


@pytest.mark.parametrize("policy", [STRICT, HARDWARE])
@pytest.mark.parametrize(
    "test",
    [
        "(unsigned char)i", "!(unsigned char)i", "(unsigned char)i && i > 3", "(signed char)(i + 3)",
        "(unsigned char)(i << 4)", "(short)(i * 16384)", "(unsigned char)i || i > 600", "(_Bool)(i - 256)",
        "(unsigned char)(i > 5)", "(unsigned char)((unsigned char)i - 5)", "(long)i", "!!(unsigned char)i",
    ],
)  # fmt: skip
def test_a_number_of_a_narrow_type_is_true_where_c_says_so(tmp_path: Path, test: str, policy: LoweringPolicy) -> None:
    _check_where_c_stores(tmp_path, f"if ({test}) a[i] = 1;", policy)


@pytest.mark.parametrize("policy", [STRICT, HARDWARE])
@pytest.mark.parametrize(
    "body",
    [
        "int c = i > 5; if (c) a[i] = 1;", "int c = i == 7 || i % 3 == 1; if (c == 0) a[i] = 1;",
        "short c = i < 9 ? 2 : i / 4 == 3; if (c != 1) a[i] = 1;", "if ((i > 3) + (i > 9) + (i % 2) == 2) a[i] = 1;",
        "_Bool c = i - 4; int d = !c; if (d || (i > 8) == (i < 20)) a[i] = 1;", "if (-(i > 5) < !(i % 4)) a[i] = 1;",
        "unsigned char c = (i > 900) * 256 + (i == 3); if (!c) a[i] = 1;", "if ((i > 3 ? i == 5 : i) != 0) a[i] = 1;",
        "int c = i > 5; c = c && i < 80; if (c) a[i] = 1;", "for (int j = 0; j < 1 + (i > 7) - 1; j++) a[i] = 1;",
        "int c = (_Bool)8; c = c - 1 + i; if (c & 1) a[i] = 1;",
    ],
)  # fmt: skip
def test_a_condition_is_a_number_where_c_has_it_as_one(tmp_path: Path, body: str, policy: LoweringPolicy) -> None:
    """It was data as soon as it was held in a variable or compared."""
    _check_where_c_stores(tmp_path, body, policy)


def _check_where_c_stores(folder: Path, body: str, policy: LoweringPolicy) -> None:
    text = f"void k(int a[1024]) {{ for (int i = 0; i < 1024; i++) {{ {body} }} }}"
    path = written(folder, text, "k.c")
    library = folder / "k.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", str(library), str(path)], check=True)
    memory = (ctypes.c_int * 1024)()
    ctypes.CDLL(str(library)).k(memory)
    (program,) = load_programs(str(path), policy=policy)
    ((_, around, _),) = program.placed()
    assert iteration_points(around)[:, 0].tolist() == [i for i in range(1024) if memory[i]]
