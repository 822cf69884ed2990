"""Pipelined bodies, worked out by hand: states of operators, chaining, ports, recurrences (R2 to R4)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ppnsim.hls.rules import TOOL
from tests.helpers.hls_sources import machine_of, nest_of, shape_of

FIXED = "ap_fixed<32,16>"


def test_a_copy_takes_a_load_of_two_states_and_its_store(tmp_path: Path) -> None:
    # Address and load in state 0; data at 3.254 ns of state 1, where 3.254 ns more for the store still fit 7.3 ns.
    nest = nest_of(machine_of(tmp_path, "for (int i = 0; i < 100; i++) B[i] = A[i];", A="int[100]", B="int[100]"))
    assert (nest.body.schedule.ii, nest.body.depth) == (1, 2)


@pytest.mark.parametrize("copies", [2, 4])
def test_iterations_that_do_not_overlap_end_with_a_test_in_the_first_state(copies: int, tmp_path: Path) -> None:
    # Two accesses a state: all loads, then all stores, one iteration behind the other; then the test once more (R3.5).
    inner = f"for (int j = 0; j < {copies}; j++) B[i][j] ^= A[i][j];"
    source = f"for (int i = 0; i < 16; i++) {{\n#pragma HLS pipeline\n{inner} }}"
    array = f"int[16][{copies}]"
    body = nest_of(machine_of(tmp_path, source, A=array, B=array)).body
    assert (body.schedule.ii, body.busy(16, 1)) == (copies, 16 * copies + 1)


def test_a_multiplier_of_fixed_point_starts_at_a_state_and_takes_two(tmp_path: Path) -> None:
    # Load 0..1, mul from state 2 (6.91 ns never chain on a load), result in state 4, stored there: five states.
    source = "for (int i = 0; i < 100; i++) B[i] = A[i] * B[i];"
    assert shape_of(machine_of(tmp_path, source, A=f"{FIXED}[100]", B=f"{FIXED}[100]")) == [(1, 5)]


def test_a_double_sum_waits_seven_cycles_for_its_adder(tmp_path: Path) -> None:
    source = "double s = 0; for (int i = 0; i < 100; i++) s += A[i]; B[0] = s;"
    machine = machine_of(tmp_path, source, A="double[100]", B="double[1]")
    # Load 0..1, dadd 2..8, written back in state 9.
    assert shape_of(machine) == [(7, 10)]
    assert nest_of(machine).body.schedule.bound == "recurrence through s"


def test_a_fixed_point_sum_runs_at_one_per_cycle(tmp_path: Path) -> None:
    source = f"{FIXED} s = 0; for (int i = 0; i < 100; i++) s += A[i]; B[0] = s;"
    # R3.4: what is loaded is added from a register, one state after it is there: states 0..2.
    assert shape_of(machine_of(tmp_path, source, A=f"{FIXED}[100]", B=f"{FIXED}[1]")) == [(1, 3)]


def test_two_adders_in_a_state_are_one_with_three_inputs(tmp_path: Path) -> None:
    # One adder in state 1, 3.254 + 2.5 ns; three in 2, two of them one of 4.4 ns; the last one and the store in 3.
    # Plain adders: one, two, two, and the store in state 4. One operator per state: 2 to 6.
    source = "for (int i = 0; i < 100; i++) D[i] = A[i] + B[i] + C[i] + E[i] + F[i] + G[i];"
    arrays = dict.fromkeys("ABCDEFG", f"{FIXED}[100]")
    assert shape_of(machine_of(tmp_path, source, **arrays)) == [(1, 4)]
    assert shape_of(machine_of(tmp_path, source, rules=replace(TOOL, ternary=False), **arrays)) == [(1, 5)]
    assert shape_of(machine_of(tmp_path, source, rules=replace(TOOL, chaining=False), **arrays)) == [(1, 7)]


@pytest.mark.parametrize(
    ("body", "depth"),
    [
        ("if (A[i] < 0) D[i] = A[i] + 5; else D[i] = B[i]; E[i] = D[i];", 3),  # R2.2: no load of D; 5 with one
        # Not in all ways; A is loaded behind the test of B (R4.16), 5 without that.
        ("if (B[i] < 9) { if (A[i] < 0) D[i] = A[i] + 5; else D[i] = B[i]; } E[i] = D[i];", 6),
        # R2.11: three steps of a CORDIC are three sums of three inputs, each 4.4 ns behind a multiplexer.
        ("int z = A[i]; for (int k = 0; k < 3; k++) { if (z < 0) z += 7 << k; else z -= 7 << k; } D[i] = z;", 5),
    ],
)
def test_both_ways_of_a_branch_leave_one_value(tmp_path: Path, body: str, depth: int) -> None:
    arrays = dict.fromkeys("ABDE", "int[100]")
    assert shape_of(machine_of(tmp_path, f"for (int i = 0; i < 100; i++) {{ {body} }}", **arrays)) == [(1, depth)]


@pytest.mark.parametrize("arms", [3, 12])  # 2.45 ns; twelve multiplexers behind each other would take a state more
def test_the_arms_of_a_switch_meet_in_one_multiplexer(tmp_path: Path, arms: int) -> None:
    cases = " ".join(f"case {n}: r = x ^ {3 * n}; break;" for n in range(arms))
    body = f"int x = A[0], r; switch (A[1]) {{ {cases} default: r = 0; }} B[0] = r;"
    assert machine_of(tmp_path, body, A="int[8]", B="int[1]").cycles == 2  # R5.8


@pytest.mark.parametrize(("loads", "ii"), [(2, 1), (3, 2), (4, 2), (5, 3)])
def test_two_ports_bound_the_interval(tmp_path: Path, loads: int, ii: int) -> None:
    total = " + ".join(f"A[i + {k}]" for k in range(loads))
    nest = nest_of(machine_of(tmp_path, f"for (int i = 0; i < 90; i++) B[i] = {total};", A="int[100]", B="int[100]"))
    assert nest.body.schedule.ii == ii
    assert nest.body.schedule.bound == ("ports of A" if ii > 1 else "one per cycle")


def test_a_distance_of_many_iterations_binds_nothing(tmp_path: Path) -> None:
    # C[j] comes again after 220 iterations, long after it has been stored (R4.2).
    far = "for (int k = 0; k < 99; k++) for (int j = 0; j < 220; j++) C[j] += A[k][j];"
    assert shape_of(machine_of(tmp_path, far, A="double[99][220]", C="double[220]"))[0][0] == 1


def test_the_next_iteration_takes_the_value_from_the_reuse_register(tmp_path: Path) -> None:
    # j <= i may run once, so that C[i][j] may be what was stored one iteration before (R4.3): mux and dadd, 8.
    source = """for (int i = 0; i < 99; i++) for (int k = 0; k < 70; k++) for (int j = 0; j <= i; j++)
        C[i][j] += A[k][j];"""
    arrays = {"A": "double[70][99]", "C": "double[99][99]"}
    assert shape_of(machine_of(tmp_path, source, **arrays))[0][0] == 8
    # Through memory instead it is load, dadd, store: 2 + 7 + 1.
    assert shape_of(machine_of(tmp_path, source, rules=replace(TOOL, reuse=False), **arrays))[0][0] == 10


def test_a_rotated_store_is_loaded_by_the_next_iteration(tmp_path: Path) -> None:
    # trisolv: x[j] has to be stored before it is loaded (R4.6): 5 for fixed point, 17 for double.
    source = """for (int i = 0; i < 99; i++) { x[i] = b[i];
        for (int j = 0; j < i; j++) x[i] -= L[i][j] * x[j]; x[i] = x[i] / L[i][i]; }"""
    for kind, expected in ((FIXED, (5, 8)), ("double", (17, 20))):
        arrays = {"L": f"{kind}[99][99]", "x": f"{kind}[99]", "b": f"{kind}[99]"}
        assert shape_of(machine_of(tmp_path, source, **arrays)) == [expected]


def test_a_faster_clock_has_more_and_shorter_states(tmp_path: Path) -> None:
    source = "double s = 0; for (int i = 0; i < 100; i++) s += A[i]; B[0] = s;"
    arrays = {"A": "double[100]", "B": "double[1]"}
    assert shape_of(machine_of(tmp_path, source, clock=5.0, **arrays))[0][0] == 15
    assert shape_of(machine_of(tmp_path, source, clock=20.0, **arrays))[0][0] == 4


def test_widths_of_integers_reach_the_operators(tmp_path: Path) -> None:
    source = "for (int i = 0; i < 100; i++) C[i] = A[i] * B[i];"
    depths = []
    for bits in (8, 32, 48):
        arrays = dict.fromkeys("ABC", f"ap_int<{bits}>[200]")
        depths.append(shape_of(machine_of(tmp_path, source, **arrays))[0][1])
    # One state and its store; two states; five states from 41 bits on.
    assert depths == [4, 5, 8]


def test_a_factor_that_is_a_power_of_two_is_wiring(tmp_path: Path) -> None:
    arrays = {"A": f"{FIXED}[100]", "B": f"{FIXED}[100]"}
    half = machine_of(tmp_path, "for (int i = 0; i < 100; i++) B[i] = A[i] * 0.5;", **arrays)
    third = machine_of(tmp_path, "for (int i = 0; i < 100; i++) B[i] = A[i] * 0.33333;", **arrays)
    assert (shape_of(half), shape_of(third)) == ([(1, 2)], [(1, 5)])


def test_the_negative_of_a_number_of_fixed_point_is_a_number(tmp_path: Path) -> None:
    source = f"const {FIXED} p = 3.14; for (int i = 0; i < 100; i++) B[i] = -p - A[i];"
    machine = machine_of(tmp_path, source, A=f"{FIXED}[100]", B=f"{FIXED}[100]")
    assert [node.name for node in nest_of(machine).body.graph.nodes].count("add") == 1


def test_a_row_is_loaded_after_it_has_been_stored(tmp_path: Path) -> None:
    # A[i - 1][0] is what the iteration before stored: load 0..1, dadd 2..8, store in 9, so II 10.
    source = "for (int i = 1; i < 99; i++) A[i][0] = A[i - 1][0] + B[i];"
    machine = machine_of(tmp_path, source, A="double[99][99]", B="double[99]")
    assert shape_of(machine)[0][0] == 10
    assert nest_of(machine).body.schedule.bound == "A[i][0] through memory"


def test_unrolled_copies_that_store_to_other_rows_run_one_iteration_after_the_other(tmp_path: Path) -> None:
    # gramschmidt in SMALL sizes (R4.7): II 66 in the RTL, where ports alone would allow 60.
    source = """for (int k = 0; k < 80; k++) for (int j = k + 1; j < 80; j++) { R[k][j] = 0;
        for (int i = 0; i < 60; i++) R[k][j] += Q[i][k] * A[i][j];
        for (int i = 0; i < 60; i++) A[i][j] = A[i][j] - Q[i][k] * R[k][j]; }"""
    arrays = {"R": f"{FIXED}[80][80]", "Q": f"{FIXED}[60][80]", "A": f"{FIXED}[60][80]"}
    assert shape_of(machine_of(tmp_path, source, **arrays))[0][0] == 66
