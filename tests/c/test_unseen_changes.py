"""Bounds and counters that change where a loop's head does not show it: never a number that is not true in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule

CHANGED = {  # the iterations in C, counted by hand, and the text
    "a pointer to the counter": (4, "int i; int *q = &i; for (i = 0; i < 20; i++) { a[i] = 1; *q += 4; }"),
    "a reference to the counter": (4, "int i; int &q = i; for (i = 0; i < 20; i++) { a[i] = 1; q += 4; }"),
    "a reference to a counter that doubles": (2, "int w; int &q = w; for (w = 1; w < 8; w *= 2) { a[w] = 1; q++; }"),
    "a function that steps a global counter": (3, "for (count = 0; count < 5; count++) { a[count] = 1; step(); }"),
    "a pointer of the file": (9, "*bound = 9; for (int i = 0; i < limit; i++) a[i] = i;"),
    "what an initialiser was": (3, "int m = 3, n = a[0] ? m : m; m = 9; for (int i = 0; i < n; i++) a[i] = 1;"),
    "a real quotient": (7, "const float f = 7, g = f / 2; const int n = g * 2; for (int i = 0; i < n; i++) a[i] = 1;"),
    "a number of fixed point that goes round": (
        3,
        "const ap_ufixed<8, 4> f = 19; for (int i = 0; i < f; i++) a[i] = i;",
    ),
    "fixed point that saturates": (15, "ap_ufixed<4, 4, AP_TRN, AP_SAT> f = 25; for (int i = 0; i < f; i++) a[i] = 1;"),
}
BEFORE = """#include "ap_fixed.h"
#include "ap_int.h"
int count, limit = 3;
int *bound = &limit;
static void next() { count++; }
static void step() { next(); }
"""


@pytest.mark.parametrize("name", CHANGED)
def test_a_loop_whose_counter_or_bound_may_change_has_its_trips_or_is_said_to_be_assumed(
    name: str, tmp_path: Path
) -> None:
    trips, text = CHANGED[name]
    (file := tmp_path / "k.cpp").write_text(f"{BEFORE}void top(int a[64]) {{ {text} }}\n")
    (row,) = schedule(file, function="top").rows()
    assert row["assumed"] or row["iterations"] == trips


@pytest.mark.parametrize(
    ("head", "trips"),
    [("unsigned char i = 250; i != 4; i++", 10), ("ap_uint<4> i = 10; i != 3; i++", 9), ("int i = 3; i != 10; i++", 7)],
)
def test_a_narrow_counter_reaches_its_end_around_the_limit_of_its_type(head: str, trips: int, tmp_path: Path) -> None:
    (file := tmp_path / "k.cpp").write_text(f"{BEFORE}void top(int a[64]) {{ for ({head}) a[i & 63] = 1; }}\n")
    (row,) = schedule(file, function="top").rows()
    assert (row["iterations"], row["assumed"]) == (trips, False)
