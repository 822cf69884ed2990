"""Choices of places, ``f(c ? a : b)``: as the two ways that they are, or refused where a pointer is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from tests.helpers.hls_sources import schedule_of, written

BEFORE = """struct P { int a; int b; };
static void add(int a[8], int k) { for (int i = 0; i < 8; i++) a[i] += k; }
static int sum(const int a[8]) { int s = 0; for (int i = 0; i < 8; i++) s += a[i]; return s; }
static void inc(int &r) { r += 1; }
static void point(int *p) { *p = *p + 1; }
static void set(P &p) { p.a = 3; }
"""
PAIR = "P p = {x[2], x[3]}, q = {x[4], x[5]};"


def accesses(folder: Path, body: str) -> tuple[list[tuple[list[str], list[str]]], int]:
    """Return what the statements read and write, and the cycles."""
    path = written(folder, f"{BEFORE}void k(int x[8], int y[8], int o[8], int c) {{\n{body}\n}}\n")
    (program,) = load_programs(str(path), function="k", policy=HARDWARE)
    found = [([str(a) for a in s.reads], [str(a) for a in s.writes]) for s in program.statements()]
    return found, schedule_of(path, "k").cycles


@pytest.mark.parametrize(
    ("choice", "ways"),
    [
        ("add(c ? x : y, 2);", "if (c) { add(x, 2); } else { add(y, 2); }"),
        ("o[0] = sum(c ? x : y);", "if (c) { o[0] = sum(x); } else { o[0] = sum(y); }"),
        ("int s = sum(c ? x : y); o[0] = s;", "int s; if (c) { s = sum(x); } else { s = sum(y); } o[0] = s;"),
        (
            "o[0] = sum(c ? x : y) + 2 * sum(c ? y : x);",
            "if (c) { o[0] = sum(x) + 2 * sum(y); } else { o[0] = sum(y) + 2 * sum(x); }",
        ),
        ("add(c ? x : (c > 2 ? y : o), 2);", "if (c) add(x, 2); else { if (c > 2) add(y, 2); else add(o, 2); }"),
        (
            "for (int i = 0; i < 8; i++) { add(i % 2 ? x : y, i); }",
            "for (int i = 0; i < 8; i++) { if (i % 2) { add(x, i); } else { add(y, i); } }",
        ),
        (
            "for (int i = 0; i < 8; i++) add(i < 3 ? &x[0] : &y[0], i);",
            "for (int i = 0; i < 8; i++) { if (i < 3) { add(x, i); } else { add(y, i); } }",
        ),
        ("(c ? x : y)[3] += 4;", "if (c) x[3] += 4; else y[3] += 4;"),
        ("*(c ? &x[1] : &y[1]) = 3;", "if (c) x[1] = 3; else y[1] = 3;"),
        ("point(c ? &x[1] : &y[2]);", "if (c) point(&x[1]); else point(&y[2]);"),
        # What a reference changes was lost: the sum was made of the old values.
        ("int u = x[0], v = x[1]; inc(c ? u : v); o[0] = u + v;",
         "int u = x[0], v = x[1]; if (c) inc(u); else inc(v); o[0] = u + v;"),
        (PAIR + "set(c ? p : q); o[0] = p.a + q.a;", PAIR + "if (c) set(p); else set(q); o[0] = p.a + q.a;"),
        ("int *p = c ? x : y; p[2] = 3;", "if (c) x[2] = 3; else y[2] = 3;"),
        ("int *p; p = c ? x : y; add(p, 3);", "if (c) add(x, 3); else add(y, 3);"),
        ("int *p; if (c) p = x; else { p = &y[2]; } *p = 3;", "if (c) *x = 3; else y[2] = 3;"),
        ("int *p = x; if (c) p = y; o[0] = p[2];", "if (c) o[0] = y[2]; else o[0] = x[2];"),  # was y, in silence
        ("int *p = c ? x : y, *q = c ? y : x; for (int j = 0; j < 8; j++) p[j] = q[j];",
         "for (int j = 0; j < 8; j++) { if (c) x[j] = y[j]; else y[j] = x[j]; }"),
        ("o[0] = (c ? 1 : 2.5) / 2 + sum(c ? x : y);",
         "if (c) o[0] = (double)1 / 2 + sum(x); else o[0] = 2.5 / 2 + sum(y);"),
    ],
)  # fmt: skip
def test_a_choice_of_places_is_the_statement_with_each_of_them(tmp_path: Path, choice: str, ways: str) -> None:
    assert accesses(tmp_path, choice) == accesses(tmp_path, ways)


@pytest.mark.parametrize(
    "body",
    [
        "int *p = x; for (int i = 0; i < 4; i++) { *p++ = c; if (c) p = y; }",
        "int *p = x; for (int i = 0; i < 4; i++) { p[0] = c; p = c ? y + i : x; }",
    ],
)
def test_a_pointer_that_may_point_into_several_arrays_is_refused(tmp_path: Path, body: str) -> None:
    with pytest.raises(InputError, match=r"'p' may point into '\w' or into '\w' after .* in its own branch"):
        accesses(tmp_path, body)


@pytest.mark.parametrize("change", ["c = 0;", "inc(c);", "c++;"])
def test_a_pointer_goes_the_way_of_the_time_when_it_is_set(tmp_path: Path, change: str) -> None:
    found, _ = accesses(tmp_path, f"int *p = c ? x : y; {change} o[0] = p[1];")
    assert found[0] == (["c"], ["way"])
    assert found[-3:] == [(["way"], ["if@8"]), (["x[1]"], ["o[0]"]), (["y[1]"], ["o[0]"])]


def test_a_choice_whose_test_changes_something_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is neither a variable nor an element"):
        accesses(tmp_path, "add(c++ ? x : y, 2);")


def test_calls_in_the_clauses_of_pragmas_are_numbers(tmp_path: Path) -> None:
    text = """#include "hls_stream.h"
    static constexpr int up(int a, int b) { return (a + b - 1) / b; }
    constexpr int N = 20;
    static void a(const int x[64], hls::stream<int> &s) { for (int i = 0; i < 64; i++) s << x[i]; }
    static void b(hls::stream<int> &s, int y[64]) { for (int i = 0; i < 64; i++) y[i] = s.read(); }
    void k(const int x[64], int y[64]) {
    #pragma HLS dataflow
      hls::stream<int> s;
    #pragma HLS stream variable=s depth = 2 * up(up(N, 3), 2)
      a(x, s); b(s, y); }"""
    region = schedule_of(written(tmp_path, text), "k").region
    assert region is not None
    assert [channel.depth for channel in region.network.channels] == [8]


@pytest.mark.parametrize(
    ("body", "stored"),
    [
        ("int l = i; if (i > 3) { l = 2 * i; o[l] = 1; } else o[l] = 2;", ["o[2*i]", "o[i]"]),
        ("int l = i; if (x[i] > 3) { l = 2 * i; o[l] = 1; } else o[l] = 2;", ["o[2*i]", "o[i]"]),
        ("int l = i; if (x[i] > 3) { l = 2 * i; o[l] = 1; continue; } o[l] = 2;", ["o[2*i]", "o[i]"]),
        ("int l = i; if (x[i] > 3) { l = y[i]; o[l] = 1; } else o[l] = 2;", ["l", "o[?]", "o[i]"]),
        ("int l = i; switch (x[i]) { case 1: l = 3 * i; o[l] = 1; break; default: o[l] = 2; }", ["o[3*i]", "o[i]"]),
        ("int *p = x; if (y[i] > 3) { p = o; p[i] = 1; } else p[i] = 2;", ["o[i]", "x[i]"]),
        ("int l = y[i], m = l; if (i > 3) { m = i + 5; x[m] = l; } else o[m] = 2;", ["l", "m", "x[i + 5]", "o[?]"]),
        ("int *p = x; if (i > 3) { p = o; p[i] = 1; } else p[i] = 2;", ["o[i]", "x[i]"]),
    ],
)
def test_an_else_begins_with_what_was_before_the_if(tmp_path: Path, body: str, stored: list[str]) -> None:
    """It had the value or the place that the other branch gave the name: another element, in silence."""
    found, _ = accesses(tmp_path, f"for (int i = 0; i < 4; i++) {{ {body} }}")
    assert [each for _, writes in found for each in writes if "if@" not in each] == stored
