"""Cycles as formulas of arguments: what the schedule says with those iterations, for every value that is tried."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import ppnsim
from ppnsim.errors import InputError
from ppnsim.library.schedule import KernelSchedules
from tests.helpers.hls_sources import written

# In the place of each {..} stands what the loop around it counts; the schedule is given that as its trip count.
KERNELS = {
    "one loop": ("for (int i = 0; i < n; i++) {{n} a[i] += 3; }", "1 + n"),
    "a sum in rows": (
        "for (int i = 0; i < n; i++) {{n} int s = 0; "
        "for (int j = 0; j < m; j++) {{m} s += b[j] * a[i]; } a[i] = s / 7; }",
        "1 + 14*n + m*n",
    ),
    "a flattened nest": (
        "for (int i = 0; i < n; i++) {{n} for (int j = 0; j < m; j++) {{m} c[i][j] += a[j]; } }",
        "2 + m*n",
    ),
    "beside each other": (
        "for (int i = 0; i < n; i++) {{n} a[i] += 3; } for (int i = 0; i < m; i++) {{m} b[i] += 3; }",
        "max(2 + n, 2 + m)",
    ),
    "steps and ends": (
        "for (int i = 1; i <= n; i++) {{n} a[i] += 3; } "
        "for (int i = n; i > 3; i -= 2) {{max(0, (n - 2) // 2)} a[i] = b[i]; }",
        "5 + max(0, floor((-2 + n)/2)) + n",
    ),
    "a product and a quotient": (
        "for (int i = 0; i < n * m; i++) {{n * m} a[i] += 3; } "
        "for (int i = 0; i < n / 2 + 1; i++) {{n // 2 + 1} a[i]--; }",
        "6 + floor(n/2) + m*n",
    ),
    "a variable of arguments": (
        "int z = 2 * m + 1; for (int i = 0; i < z; i++) {{2 * m + 1} a[i] += b[i]; }",
        "3 + 2*m",  # 2 * m and 1 have no bit in common: no adder
    ),
    "a triangle": (
        "for (int i = 0; i < n; i++) {{n} int s = 0; for (int j = 0; j < 2 * i + 3; j++) { s += a[j]; } b[i] = s; }",
        "1 + 2*floor((-n + n*n)/2) + 7*n",
    ),
    "no pipeline": (
        "for (int i = 0; i < n; i++) {{n}\n#pragma HLS pipeline off\nb[i] = a[i] / 3; }",
        None,
    ),
    "floating point": ("float f = 0; for (int i = 0; i < n; i++) {{n} f += g[i] * 2.5f; } g[0] = f;", None),
    "registers of a port": (
        "\n#pragma HLS interface s_axilite port=return\n#pragma HLS interface s_axilite port=n\n"
        "for (int i = 0; i < n; i++) {{n} a[i] += 3; }",
        None,
    ),
}
VALUES = ((0, 0), (1, 1), (5, 3), (70, 81), (1000, 2))


def kernel(body: str, **iterations: int) -> str:
    """Return a kernel, with these iterations of its loops as their trip counts."""

    def stated(found: re.Match[str]) -> str:
        count = eval(found[1], {"max": max}, iterations) if iterations else 0
        return f"{{\n#pragma HLS loop_tripcount min={count} max={count}\n" if iterations else "{"

    text = re.sub(r"\{\{(.*?)\}", stated, body)
    return f"void k(int a[8192], int b[8192], int c[512][512], float g[8192], int n, int m) {{\n{text}\n}}\n"


def scheduled(folder: Path, text: str, **options: Any) -> KernelSchedules:
    return ppnsim.schedule(written(folder, text), **options)


VARIABLES = {
    "a variable below 0": ("int z = n - 5; for (int i = 0; i < z; i++) {{max(0, n - 5)} a[i] += 3; }", "n"),
    "an argument of a function": ("put(a, n - 2); put(b, 2 * m);", "m n"),
}


@pytest.mark.parametrize("name", VARIABLES)
def test_a_variable_that_may_be_negative_leaves_the_loop_at_no_iteration(tmp_path: Path, name: str) -> None:
    body, names = VARIABLES[name]
    function = "void put(int *p, int n) { for (int i = 0; i < n; i++) p[i] += 3; }\n"
    formula = scheduled(tmp_path, function + kernel(body), function="k").formula
    assert formula is not None
    assert " ".join(formula.arguments) == names  # as the source calls them, whatever else is called so
    none, some = (formula.at(**dict.fromkeys(formula.arguments, n)) for n in (0, 8))
    assert formula.at(**dict.fromkeys(formula.arguments, 1)) >= none > 0
    assert some > none


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("device", ["xc7z020", "xcu280"])
def test_a_formula_is_the_schedule_for_any_number_of_iterations(tmp_path: Path, name: str, device: str) -> None:
    body, text = KERNELS[name]
    formula = scheduled(tmp_path, kernel(body), device=device).formula
    assert formula is not None
    assert text is None or device != "xc7z020" or str(formula) == text
    for n, m in VALUES if device == "xc7z020" else VALUES[2:4]:
        (found,) = scheduled(tmp_path, kernel(body, n=n, m=m), device=device).kernels
        assert formula.at(**{each: {"n": n, "m": m}[each] for each in formula.arguments}) == found.machine.cycles


# Of these the hardware is the same if a number above 64 is known: --set says their cycles.
ROWS = "for (int i = {0}; i < {1}; i++) {{ int s = 0; for (int j = {2}; j < {3}; j++) s += a[j]; b[i] = s; }}"
OF_ITERATORS = {
    "from an outer iterator on": (ROWS.format(0, "n", "i", "n"), "1 - floor((-n + n*n)/2) + 4*n + n*n"),
    "behind an outer iterator": (ROWS.format(0, "n", "i + 1", "n"), "1 - floor((-n + n*n)/2) + 3*n + n*n"),
    "up to an outer iterator": (ROWS.format(0, "n", "0", "i"), "1 + floor((-n + n*n)/2) + 4*n"),
    "what is left": (ROWS.format(0, "n", "0", "n - i - 1"), None),
    "another argument's end": (ROWS.format(0, "n", "i", "m"), "1 + 4*n + sum(max(0, -i + m) for i < n)"),
    "a quotient by an iterator": (ROWS.format(0, "n", "0", "n / (i + 1)"), None),
    "a known end": (ROWS.format(0, "n", "0", "300 - i"), None),
    "three deep": (
        "for (int i = 0; i < n; i++) for (int j = i; j < n; j++) {"
        " int s = 0; for (int k = j; k < n; k++) s += a[k]; b[i] += s; }", None,
    ),
    "a least": ("for (int i = 0; i < (n < 100 ? n : 100); i++) a[i] += 3;", "1 + min(n, 100)"),
    "two tests": ("for (int i = 0; i < n && i < 100; i++) a[i] += 3;", "1 + min(n, 100)"),
    "a remainder": ("for (int i = 0; i < n % 8; i++) a[i] += 3;", "1 + max(0, -8*floor(n/8) + n)"),
    "a quotient of two": ("for (int i = 0; i < n / m; i++) a[i] += 3;", "1 + floor(n/m)"),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_ITERATORS)
def test_a_formula_of_iterators_is_the_schedule_for_known_numbers(tmp_path: Path, name: str) -> None:
    body, text = OF_ITERATORS[name]
    formula = scheduled(tmp_path, kernel(body)).formula
    assert formula is not None
    assert text is None or str(formula) == text
    for n, m in ((70, 81), (133, 131)):
        known = {each: {"n": n, "m": m}[each] for each in formula.arguments}
        (found,) = scheduled(tmp_path, kernel(body), settings=known).kernels
        assert formula.at(**known) == found.machine.cycles


# In the place of each {..} stands what the loop around it counts. None of these heads is a ``for`` that adds a number.
COUNTERS = {
    "down to 0": ("while (n--) {{n} b[m] += 3; }", "2 + 2*n"),
    "down by some": ("while (n > 0) {{(n + 2) // 3} b[m] += 3; n -= 3; }", None),
    "down by an argument": ("while (n >= 5) {{max(0, (n - 5) // (m + 1) + 1)} b[0] += 3; n -= m + 1; }", None),
    "once at least": ("int i = 0; do {{max(1, n)} b[m] += 3; i++; } while (i < n);", "3 + 2*max(n, 1)"),
    "tested as it falls": ("do {{max(1, n)} b[m] += 3; } while (--n > 0);", None),
    "doubled": ("for (int i = 1; i < n; i <<= 1) {{(n - 1).bit_length() if n else 0} b[m] += i; }",
                "1 + 2*bit_length(-1 + n)"),
    "doubled to its end": ("for (int i = 3; i <= n; i = 2 * i) {{(n // 3).bit_length()} b[m] += i; }", None),
    "halved": ("while (n) {{n.bit_length()} b[m] += n & 1; n >>= 1; }", None),
    "by ten": ("for (int i = n; i >= 10; i /= 10) {{len(str(n)) - 1} b[m] += i; }", "2 + 7*digits(floor(n/10), 10)"),
    "from both ends": ("int i = 0, j = n; while (i < j) {{(n + 1) // 2} b[m] += 3; i++; j--; }", None),
    "in two steps": ("int i = 0; while (i < n) {{(n + 2) // 3} i++; b[m] += 3; i += 2; }", None),
    "two counters": ("while (n > 0 && m > 0) {{min(n, (m + 1) // 2)} b[0] += 3; n--; m -= 2; }", None),
    "a sum in the test": ("for (int i = 0; 2 * i + 1 < n; i++) {{max(0, n // 2)} a[i] += 3; }", None),
    "a clamp": ("if (n > 30) n = 30; for (int i = 0; i < n; i++) {{min(n, 30)} a[i] += 3; }", "2 + min(n, 30)"),
    "a clamp from below": ("int e; if (m < n) e = n; else e = m; for (int i = 0; i < e; i++) {{max(n, m)} a[i] += 3; }",
                           "2 + max(m, n)"),
    "an argument assigned": ("n = n + 1; for (int i = 0; i < n; i++) {{n + 1} a[i] += 3; }", "3 + n"),
    "one after the other": ("int z = n; for (int i = 0; i < z; i++) {{n} a[i] += 3; } z = m; "
                            "for (int i = 0; i < z; i++) {{m} a[i] -= 3; }", None),
    "whole blocks": ("for (int i = 0; i < ((n + 7) & ~7); i++) {{(n + 7) // 8 * 8} a[i] += 3; }",
                     "1 + 8*floor((7 + n)/8)"),
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTERS)
def test_any_head_that_counts_has_a_formula(tmp_path: Path, name: str) -> None:
    body, text = COUNTERS[name]
    formula = scheduled(tmp_path, kernel(body)).formula
    assert formula is not None
    assert text is None or str(formula) == text
    for n, m in ((3, 2), (70, 81), (1000, 2)):
        (found,) = scheduled(tmp_path, kernel(body, n=n, m=m)).kernels
        assert formula.at(**{each: {"n": n, "m": m}[each] for each in formula.arguments}) == found.machine.cycles


def test_what_a_doubled_counter_is_counts_in_the_loops_inside(tmp_path: Path) -> None:
    rows = "for (int s = n / 2; s > 0; s >>= 1) { for (int j = 0; j < s; j++) a[j] += a[j + s]; }"
    for body in (rows, rows.replace("int s = n / 2; s > 0; s >>= 1", "int s = 1; s < n; s *= 2")):
        found = scheduled(tmp_path, kernel(body))
        formula = found.formula
        assert formula is not None
        small, middle, large = (formula.at(n=n) for n in (512, 1024, 2048))
        assert (large - middle) - (middle - small) == 512 * found.rows()[0]["ii"]


LATER = {
    "behind its own loop": "while (n > 0) { b[m] += 1; n -= 3; } for (int i = 0; i < n + 5; i++) a[i] = 3;",
    "set again in a loop around": "for (int i = 0; i < m; i++) { while (n > 0) { b[0] += 1; n--; } n = m; }",
    "of a counter that is cut": "int left = n; while (left > 0) { int c = left < 16 ? left : 16; "
    "for (int i = 0; i < c; i++) a[i]++; left -= 16; }",
    "set in a branch of an iteration before": "int e = n; for (int i = 0; i < 4; i++) { if (i == 2) { e = m; } "
    "for (int j = 0; j < e; j++) a[j]++; }",
    "set in another branch": "int e = m; for (int i = 0; i < n; i++) { if (b[i] > 3) { a[0] = e; } else { e = 2 * m; } "
    "for (int j = 0; j < e; j++) a[j]++; }",
}


@pytest.mark.parametrize("name", LATER)
def test_a_scalar_that_is_set_again_ends_no_loop_by_its_first_value(tmp_path: Path, name: str) -> None:
    found = scheduled(tmp_path, kernel(LATER[name]))
    assert found.formula is None
    assert "is no such formula" in str(found.kernels[0].formula)


@pytest.mark.parametrize(
    ("bound", "text"),
    [
        ("n >> k", "1 + floor(n/2^k)"), ("1 << k", "1 + 2^k"), ("s.n", "1 + s.n"), ("*p", "1 + p"),
        ("std::min(n, k)", "1 + min(n, k)"), ("u", "1 + u"),
    ],
)  # fmt: skip
def test_arguments_of_any_kind_have_formulas(tmp_path: Path, bound: str, text: str) -> None:
    head = "#include <algorithm>\n#include <ap_int.h>\nstruct S { int n; int m; };\n"
    head += "void k(int a[8192], int n, int k, S s, int *p, ap_uint<10> u) {\n"
    found = scheduled(tmp_path, f"{head}for (int i = 0; i < {bound}; i++) a[i] += 3; }}")
    assert str(found.formula) == text


@pytest.mark.parametrize(
    "bound",
    ["min(n, 3)", "(unsigned char)n < 10 ? n : 10", "((unsigned char)m < 10) ? (unsigned)m : 10"],
)
def test_what_looks_like_a_least_is_none(tmp_path: Path, bound: str) -> None:
    """A function of the source was taken for the library's, and a number that is cut for the whole one."""
    head = "static int min(int a, int b) { return a - b; }\n"
    found = scheduled(
        tmp_path, f"{head}void k(int a[512], int n, int m) {{ for (int i = 0; i < ({bound}); i++) a[i] += 3; }}"
    )
    assert found.formula is None or "min" not in str(found.formula)


def test_a_least_of_the_source_is_one(tmp_path: Path) -> None:
    head = "static int min(int a, int b) { return a < b ? a : b; }\n"
    found = scheduled(
        tmp_path, f"{head}void k(int a[512], int n) {{ for (int i = 0; i < min(n, 64); i++) a[i] += 3; }}"
    )
    assert str(found.formula) == "1 + min(n, 64)"


def test_a_tile_that_is_cut_short_has_a_formula(tmp_path: Path) -> None:
    body = "for (int i = 0; i < n; i += 16) { int e = i + 16 < n ? i + 16 : n; for (int j = i; j < e; j++) a[j] += 3; }"
    formula = scheduled(tmp_path, kernel(body)).formula
    assert formula is not None
    assert [formula.at(n=n) for n in (16, 17, 32)] == [1 + 3 + 16, 1 + 2 * 3 + 17, 1 + 2 * 3 + 32]


def test_values_for_which_a_formula_says_nothing_are_refused(tmp_path: Path) -> None:
    for bound, known, why in (
        ("n / m", {"n": 3, "m": 0}, "n = 3, m = 0: the formula divides by 0 there"),
        ("n >> m", {"n": 3, "m": 99}, "n = 3, m = 99: the formula shifts by 99 there"),
    ):
        formula = scheduled(tmp_path, kernel(f"for (int i = 0; i < {bound}; i++) a[i] += 3;")).formula
        assert formula is not None
        with pytest.raises(InputError, match=re.escape(why)):
            formula.at(**known)


def test_a_number_that_synthesis_knows_gives_the_formula_if_the_hardware_is_the_same(tmp_path: Path) -> None:
    text = kernel(KERNELS["a sum in rows"][0])
    formula = scheduled(tmp_path, text).formula
    assert formula is not None
    for n, m in ((70, 80), (200, 90)):
        (found,) = scheduled(tmp_path, text, settings={"n": n, "m": m}).kernels
        assert formula.at(n=n, m=m) == found.machine.cycles
    (short,) = scheduled(tmp_path, text, settings={"n": 20, "m": 30}).kernels
    assert short.machine.cycles < formula.at(n=20, m=30)  # 30 known iterations are unrolled (R1.3)


def test_many_iterations_of_a_flattened_nest_take_a_state_more(tmp_path: Path) -> None:
    body = "for (int i = 0; i < 100; i++) { for (int j = 0; j < n; j++) {{n} c[i][j] += a[2] * b[j]; } }"
    formula = scheduled(tmp_path, kernel(body)).formula
    assert formula is not None
    assert str(formula).endswith("with fewer than 32768 iterations of loop i.j (line 2)")
    for n in (327, 328):
        (found,) = scheduled(tmp_path, kernel(body, n=n)).kernels
        assert formula.at(n=n) == found.machine.cycles
    assert formula.at(n=328) - formula.at(n=327) == 101


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("int i = n; while (i > 0) { a[i] = i; i = b[i]; }", "data ends loop 'trip' (line 2)"),
        ("for (int i = 0; i < n; i++) { if (a[i] == 3) break; b[i] = 4; }", "data ends loop 'i' (line 2)"),
        ("for (int i = 0; i < a[0]; i++) b[i] = 4;", "data ends loop 'i' (line 2)"),
        ("for (unsigned i = 0; i < n - 1; i++) a[i] += 3;", "data ends loop 'i' (line 2)"),
        ("unsigned z = n - m; for (int i = 0; i < z; i++) a[i] += 3;",
         "'z', which ends loop 'i' (line 2), is no such formula"),
        ("int z = n - 5; for (int i = 0; i < z; i += 3) a[i] += 3;",
         "'z', which ends loop 'i' (line 2), may be negative"),
        ("static int z = 3; for (int i = 0; i < z; i++) a[i] += 3; z = n;",
         "'z', which ends loop 'i' (line 2), is no such formula"),
        ("for (int i = 0; i < n; i++) { if (i > 3) { for (int j = 0; j < 100; j++) c[i][j]++; } }",
         "a condition depends on the iteration of loop 'i' (line 2)"),
    ],
)  # fmt: skip
def test_where_there_is_no_formula_its_reason_is_named(tmp_path: Path, body: str, why: str) -> None:
    found = scheduled(tmp_path, kernel(body))
    assert found.formula is None
    assert found.kernels[0].formula == why
    assert found.to_dict()["no_formula"] == why
    assert found.kernels[0].extremes is not None  # the range stays


TASKS = """#include "hls_stream.h"
static void put(int x[4096], hls::stream<int> &a, int n) { for (int i = 0; i < n; i++) a.write(x[i]); }
static void mid(hls::stream<int> &a, hls::stream<int> &b, int n) { for (int i = 0; i < n; i++) {
SLOW
b.write(a.read() / 3); } }
static void take(hls::stream<int> &b, int y[4096], int n) { for (int i = 0; i < n; i++) y[i] = b.read(); }
static void both(hls::stream<int> &a, hls::stream<int> &b, hls::stream<int> &c, int n) {
for (int i = 0; i < n; i++) { int v = a.read(); b.write(v); c.write(v); } }
static void sum(hls::stream<int> &b, hls::stream<int> &c, int y[4096], int n) {
for (int i = 0; i < n; i++) y[i] = b.read() + c.read(); }
static void rise(int x[4096], int t[4096], int n) { for (int i = 0; i < n; i++) t[i] = x[i] * 11; }
void k(int x[4096], int y[4096], int n, int m) {
#pragma HLS dataflow
hls::stream<int> a, b, c, d; int t[4096];
CALLS }
"""
REGIONS = {
    "a chain": ("", "put(x, a, n); mid(a, b, n); take(b, y, n);", "9 + n"),
    "a slow task": ("#pragma HLS pipeline II=3", "put(x, a, n); mid(a, b, n); take(b, y, n);", "7 + 3*n"),
    "an array between": ("", "rise(x, t, n); rise(t, y, n);", "6 + 2*n"),
    "two beside each other": ("", "rise(x, t, n); rise(y, y, m);", None),
}  # fmt: skip


def region(slow: str, calls: str) -> str:
    return TASKS.replace("SLOW", slow).replace("CALLS", calls)


@pytest.mark.parametrize("name", REGIONS)
def test_the_tasks_of_a_region_have_a_formula_where_constants_hold_them_up(tmp_path: Path, name: str) -> None:
    slow, calls, text = REGIONS[name]
    formula = scheduled(tmp_path, region(slow, calls), function="k").formula
    assert formula is not None
    assert text is None or str(formula).startswith(f"{text}, as its tasks run with n = ")
    for n, m in ((2, 200), (65, 2), (133, 70), (900, 300)):  # what runs once is no loop, other hardware (R1.9)
        known = {each: {"n": n, "m": m}[each] for each in formula.arguments}
        (found,) = scheduled(tmp_path, region(slow, calls), function="k", settings=known).kernels
        assert formula.at(**known) == found.machine.cycles


def test_tasks_that_wait_for_each_other_otherwise_have_limits(tmp_path: Path) -> None:
    calls = "put(x, a, n); both(a, b, c, n); mid(c, d, n); sum(b, d, y, n);"
    assert scheduled(tmp_path, region("", calls), function="k").deadlocked  # with each n above a few tokens
    text = region("", f"\n#pragma HLS stream variable=b depth=8\n{calls}")
    why = scheduled(tmp_path, text, function="k").to_dict()["no_formula"]
    low, high = re.findall(r"([^:]*) cycles or more, and (.*) or fewer", why)[0]
    (found,) = scheduled(tmp_path, text, function="k", settings={"n": 70}).kernels
    least, most = (eval(each.replace("max", ""), {"n": 70}) for each in (low, high))
    assert least <= found.machine.cycles <= most


def test_a_kernel_without_arguments_in_its_bounds_has_no_word_on_formulas(tmp_path: Path) -> None:
    found = scheduled(tmp_path, kernel("for (int i = 0; i < 90; i++) a[i] += n;"))
    assert found.kernels[0].formula is None
    assert "formula" not in found.to_dict()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "the formula needs a value of 'n': 1 + n"),
        ({"n": -1}, "n = -1: the formula is of numbers from 0 on"),
        ({"n": 1, "nn": 2}, "the formula has no argument 'nn' (did you mean 'n'?)"),
    ],
)
def test_a_formula_is_asked_with_its_arguments(tmp_path: Path, given: dict[str, int], message: str) -> None:
    formula = scheduled(tmp_path, kernel(KERNELS["one loop"][0])).formula
    assert formula is not None
    with pytest.raises(InputError, match=re.escape(message)):
        formula.at(**given)


def test_the_report_says_the_formula_and_worst_counts_without_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, kernel(KERNELS["one loop"][0]))
    found = ppnsim.schedule(path)
    found.print(Console())
    assert "\ncycles = 1 + n\n" in capsys.readouterr().out
    assert found.to_dict()["formula"] == "1 + n"
    ppnsim.schedule(path, worst=True).print(Console())
    assert "cycles = " not in capsys.readouterr().out


def test_an_if_with_loops_has_no_formula(tmp_path: Path) -> None:
    """The branches differ, and the argument that chooses one is none of the formula's."""
    text = """void k(int a[64], int n, bool up) {
      if (up) { for (int i = 0; i < n; i++) a[i] += 3; }
      else { for (int i = 0; i < 2 * n; i++) a[i] -= 3; } }"""
    found = ppnsim.schedule(str(written(tmp_path, text)))
    assert found.formula is None
    words = "data decides which loops of an 'if' run, of which one branch is counted"
    assert found.to_dict()["no_formula"] == words
