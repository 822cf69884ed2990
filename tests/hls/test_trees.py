"""Chains of additions as trees: of integers always, of floating point if asked for; sums in blocks of products."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.hls.rules import TOOL
from tests.helpers.hls_sources import loops_of, machine_of, nest_of, written

PLAIN = replace(TOOL, integers=False)
UNSAFE = replace(TOOL, balance=True)


def test_a_sum_of_eight_integers_is_three_adders_high(tmp_path: Path) -> None:
    total = " + ".join(f"A[i][{n}]" for n in range(8))
    source = f"#pragma HLS array_partition variable=A complete dim=2\nfor (int i = 0; i < 96; i++) B[i] = {total};"
    arrays = {"A": "int[96][8]", "B": "int[96]"}
    # Loaded at 3.25 ns of state 1, where one adder of 2.46 ns fits behind, and none of three inputs (4.37 ns, R2.7). In
    # a row: three adders, 4.37 + 2.46 ns, in each of states 2 and 3. As a tree: four adders in state 1, three in state 2.
    depths = [loops_of(machine_of(tmp_path, source, rules=rules, **arrays))[0][3] for rules in (PLAIN, TOOL)]
    assert depths == [5, 4]


def test_an_unrolled_sum_is_a_recurrence_of_one_adder(tmp_path: Path) -> None:
    source = """int s = 0;
    for (int i = 0; i < 96; i++) {
        #pragma HLS unroll factor=8
        s += A[i]; }
    B[0] = s;"""
    arrays = {"A": "int[96]", "B": "int[1]"}
    partition = "#pragma HLS array_partition variable=A cyclic factor=8\n"
    found = [loops_of(machine_of(tmp_path, partition + source, rules=rules, **arrays))[0] for rules in (PLAIN, TOOL)]
    assert found[0][1:3] == (3, "recurrence through s")  # eight adders, three to a state
    assert found[1][1:3] == (1, "one per cycle")


@pytest.mark.parametrize(("operator", "ii"), [("+", 1), ("*", 2)])
def test_products_are_trees_too(tmp_path: Path, operator: str, ii: int) -> None:
    source = f"""int s = 1;
    for (int i = 0; i < 96; i++) {{
        #pragma HLS unroll factor=4
        s = s {operator} A[i]; }}
    B[0] = s;"""
    partition = "#pragma HLS array_partition variable=A cyclic factor=4\n"
    arrays = {"A": "int[96]", "B": "int[1]"}
    assert loops_of(machine_of(tmp_path, partition + source, **arrays))[0][1] == ii  # a multiplier takes two states


def test_a_difference_is_no_sum(tmp_path: Path) -> None:
    source = "for (int i = 0; i < 96; i++) { B[i] = A[i] - C[i] - (A[i] + C[i]); }"
    nodes = nest_of(machine_of(tmp_path, source, **dict.fromkeys("ABC", "int[96]"))).body.graph.nodes
    adders = [n for n in nodes if n.kind == "op" and n.name == "add"]
    assert [n.negative for n in adders] == [1, -1, 1]
    assert nodes[adders[2].operands[0]] is adders[0]


FLOAT = """float s = 0;
    for (int i = 0; i < 96; i++) {
        #pragma HLS unroll factor=4
        {0}
        s += A[i]; }
    B[0] = s;"""


@pytest.mark.parametrize(
    ("pragma", "rules", "ii"),
    [
        ("", TOOL, 20),
        ("", UNSAFE, 5),
        ("#pragma HLS expression_balance", TOOL, 5),
        ("#pragma HLS expression_balance off", UNSAFE, 20),
    ],
)
def test_floating_point_stays_as_written_unless_it_is_asked_for(
    tmp_path: Path, pragma: str, rules: object, ii: int
) -> None:
    # Four adders of five states in a row, or one.
    source = "#pragma HLS array_partition variable=A cyclic factor=4\n" + FLOAT.replace("{0}", pragma)
    assert loops_of(machine_of(tmp_path, source, rules=rules, A="float[96]", B="float[1]"))[0][1] == ii


def test_the_command_balances_floating_point_on_demand(tmp_path: Path) -> None:
    path = written(tmp_path, f"void k(float A[96], float B[1]) {{\n{FLOAT.replace('{0}', '')}\n}}")
    cycles = [
        int(CliRunner().invoke(app, ["schedule", str(path), *more]).stdout.split()[1])
        for more in ((), ("--unsafe-math",))
    ]
    assert cycles[0] > 24 * 20 > cycles[1]


def test_fixed_point_stays_as_written(tmp_path: Path) -> None:
    total = " + ".join(f"A[i][{n}]" for n in range(8))
    source = f"#pragma HLS array_partition variable=A complete dim=2\nfor (int i = 0; i < 96; i++) B[i] = {total};"
    arrays = {"A": "ap_fixed<32,16>[96][8]", "B": "ap_fixed<32,16>[96]"}
    depths = [loops_of(machine_of(tmp_path, source, rules=rules, **arrays))[0][3] for rules in (PLAIN, TOOL)]
    assert depths[0] == depths[1]


def test_a_product_goes_into_the_block_of_its_sum(tmp_path: Path) -> None:
    # Loaded in 0..1, multiplied and added in a block: issued in 1 behind the load, there at 2.1 ns of 4, stored in 4.
    source = "for (int i = 0; i < 96; i++) { C[i] = A[i] * B[i] + D[i]; }"
    small = {"A": "ap_int<16>[96]", "B": "ap_int<16>[96]", "C": "int[96]", "D": "int[96]"}
    machine = machine_of(tmp_path, source, **small)
    assert loops_of(machine) == [("i", 1, "one per cycle", 5)]
    assert sum(n.mac for n in nest_of(machine).body.graph.nodes) == 2
    wide = machine_of(tmp_path, source, **{**small, "A": "ap_int<32>[96]"})
    assert not any(n.mac for n in nest_of(wide).body.graph.nodes)  # 32 bits are more than a block multiplies
    used = machine_of(tmp_path, source.replace("D[i];", "D[i]; D[i] = A[i] * B[i];"), **small)
    assert not any(n.mac for n in nest_of(used).body.graph.nodes)  # somebody else wants the product


def test_a_sum_of_products_is_a_recurrence_of_one_adder(tmp_path: Path) -> None:
    source = "int s = 0; for (int i = 0; i < 96; i++) s += A[i] * B[i]; C[0] = s;"
    arrays = {"A": "short[96]", "B": "short[96]", "C": "int[1]"}
    assert loops_of(machine_of(tmp_path, source, **arrays))[0][1:3] == (1, "one per cycle")
