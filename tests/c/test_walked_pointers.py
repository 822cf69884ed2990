"""Loops that end where a pointer meets another one are loops over numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_kernels, load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.loops.program import Loop

KERNEL = "void k(int a[64], int b[64], int s[4]) {{ {} }}"


def accesses(folder: Path, body: str) -> list[tuple[object, ...]]:
    """The loops of a kernel with their bounds, and what their statements read and write, with the iterators' names."""
    (folder / "k.cpp").write_text(KERNEL.format(body))
    (program,) = load_programs(str(folder / "k.cpp"), policy=HARDWARE)
    found: list[tuple[object, ...]] = []
    for statement, around, _ in program.placed():
        bounds = [(str(each.first), str(each.last), each.step) for each in around if isinstance(each, Loop)]
        texts = [str(each).replace("p_at", "i") for each in (*statement.reads, *statement.writes)]
        found.append((bounds, texts))
    return found


PAIRS = {
    "int *p = a, *e = a + 64; while (p < e) *p++ = 0;": "for (int i = 0; i < 64; i++) a[i] = 0;",
    "int *p = a; const int *e = &a[64]; while (p != e) { *p = 1; p++; }": "for (int i = 0; i < 64; i++) a[i] = 1;",
    "int *p = &a[4], *e = a + 20; while (p < e) { b[3] += *p++; }": "for (int i = 4; i < 20; i++) b[3] += a[i];",
    "int *p = a, *e = a + 64; while (p < e) *p++ = 0; p = b; e = b + 32; while (p < e) *p++ = 1;":
        "for (int i = 0; i < 64; i++) a[i] = 0; for (int i = 0; i < 32; i++) b[i] = 1;",
    "for (int *p = a, *e = a + 64; p < e; p++) *p = 5;": "for (int i = 0; i < 64; i++) a[i] = 5;",
    "for (int k = 0; k < 4; k++) for (int *p = a + 16 * k, *e = p + 16; p != e; ++p) *p = 5;":
        "for (int k = 0; k < 4; k++) for (int i = 16 * k; i < 16 * k + 16; i++) a[i] = 5;",
    "int *p, *e; for (p = a, e = a + 64; p != e; p++) *p = 5;": "for (int i = 0; i < 64; i++) a[i] = 5;",
    "int *e = a + 64; for (int *p = a; p < e; p += 2) *p = 5;": "for (int i = 0; i < 64; i += 2) a[i] = 5;",
}  # fmt: skip


@pytest.mark.parametrize("walked", PAIRS)
def test_a_pointer_up_to_another_one_is_a_number(walked: str, tmp_path: Path) -> None:
    assert accesses(tmp_path, walked) == accesses(tmp_path, PAIRS[walked])


@pytest.mark.parametrize("step", ["if (b[0] > 3) *p++ = 0;", "if (*p == 3) continue; p++;"])  # not in each round
def test_a_pointer_that_data_step_up_to_another_one_ends_by_data(step: str, tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(KERNEL.format(f"int *p = a, *e = a + 64; while (p < e) {{ {step} }}"))
    said = " ".join(load_kernels(str(tmp_path / "k.cpp"), policy=HARDWARE).assumed)
    assert "runs 64 times: what ends it is data" in said and "'p' points to any element of 'a'" in said


@pytest.mark.parametrize(
    "body",
    ["int *p = a, *e = a + 64; e = b; while (p < e) { *p++ = 0; }",
     "int *p = a, *e = a + 64; while (p < e) { *p++ = 0; e--; }",
     "for (int *p = a, *e = a + 64; p < e; p++) { *p = 0; e--; }"],
)  # fmt: skip
def test_a_pointer_that_steps_otherwise_is_refused(body: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        accesses(tmp_path, body)
