"""The bits of a fixed-point number by name (``x.V``): values as g++ has them, cycles as of ``range()``."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import ppnsim
from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.loops.program import Operation

HEADERS = Path(ppnsim.__file__).parent / "hls/native/headers"
KERNEL = """#include <ap_fixed.h>
void k(int a[8], int b[8], int c[8]) {
  for (int i = 0; i < 8; i++) {
    ap_fixed<9, 4> x, y;
    ap_ufixed<6, 9> u;
    x.V = a[i];
    b[i] = x.V;
    y = x; y.V += 100; y.V >>= 1;
    u.V = x.V;
    c[i] = y.V + u.V;
  }
}
"""
MAIN = """#include <cstdio>
int main() { int a[8], b[8], c[8]; for (int i = 0; i < 8; i++) a[i] = 97 * i - 301;
  k(a, b, c); for (int i = 0; i < 8; i++) printf("%d %d ", b[i], c[i]); }
"""


def fitted(value: int, of: str) -> int:
    """A whole number, or the bits of a fixed-point one, in a type."""
    found = re.match(r"ap_(u?)\w+<(\d+)", of)
    bits, unsigned = (int(found[2]), found[1] == "u") if found else (64 if "long" in of else 32, False)
    value %= 1 << bits
    return value - (1 << bits) if not unsigned and value >> (bits - 1) else value


def computed(tree: Operation, reads: Iterator[int]) -> int:
    if tree.kind == "read":
        return next(reads)
    if tree.kind == "constant":
        return int(tree.text)
    number, *others = (computed(each, reads) for each in tree.operands)
    if tree.kind == "bits":
        number >>= others[1]
    if tree.kind in ("+", ">>"):
        number = number + others[0] if tree.kind == "+" else number >> others[0]
    return fitted(number, tree.type)


@pytest.mark.skipif(not shutil.which("g++"), reason="the program is held against what g++ makes of it")
def test_the_bits_of_a_fixed_point_number_are_a_whole_number_with_its_sign(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(KERNEL)
    (tmp_path / "main.cpp").write_text(KERNEL + MAIN)
    build = ["g++", "-w", "-std=c++17", f"-I{HEADERS}", "-o", str(tmp_path / "k"), str(tmp_path / "main.cpp")]
    subprocess.run(build, check=True)
    expected = subprocess.run([str(tmp_path / "k")], capture_output=True, check=True, text=True).stdout.split()
    (program,) = load_programs(str(tmp_path / "k.cpp"), function="k", policy=HARDWARE)
    found = []
    for i in range(8):
        held = {"a": 97 * i - 301}  # nothing else is there before: a write takes the place of all bits
        for statement in program.statements():
            assert statement.value is not None
            reads = iter([held[access.array] for access in statement.reads])
            held[statement.writes[0].array] = computed(statement.value, reads)
        found += [held["b"], held["c"]]
    assert found == [int(each) for each in expected]
    assert min(found) < 0 < max(found)


@pytest.mark.parametrize(
    ("one", "other"),
    [("x.V = w; b[i] = x * x;", "x.range() = w; b[i] = x * x;"), ("x = w * 3; b[i].V = x.V;", "x = w * 3; b[i] = x;")],
)
def test_an_equal_program_in_another_spelling_takes_as_many_cycles(one: str, other: str, tmp_path: Path) -> None:
    cycles = []
    for text in (one, other):
        body = f"for (int i = 0; i < 64; i++) {{ ap_int<16> w = a[i]; fix x; {text} }}"
        kernel = f"typedef ap_fixed<16, 4> fix;\nvoid k(ap_int<16> a[64], fix b[64]) {{ {body} }}"
        (tmp_path / "k.cpp").write_text(f"#include <ap_fixed.h>\n{kernel}")
        cycles.append(ppnsim.schedule(tmp_path / "k.cpp").kernels[0].machine.cycles)
    assert cycles[0] == cycles[1]
