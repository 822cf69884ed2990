"""How release 2022.2 keeps arrays (R9.28 to R9.30), and memories that iterators choose (R6.1), on small loops."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.hls.rules import TOOL
from ppnsim.hls.schedule.recurrences import modulo_schedule
from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import machine_of, nest_of, shape_of

U55C = {"device": "xcu55c-fsvh2892-2L-e", "clock": 5.0}
BEFORE = replace(TOOL, release="2022.2")
FILL = "for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) a[i][j] = A[i][j];"
ROWS = "for (int i = 0; i < 64; i++) { float s = 0; for (int j = 0; j < 64; j++) s += a[i][j] * x[j]; y[i] = s; }"
SQUARE = {"A": "float[64][64]", "x": "float[64]", "y": "float[64]"}


def intervals(tmp_path: Path, body: str, arrays: dict[str, str]) -> list[int]:
    return [ii for ii, _ in shape_of(machine_of(tmp_path, body, rules=BEFORE, **U55C, **arrays))]


def test_a_dimension_that_only_numbers_choose_from_is_divided(tmp_path: Path) -> None:
    # The code beside the inner loop makes the copies store to numbers, too (lprd_1 of atax, II 32 by the ports of A).
    fill = FILL.replace("for (int j", "t[i] = x[i]; for (int j", 1).replace("i++) t", "i++) { t", 1) + "}"
    body, square = f"float a[64][64]; {fill} {ROWS}", {**SQUARE, "t": "float[64]"}
    assert intervals(tmp_path, body, square) == [32, 1]
    columns = ROWS.replace("a[i][j]", "a[j][i]").replace("y[i]", "y[63 - i]")
    assert intervals(tmp_path, f"{body} {columns}", square) == [32, 32, 32]  # mvt: no dimension has numbers alone


def test_a_directive_keeps_the_tool_from_dividing_other_dimensions(tmp_path: Path) -> None:
    body = """float a[64][32];
    #pragma HLS array_partition variable=a cyclic factor=8 dim=2
    for (int i = 0; i < 64; i++) for (int j = 0; j < 32; j++) {
    #pragma HLS pipeline
        a[i][j] = A[i][j]; a[i][31 - j] = A[i][j]; }
    for (int j = 0; j < 32; j++) {
    #pragma HLS pipeline
        float s = 0; for (int i = 0; i < 64; i++) s += a[i][j]; y[j] = s; }"""
    arrays = {"A": "float[64][32]", "y": "float[32]"}
    assert intervals(tmp_path, body, arrays)[-1] == 32
    alone = "\n".join(line for line in body.splitlines() if "array_partition" not in line)
    assert intervals(tmp_path, alone, arrays)[-1] == 1


@pytest.mark.parametrize(("sums", "ii"), [(7, 4), (8, 8), (16, 16)])
def test_eight_sums_of_a_memory_are_loaded_and_stored_in_every_iteration(tmp_path: Path, sums: int, ii: int) -> None:
    body = f"""for (int i = 0; i < 40; i++) {{
    #pragma HLS pipeline
        for (int j = 0; j < {sums}; j++) y[j] += A[i] * 3; }}"""
    assert intervals(tmp_path, body, {"A": "int[40]", "y": f"int[{sums}]"}) == [ii]


def test_a_table_has_a_port_for_each_load(tmp_path: Path) -> None:
    loads = " + ".join(f"table[(A[i] + {n}) & 31]" for n in range(8))
    numbers = ", ".join(str(n * n) for n in range(32))
    body = f"static const int table[32] = {{{numbers}}}; for (int i = 0; i < 99; i++) y[i] = {loads};"
    assert intervals(tmp_path, body, {"A": "int[99]", "y": "int[99]"}) == [1]
    filled = "int table[32]; for (int n = 0; n < 32; n++) table[n] = A[n];" + body.partition(";")[2]
    arrays = {"A": "int[99]", "y": "int[99]"}
    on_zynq = [[ii for ii, _ in shape_of(machine_of(tmp_path, each, **arrays))] for each in (body, filled)]
    assert on_zynq == [[1], [1, 1]]  # what the kernel fills has ports for each load there, too (R9.23)


def test_a_table_outside_of_functions_has_them_too(tmp_path: Path) -> None:
    # The conv loops of Varsenaiga/VitisOptimization (2021.1): weights that are not const, handed on by a pointer.
    numbers = ", ".join(str(n * n) for n in range(96))
    text = f"""int table[8][12] = {{{numbers}}};
    void rows(int x[64], int (*t)[12], int y[64]) {{
        for (int i = 0; i < 64; i++) {{ int s = 0; for (int n = 0; n < 12; n++) s += t[x[i] & 7][n]; y[i] = s; }} }}
    void f(int x[64], int y[64]) {{ rows(x, table, y); }}"""
    (tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    found = schedule(tmp_path / "k.cpp", function="f", release="2021.1")
    assert [row["ii"] for row in found.rows()] == [1]
    (tmp_path / "k.cpp").write_text(text.replace("y[i] = s;", "y[i] = s; table[i & 7][0] = s;", 1), encoding="utf-8")
    stored = schedule(tmp_path / "k.cpp", function="f", release="2021.1")
    assert [row["ii"] for row in stored.rows()] != [1]  # something stores to it: no copies


def test_a_value_that_the_same_test_replaces_takes_one_multiplexer(tmp_path: Path) -> None:
    # Load_Kernel_Loop there: 12 and 32 copies of `b = bias[d]`, II 2 and 4 by a chain of multiplexers before.
    body = """int b = 0; for (int i = 0; i < 64; i++) {
    #pragma HLS pipeline
        if (i % 3 == 0) { for (int r = 0; r < 32; r++) b = A[i]; }
        y[i] = b; }"""
    (nest,) = machine_of(tmp_path, body, A="int[64]", y="int[64]").nests
    selects = [node for node in nest.body.graph.nodes if node.name == "select"]
    assert (nest.body.schedule.ii, len(selects)) == (1, 1)


def test_remainders_keep_elements_apart(tmp_path: Path) -> None:
    # The shifts of convolution1_fix there, II 1: a[9 .. 11] is neither a[6] nor one of a[3 .. 5].
    body = """int a[12];
    #pragma HLS array_partition variable=a complete
    for (int r = 0; r < 12; r++) a[r] = A[r];
    for (int i = 0; i < 512; i++) {
    #pragma HLS pipeline
        if (i % 3 == 2) a[6] = a[9];
        a[PLACE] = A[i]; y[i] = a[i % 3 + 3]; }"""
    arrays = {"A": "int[512]", "y": "int[512]"}
    found = [
        shape_of(machine_of(tmp_path, body.replace("PLACE", at), **arrays))[1][0] for at in ("i % 3 + 9", "i % 7 + 3")
    ]
    assert found == [1, 2]


def test_a_pipelined_loop_that_is_unrolled_completely_has_no_loops_inside(tmp_path: Path) -> None:
    body = """for (int i = 0; i < 6; i++)
        for (int j = 0; j < 4; j++) {
    #pragma HLS pipeline II=1
    #pragma HLS unroll factor=4
            for (int k = 0; k < 80; k++) y[i] += A[i][j] * k; }"""
    machine = machine_of(tmp_path, body, rules=BEFORE, **U55C, A="int[6][4]", y="int[6]")
    (nest,) = machine.nests
    assert (nest.name, nest.most) == ("i", 6)


ROW_BY_ITERATOR = """int q[4][32];
    #pragma HLS array_partition variable=q complete dim=1
    for (int k = 0; k < 9; k++) for (int d = 0; d < 32; d++) {
    #pragma HLS pipeline
        if (k < 4) q[k][d] = A[k][d];
        int s = 0; for (int n = 0; n < 4; n++) s += q[n][31 - d]; y[k][d] = s; }"""


def test_a_memory_that_an_iterator_chooses_takes_a_port_of_each(tmp_path: Path) -> None:
    # Each of the four memories has its own load and the store: two ports. The five accesses do not meet in one.
    machine = machine_of(tmp_path, ROW_BY_ITERATOR, **U55C, A="int[9][32]", y="int[9][32]")
    assert nest_of(machine).body.schedule.ii == 1
    twice = ROW_BY_ITERATOR.replace("s += q[n][31 - d];", "s += q[n][31 - d] + q[n][d / 2];")
    machine = machine_of(tmp_path, twice, **U55C, A="int[9][32]", y="int[9][32]")
    assert nest_of(machine).body.schedule.ii == 2  # two loads of each and the store


def test_a_port_of_several_memories_has_to_be_free_in_one_slot() -> None:
    # a takes slot 0 of one memory and b slot 1 of the other: no slot of an interval of 2 is left for both of them.
    graph, number = Graph(), Format.of("int")
    a = graph.add("load", "a", number, port="m.0", most=1, states=1)
    graph.add("load", "b", number, port="m.1", most=1, states=1, ready=(1, 0.0))
    both = graph.add("load", "both", number, port="m.0", also=("m.1",), most=1, states=1)
    found = modulo_schedule(graph, load_library("xc7z020", 10), TOOL)
    assert (graph.nodes[both].ports, graph.nodes[a].ports) == (("m.0", "m.1"), ("m.0",))
    assert (found.ii, found.bound) in {(3, "ports of m.0"), (2, "ports of m.0")}
    slots = {found.issue[n][0] % found.ii for n in (a, both)}
    assert len(slots) == 2


def test_the_lanes_of_a_vector_that_is_changed_are_one_load_and_one_store(tmp_path: Path) -> None:
    body = """for (int x = 0; x < 6; x++) for (int d = 0; d < 20; d++) {
    #pragma HLS pipeline
        p[x][d] += q[d]; }"""
    arrays = {"p": "hls::vector<int, 8>[6][20]", "q": "hls::vector<int, 8>[20]"}
    machine = machine_of(tmp_path, body, **U55C, **arrays, before="#include <hls_vector.h>\n")
    assert nest_of(machine).body.schedule.ii == 1
