"""Bounds of loops that code before them limits or raises, and those that others may set, which have no limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.loops.program import Execution, Guard, Loop, Node
from tests.helpers.hls_sources import written

BEFORE = """#include <algorithm>
#include <cassert>
#define LEAST 80
static const int MOST = 100;
int one;
void get(int &n);
static void raise(int &n) { n = 2 * n + 500; }
"""
FOR = "for (int i = 0; i < n; i++) a[i] = c;"
LIMITED = {
    f"if (n > MOST) n = MOST; {FOR}": 100,
    f"n = n > 90 ? 90 : n; {FOR}": 90,
    f"n = std::min(n, MOST); {FOR}": 100,
    f"if (n >= 50) return; {FOR} n = 7;": 49,
    f"if (n < 1) n = 1; else if (n > 64) n = 64; {FOR}": 64,
    f"if (n > 40 || c) n = 40; {FOR}": 40,
    f"if (n > 40) n = 40; if (n < 0) n = 0; n *= 2; n += 3; {FOR}": 83,
    f"if (n > 40) n = 40; if (c) n++; {FOR}": 41,
    f"int m = n; if (m > 30) m = 30; n = m; {FOR}": 30,
    f"int m = 30; int l = m; m = n; n = m > l ? l : m; m = 5; {FOR}": 30,
    f"for (int j = 0; j < 9; j++) {{ if (n > 20) n = 20; {FOR} }}": 20,
    f"switch (c) {{ case 0: n = 50; case 1: n = 58; break; default: n = 30; }} {FOR}": 58,
    "for (int i = 0; i < std::min(n, 70); i++) a[i] = c; n = 3;": 70,
}
ASSERTED = {  # UG1399: an assertion bounds a loop, from its place on and on its path
    f"assert(n <= 77);\n{FOR}": 77,
    f"assert(n < LEAST); {FOR}": 79,
    f"assert(MOST >= n && n > 2);\n{FOR}": 100,
    f"n = 2 * n + c; assert(n <= 2 * MOST);\n{FOR}": 200,
    f"assert(n <= 77);\nn = c;\n{FOR}": 4096,
    f"if (c) {{\nassert(n <= 77);\n}}\n{FOR}": 4096,
    f"{FOR}\nassert(n <= 77);": 4096,
    f"// assert(n <= 77);\n{FOR}": 4096,
    f"assert(n <= 77 || c > 3);\n{FOR}": 4096,
    f"assert(a[0] <= 77 && n + 1 <= 77);\n{FOR}": 4096,
    f"assert(n <= c);\n{FOR}": 4096,
    # Where the assertion stands in its line: what follows may change the variable.
    f"assert(n <= 77); n = c; {FOR}": 4096,
    f"assert(n <= 77); n += 100; {FOR}": 177,
    f"n = c; /* a */ assert(n <= 77); {FOR}": 77,
    f'const char *s = "assert(n <= 7);"; {FOR}': 4096,
    f"auto f = [&](int n) {{ assert(n <= 7); a[1] = n; }}; f(c); {FOR}": 4096,
}
DONE = {  # a loop whose first iteration is not tested; elements of the array where no bound says more
    "if (n > 16) n = 16; int i = 0; do { a[i] = c; } while (++i < n);": 16,
    "if (n > 16) n = 16; int i = 3; do { a[i] = c; i += 2; } while (i <= n);": 7,
    "if (n > 16) n = 16; int i = 20; do { a[i] = c; i++; } while (i < n);": 1,
    "assert(n <= 20);\nint i = 0; do { a[i] = c; i++; } while (i < n);": 20,
    "if (n > 16) n = 16; int i = 0; do { a[i] = c; n += a[c] & 1; } while (++i < n);": 4096,
    "if (n > 16) n = 16; int i = 0; do { a[i] = c; if (a[i]) i = 0; } while (++i < n);": 64,
    "int i = 0; do { a[i] = c; i++; } while (i < n);": 4096,
}
OPEN = [
    f"int *p = &n; if (n > 100) n = 100; *p = c; {FOR}",
    f"int &r = n; if (n > 100) n = 100; r = c; {FOR}",
    f"if (n > 100) n = 100; get(n); {FOR}",
    f"if (n > 100) n = 100; raise(n); {FOR}",
    f"if (n > 100) n = 100; auto up = [&]() {{ n = a[3]; }}; up(); {FOR}",
    f"if (n > 100) n = 100; for (int j = 0; j < 10; j++) n += a[j]; {FOR}",
    "if (n > 100) n = 100; for (int i = 0; i < n; i++) { a[i] = c; n += a[i] & 1; }",
    f"for (int j = 0; j < 9; j++) {{ {FOR} n = 100; }}",
    f"if (n > 100) {{ if (c) n = 100; }} {FOR}",
    f"if (n > 100 && c) n = 100; {FOR}",
    f"for (int j = 0; j < 9; j++) {{ if (a[j] > c) break; if (n > 100) n = 100; }} {FOR}",
    "if (one > 100) one = 100; for (int i = 0; i < one; i++) a[i] = c;",
    "static int m = 5; if (m > 100) m = 100; m++; for (int i = 0; i < m; i++) a[i] = c; m = 2000;",
    "volatile int m = n; if (m > 100) m = 100; for (int i = 0; i < m; i++) a[i] = c;",
    "unsigned m = n; if (m > 100) m = 100; m -= 3; for (unsigned i = 0; i < m; i++) a[i] = c;",
    "if (c < n) { n = 5; for (int i = 0; i < c; i++) a[i] = n; }",
]  # fmt: skip


def trips(folder: Path, body: str, **given: int) -> int:
    path = written(folder, f"{BEFORE}void k(int n, int c, int a[4096]) {{\n{body}\n}}\n")
    (program,) = load_programs(str(path), function="k", policy=HARDWARE, settings=given)
    return next(most for each, most in counts(program.body) if each == "i")


def counts(nodes: Iterable[Node]) -> Iterator[tuple[str, int]]:
    for each in nodes:
        if isinstance(each, Loop):
            yield each.iterator, each.last[0].constant - each.first[0].constant + 1
        if not isinstance(each, Execution):
            yield from counts((*each.body, *(each.otherwise if isinstance(each, Guard) else ())))


@pytest.mark.parametrize("body", LIMITED)
def test_a_bound_is_limited_by_what_is_assigned_to_it(tmp_path: Path, body: str) -> None:
    assert trips(tmp_path, body) == LIMITED[body]


@pytest.mark.parametrize("body", ASSERTED)
def test_a_bound_is_limited_by_what_is_asserted_of_it(tmp_path: Path, body: str) -> None:
    assert trips(tmp_path, body) == ASSERTED[body]


@pytest.mark.parametrize("body", DONE)
def test_a_loop_that_tests_behind_its_body_is_limited_by_its_bound(tmp_path: Path, body: str) -> None:
    path = written(tmp_path, f"{BEFORE}void k(int n, int c, int a[4096]) {{\n{body}\n}}\n")
    (program,) = load_programs(str(path), function="k", policy=HARDWARE)
    assert [most for _, most in counts(program.body)] == [DONE[body]]


@pytest.mark.parametrize("body", OPEN)
def test_a_bound_that_others_may_set_has_no_limit(tmp_path: Path, body: str) -> None:
    assert trips(tmp_path, body) == 4096


def test_a_given_argument_is_raised_by_what_code_adds(tmp_path: Path) -> None:
    assert trips(tmp_path, f"if (c) n += 5; {FOR}", n=20) == 25
