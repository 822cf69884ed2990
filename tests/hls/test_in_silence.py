"""Answers that were wrong in silence: loops that numbers leave, directives that are off, counts of what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.errors import InputError
from ppnsim.library.schedule import KernelSchedules, schedule


def scheduled(folder: Path, text: str, name: str = "k.cpp", function: str = "f") -> KernelSchedules:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return schedule(path, function=function)


def iterations(found: KernelSchedules) -> list[int]:
    return [loop["iterations"] for loop in found.to_dict()["loops"]]


_REGION = """void a(int x[64], int y[64]) { for (int i = 0; i < 64; i++) y[i] = x[i] + 1; }
void f(int x[64], int z[64]) {
#pragma HLS dataflow %s
  int y[64]; a(x, y); a(y, z);
}
"""


def test_a_directive_that_is_off_makes_no_region(tmp_path: Path) -> None:
    found = scheduled(tmp_path, _REGION % "off").kernels[0]
    assert found.machine.region is None
    assert found.directives.ignored[0].endswith("k.cpp:3:1: dataflow off: no region is made here, with or without it")
    with pytest.raises(InputError, match=r"k.cpp:4:1: conflicting pragmas: dataflow and dataflow off .*take one away"):
        scheduled(tmp_path, _REGION % "off\n#pragma HLS dataflow")


@pytest.mark.parametrize(("loop", "count", "lines"), [  # the most of g++, for any data; lines whose ways out are data's
    ("for (int i = 0; i < 100; i++) { if (i == 20) break;\n if (a[i] > 5) break;\n b[i] = a[i] + 1; }", 21, "2"),
    ("for (int i = 0; i < 100; i++) { b[i] = a[i];\n if (a[i] > 5) break;\n if (i == 19) break; }", 20, "2"),
    ("int i = 0; while (i < 30) { if (i == 20) break;\n if (a[i] > 5) break;\n b[i] = a[i] + 1; i++; }", 21, "2"),
    ("for (int i = 0; i < 100; i++) { if (a[i] > 5 || i == 20) break; b[i] = a[i] + 1; }", 21, "1"),
    ("int i = 0; do { if (a[i] > 5) break; b[i] = a[i]; i++;\n if (i == 7) break; } while (i < 50);", 7, "1"),
    ("int i = 0; while (a[i] > 3 && i < 20) { b[i] = a[i]; i++;\n if (i == 12) break; }", 12, ""),
    ("for (int i = 0; i < n; i++) { if (i == 20) break; b[i] = a[i] + 1; }", 21, ""),
    ("for (int i = 0; i < 100; i++) { if (n == i) break;\n b[i] = a[i] + 1; }", 100, "1"),
    ("for (int i = 0; i < 100; i++) { if (i > 20) return;\n if (a[i] > 5) return;\n b[i] = a[i] + 1; }", 22, "2"),
])  # fmt: skip
def test_numbers_leave_a_loop_that_data_leave_too(
    tmp_path: Path, loop: str, count: int, lines: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert iterations(scheduled(tmp_path, f"void f(int a[100], int b[100], int n) {{ {loop} }}")) == [count]
    said = capsys.readouterr().err
    assert [line for line in "1234" if f"in line {line} runs to its end" in said] == [*lines]
