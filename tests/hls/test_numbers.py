"""A variable that is set once, to a number, is that number, whatever it is a part of (R1.1)."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim

KERNEL = """struct scale {{ int by; int of(int a) const {{ return a * by; }} }};
int times(int by, int a) {{ return a * by; }}
void k(int x[64], int y[64], int n) {{ {} }}"""
LOOP = "for (int i = 0; i < 64; i++)"


def figures(folder: Path, body: str) -> list[tuple[int, ...]]:
    path = folder / "k.cpp"
    path.write_text(KERNEL.format(body))
    machine = ppnsim.schedule(path, function="k").kernels[0].machine
    return [(machine.cycles,), *((each.body.schedule.ii, each.body.depth) for each in machine.nests)]


@pytest.mark.parametrize(
    "body",
    [
        f"int by = 4; {LOOP} y[i] = x[i] * by;",
        f"int two = 2; int by = two + 2; {LOOP} y[i] = x[i] * by;",
        f"{LOOP} {{ int by = 4; y[i] = x[i] * by; }}",
        f"scale s; s.by = 4; {LOOP} y[i] = s.of(x[i]);",
        f"int by = 4; {LOOP} y[i] = times(by, x[i]);",
    ],
)
def test_a_product_with_it_is_a_shift(tmp_path: Path, body: str) -> None:
    """Three states of a multiplier and one before the loop more, in silence."""
    assert figures(tmp_path, body) == figures(tmp_path, f"{LOOP} y[i] = x[i] * 4;")


@pytest.mark.parametrize(
    "body",
    [
        f"int by = 4; {LOOP} {{ y[i] = x[i] * by; by = 5; }}",
        f"int by = n; if (n > 3) by = 4; {LOOP} y[i] = x[i] * by;",
        f"static int by = 4; {LOOP} y[i] = x[i] * by; by = n;",
    ],
)
def test_a_variable_that_may_be_something_else_is_a_factor(tmp_path: Path, body: str) -> None:
    assert figures(tmp_path, body)[1][1] > figures(tmp_path, f"{LOOP} y[i] = x[i] * 4;")[1][1]


@pytest.mark.parametrize(
    "loop",
    [
        "while (by < 7) { y[by] = 0; by++; }",
        "for (; by < 7; by++) y[by] = 0;",
        "for (by = 1; by < 7; by++) y[by] = 0;",
        "for (by = 4; by < 7; by++) ;",
    ],
)
def test_a_variable_that_a_loop_counts_is_what_the_loop_leaves(tmp_path: Path, loop: str) -> None:
    """It was what it began with, in silence: 4 for 7."""
    behind, seven = (f"{begin} {LOOP} y[i] = x[i] * {by};" for begin, by in ((f"int by = 4; {loop}", "by"), ("", "7")))
    assert figures(tmp_path, behind)[-1] == figures(tmp_path, seven)[1]
    turns = f"for (int j = 0; j < 3; j++) {{ int by = 4; {loop} y[j] = x[j] / "
    assert figures(tmp_path, f"{turns} by; }}") == figures(tmp_path, f"{turns} 7; }}")


@pytest.mark.parametrize("test", ["by < n && by < 64", "by < n"])
def test_a_variable_that_a_loop_counts_as_data_says_is_a_factor(tmp_path: Path, test: str) -> None:
    begin = f"int by = 4; for (; {test}; by++) y[by] = 0;"
    found, factor = (figures(tmp_path, f"{begin} {LOOP} y[i] = x[i] * {by};")[-1] for by in ("by", "n"))
    assert found == factor


def test_what_a_loop_leaves_is_there_when_it_has_ended(tmp_path: Path) -> None:
    """It was there from the start, in silence: the division went on beside the loop."""
    loop = "int by = x[0] / n; while (by < n) { y[by] = 4; by++; }"
    (whole,), *_ = figures(tmp_path, f"{loop} y[0] = x[3] / by;")
    (before,), *_ = figures(tmp_path, loop)
    assert whole > before + 30


def test_what_a_loop_leaves_that_data_ends_is_no_number(tmp_path: Path) -> None:
    begin = "int by = 4; for (; by < 7; by++) { y[by] = 0; if (x[by] > 3) break; }"
    found, factor = (figures(tmp_path, f"{begin} {LOOP} y[i] = x[i] * {by};")[-1] for by in ("by", "n"))
    assert found == factor


def test_a_variable_read_before_a_loop_that_counts_it_is_no_number(tmp_path: Path) -> None:
    turns = "int by = 4; for (int j = 0; j < 9; j++) { y[j] = x[j] * {}; for (by = 1; by < j; by++) y[by + 9] = n; }"
    found, factor = (figures(tmp_path, turns.replace("{}", by)) for by in ("by", "n"))
    assert found == factor


def test_the_opposite_of_a_comparison_is_a_comparison(tmp_path: Path) -> None:
    one, other = (f"{LOOP} y[i] = {test} ? x[i] : i;" for test in ("x[i] > n", "!(x[i] <= n)"))
    assert figures(tmp_path, one) == figures(tmp_path, other)
