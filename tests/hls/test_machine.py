"""Structure and state machine: unrolling, flattening, headers, visits with their own trip counts (R1, R5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.errors import InputError
from tests.helpers.hls_sources import machine_of, nest_of, shape_of

FIXED = "ap_fixed<32,16>"
SQUARE = {"A": f"{FIXED}[99][99]", "B": f"{FIXED}[99][99]"}


def test_a_kernel_that_is_one_loop_is_the_pipeline_itself(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, "for (int i = 0; i < 100; i++) B[i] = A[i];", A="int[100]", B="int[100]")
    assert machine.cycles == (2 + 99) - 1  # depth 2, II 1, and the end counts one less


def test_a_loop_that_never_runs_takes_no_cycles(tmp_path: Path) -> None:
    """Its end was taken off all the same: -1 cycles."""
    loop = "for (int i = 1; i < 7; i++)"
    body = f"for (int t = 0; t < 0; t++) {{ {loop} B[i] = A[i - 1];\n{loop} A[i] = B[i]; }}"
    assert machine_of(tmp_path, body, A="int[8]", B="int[8]").cycles == 0


def test_a_number_without_bits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="type 'ap_int<0>' has no bits"):
        machine_of(tmp_path, "A[0] = 1;", A="ap_int<0>[4]", before="#include <ap_int.h>\n")


def test_what_one_loop_loads_once_and_for_all_takes_its_time(tmp_path: Path) -> None:
    source = """{0} for (int i = 0; i < 1000; i++) {{
    #pragma HLS pipeline
    int s = 0; for (int j = 0; j < 256; j++) s += a[i] * b[j]; c[i] = s; }}"""
    arrays = {"a": "int[1000]", "b": "int[256]", "c": "int[1000]"}
    machine = machine_of(tmp_path, source.format(""), **arrays)
    # 256 loads through two ports, of which the last arrives a state later, and a state that starts the loop.
    assert machine.cycles == 256 // 2 + 2 + nest_of(machine).cycles - 1
    assert machine.cycles == machine_of(tmp_path, source.format("c[0] = 0;"), **arrays).cycles


def test_perfect_nests_are_flattened(tmp_path: Path) -> None:
    source = "for (int i = 0; i < 99; i++) for (int j = 0; j < 99; j++) B[i][j] = A[i][j];"
    nest = nest_of(machine_of(tmp_path, source, **SQUARE))
    assert (len(nest.body.pipeline.loops), nest.visits, nest.iterations) == (2, 1, 99 * 99)


def test_flatten_off_leaves_a_loop_of_the_state_machine(tmp_path: Path) -> None:
    source = """for (int i = 0; i < 99; i++) {
    #pragma HLS loop_flatten off
    for (int j = 0; j < 99; j++) B[i][j] = A[i][j]; }"""
    machine = machine_of(tmp_path, source, **SQUARE)
    nest = nest_of(machine)
    assert nest.visits == 99
    # Function state 1 and the header's last visit; per visit a start state and the loop; the end counts one less.
    assert machine.cycles == 1 + 99 * (1 + nest.body.depth + 98) + 1 - 1


def test_a_triangle_is_summed_visit_by_visit(tmp_path: Path) -> None:
    source = """for (int i = 0; i < 99; i++) { x[i] = b[i];
        for (int j = 0; j < i; j++) x[i] -= L[i][j] * x[j]; x[i] = x[i] / L[i][i]; }"""
    machine = machine_of(tmp_path, source, L=f"{FIXED}[99][99]", x=f"{FIXED}[99]", b=f"{FIXED}[99]")
    nest = nest_of(machine)
    ii, depth = nest.body.schedule.ii, nest.body.depth
    assert nest.cycles == sum(depth + (i - 1) * ii for i in range(99))  # visits without an iteration, too
    assert (nest.least, nest.most, nest.iterations) == (0, 98, 99 * 98 // 2)


def test_short_inner_loops_are_unrolled_and_long_ones_are_not(tmp_path: Path) -> None:
    source = """for (int p = 0; p < 60; p++) {{ s[p] = 0;
        for (int k = 0; k < {0}; k++) s[p] += A[p][k] * B[k][p]; }}"""
    arrays = {"s": f"{FIXED}[60]", "A": f"{FIXED}[60][80]", "B": f"{FIXED}[80][60]"}
    short = machine_of(tmp_path, source.format(60), **arrays)
    long = machine_of(tmp_path, source.format(65), **arrays)
    assert nest_of(short).body.pipeline.unrolled and nest_of(short).iterations == 60
    assert shape_of(short)[0][0] == 30  # 60 loads of A through two ports
    assert not nest_of(long).body.pipeline.unrolled and nest_of(long).iterations == 60 * 65


def test_loops_that_share_nothing_run_at_the_same_time(tmp_path: Path) -> None:
    two = "for (int i = 0; i < 100; i++) B[i] = A[i]; for (int i = 0; i < 70; i++) D[i] = {0}[i];"
    arrays = dict.fromkeys("ABCD", "int[100]")
    apart, sharing = (machine_of(tmp_path, two.format(name), **arrays).cycles for name in "CA")
    assert apart == 1 + 101 - 1
    assert sharing == apart + 1 + 71


@pytest.mark.parametrize("factor", [2, 3, 7])
def test_unrolling_by_a_factor_keeps_every_iteration(tmp_path: Path, factor: int) -> None:
    source = "for (int i = 0; i < 100; i++) B[i] = A[i];"
    arrays = {"A": "int[100]", "B": "int[100]"}
    machine = machine_of(tmp_path, source, pragmas=(f"4: unroll factor={factor}",), **arrays)
    (nest,) = machine.nests  # R9.4: tests between the copies of the last iteration
    copies = sum(node.kind == "store" for node in nest.body.graph.nodes)
    assert (copies, nest.iterations) == (factor, -(-100 // factor))
    assert machine.nests[0].body.schedule.ii == -(-factor // 2)


def test_partitioned_arrays_have_the_ports_of_their_parts(tmp_path: Path) -> None:
    source = """#pragma HLS array_partition variable=A cyclic factor=4 dim=1
    for (int i = 0; i < 96; i++) B[i] = A[i];"""
    arrays = {"A": "int[96]", "B": "int[96]"}
    whole = machine_of(tmp_path, source.partition("\n")[2], pragmas=("4: unroll factor=8",), **arrays)
    parts = source + "\n#pragma HLS array_partition variable=B block factor=4"
    assert nest_of(whole).body.schedule.ii == 4
    cyclic = machine_of(tmp_path, source, pragmas=("5: unroll factor=8",), **arrays)
    assert nest_of(cyclic).body.schedule.bound == "ports of B"
    complete = parts.replace("cyclic factor=4 dim=1", "complete dim=0").replace("block factor=4", "complete dim=0")
    assert nest_of(machine_of(tmp_path, complete, pragmas=("5: unroll factor=8",), **arrays)).body.schedule.ii == 1


def test_an_interval_that_is_asked_for_is_no_longer_than_a_loop_of_one_state(tmp_path: Path) -> None:
    source = "for (int i = 0; i < 96; i++) {\n#pragma HLS pipeline II=3\nB[i] = n; }"
    assert nest_of(machine_of(tmp_path, source, B="int[96]", n="int")).body.schedule.ii == 1  # R3.7


def test_pipelining_an_outer_loop_unrolls_what_is_inside(tmp_path: Path) -> None:
    source = """for (int i = 0; i < 99; i++) {
    #pragma HLS pipeline II=60
    for (int j = 0; j < 99; j++) B[i][j] = A[i][j]; }"""
    nest = nest_of(machine_of(tmp_path, source, **SQUARE))
    assert (nest.iterations, nest.body.schedule.ii, nest.body.schedule.bound) == (
        99,
        51,
        "directive",
    )  # R3.7: no longer than an iteration


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("#pragma HLS array_partition variable=A dim=3", "'A' has no dimension 3 (1 to 2, 0 for all)"),
        ("#pragma HLS array_partition variable=A cyclic", "cyclic needs a factor"),
        ("#pragma HLS array_partition variable=A typ=block", "knows no 'typ' (did you mean 'type'?)"),
        ("#pragma HLS unrol factor=2", "#pragma HLS knows no 'unrol' here (did you mean 'unroll'?)"),
    ],
)
def test_directives_that_cannot_be_followed(tmp_path: Path, source: str, message: str) -> None:
    loop = "\nfor (int i = 0; i < 99; i++) for (int j = 0; j < 99; j++) B[i][j] = A[i][j];"
    with pytest.raises(InputError) as raised:
        machine_of(tmp_path, source + loop, **SQUARE)
    assert message in str(raised.value)
    assert "kernel.cpp:4:1" in str(raised.value)


def test_pragmas_of_the_caller_without_a_line_are_of_the_kernel(tmp_path: Path) -> None:
    source, arrays = "for (int i = 0; i < 8; i++) B[i] = A[i];", {"A": "int[8]", "B": "int[8]"}
    parts = tuple(f"array_partition variable={name} complete" for name in arrays)
    machine = machine_of(tmp_path, source, pragmas=("pipeline", *parts), **arrays)
    assert [(nest.iterations, nest.body.schedule.ii, nest.body.depth) for nest in machine.nests] == [(1, 1, 1)]


@pytest.mark.parametrize(
    ("pragmas", "message"),
    [
        (("4: pipeline off", "4: pipeline II=2"), "conflicting pragmas"),
        (("4: unroll factor=2", "4: unroll factor=4"), "conflicting pragmas"),
        (("4: unroll factor=0",), "factor = 0 is not a whole number from 1 on"),
        (("9: unroll",), "no loop begins in line 9 (loops: 4"),
        (("unroll",), "#pragma HLS unroll stands in no loop"),
        (("loop: unroll",), "'loop: unroll' is not of the form '4: unroll factor=4' or 'dataflow'"),
        (("array_partition variable=A dim=3",), "'A' has no dimension 3 (1 to 2, 0 for all)"),
    ],
)
def test_pragmas_of_the_caller_that_make_no_sense(tmp_path: Path, pragmas: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match="--pragma") as raised:
        machine_of(tmp_path, "for (int i = 0; i < 99; i++) B[i][0] = A[i][0];", pragmas=pragmas, **SQUARE)
    assert message in str(raised.value)


def test_a_loop_of_unknown_length_is_not_unrolled(tmp_path: Path) -> None:
    source = "for (int i = 0; i < 99; i++)\nfor (int j = 0; j < i; j++) B[i][j] = A[i][j];"
    nest = nest_of(machine_of(tmp_path, source, pragmas=("5: unroll",), **SQUARE))
    assert nest.iterations == nest_of(machine_of(tmp_path, source, **SQUARE)).iterations == 99 * 98 // 2


def test_counts_equal_those_of_enumerated_points(tmp_path: Path) -> None:
    source = """for (int i = 0; i < 30; i++) for (int j = i; j < 40; j += 2) { B[i][j] = 0;
        for (int k = 0; k < j; k++) B[i][j] += A[k][i]; }"""
    points = [(i, j, k) for i in range(30) for j in range(i, 40, 2) for k in range(j)]
    nest = nest_of(machine_of(tmp_path, source, **SQUARE))
    assert nest.iterations == len(points)
    assert nest.visits == sum(len(range(i, 40, 2)) for i in range(30))
    assert nest.most == max(j for _, j, _ in points)


def test_a_function_of_known_latency_is_a_unit(tmp_path: Path) -> None:
    source = """for (int i = 0; i < 80; i++) {
    #pragma ppnsim latency(9)
    B[i] = unit(A[i]); }"""
    text = "double unit(double);\n"
    with pytest.raises(InputError, match="function 'unit' has no operator"):
        machine_of(
            tmp_path, source.replace("#pragma ppnsim latency(9)", ""), A="double[80]", B="double[80]", before=text
        )
    # Load 0..1, nine states from 2 on, store in 11.
    assert shape_of(machine_of(tmp_path, source, A="double[80]", B="double[80]", before=text)) == [(1, 12)]


def test_a_loop_that_is_unrolled_in_part_stays_a_loop(tmp_path: Path) -> None:
    source = "for (int i = 0; i < 99; i++) { C[i] = 0;\nfor (int j = 0; j < 12; j++) C[i] += A[i][j]; }"
    nest = nest_of(machine_of(tmp_path, source, pragmas=("5: unroll factor=2",), C=f"{FIXED}[99]", **SQUARE))
    assert (nest.iterations, nest.body.pipeline.unrolled) == (99 * 6, False)
