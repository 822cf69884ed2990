"""What reports of code that nobody had read showed: branches, intervals that are asked for, loads, initialisers."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import machine_of, nest_of


def test_one_adder_serves_both_branches_if_they_add_to_the_same_sum(tmp_path: Path) -> None:
    # R2.11: an adder of float has 5 states; a multiplexer behind two of them would be one more.
    branch = "if (i == 0) s {0} A[i]; else s {1} B[i];"
    intervals = []
    for operators in (("+=", "+="), ("+=", "*=")):
        body = f"float s = 0; for (int i = 0; i < 99; i++) {{ {branch.format(*operators)} }} A[0] = s;"
        intervals.append(nest_of(machine_of(tmp_path, body, A="float[99]", B="float[99]")).body.schedule.ii)
    assert intervals[0] == 5 < intervals[1]


def test_what_is_subtracted_stays_where_it_is(tmp_path: Path) -> None:
    # s - A and B - s have s in other places: they are two subtractions.
    body = "float s = 0; for (int i = 0; i < 99; i++) { if (i == 0) s = s - A[i]; else s = B[i] - s; } A[0] = s;"
    nodes = nest_of(machine_of(tmp_path, body, A="float[99]", B="float[99]")).body.graph.nodes
    assert sum(node.kind == "op" and node.name == "add" for node in nodes) == 2


@pytest.mark.parametrize("asked", [2, 3, 16])
def test_an_interval_is_no_longer_than_an_iteration(tmp_path: Path, asked: int) -> None:
    body = f"for (int i = 0; i < 99; i++) {{\n#pragma HLS pipeline II={asked}\nB[i] = A[i] * 3; }}"
    found = nest_of(machine_of(tmp_path, body, A="int[99]", B="int[99]")).body
    assert found.schedule.ii == min(asked, found.schedule.states)


def test_the_data_of_a_load_take_a_state_whoever_takes_them(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text("void top(unsigned char i, int t[256], int *r) { *r = t[i]; }")
    assert schedule(tmp_path / "k.cpp", function="top").kernels[0].machine.cycles == 1


@pytest.mark.parametrize(("of", "cycles"), [("ap_fixed<8, 3>", 2), ("const ap_fixed<8, 3>", 1)])
def test_a_short_list_of_vendor_numbers_stores_what_it_names(tmp_path: Path, of: str, cycles: int) -> None:
    # R5.11: one store, then a load of an element that it may be; a constant table is a load alone.
    text = f"#include <ap_fixed.h>\nvoid top(unsigned char i, ap_fixed<8, 3> *r) {{ {of} t[256] = {{0}}; *r = t[i]; }}"
    (tmp_path / "k.cpp").write_text(text)
    assert schedule(tmp_path / "k.cpp", function="top").kernels[0].machine.cycles == cycles
