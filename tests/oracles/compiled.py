"""Values of small programs as the lowered program has them, beside those that g++ makes."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.hls.structure.members import without_structs
from tests.oracles.lowered import Evaluator, Memory

_SHOW = """#include <cstdio>
#define SHOW(k) for (int i = 0; i < 8; i++) a[i] = 5 * i - 9, b[i] = c[i] = 0; k(a, b, c); \\
  for (int i = 0; i < 8; i++) printf("%d %d ", b[i], c[i]);
"""
_KERNEL = "void k{}(int a[8], int b[8], int c[8]) {{ {} for (int z = 0; z < 8; z++) c[z] += b[z] * 0; }}\n"


def named(text: str) -> dict[str, str]:
    """Return the parts of a text by their names, which stand in lines before them, ``# name``."""
    parts = re.split(r"^# (.*)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def differing(head: str, bodies: Mapping[str, str], folder: Path) -> list[str]:
    """Return the names of the bodies that give ``b`` and ``c`` other values than the compiler's program."""
    text = head + "".join(_KERNEL.format(*numbered) for numbered in enumerate(bodies.values()))
    calls = "".join(f"SHOW(k{n}) " for n in range(len(bodies)))
    main = f"{text}{_SHOW}int main() {{ int a[8], b[8], c[8]; {calls} }}\n"
    (folder / "main.cpp").write_text(main, encoding="utf-8")
    words = ["g++", "-w", "-O0", "-std=c++17", "-o", str(folder / "k"), str(folder / "main.cpp")]
    subprocess.run(words, check=True)
    printed = subprocess.run([str(folder / "k")], capture_output=True, check=True, text=True).stdout.split()
    (folder / "k.cpp").write_text(text, encoding="utf-8")
    programs = {each.name: each for each in load_programs(str(folder / "k.cpp"), policy=HARDWARE)}
    wrong = []
    for n, name in enumerate(bodies):
        memory: Memory = {("a", (i,)): 5 * i - 9 for i in range(8)}
        memory |= {(array, (i,)): 0 for array in "bc" for i in range(8)}
        program = without_structs(programs[f"k{n}"])
        Evaluator(program, memory).run(program.body, {})
        found = [memory[array, (i,)] for i in range(8) for array in "bc"]
        if found != [int(each) for each in printed[16 * n : 16 * n + 16]]:
            wrong.append(name)
    return wrong
