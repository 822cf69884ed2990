"""Regions whose rounds differ: under conditions, with other trip counts; each round counts as it is (R7.4)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.c.pragmas.trips import Count
from ppnsim.errors import InputError
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import load_library
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.rules import TOOL
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.schedule.recurrences import modulo_schedule
from tests.helpers.hls_sources import written

TASKS = """#include "hls_stream.h"
static void copy(const int a[64], int b[64]) { for (int i = 0; i < 64; i++) { b[i] = a[i]; } }
static void part(const int a[64], int b[64], int n) { for (int i = 0; i < n; i++) { b[i] = a[i]; } }
static void pass(const int a[64], int b[64]) {
#pragma HLS dataflow
    int c[64]; copy(a, c); copy(c, b); }
static void some(const int a[64], int b[64], int n) {
#pragma HLS dataflow
    int c[64]; part(a, c, n); part(c, b, n); }
static void one(int x, hls::stream<int> &s) { s << x + 1; }
static void two(hls::stream<int> &s, int *y) { *y = s.read() * 11 / 7; }
static void tiny(int x, int *y) {
#pragma HLS dataflow
    hls::stream<int> s; one(x, s); two(s, y); }
"""
PASS, COPY = 128, 64  # the tasks of `pass` take turns


def kernel(folder: Path, body: str, count: Count = "usual", head: str = "") -> StateMachine:
    path = written(folder, f"{TASKS}\n{head}\nvoid k(const int a[64], int b[64]) {{\n{body}\n}}\n")
    found = load_programs(str(path), function="k", policy=replace(HARDWARE, count=count))
    (program,) = [each for each in found if each.name == "k"]
    directives = read_directives(sources_of(program), program)
    library, rules = load_library("xc7z020", 10), replace(TOOL, count=count)
    return schedule_kernel(program, library, directives, rules, estimates=True)


@pytest.mark.parametrize(
    ("body", "passes", "copies"),
    [
        ("for (int n = 0; n < 5; n++) { if (n > 2) pass(a, b); }", 2, 0),
        ("for (int n = 0; n < 5; n++) { if (n > 2) pass(a, b); else copy(a, b); }", 2, 3),
        ("for (int n = 0; n < 5; n++) { if (n > 2) copy(a, b); else pass(a, b); }", 3, 2),
        ("for (int n = 0; n < 5; n++) { if (!(n > 2)) pass(a, b); }", 3, 0),
        ("for (int n = 5; n > 0; n--) { if (n > 2) pass(a, b); }", 3, 0),
        ("for (int n = 0; n < 9; n += 2) { if (n % 3 == 0) pass(a, b); }", 2, 0),
        ("for (int n = 0; n < 4; n++) for (int m = 0; m < 4; m++) { if (n <= m) pass(a, b); }", 10, 0),
        ("for (int n = 0; n < 4; n++) for (int m = n; m < 4; m++) { pass(a, b); }", 10, 0),
        ("for (int n = 0; n < 4; n++) for (int m = n; m < 4; m++) { if (m != n) pass(a, b); }", 6, 0),
        (
            """for (int n = 0; n < 4; n++) {
            if (n == 0) pass(a, b); else if (n == 1) copy(a, b); else { pass(a, b); pass(a, b); } }""",
            5,
            1,
        ),
        ("for (int n = 0; n < 4; n++) { if (n == 0) { if (n == 0) pass(a, b); } copy(a, b); }", 1, 4),
    ],
)
def test_a_region_under_a_condition_runs_where_it_holds(tmp_path: Path, body: str, passes: int, copies: int) -> None:
    machine = kernel(tmp_path, body)
    assert machine.cycles == passes * PASS + copies * COPY
    assert sum(task.cycles * task.runs for task in machine.tasks) == machine.cycles
    assert sum(nest.visits for nest in machine.nests) == 2 * passes + copies


def test_a_condition_around_all_tasks_of_a_region_is_one_around_the_region(tmp_path: Path) -> None:
    body = """for (int n = 0; n < 4; n++) {
    #pragma HLS dataflow
        if (n > 1) { int c[64]; copy(a, c); copy(c, b); } else b[0] = n; }"""
    machine = kernel(tmp_path, body)
    assert machine.cycles == PASS  # the tasks of a region of the loop's own overlap: 64 until the next run, then 64


def test_tasks_that_run_longer_from_round_to_round_count_each_round(tmp_path: Path) -> None:
    machine = kernel(tmp_path, "for (int t = 0; t < 8; t++) { some(a, b, 8 * t); }")
    # A copy of n elements takes n cycles from start to done, one without elements none.
    assert machine.cycles == 2 * sum(8 * t for t in range(8))
    assert {(nest.least, nest.most, nest.visits) for nest in machine.nests} == {(0, 56, 8)}


@pytest.mark.parametrize(("count", "cycles"), [("least", 1), ("usual", 11), ("most", 11)])
def test_where_data_decides_one_way_counts_and_is_said(tmp_path: Path, count: Count, cycles: int) -> None:
    machine = kernel(tmp_path, "int y = 0; if (a[3] > 5) tiny(a[0], &y); b[0] = y;", count)
    assert machine.cycles == cycles
    longer = "shorter" if count == "least" else "longer"
    assert any(f"which way a region goes, and the {longer} one counts" in each for each in machine.said)


def test_rounds_that_differ_are_counted_up_to_a_limit(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"kernel.cpp:\d+:\d+: rounds of loop 'n' .* at most 100000 are counted"):
        kernel(tmp_path, "for (int n = 0; n < 300000; n++) { if (n % 2) pass(a, b); }")


def test_what_is_known_of_a_condition_counts_beside_the_data_in_it(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < 64; i++) {\n#pragma HLS pipeline\n b[i] += a[i]; }"
    known, both, turned = (
        kernel(tmp_path, f"for (int n = 0; n < 40; n++) {{ if ({test}) for (int m = 0; m < 9; m++) {loop} }}")
        for test in ("n > 30", "n > 30 && a[n] > 0", "a[n] > 0 && n > 30")
    )
    assert [nest.visits for nest in known.nests] == [nest.visits for nest in both.nests]
    assert [nest.visits for nest in known.nests] == [nest.visits for nest in turned.nests]


@pytest.mark.parametrize("device", ["xc7z020", "xcu280-fsvh2892-2L-e"])
@pytest.mark.parametrize(
    ("test", "plain"),
    [
        ("if (n < 9) pass(a, b);", "pass(a, b);"),  # it always holds
        ("if (n > 9) b[0] = 1; else pass(a, b);", "pass(a, b);"),
        ("if (n < 9) { if (n == 2 || n < 4) pass(a, b); }", "pass(a, b);"),
        ("if (n == 2) z[0] = 3; pass(a, b);", "z[n] = 3; pass(a, b);"),  # a state, whoever stores (R5.8)
        ("if (n == 2) z[0] = 3; else z[1] = n; pass(a, b);", "if (n == 1) z[0] = 3; else z[1] = n; pass(a, b);"),
    ],
)
def test_a_test_that_makes_no_difference_between_rounds_changes_nothing(
    tmp_path: Path, device: str, test: str, plain: str
) -> None:
    """The rounds were estimated then, without the cycles that one takes before the next (R9.7)."""

    def cycles(body: str) -> int:
        text = f"void top(const int a[64], int b[64], int z[4]) {{ for (int n = 0; n < 4; n++) {{ {body} }} }}"
        path = written(tmp_path, TASKS + text)
        (program,) = load_programs(str(path), function="top", policy=HARDWARE)
        library = load_library(device, 10 if device == "xc7z020" else 3.33)
        machine = schedule_kernel(program, library, read_directives(sources_of(program), program))
        assert machine.region is not None  # it is a network
        return machine.cycles

    assert cycles(test) == cycles(plain)


def test_rounds_that_differ_in_trips_only_share_the_schedule_of_their_body(tmp_path: Path) -> None:
    code = "for (int k = 1; k < 5; k++) some(a, b, 8 * k);"
    with patch("ppnsim.hls.schedule.body.modulo_schedule", wraps=modulo_schedule) as made:
        machine = kernel(tmp_path, code)
    assert machine.cycles == sum(2 * 8 * k for k in range(1, 5))
    assert made.call_count == 2  # of both tasks, in all rounds


@pytest.mark.parametrize(("pipeline", "schedules"), [("#pragma HLS pipeline", 3), ("", 7)])
def test_rounds_whose_conditions_hold_at_the_same_points_share_a_schedule(
    tmp_path: Path, pipeline: str, schedules: int
) -> None:
    """Each round had a schedule of its own, and more than 1000 were refused after minutes.

    The condition holds in all iterations from round 2 to 36, in a part of them in 5 others; `copy` has one schedule.
    """
    edge = f"""static void edge(const int a[64], int b[64], int n) {{ for (int i = 0; i < 8; i++) {{
        {pipeline}
        if (n + i - 2 >= 0 && n + i < 44) b[i] = a[i]; else b[i + 8] = a[i]; }} }}
        static void both(const int a[64], int b[64], int n) {{
        #pragma HLS dataflow
            int c[64]; edge(a, c, n); copy(c, b); }}
        """
    with patch("ppnsim.hls.schedule.body.modulo_schedule", wraps=modulo_schedule) as made:
        machine = kernel(tmp_path, "for (int n = 0; n < 40; n++) both(a, b, n);", head=edge)
    assert [task.runs for task in machine.tasks] == [40, 40]
    assert made.call_count == schedules
