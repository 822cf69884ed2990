"""Rules of the later release (R9) on small loops: forms of adders, flattened nests, trees, what is known of copies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ppnsim.hls.graph.balance import balance
from ppnsim.hls.graph.graph import BackEdge, Graph
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.hls.rules import TOOL
from tests.helpers.hls_sources import machine_of, nest_of, shape_of

U280 = {"device": "xcu280-fsvh2892-2L-e", "clock": 3.33}
SUM = "float s = 0; for (int i = 0; i < 100; i++) {{ {0} s += A[i]; }} B[0] = s;"


@pytest.mark.parametrize(("pragma", "ii"), [("", 7), ("\n#pragma HLS pipeline\n", 4)])
def test_an_adder_on_a_recurrence_is_faster_where_a_directive_asks(tmp_path: Path, pragma: str, ii: int) -> None:
    arrays = {"A": "float[100]", "B": "float[1]"}
    assert shape_of(machine_of(tmp_path, SUM.format(pragma), **U280, **arrays))[0][0] == ii


def test_what_an_iteration_stores_under_a_condition_is_still_a_recurrence(tmp_path: Path) -> None:
    # The condition on j keeps the old value in all but the first iteration: no interval of 1.
    body = """for (int i = 0; i < 50; i++) for (int j = 0; j < 60; j++) {
    #pragma HLS pipeline
        if (j == 0) C[i] = 0; C[i] = C[i] + A[i][j]; }"""
    machine = machine_of(tmp_path, body, A="float[50][60]", C="float[50]", **U280)
    nest = nest_of(machine)
    assert (nest.body.schedule.ii, nest.iterations, nest.visits) == (4, 3000, 1)


def test_a_nest_that_is_not_perfect_is_flattened(tmp_path: Path) -> None:
    # The first product goes in with the first inner iteration: 8 states apart, as the reset keeps the adder waiting.
    body = """for (int i = 0; i < 50; i++) { D[i] *= 3; for (int j = 0; j < 70; j++) D[i] += A[i][j]; }"""
    arrays = {"A": "float[50][70]", "D": "float[50]"}
    nest = nest_of(machine_of(tmp_path, body, **U280, **arrays))
    assert (nest.body.schedule.ii, nest.visits) == (8, 1)
    assert nest_of(machine_of(tmp_path, body, **arrays)).visits == 50


def test_a_row_that_takes_from_the_row_before_waits_for_it_in_both_spellings(tmp_path: Path) -> None:
    # Flattened, the last iteration of row i - 1 is right before the first one of row i: product and sum are between,
    # and store and load where the last iteration alone stores (R4.13).
    inner = "for (int j = 0; j < 16; j++) {\n#pragma HLS pipeline\n"
    spelled = (
        f"for (int i = 1; i < 64; i++) {{ {inner} A[i] += B[j] * A[i - 1]; }} }}",
        f"for (int i = 1; i < 64; i++) {{ float s = A[i], p = A[i - 1]; {inner} s += B[j] * p; }} A[i] = s; }}",
    )
    machines = [machine_of(tmp_path, each, A="float[64]", B="float[16]", **U280) for each in spelled]
    assert [nest_of(machine).body.schedule.ii for machine in machines] == [9, 11]
    apart = machine_of(tmp_path, spelled[0].replace("A[i - 1]", "A[i + 64]"), A="float[128]", B="float[16]", **U280)
    assert nest_of(apart).body.schedule.ii == 4


@pytest.mark.parametrize(("columns", "ii"), [(2, 3), (4, 2), (8, 1)])
def test_a_row_that_takes_from_the_row_before_comes_after_a_row(tmp_path: Path, columns: int, ii: int) -> None:
    nest = f"for (int i = 0; i < 60; i++) for (int j = 0; j < {columns}; j++) {{\n#pragma HLS pipeline\n"
    body = f"{nest} a[i + 1][j] = a[i][j] * 2.0f + x[i][j]; }}"
    arrays = dict.fromkeys("ax", f"float[64][{columns}]")
    assert nest_of(machine_of(tmp_path, body, device="xcvu9p", **arrays)).body.schedule.ii == ii


def test_loops_that_share_a_bus_run_one_after_the_other(tmp_path: Path) -> None:
    loops = "for (int i = 0; i < 99; i++) A[i] = X[i]; for (int i = 0; i < 99; i++) B[i] = Y[i];"
    pragmas = "\n#pragma HLS interface m_axi port=X bundle=a\n#pragma HLS interface m_axi port=Y bundle={}\n"
    arrays = dict.fromkeys("ABXY", "int[99]")
    one, two = (machine_of(tmp_path, pragmas.format(bundle) + loops, **arrays) for bundle in "ab")
    assert [sum(region.overlapped for region in each.regions) for each in (one, two)] == [0, two.nests[0].cycles]
    assert one.cycles > two.cycles + 99


def test_copies_that_no_iteration_executes_take_no_port(tmp_path: Path) -> None:
    # Only the copy k = 0 can be iteration 0: one store per start, not four.
    body = """for (int i = 0; i < 25; i++) {
    #pragma HLS pipeline
        for (int k = 0; k < 4; k++) { if (k + 4 * i == 0) B[0] = A[k]; } }"""
    nest = nest_of(machine_of(tmp_path, body, A="int[4]", B="int[1]"))
    assert nest.body.schedule.ii == 1
    assert sum(node.kind == "store" for node in nest.body.graph.nodes) == 1


@pytest.mark.parametrize(("first", "ii"), [("if (j == 0) T[i] = A[i];", 1), ("if (j == 0) T[i] += A[i];", 5)])
def test_what_the_first_iteration_stores_the_others_load(tmp_path: Path, first: str, ii: int) -> None:
    # Store and load of T[i] exclude each other and share a port (R5.8); only a sum would be kept in a register.
    loops = """for (int i = 0; i < 64; i++) for (int j = 0; j < 16; j++) {
    #pragma HLS pipeline
    """
    body = f"{loops} for (int k = 0; k < 2; k++) {{ {first.replace('[i]', '[k][i]')} C[k][i][j] = T[k][i]; }} }}"
    arrays = {"T": "float[2][64]", "A": "float[2][64]", "C": "float[2][64][16]"}
    machine = machine_of(tmp_path, body, **U280, **arrays)
    assert nest_of(machine).body.schedule.ii == ii


def test_what_the_first_row_stores_comes_again_after_a_row(tmp_path: Path) -> None:
    body = """for (int i = 0; i < 64; i++) for (int j = 0; j < 16; j++) {
    #pragma HLS pipeline
        if (i == 0) T[j] = 3 * A[j] + B[j]; C[i][j] = T[j]; }"""
    arrays = {"T": "float[16]", "A": "float[16]", "B": "float[16]", "C": "float[64][16]"}
    assert nest_of(machine_of(tmp_path, body, **U280, **arrays)).body.schedule.ii == 1


@pytest.mark.parametrize(
    ("products", "deep"), [(1, 1), (2, 1), (4, 3), (7, 3), (8, 3), (10, 4), (15, 4), (16, 4), (25, 4)]
)
def test_the_old_value_stands_so_deep_in_a_tree(products: int, deep: int) -> None:
    graph, real = Graph(), Format.of("float")
    total = old = graph.add("phi", "s", real)
    for n in range(products):
        term = graph.add("input", f"x{n}", real)
        total = graph.add("op", "add", real, (total, term), states=7, wide=real)
    graph.back.append(BackEdge(total, old, 1, "register", "recurrence through s"))
    balance(graph, load_library("xcvu9p", 3.33), split=True)
    depth, at = 0, old
    while at != total:
        (at,) = (node.index for node in graph.nodes if at in node.operands)
        depth += 1
    assert depth == deep


def test_quotients_and_doubles_become_simple_operators(tmp_path: Path) -> None:
    # Load 0, product 2..5, store 6: a quotient by 4, and 0.5 in double precision. 0.1 has two casts and a dmul.
    for value, depth in (("A[i] / 4.0f", 7), ("A[i] * 0.5", 7), ("A[i] * 0.1", 15)):
        machine = machine_of(
            tmp_path, f"for (int i = 0; i < 100; i++) B[i] = {value};", A="float[100]", B="float[100]", **U280
        )
        assert shape_of(
            machine,
        ) == [(1, depth)]
    rules = replace(TOOL, balance=True)
    zero = "for (int i = 0; i < 100; i++) B[i] = A[i] + 0.0f;"
    assert shape_of(machine_of(tmp_path, zero, A="float[100]", B="float[100]", rules=rules, **U280)) == [(1, 3)]


@pytest.mark.parametrize(("test", "states"), [
    ("x > 0.0", 2), ("x > 0.0f", 2), ("x > (double)Y[i]", 2), ("0.5 < x", 2), ("x > 0.1", 5), ("x > Z[i]", 5),
])  # fmt: skip
def test_a_float_is_compared_as_one_unless_the_other_side_needs_more(tmp_path: Path, test: str, states: int) -> None:
    """The reports of ReLUs name `fcmp_32ns_32ns`; a cast to double and its comparison take three states more."""
    text = f"for (int i = 0; i < 64; i++) {{ float x = A[i]; B[i] = {test} ? x : 0; }}"
    machine = machine_of(tmp_path, text, A="float[64]", B="float[64]", Y="float[64]", Z="double[64]", **U280)
    nodes = machine.nests[0].body.graph.nodes
    found = {node.name: node.states for node in nodes if node.kind == "op" and node.name in ("cmp", "cast")}
    assert sum(found.values()) == states


def test_local_arrays_get_a_memory_for_each_copy_of_an_unrolled_loop(tmp_path: Path) -> None:
    # Sixteen copies, sixteen columns: without the partition 16 loads and 16 stores share two ports.
    body = """float s[8][16]; for (int i = 0; i < 8; i++) {{
    #pragma HLS pipeline
        for (int k = 0; k < 16; k++) s[i][k] = A[i] + k; }}
    for (int i = 0; i < 8; i++) B[i] = s[i][i];"""
    arrays = {"A": "float[8]", "B": "float[8]"}
    machine = machine_of(tmp_path, body.format(), **U280, **arrays)
    assert machine.nests[0].body.schedule.ii == 1
    machine = machine_of(tmp_path, body.format(), rules=replace(TOOL, infer=False), **U280, **arrays)
    assert machine.nests[0].body.schedule.ii == 8


def test_cyclic_banks_are_told_apart_by_residues(tmp_path: Path) -> None:
    # 2 i and 2 j are even, 2 j + 1 is odd: two loads share a bank, which has two ports.
    body = """#pragma HLS array_partition variable=A cyclic factor=4 dim=1
    for (int i = 0; i < 50; i++) for (int j = 0; j < 50; j++) {
    #pragma HLS pipeline
        B[j] = A[2 * i] + A[2 * j] + A[2 * j + 1] + A[2 * i + 1]; }"""
    assert shape_of(machine_of(tmp_path, body, A="int[100]", B="int[50]"))[0][0] == 1


def test_a_factor_that_does_not_divide_makes_one_loop(tmp_path: Path) -> None:
    # Seven iterations by threes: three starts with tests between the copies, and the loop around stays one.
    body = """for (int i = 0; i < 5; i++) for (int j = 0; j < 7; j++) {
    #pragma HLS pipeline
    #pragma HLS unroll factor=3
        B[i][j] = A[i][j] + 1; }"""
    arrays = {"A": "int[5][7]", "B": "int[5][7]"}
    for given in (U280, {}):
        nests = machine_of(tmp_path, body, **arrays, **given).nests
        assert [(nest.visits, nest.iterations) for nest in nests] == [(5, 15)]


@pytest.mark.parametrize(
    ("rows", "columns", "depth"),
    [
        (50, 20, 4),  # 20 = 16 + 4 in a bank of 1000: the address is there in state 1
        (50, 64, 4),
        (50, 65, 6),
        (99, 1024, 4),  # a power of two in any bank
        (50, 22, 6),  # three digits
        (200, 240, 6),  # two, but a large bank
    ],
)
def test_an_address_of_two_flattened_loops_takes_what_its_row_asks_for(
    tmp_path: Path, rows: int, columns: int, depth: int
) -> None:
    body = f"""for (int i = 0; i < {rows}; i++) for (int j = 0; j < {columns}; j++) {{
    #pragma HLS pipeline
        B[i][j] = A[i][j]; }}"""
    arrays = dict.fromkeys("AB", f"float[{rows}][{columns}]")
    assert nest_of(machine_of(tmp_path, body, **U280, **arrays)).body.depth == depth


@pytest.mark.parametrize(
    ("size", "element", "depth"),
    [
        (250, "i][j", 13),  # node2 of gesummv of Stream-HLS, opt1
        (400, "i][j", 14),  # mvt: 9 bits
        (400, "j][i", 15),  # node3 of bicg: the inner loop moves the row
    ],
)
def test_an_address_beside_a_sum_waits_for_the_product_of_its_row(
    tmp_path: Path, size: int, element: str, depth: int
) -> None:
    body = f"""for (int i = 0; i < {size}; i++) for (int j = 0; j < {size}; j++) {{
    #pragma HLS pipeline
        if (j == 0) y[i] = 0; y[i] += A[{element}] * x[j]; }}"""
    arrays = {"A": f"float[{size}][{size}]", "x": f"float[{size}]", "y": f"float[{size}]"}
    body_of = nest_of(machine_of(tmp_path, body, **U280, **arrays)).body
    assert (body_of.schedule.ii, body_of.depth) == (4, depth)


@pytest.mark.parametrize(
    ("element", "depth"),
    [
        ("i][j", 6),  # the outermost loop moves the row of 190
        ("k][j", 7),  # another one does
        ("k][j % 1", 7),
    ],
)
def test_an_address_of_three_loops_waits_for_a_row_that_moves_inside(tmp_path: Path, element: str, depth: int) -> None:
    body = f"""for (int i = 0; i < 90; i++) for (int k = 0; k < 190; k++) for (int j = 0; j < 70; j++) {{
    #pragma HLS pipeline
        B[j] = A[{element}]; }}"""
    arrays = {"A": "float[190][190]", "B": "float[70]"}
    assert nest_of(machine_of(tmp_path, body, **U280, **arrays)).body.depth == depth


@pytest.mark.parametrize(
    ("factor", "step", "load", "store"),
    [
        (5, 1, 12, 12),  # 100 iterations: seven bits, the remainder is there at the end of state 10
        (10, 2, 12, 12),  # 2 i modulo 10 is i modulo 5
        (10, 5, 4, 4),  # 5 i modulo 10 is a bit
        (8, 3, 4, 4),
        (10, 10, 4, 4),  # one bank
    ],
)
def test_a_bank_that_iterators_choose_waits_for_a_remainder(
    tmp_path: Path, factor: int, step: int, load: int, store: int
) -> None:
    nest = "for (int i = 0; i < 100; i++) for (int j = 0; j < 64; j++) {\n#pragma HLS pipeline\n"
    chosen, plain = f"{step} * i][j", "i][j"
    split = f"\n#pragma HLS array_partition variable={{}} cyclic factor={factor} dim=1\n"
    arrays = {"A": "float[1000][64]", "B": "float[1000][64]"}
    from_banks = machine_of(tmp_path, f"{split.format('A')}{nest} B[{plain}] = A[{chosen}]; }}", **U280, **arrays)
    to_banks = machine_of(tmp_path, f"{split.format('B')}{nest} B[{chosen}] = A[{plain}]; }}", **U280, **arrays)
    assert [nest_of(each).body.depth for each in (from_banks, to_banks)] == [load, store]


U55C = {"device": "xcu55c-fsvh2892-2L-e", "clock": 5.0}


@pytest.mark.parametrize(("kind", "single", "nested"), [("float", 4, 4), ("double", 4, 5)])
def test_at_5_ns_an_adder_hands_its_result_on_in_its_last_state(
    tmp_path: Path, kind: str, single: int, nested: int
) -> None:
    plain = f"{kind} s = 0; for (int i = 0; i < 100; i++) s += A[0][i]; B[0] = s;"
    both = "for (int i = 0; i < 80; i++) { B[i] = 0; for (int j = 0; j < 100; j++) B[i] += A[i][j]; }"
    arrays = {"A": f"{kind}[80][100]", "B": f"{kind}[80]"}
    assert shape_of(machine_of(tmp_path, plain, **U55C, **arrays))[0][0] == single
    assert shape_of(machine_of(tmp_path, both, **U55C, **arrays))[0][0] == nested


def test_a_release_before_2023_2_keeps_loops_apart_whose_code_uses_other_elements_of_the_sum(tmp_path: Path) -> None:
    body = """for (int i = 0; i < 80; i++) {
        B[i][0] = 0; for (int j = 0; j < 100; j++) B[i][0] += A[i][j];
        B[0][i] = B[i][0]; }"""
    arrays = {"A": "double[80][100]", "B": "double[80][80]"}
    trips = [
        [
            loop.iterator
            for loop in machine_of(tmp_path, body, rules=rules, **U55C, **arrays).nests[0].body.pipeline.loops
        ]
        for rules in (TOOL, replace(TOOL, release="2022.2"))
    ]
    assert trips == [["i", "j"], ["j"]]


def test_a_partitioned_argument_has_a_bus_for_each_memory(tmp_path: Path) -> None:
    body = """#pragma HLS interface m_axi port=A bundle=g
    #pragma HLS interface m_axi port=B bundle=h
    {0}
    for (int i = 0; i < 64; i++) {{
    #pragma HLS pipeline
        float s = 0; for (int j = 0; j < 8; j++) s += A[i][j]; B[i] = s; }}"""
    arrays = {"A": "float[64][8]", "B": "float[64]"}
    parts = ("", "#pragma HLS array_partition variable=A cyclic factor=4 dim=2\n",
             "#pragma HLS array_partition variable=A complete dim=0\n")  # fmt: skip
    found = [shape_of(machine_of(tmp_path, body.format(part), **U55C, **arrays))[0][0] for part in parts]
    assert found == [8, 2, 1]
