"""What C does not define is told beside the answer: no number stands for it in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from tests.helpers.hls_sources import written

SAID = {
    "an element behind the array": ("a[70] = 3;", "line 2 accesses element 70 of 'a', which has 64"),
    "an element before it": ("a[-1] = 3;", "line 2 accesses element -1 of 'a', which has 64"),
    "an element before those of a pointer": ("p[-1] = 3;", "line 2 accesses element -1 of 'p'"),
    "the last of a loop": (
        "for (int i = 0; i <= 64; i++) a[i] += 2;",
        "line 2 accesses element 64 of 'a', which has 64",
    ),
    "a column": ("for (int i = 0; i < n; i++) b[i][8] += 2;", "line 2 accesses element 8 of 'b', which has 8"),
    "a division": ("a[0] = a[1] / 0;", "line 2 divides by 0"),
    "a remainder": ("for (int i = 0; i < 9; i++) a[i] = n % 0;", "line 2 divides by 0"),
    "no element": ("int c[0]; for (int i = 0; i < 9; i++) a[i] = c[i];", "'c' (line 2) has no elements"),
}
QUIET = (
    "for (int i = 0; i < 70; i++) if (i < 64) a[i] = 3;",
    "for (int i = 0; i < 64; i++) for (int j = 0; j < 64 - i; j++) a[i + j] = 3;",
    "p[4294967296] = 3;",
    "if (n > 99) a[63] = a[n] / n;",
    "for (int i = 0; i < n; i++) a[i] = 3;",
    "for (int i = 0; i < 64; i++) a[i] = i > 0 ? a[i - 1] : 0;",
    "for (int i = 0; i < 64; i++) a[0] += i < 16 ? b[i][0] : a[i];",
    "for (int i = 0; i < 64; i++) n += i > 0 && a[i - 1] > 3; a[0] = n;",
    "const int m = 0; for (int i = 0; i < 64; i++) a[i] = n > 3 ? a[i] : a[i] / m;",
)


def assumptions(folder: Path, body: str) -> list[str]:
    path = written(folder, f"void k(int a[64], int b[16][8], int *p, int n) {{\n{body}\n}}\n")
    found = ppnsim.schedule(path).to_dict()["assumptions"]
    return [each for each in found if each.endswith("C does not say what happens there, nor does this answer")]


@pytest.mark.parametrize("name", SAID)
def test_what_c_does_not_define_is_told_with_its_line(tmp_path: Path, name: str) -> None:
    body, words = SAID[name]
    assert words in [each.partition(":")[0] for each in assumptions(tmp_path, body)]


@pytest.mark.parametrize("body", QUIET)
def test_what_numbers_do_not_show_is_not_told(tmp_path: Path, body: str) -> None:
    assert not assumptions(tmp_path, body)


def test_a_wait_for_a_condition_takes_no_state_which_is_said(tmp_path: Path) -> None:
    (path := tmp_path / "k.cpp").write_text(
        '#include "ap_utils.h"\nvoid top(volatile int *a) {\n*a = 1; ap_wait_until(*a > 3);\n// ap_wait()\n*a = 2; }'
    )
    assert any(
        "ap_wait_until in line 3 takes no state" in each for each in ppnsim.schedule(path).kernels[0].assumptions
    )


@pytest.mark.parametrize("loop", ["for (int i; i < 32; i++)", "int i; for (; i < 32; i++)"])
def test_an_iterator_without_a_value_is_said(loop: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"void k(int a[64]) {{\n{loop} a[i] = 3;\n}}\n")
    (said,) = [each for each in ppnsim.schedule(path).to_dict()["assumptions"] if "runs 64 times" in each]
    assert "the value of 'i' before it is data, or it has none" in said
