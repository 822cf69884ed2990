"""Rules of release 2022.2 (R9.22 to R9.27) on small loops; the figures are those of reports of such loops."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ppnsim import schedule
from ppnsim.hls.rules import TOOL
from tests.helpers.hls_sources import machine_of, nest_of, shape_of

U55C = {"device": "xcu55c-fsvh2892-2L-e", "clock": 5.0}
BEFORE = replace(TOOL, release="2022.2")


@pytest.mark.parametrize(("reads", "ii"), [(64, 4), (32, 2), (100, 6), (2, 1)])
def test_a_local_memory_that_is_stored_once_a_cycle_has_many_ports(tmp_path: Path, reads: int, ii: int) -> None:
    body = f"""float a[{reads}][50];
    for (int i = 0; i < {reads}; i++) for (int j = 0; j < 50; j++) a[i][j] = A[i][j];
    for (int j = 0; j < 50; j++) {{
    #pragma HLS pipeline
        float s = 0; for (int k = 0; k < {reads}; k++) s += a[k][j]; B[j] = s; }}"""
    arrays = {"A": f"float[{reads}][50]", "B": "float[50]"}
    assert shape_of(machine_of(tmp_path, body, rules=BEFORE, **U55C, **arrays))[-1][0] == ii
    later = shape_of(machine_of(tmp_path, body, **U55C, **arrays))
    assert later[-1][0] == 1  # from 2023.2 on, partitions are inferred (R9.3)
    both = body.replace("a[i][j] = A[i][j];", "a[i][j] = A[i][j], a[i][49 - j] = A[i][j];")
    assert shape_of(machine_of(tmp_path, both, rules=BEFORE, **U55C, **arrays))[-1][0] == 1  # inferred


@pytest.mark.parametrize(("release", "factor", "ii"), [("2024.2", 5, 1), ("2024.2", 1, 2), ("2022.2", 5, 1)])
def test_a_memory_that_a_directive_divides_has_many_ports_in_every_release(
    tmp_path: Path, release: str, factor: int, ii: int
) -> None:
    """Nine reads a memory had five cycles from 2023.2 on; without a directive partitions are inferred there."""
    body = f"""float a[1800];
    #pragma HLS array_partition variable=a cyclic factor={factor}
    for (int c = 0; c < 1800; c++) a[c] = A[c];
    for (int k = 0; k < 40; k++) {{
    #pragma HLS pipeline
        float s = 0; for (int i = 0; i < {9 * factor if factor > 1 else 20}; i++) s += a[45 * k + i]; B[k] = s; }}"""
    arrays = {"A": "float[1800]", "B": "float[40]"}
    machine = machine_of(tmp_path, body, rules=replace(TOOL, release=release), **U55C, **arrays)
    assert shape_of(machine)[-1][0] == ii


def test_loads_at_places_that_data_chooses_take_ports_of_their_own(tmp_path: Path) -> None:
    body = """int a[256]; for (int i = 0; i < 256; i++) a[i] = A[i];
    for (int i = 0; i < 99; i++) B[i] = a[A[i] & 255] + a[A[i + 1] & 255] + a[A[i] & 63];"""
    arrays = {"A": "int[256]", "B": "int[99]"}
    machine = machine_of(tmp_path, body, rules=BEFORE, **U55C, **arrays)
    assert shape_of(machine)[-1][0] == 1


BUSES_OF_S = "\n#pragma HLS interface m_axi port=S bundle=g\n"
BUSES = "\n" + "".join(f"#pragma HLS interface m_axi port={name} bundle=g\n" for name in "ABS")


def test_a_store_that_every_iteration_replaces_leaves_the_loop(tmp_path: Path) -> None:
    # Three stores a row over one bus; those of the sums are behind the loop, else they would make it six.
    body = """for (int i = 0; i < 50; i++) {
    #pragma HLS pipeline
        for (int p = 0; p < 3; p++) { S[p] = 0; for (int s = 0; s < 2; s++) S[p] += B[2 * i + s] * 3; }
        for (int p = 0; p < 3; p++) A[3 * i + p] = S[p]; }"""
    arrays = {"A": "int[150]", "B": "int[100]", "S": "int[3]"}
    nest = nest_of(machine_of(tmp_path, BUSES + body, **U55C, **arrays))
    assert nest.body.schedule.ii == 3
    sometimes = body.replace("S[p] = 0;", "if (i > 9) S[p] = 0;")
    assert nest_of(machine_of(tmp_path, BUSES + sometimes, **U55C, **arrays)).body.schedule.ii > 3


def test_elements_that_no_loop_moves_or_changes_are_loaded_before_all_of_them(tmp_path: Path) -> None:
    body = """for (int r = 0; r < 20; r++) {
    for (int i = 0; i < 50; i++) {
    #pragma HLS pipeline
        A[r][i] = i * (S[0] + S[1] * S[2]); }
    for (int i = 0; i < 50; i++) B[r][i] = A[r][i] * 3; }"""
    arrays = {"A": "int[20][50]", "B": "int[20][50]", "S": "int[3]"}
    loaded = machine_of(tmp_path, BUSES_OF_S + body, **U55C, **arrays).cycles
    given = machine_of(tmp_path, body.replace("S[0] + S[1] * S[2]", "7"), **U55C, **arrays).cycles
    assert 0 < loaded - given < 20 * 5


@pytest.mark.parametrize(("pragma", "turns"), [("", True), ("\n#pragma HLS inline\n", False)])
def test_calls_with_one_memory_take_turns(tmp_path: Path, pragma: str, turns: bool) -> None:
    before = f"""void part(int A[64][64], int x[64], int B[64]) {{ {pragma}
        for (int i = 0; i < 64; i++) {{
        #pragma HLS pipeline
            int s = 0; for (int j = 0; j < 64; j++) s += A[i][j] * x[j]; B[i] = s; }} }}
    """
    body = "part(A, X, B); part(C, X, D);"
    arrays = {"A": "int[64][64]", "C": "int[64][64]", "X": "int[64]", "B": "int[64]", "D": "int[64]"}
    machine = machine_of(tmp_path, body, before=before, **U55C, **arrays)
    assert (machine.cycles > sum(nest.cycles for nest in machine.nests)) is turns


@pytest.mark.parametrize(("elements", "kept"), [(3, False), (4, True)])
def test_a_few_elements_are_registers(tmp_path: Path, elements: int, kept: bool) -> None:
    body = f"""int a[{elements}]; for (int i = 0; i < {elements}; i++) a[i] = 0;
    for (int i = 0; i < 99; i++) a[A[i] % {elements}] = i;
    for (int i = 0; i < 99; i++) B[i] = a[A[i] % {elements}];"""
    machine = machine_of(tmp_path, body, A="unsigned[99]", B="int[99]", **U55C)
    ports = {node.port for nest in machine.nests for node in nest.body.graph.nodes if node.port}
    assert ("a" in ports) is kept


def test_elements_at_fixed_places_are_registers_whatever_divides_their_array(tmp_path: Path) -> None:
    body = """for (int i = 0; i < 99; i++) {
    #pragma HLS pipeline
        float a[8][4];
    #pragma HLS array_partition variable=a complete dim=2
        for (int j = 0; j < 8; j++) for (int k = 0; k < 4; k++) a[j][k] = A[i] * (j + k);
        float s = 0; for (int j = 0; j < 8; j++) for (int k = 0; k < 4; k++) s += a[j][k]; B[i] = s; }"""
    assert nest_of(machine_of(tmp_path, body, A="float[99]", B="float[99]", **U55C)).body.schedule.ii == 1


@pytest.mark.parametrize(("before", "after", "loops"), [
    ("float g = S[i], s = 0;", "B[i] = s;", 2), ("float g = 3, s = S[i];", "B[i] = s;", 1),
    ("float g = S[i], s = 0;", "S[i] = s;", 1),
])  # fmt: skip
def test_an_element_that_a_nest_keeps_is_loaded_in_it(tmp_path: Path, before: str, after: str, loops: int) -> None:
    """R9.22: not the start of a sum, and not an element that the nest stores to."""
    body = f"for (int i = 0; i < 99; i++) {{ {before} for (int j = 0; j < 80; j++) s += A[i][j] - g; {after} }}"
    arrays = {"A": "float[99][80]", "B": "float[99]", "S": "float[99]"}
    nest = nest_of(machine_of(tmp_path, body, rules=BEFORE, **U55C, **arrays))
    assert len(nest.body.pipeline.loops) == loops


def test_a_store_to_a_register_that_an_iterator_chooses_is_one_to_each(tmp_path: Path) -> None:
    body = """\n#pragma HLS array_partition variable=B complete
    for (int i = 0; i < 32; i++) {
    #pragma HLS pipeline
        for (int j = 0; j < 8; j++) B[i] += A[i][j] * C[j]; }"""
    arrays = {"A": "float[32][8]", "B": "float[32]", "C": "float[8]"}
    given = U55C | {"clock": 5.554}
    assert nest_of(machine_of(tmp_path, body, rules=BEFORE, **given, **arrays)).body.schedule.ii == 3 * 8 + 1
    memory = body.replace("#pragma HLS array_partition variable=B complete", "")
    assert nest_of(machine_of(tmp_path, memory, rules=BEFORE, **given, **arrays)).body.schedule.ii == 4


@pytest.mark.parametrize(("copies", "ii"), [(1, 4), (2, 10), (4, 20)])
def test_adders_one_after_the_other_keep_their_states(tmp_path: Path, copies: int, ii: int) -> None:
    body = f"""for (int i = 0; i < 32; i++) {{ B[i] = 0; for (int j = 0; j < 32; j++) {{
    #pragma HLS unroll factor={copies}
        B[i] += A[i][j] * C[j]; }} }}"""
    arrays = {"A": "float[32][32]", "B": "float[32]", "C": "float[32]"}
    assert shape_of(machine_of(tmp_path, body, rules=BEFORE, **U55C, **arrays))[-1][0] == ii


def test_a_counter_of_unrolled_copies_is_one_addition(tmp_path: Path) -> None:
    body = """int n = 0; for (int i = 0; i < 32; i++) {
    #pragma HLS pipeline
        int s = 0; for (int j = 0; j < 16; j++) { s += n; n++; } B[i] = s; }"""
    assert nest_of(machine_of(tmp_path, body, B="int[32]", **U55C)).body.schedule.ii == 1


def test_a_variable_that_each_iteration_sets_part_by_part_is_on_no_recurrence(tmp_path: Path) -> None:
    before = "typedef union { int bits; float real; } Both;\n"
    body = """for (int i = 0; i < 32; i++) {
    #pragma HLS pipeline
        Both t; t.real = A[i] * 3; B[i] = t.bits; }"""
    machine = machine_of(tmp_path, body, before=before, A="float[32]", B="int[32]", **U55C)
    assert nest_of(machine).body.schedule.ii == 1


@pytest.mark.parametrize(("device", "clock", "shape"), [
    ("xcu55c", 5.0, (2, 4)), ("xcu55c", 4.0, (6, 8)), ("xck26", 10.0, (1, 2)),
])  # fmt: skip
def test_a_wide_product_takes_two_states(tmp_path: Path, device: str, clock: float, shape: tuple[int, int]) -> None:
    """R9.36: the report of tsp's factorial, II 2 and 4 states (II 5 and 7 before)."""
    body = "long r = 1; for (int i = 0; i < 4; i++) r *= i + 1; A[0] = r;"
    (found,) = shape_of(machine_of(tmp_path, body, rules=BEFORE, device=device, clock=clock, A="long[1]"))
    assert found[:2] == shape


@pytest.mark.parametrize(
    ("element", "trips"),
    [
        pytest.param("t[4 * m + i]", [100], id="four sums that the inner loop keeps in registers"),
        pytest.param("t[4 * k + i]", [800], id="elements that the inner loop moves"),
    ],
)
def test_several_sums_of_a_memory_keep_the_loops_apart(tmp_path: Path, element: str, trips: list[int]) -> None:
    """R9.22: registers are loaded before the inner loop and stored behind it, as with one sum."""
    copies = f"for (int i = 0; i < 4; i++) {element} += a[m][4 * k + i];"
    inner = f"for (int k = 0; k < 100; k++) {{\n#pragma HLS pipeline\n {copies} }}"
    text = f"void f(float a[8][400], float t[400]) {{ for (int m = 0; m < 8; m++) {inner} }}"
    (tmp_path / "k.cpp").write_text(text, "utf-8")
    found = schedule(tmp_path / "k.cpp", device="xcu55c", clock="5 ns", release="2022.2").to_dict()
    assert [each["trip"] for each in found["loops"]] == trips
