"""Elements that come again by subscripts of other forms, by looking at all iterations (R4.8)."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppnsim.hls.structure.reuse_distance import Nearest
from ppnsim.library.schedule import schedule
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Loop

ROW, COLUMN = Affine.of("i"), Affine.of("j")
SUBSCRIPTS = st.builds(
    lambda a, b, c, over, by: [a * ROW + b * COLUMN + c, (ROW + c) // by + COLUMN, (a * ROW + COLUMN) % by + c][over],
    st.integers(-2, 3), st.integers(-2, 3), st.integers(-4, 4), st.integers(0, 2), st.integers(2, 4),
)  # fmt: skip


@given(
    stores=st.lists(SUBSCRIPTS, min_size=2, max_size=2), loads=st.lists(SUBSCRIPTS, min_size=2, max_size=2),
    ends=st.tuples(st.integers(0, 5), st.integers(0, 5)), steps=st.sampled_from([(1, 1), (2, 1), (1, -1), (-1, 3)]),
    flat=st.booleans(),
)  # fmt: skip
def test_the_nearest_meeting_is_that_of_all_iterations(
    stores: list[Affine], loads: list[Affine], ends: tuple[int, int], steps: tuple[int, int], flat: bool
) -> None:
    loops, axes = [], []
    for name, last, step in zip("ij", ends, steps, strict=True):
        first, end = (0, last) if step > 0 else (last, 0)
        loops.append(Loop(iterator=name, first=(Affine.of(first),), last=(Affine.of(end),), step=step))
        axes.append(range(first, end + (1 if step > 0 else -1), step))
    outer, inner = ((), tuple(loops)) if flat else (tuple(loops[:1]), tuple(loops[1:]))
    visits = list(product(*axes)) if flat else [(i, j) for i in axes[0] for j in axes[1]]
    written: dict[Any, int] = {}
    apart = []
    for time, (i, j) in enumerate(visits):
        at, visit = {"i": i, "j": j}, 0 if flat else i
        if (then := written.get((visit, *(each.value(at) for each in loads)))) is not None:
            apart.append(time - then)
        written[visit, *(each.value(at) for each in stores)] = time
    found = Nearest(outer, inner).distance(Access("a", tuple(stores)), Access("a", tuple(loads)))
    assert found == min(apart, default=None)


def interval(folder: Path, text: str) -> tuple[int, str]:
    path = folder / "k.c"
    path.write_text(f"void f({text}\n", encoding="utf-8")
    found = schedule(path).to_dict()
    return found["loops"][0]["ii"], str(found["assumptions"])


@pytest.mark.parametrize(("body", "ii"), [
    ("double a[64]) { for (int i = 0; i < 60; i++) a[i % 8 + 1] = a[i % 8] + 2.0; }", 8),
    ("double a[128]) { for (int i = 0; i < 60; i++) a[2 * i] = a[i] + 2.0; }", 8),
    ("double a[64]) { for (int i = 0; i < 60; i++) a[i / 2] += 2.0; }", 8),
    ("double a[9][64]) { for (int i = 0; i < 9; i++) for (int j = 0; j < 64; j++) a[i][j] = a[i][63 - j] + 2.0; }", 8),
    ("double a[64]) { for (int i = 0; i < 60; i++) a[i] = a[60 - i] + 2.0; }", 5),  # nearest two apart, through memory
    ("double a[64], double b[64]) { for (int i = 0; i < 60; i++) a[i % 4] += b[i]; }", 3),  # the same four later
    ("double a[4], double b[9]) { for (int i = 0; i < 9; i++) for (int j = 0; j < 80; j++) a[j % 4] += b[i]; }", 3),
    ("int a[400]) { for (int i = 0; i < 100; i++) { a[i + 1] = a[i] * 11 / 7 + i; a[399] = i; } }", 9),
    ("double a[45000]) { for (int i = 0; i < 40000; i++) a[2 * i] = a[i + 20000] + 2.0; }", 8),  # meets half way
    ("double a[4], double b[64]) { for (int i = 0; i < 64; i++) for (int j = 0; j < i; j++) a[j % 4] += b[i]; }", 3),
])  # fmt: skip
def test_what_the_iteration_before_stored_is_waited_for(tmp_path: Path, body: str, ii: int) -> None:
    """All were II 1, in silence, which no hardware is right with: a sum of doubles takes seven states."""
    assert interval(tmp_path, body)[0] == ii


@pytest.mark.parametrize("body", [
    "double a[128]) { for (int i = 0; i < 60; i++) a[i] = a[120 - i] + 2.0; }",
    "double a[128]) { for (int i = 0; i < 60; i++) a[i] = a[2 * i + 1] + 2.0; }",
    "double a[64]) { for (int i = 0; i < 32; i++) a[2 * i] = a[2 * i + 1] + 2.0; }",
])  # fmt: skip
def test_elements_that_never_meet_close_keep_the_interval(tmp_path: Path, body: str) -> None:
    assert interval(tmp_path, body)[0] == 1


def test_what_a_tool_may_not_see_is_said(tmp_path: Path) -> None:
    words = "takes elements of 'a' from earlier iterations where its subscripts say so"
    assert words in interval(tmp_path, "int a[128]) { for (int i = 0; i < 60; i++) a[i] = a[2 * i + 1]; }")[1]
    assert words not in interval(tmp_path, "int a[64]) { for (int i = 0; i < 60; i++) a[i + 1] = a[i]; }")[1]
    assert words not in interval(tmp_path, "int a[64]) { for (int i = 0; i < 32; i++) a[2 * i] = a[2 * i + 1]; }")[1]


def test_a_loop_that_is_longer_than_is_looked_at_is_said(tmp_path: Path) -> None:
    """From iteration 300001 on, each takes what the one before stored: the answer claimed to have followed that."""
    ii, said = interval(
        tmp_path, "double a[900000]) { for (int i = 0; i < 400000; i++) a[2 * i] = a[i + 300000] + 2.; }"
    )
    assert ii == 1
    assert "is looked at in 262144 iterations at most, those of loops around in 4 where there are more: if" in said
    assert "where its subscripts say so" not in said
    alike = "double a[9], double b[400000]) { for (int i = 0; i < 400000; i++) a[i / 400000] += b[i]; }"
    assert "is looked at" not in interval(tmp_path, alike)[1]  # the next iteration is as near as any can be


def test_inner_loops_of_several_lengths_are_counted_as_they_are() -> None:
    loops = tuple(
        Loop(iterator=name, first=(Affine.of(0),), last=(last,))
        for name, last in (("i", Affine.of(9)), ("j", Affine.of("i")))
    )
    nearest = Nearest((), loops)
    found = nearest.distance(Access("a", (ROW,)), Access("a", (ROW - 1,)))
    assert found == 1  # i = 0 has one iteration; in rows of ten there would be ten between
    assert nearest.distance(Access("a", (ROW + 7,)), Access("a", (ROW + 6,))) == 1
    assert len(nearest._found) == 1  # not looked for again: thousands of copies of an unrolled body ask
