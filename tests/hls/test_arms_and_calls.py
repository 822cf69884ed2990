"""Calls that leave a loop, stores in the arms of a chain of branches, and dimensions with constant subscripts only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim import schedule

EDGES = """#include <math.h>
void f(float x[32][32], float w[9][9], float y[32][32]) {
  for (int r = 0; r < 32; r++)
    for (int c = 0; c < 32; c++) {
      float s = 0;
      for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
          int a = WAY(WAY(r + j - 4, 0), 31), b = WAY(WAY(c + MOVED - 4, 0), 31);
          s += w[j][i] * x[a][b];
        }
      y[r][c] = LAST;
    }
}"""
CLAMPED = """void f(int x[16], int w[4], int y[32]) {
  int t[32];
  for (int i = 0; i < 32; i++) t[i] = 0;
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    for (int k = 0; k < 4; k++) {
      t[i + k] += x[i] * w[k];
      BRANCHES
    }
  }
  for (int i = 0; i < 32; i++) y[i] = t[i];
}"""
CHAIN = "if (t[i + k] > 99) t[i + k] = 99; else if (t[i + k] < -99) t[i + k] = -99;"
ROWS = """void f(int x[16], int y[64]) {
  int t[8][4];
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline
    for (int k = 0; k < 4; k++) t[i][k] = x[i] + k;
  }
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline
    int s = 0;
    for (int k = 0; k < 4; k++) s += t[i][k];
    y[i] = s;
  }
  if (x[0]) y[9] = t[3][OTHER];
}"""


def loops(folder: Path, text: str, release: str, device: str = "xc7z020") -> list[dict[str, Any]]:
    (folder / "k.cpp").write_text(text, encoding="utf-8")
    kernel = schedule(folder / "k.cpp", function="f", worst=True, release=release, device=device).to_dict()
    found: list[dict[str, Any]] = kernel["loops"]
    return found


@pytest.mark.parametrize(
    ("way", "moved", "name", "ii"),
    [
        ("fmax", "i", "r.c.i", 36),  # nine additions of four states
        ("fmax", "j", "r.c.i.j", 3),  # the inner loop changes the argument
        ("MOST", "i", "r.c.i.j", 3),  # a choice is computed in the loop
        ("SOME", "i", "r.c.i.j", 3),  # a call that not every iteration makes
    ],
)
def test_a_call_that_leaves_the_inner_loop_keeps_the_nest_from_being_perfect(
    tmp_path: Path, way: str, moved: str, name: str, ii: int
) -> None:
    """R1.3: the nine iterations of the inner loop become copies."""
    text = EDGES.replace("WAY", way).replace("MOVED", moved).replace("LAST", "s")
    choices = "#define MOST(a, b) ((a) > (b) ? (a) : (b))\n#define SOME(a, b) (a > 3 ? fmax(a, b) : 0)\n"
    text = text.replace("void", f"{choices}void", 1)
    assert [(each["label"], each["ii"]) for each in loops(tmp_path, text, "2023.1", "xck26")] == [(name, ii)]


@pytest.mark.parametrize(("last", "name"), [("fmaxf(0, s)", "r.c.i"), ("expf(s)", "i"), ("fmax(0, s)", "i")])
def test_a_choice_of_two_numbers_is_no_call_behind_a_loop(tmp_path: Path, last: str, name: str) -> None:
    """R9.22."""
    text = EDGES.replace("WAY", "fmax").replace("MOVED", "i").replace("LAST", last)
    assert [each["label"] for each in loops(tmp_path, text, "2023.1", "xck26")] == [name]


@pytest.mark.parametrize(
    ("branches", "ii"),
    [
        (CHAIN, 6),  # four loads, four stores and four stores of the arms, which exclude each other, on two ports
        (CHAIN.replace("else", ""), 3),
        ("if (t[i + k] > 99) t[i + k] = 99;", 3),  # one load that no register has, and four stores
        ("if (t[i + k] > 99) t[i + k] = 99; else t[i + k] = -t[i + k];", 3),
        (f"{CHAIN} t[i + k] = x[i] - t[i + k];", 3),  # only the last store is made
    ],
)
@pytest.mark.parametrize("release", ["2017.1"])
def test_arms_of_a_chain_keep_the_store_before_them(tmp_path: Path, branches: str, ii: int, release: str) -> None:
    """R5.8: where more than two ways meet, no multiplexer joins their stores; and no register passes the element on."""
    found = loops(tmp_path, CLAMPED.replace("BRANCHES", branches), release)
    assert [each["ii"] for each in found if each["line"] == 4] == [ii]


@pytest.mark.parametrize(("other", "iis"), [("2", [1, 1]), ("x[1] & 3", [2, 2])])
def test_a_dimension_with_constant_subscripts_only_is_divided_on_every_device(
    tmp_path: Path, other: str, iis: list[int]
) -> None:
    """R9.28: four memories of eight elements, unless data chooses among them somewhere."""
    assert [each["ii"] for each in loops(tmp_path, ROWS.replace("OTHER", other), "2017.1")] == iis
