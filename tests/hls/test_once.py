"""What takes a token or steps a variable does so once, however often its value is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule

BEFORE = """#include "hls_stream.h"
struct Pair { int x; short y; int product() const { return x * y; } int sum() const { int t = x * y; return t + x; } };
struct Square { int v[2500]; int &at(int k) { return v[k * k]; } };
template <class T> const T &larger(const T &a, const T &b) { return a < b ? b : a; }
"""
ONCE = {
    "a method of a token": ("o[i] = p.read().product();", "Pair t = p.read(); o[i] = t.x * t.y;"),
    "a longer method of a token": ("o[i] = p.read().sum();", "Pair t = p.read(); o[i] = t.x * t.y + t.x;"),
    "arguments by reference": (
        "o[i] = larger(s.read(), u.read());",
        "int a = s.read(), b = u.read(); o[i] = a < b ? b : a;",
    ),
    "an argument used twice in a place": ("q.at(s.read()) = 3;", "int k = s.read(); q.v[k * k] = 3;"),
    "a subscript of an update": (
        "\n#pragma HLS dependence variable=o inter false\no[s.read()] += 3;",
        "\n#pragma HLS dependence variable=o inter false\nint k = s.read(); o[k] += 3;",
    ),
}


@pytest.mark.parametrize("name", ONCE)
def test_a_token_is_taken_once(name: str, tmp_path: Path) -> None:
    parameters = "hls::stream<Pair> &p, hls::stream<int> &s, hls::stream<int> &u, Square &q, int o[64]"
    cycles = []
    for body in ONCE[name]:
        text = f"{BEFORE}void top({parameters}) {{ for (int i = 0; i < 50; i++) {{ {body}\n }} }}\n"
        (file := tmp_path / "k.cpp").write_text(text)
        cycles.append(schedule(file, function="top").kernels[0].machine.cycles)
    assert cycles[0] == cycles[1]


TAKES = {
    "a function": ("static int get(hls::stream<int> &s) { int x = s.read(); return x + 1; }", "", "get(s)"),
    "a lambda": ("", "auto get = [&]() { int x = s.read(); return x + 1; };", "get()"),
    "a method": (
        "struct taker { hls::stream<int> &s; taker(hls::stream<int> &t) : s(t) {} "
        "int get() { int x = s.read(); return x + 1; } };",
        "taker t(s);",
        "t.get()",
    ),
}


@pytest.mark.parametrize("name", TAKES)
def test_a_function_takes_a_token_where_it_is_evaluated(name: str, tmp_path: Path) -> None:
    """32 tokens are enough for a choice that takes every other time; it took one each time and waited for ever."""
    before, inside, call = TAKES[name]
    text = f"""#include "hls_stream.h"
{before}
static void put(int a[64], hls::stream<int> &s) {{ for (int i = 0; i < 32; i++) s.write(a[i]); }}
static void take(hls::stream<int> &s, int b[64]) {{ {inside}
  for (int i = 0; i < 64; i++) b[i] = i & 1 ? {call} : 0; }}
void top(int a[64], int b[64]) {{
#pragma HLS dataflow
  hls::stream<int> s; put(a, s); take(s, b); }}
"""
    (file := tmp_path / "k.cpp").write_text(text)
    assert schedule(file, function="top").kernels[0].machine.cycles == 65


def test_what_a_member_that_is_a_fifo_is_made_with_is_its_name(tmp_path: Path) -> None:
    """A pointer to its characters was taken for a value of it."""
    text = """#include "hls_stream.h"
struct named { hls::stream<int> s; named(const char *name) : s(name) {} };
static void put(int a[64], named &t) { for (int i = 0; i < 64; i++) t.s.write(a[i]); }
static void take(named &t, int b[64]) { for (int i = 0; i < 64; i++) b[i] = t.s.read(); }
void top(int a[64], int b[64]) {
#pragma HLS dataflow
  named t("t"); put(a, t); take(t, b); }
"""
    (file := tmp_path / "k.cpp").write_text(text)
    assert schedule(file, function="top").kernels[0].machine.cycles == 65


@pytest.mark.parametrize("call", ["o = n > 3 && fill(a);", "o = n > 3 ? fill(a) : 0;", "o = !(n <= 3 || !fill(a));"])
def test_a_loop_behind_an_operator_runs_where_it_is_evaluated(call: str, tmp_path: Path) -> None:
    """It ran always, and nothing said so."""
    head = "static int fill(int a[90]) { for (int i = 0; i < 90; i++) a[i] += i; return a[3]; }\n"
    ends = set()
    for each in (call, "if (n > 3) o = fill(a); else o = 0;"):
        (file := tmp_path / "k.cpp").write_text(f"{head}void k(int a[90], int n, int &o) {{ {each} }}\n")
        found = schedule(file, function="k", worst=True).to_dict()
        ends.add((found["best_cycles"] < 90, found["worst_cycles"] > 90))
    assert ends == {(True, True)}
