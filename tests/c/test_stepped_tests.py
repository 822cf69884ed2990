"""A counter that the test of a loop steps: the loop runs as often, and the counter has the same values, as in C."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.loops.program import Loop

LOOPS = [
    "int i = 0; do { OUT(i); } while (++i < 9);",
    "int i = 0; do { OUT(i); } while (i++ < 9);",
    "int i = -1; while (++i < 9) { OUT(i); OUT(i); }",
    "int i = 9; do { OUT(i); } while (i--);",
    "int i = 9; do { OUT(i); } while (--i);",
    "int i = 9; while (--i > 3) OUT(i);",
    "unsigned i = 9; do { OUT(i); } while (i-- > 4);",
]


@pytest.mark.parametrize("loop", LOOPS)
def test_the_loop_runs_as_often_as_a_compiled_one(tmp_path: Path, loop: str) -> None:
    main = '#include <stdio.h>\n#define OUT(n) printf("%d\\n", (int)(n))\nint main() { LOOP return 0; }\n'
    (tmp_path / "m.c").write_text(main.replace("LOOP", loop), encoding="utf-8")
    subprocess.run(["gcc", "-o", tmp_path / "m", tmp_path / "m.c"], check=True)
    said = [int(each) for each in subprocess.run([tmp_path / "m"], capture_output=True, check=True).stdout.split()]
    kernel = "#define OUT(n) a[n] = b[n]\nvoid k(int a[32], int b[32]) { LOOP }\n"
    (tmp_path / "k.c").write_text(kernel.replace("LOOP", loop), encoding="utf-8")
    (program,) = load_programs(str(tmp_path / "k.c"), policy=HARDWARE)
    (only,) = (each for each in program.body if isinstance(each, Loop))
    trips = (only.last[0].constant - only.first[0].constant) // only.step + 1
    assert trips * len(only.body) == len(said)
    assert (only.first[0].constant, only.last[0].constant) == (said[0], said[-1])
