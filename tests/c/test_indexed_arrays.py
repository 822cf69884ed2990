"""The trip count that is guessed from the arrays in a loop is that of the loop, however its head is spelled."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ppnsim import schedule

_KERNEL = "void k(const int a[48], int n, int out[48], const int narrow[20], const int grid[6][8]) {{\n{}\n}}\n"


def _guessed(folder: Path, body: str) -> tuple[list[int], list[str]]:
    """Return the trip counts that are said to be guessed, and the sentences."""
    source = folder / "k.cpp"
    source.write_text(_KERNEL.format(body))
    said = [each for each in schedule(source).assumed if " runs " in each and " times" in each]
    return [int(found[1]) for each in said if (found := re.search(r"runs (\d+) times", each))], said


@pytest.mark.parametrize(
    "head",
    [
        "for (int i = 0; i < n; i++) { out[i] = a[i] * 3; }",
        "int most = n; for (int i = 0; i < most; i++) { out[i] = a[i] * 3; }",
        "const int most = n; for (int i = 0; most > i; ++i) { out[i] = a[i] * 3; }",
        "for (int i = 0; i <= n - 1; i += 1) { out[i] = a[i] * 3; }",
        "for (int i = 0; i != n; i++) { out[i] = a[i] * 3; }",
        "for (int i = n - 1; i >= 0; i--) { out[i] = a[i] * 3; }",
        "for (int i = n - 1; i > -1; i--) { out[i] = a[i] * 3; }",
        "for (int i = n; i > 0; i--) { out[i - 1] = a[i - 1] * 3; }",
        "for (int i = n; i >= 1; --i) { out[i - 1] = a[i - 1] * 3; }",
        "for (int i = n; i-- > 0;) { out[i] = a[i] * 3; }",
        "for (int i = 1; i <= n; i++) { out[i - 1] = a[i - 1] * 3; }",
        "for (int i = 1; i < n + 1; i++) { out[-1 + i] = a[-1 + i] * 3; }",
        "for (int i = 5; i < n + 5; i++) { int at = i - 5; out[at] = a[at] * 3; }",
        "int i = 0; while (i < n) { out[i] = a[i] * 3; i++; }",
    ],
)
def test_equivalent_spellings_have_the_same_guess(tmp_path: Path, head: str) -> None:
    counts, said = _guessed(tmp_path, head)
    assert counts == [48]
    assert "is data or a parameter without a value" in said[0]
    assert "loop_tripcount" in said[0]


@pytest.mark.parametrize(
    ("test", "count"), [("i < n", 48), ("i != n", 48), ("n > i", 48), ("i < 20 && i < n", 20), ("a[i] != 0", 64)]
)
def test_a_do_that_counts_has_the_guess_of_its_while(tmp_path: Path, test: str, count: int) -> None:
    for loop in (f"do {{ out[i] = a[i] * 3; i++; }} while ({test});", f"while ({test}) {{ out[i] = a[i] * 3; i++; }}"):
        counts, _ = _guessed(tmp_path, f"int i = 0; {loop}")
        assert counts == [count], loop


@pytest.mark.parametrize(
    ("body", "counts"),
    [
        # Strides: the other loops' last values stay inside the array.
        ("for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) out[i * 4 + j] = a[4 * i + j];", [12]),
        ("for (int i = n; i > 0; i--) for (int j = 0; j < 4; j++) out[(i - 1) * 4 + j] = a[4 * (i - 1) + j];", [12]),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) out[(i << 2) + j] = a[4 * i + j];", [12, 4]),
        ("for (int i = n; i > 0; i--) for (int j = n; j > 0; j--) out[4 * i + j - 5] = 1;", [12, 4]),
        ("for (int i = 0; i < 6; i++) for (int j = 0; j < n; j++) out[i * 8 + j] = a[i * 8 + j];", [8]),
        ("for (int i = 0; i < n; i++) { int from = 16 * i; for (int j = 0; j < 16; j++) out[from + j] = 1; }", [3]),
        # A window: all of it is inside; the window's own length is not the rest of the array behind its last place.
        ("for (int i = 0; i < n; i++) { int s = 0; for (int j = 0; j < 3; j++) s += a[i + j]; out[i] = s; }", [46]),
        ("for (int i = 0; i < 48; i++) for (int j = 0; j < n; j++) out[i] += a[i + j] * narrow[j];", [20]),
        # A place by a quotient of an iterator is not affine in it.
        ("for (int i = 0; i < 4; i++) { int at = i / 2 * 8; for (int j = 0; j < n; j++) out[at + j] = 1; }", [64]),
        # An iterator that starts where another one is: tiles, triangles, differences.
        ("for (int i = 0; i < n; i += 8) for (int j = i; j < i + 8; j++) out[j] = 1;", [6]),
        ("for (int i = 0; i < n; i++) for (int j = i; j < n; j++) out[j - i] = 1;", [64, 48]),
        ("for (int i = 0; i < n; i++) for (int j = i; j < n; j++) out[j] = 1;", [48, 48]),
        (
            "int j; for (int i = 0; i < n; i++) { for (j = 0; j < 4; j++) out[j]++; for (j = i; j < 9;) out[j++]++; }",
            [64],
        ),
        # A first value and a step.
        ("for (int i = 8; i < n; i++) out[i] = a[i];", [40]),
        ("for (int i = 0; i < n; i += 2) out[i] = a[i];", [24]),
        ("for (int i = 1; i < n; i += 2) out[i] = a[i];", [24]),
        ("for (int i = 0; i < n; i++) out[2 * i] = a[2 * i + 1];", [24]),
        ("for (int i = 0; i < n; i++) out[47 - i] = a[i];", [48]),
        # The smallest array counts, each dimension is one of its own, and a bound has one value.
        ("for (int i = 0; i < n; i++) out[i] = narrow[i];", [20]),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) out[i * 8 + j] = grid[i][j];", [6, 6]),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < *a; j++) out[i * 8 + j] = grid[i][j];", [6, 8]),
        # Accesses that not every iteration has: the subscript 'i + 1' says nothing beside 'i'.
        ("for (int i = 0; i < n; i++) { out[i] = a[i]; if (i + 1 < n) out[i + 1] = 3; }", [48]),
        ("for (int i = 0; i < n; i++) { int t = i > 3 ? a[i - 4] : 0; out[i] = t; }", [48]),
        ("for (int i = 0; i < n; i++) { if (i > 3) out[i - 4] = 1; }", [52]),
        # Nothing to tell from: the assumption of all other loops.
        ("for (int i = 0; i < n; i++) out[i * n] = 1;", [64]),
        ("int at = 0; for (int i = 0; i < n; i++) { at += i; out[at & 31] = 1; }", [64]),
    ],
)
def test_subscripts_stay_inside_their_arrays(tmp_path: Path, body: str, counts: list[int]) -> None:
    assert _guessed(tmp_path, body)[0] == counts


def test_the_subscript_that_decides_is_said(tmp_path: Path) -> None:
    _, said = _guessed(tmp_path, "for (int i = 1; i <= n; i++) { out[i - 1] = narrow[i - 1]; }")
    assert "runs 20 times, as many as 'narrow[i - 1]' is inside an array of 20 elements" in said[0]


@pytest.mark.parametrize(
    ("body", "counts"),
    [
        # One value of n in all loops: 48 elements allow 48, and a bound n - 1 that runs 48 times allows 49.
        ("for (int i = 0; i < n; i++) out[i] = a[i];\nfor (int k = 0; k < n; k++) *out += k * n;", [48, 48]),
        ("for (int i = 0; i < n - 1; i++) out[i] = a[i];\nfor (int k = 0; k <= n; k++) *out += k * n;", [48, 50]),
        ("for (int k = 2; k < n; k++) *out += k * n;\nfor (int i = 1; i <= n; i++) *out += narrow[i - 1];", [18, 20]),
        ("int half = n / 2;\nfor (int i = 0; i < n; i++) out[i] = i;\nfor (int k = half; k < n; k++) *out += k * n;",
         [48, 24]),
        # The smaller array counts for both.
        ("for (int i = 0; i < n; i++) out[i] = a[i];\nfor (int k = 0; k < n; k++) *out += narrow[k];", [20, 20]),
        # Loops under a condition, parameters that are assigned and other bounds say nothing.
        ("if (a[0] < 30) {\nfor (int i = 0; i < n; i++) out[i] = a[i]; }\nfor (int k = 0; k < n; k++) *out += k * n;",
         [48, 64]),
        ("for (int i = 0; i < n; i++) out[i] = a[i];\nn = n * a[1];\nfor (int k = 0; k < n; k++) *out += k * n;",
         [48, 64]),
        ("for (int i = 0; i < n * a[0]; i++) out[i] = a[i];\nfor (int k = 0; k < n; k++) *out += k * n;", [48, 64]),
    ],
)  # fmt: skip
def test_a_parameter_has_one_value_in_all_loops(tmp_path: Path, body: str, counts: list[int]) -> None:
    found, _ = _guessed(tmp_path, body)
    assert found == counts


def test_the_most_iterations_are_those_of_the_best_value_of_a_parameter(tmp_path: Path) -> None:
    """The usual count is that of the largest value; a loop that starts there runs more often with smaller ones."""
    body = "for (int i = 0; i < n; i++) out[i] = i;\nfor (int k = n / 2; k < n; k++) *out += k * n;"
    source = tmp_path / "k.cpp"
    source.write_text(_KERNEL.format(body))
    usual, most = (schedule(source, worst=worst) for worst in (False, True))
    assert [nest.iterations for nest in usual.kernels[0].machine.nests] == [48, 24]
    assert [nest.iterations for nest in most.kernels[0].machine.nests] == [48, 48]
    assert "as many as for n = 48, the most that line 2 allows" in usual.assumed[1]
