"""Folded paths: written out again they are the path, and loops are short."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppnsim.analysis.folded_path import folded_path


def written_out(words: str) -> list[str]:
    """Return the steps of a folded path: the innermost parts are written out first, until none repeats."""
    while found := re.search(r"(?:\(([^()]*)\)|(\w+)) x (\d+)", words):
        part = " -> ".join([found[1] or found[2]] * int(found[3]))
        words = words[: found.start()] + part + words[found.end() :]
    return words.split(" -> ") if words else []


@st.composite
def loops(draw: st.DrawFn, depth: int = 3) -> list[str]:
    if depth == 0 or draw(st.booleans()):
        return [draw(st.sampled_from("abc"))]
    body = [step for _ in range(draw(st.integers(1, 3))) for step in draw(loops(depth=depth - 1))]
    return body * draw(st.integers(1, 6))


@given(loops() | st.lists(st.sampled_from("ab")))
def test_a_folded_path_written_out_is_the_path(steps: list[str]) -> None:
    assert written_out(folded_path(steps)) == steps


@pytest.mark.parametrize("times", [40, 4000])
def test_a_nest_of_loops_is_as_short_as_its_text(times: int) -> None:
    row = ["load", *["multiply", "add"] * 100, "store"]
    assert folded_path([*row * times, "end"]) == f"(load -> (multiply -> add) x 100 -> store) x {times} -> end"


def test_what_comes_twice_is_written_out() -> None:
    assert folded_path(["a", "b", "a", "b", "c", "c"]) == "a -> b -> a -> b -> c -> c"
