"""What the only loop of a kernel does not move is computed before it, and starts it in the state that it ends in."""

from pathlib import Path
from typing import Any

import pytest

from ppnsim import schedule

HEAD = "void k(int a[100], int b[100], int c, short d) { for (int i = 0; i < 100; i++) {\n#pragma HLS pipeline"


def cycles(folder: Path, statement: str, directive: str = "", **options: Any) -> int:
    """Return the cycles of a kernel that is one loop of 100 iterations."""
    (folder / "k.c").write_text(f"{HEAD}{directive}\n{statement} }} }}", "utf-8")
    return int(schedule(folder / "k.c", **{"device": "xc7z020", "clock": "10 ns"} | options).to_dict()["cycles"])


@pytest.mark.parametrize(
    ("value", "states"),
    [
        ("c", 0),  # a parameter is there
        ("d", 0),  # wires take no state
        ("(c + 1)", 1),  # 2.5 of 7.3 ns: the adder and the start of the loop share a state
        ("(c + 1 - (d & c))", 1),
        ("(c * c)", 3),  # two states of the multiplier, then the start
    ],
)
def test_operators_before_the_only_loop_take_their_states(tmp_path: Path, value: str, states: int) -> None:
    """An addition loads in state 0, adds and stores in state 1 or 2: 99 + 3 states, less the one that says done."""
    assert cycles(tmp_path, f"b[i] = a[i] + {value};") == 101 + states


def test_a_division_before_the_only_loop_takes_its_states(tmp_path: Path) -> None:
    """A product of 2 states, its sum with 1 in the third, 11 + 4 of the dividend 1000, and the start of the loop."""
    inside = cycles(tmp_path, "b[i] = a[i] * c;")
    assert cycles(tmp_path, "b[i] = a[i] * (1000 / (c * c + 1));") == inside + 2 + 1 + 15 + 1


def test_a_loop_that_rewinds_computes_in_its_pipeline(tmp_path: Path) -> None:
    """Two products take 2 states each, the sum and the store the fifth; one product is as long as the load."""
    plain = cycles(tmp_path, "b[i] = a[i] + c;", " rewind")
    assert plain == 101
    assert cycles(tmp_path, "b[i] = a[i] + (c * c);", " rewind") == 101
    assert cycles(tmp_path, "b[i] = a[i] + (c * c * d);", " rewind") == 103


def test_a_sum_that_does_not_fit_starts_the_loop_a_state_later(tmp_path: Path) -> None:
    """At 4 ns an adder takes 2.5 of 2.9 ns, and the adder of the loop's first state does not fit behind it."""
    fits, late = "b[i] = c + 1;", "b[i] = (i + (c + 1)) ^ 3;"
    assert cycles(tmp_path, late, clock="4 ns") - cycles(tmp_path, late.replace("(c + 1)", "c"), clock="4 ns") == 2
    assert cycles(tmp_path, fits, clock="10 ns") - cycles(tmp_path, fits.replace("c + 1", "c"), clock="10 ns") == 1
