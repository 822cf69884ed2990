"""What schedules of the tool in other repositories showed: ports of scalars, copies of loops, words, tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import machine_of, nest_of, shape_of


@pytest.mark.parametrize(("port", "cycles"), [("#pragma HLS interface s_axilite port={0}", 3), ("", 1)])
def test_a_product_of_two_arguments_waits_for_the_registers_of_its_port(tmp_path: Path, port: str, cycles: int) -> None:
    # R2.10: read in state 1, multiplied in 2 and 3, written in 4. Without the port it is multiplied in 1 and 2.
    lines = "\n".join(port.format(name) for name in ("a", "b", "out"))
    text = f"void top(int a, int b, int *out) {{\n{lines}\n*out = a * b; }}"
    (tmp_path / "k.cpp").write_text(text)
    found = schedule(tmp_path / "k.cpp", function="top", device="xc7z020", clock="10 ns", worst=True)
    assert found.kernels[0].machine.cycles == cycles


def test_a_loop_has_the_scalars_of_the_port_as_they_are(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; i++) {\n#pragma HLS loop_tripcount max=9\nA[i] = B[i]; }"
    cycles = []
    for port in ("#pragma HLS interface s_axilite port=n", ""):
        (tmp_path / "k.cpp").write_text(f"void top(int A[64], int B[64], int n) {{\n{port}\n{loop} }}")
        cycles.append(schedule(tmp_path / "k.cpp", function="top", worst=True).kernels[0].machine.cycles)
    assert cycles[0] == cycles[1]


@pytest.mark.parametrize(("inner", "loops"), [(2, 1), (65, 2)])
def test_loops_in_loops_that_a_directive_unrolls_count_by_themselves(tmp_path: Path, inner: int, loops: int) -> None:
    # R1.3: the copies of the loop over c are small loops; 258 copies of a statement are none at all.
    body = f"""for (int i = 0; i < 20; i++) {{
        for (int k = 0; k < 258; k++) {{
    #pragma HLS unroll
            G[k] = G[k + 1]; }}
        for (int r = 0; r < 2; r++) {{
    #pragma HLS unroll
            for (int c = 0; c < {inner}; c++) y[c] = x[c] + r; }}
        G[258] = x[i];
        z[i] = G[0]; }}"""
    registers = "int G[259];\n#pragma HLS array_partition variable=G complete\n"
    found = shape_of(machine_of(tmp_path, registers + body, x="int[99]", y="int[99]", z="int[20]"))
    assert len(found) == loops


def test_elements_of_a_word_are_told_apart_by_their_numbers(tmp_path: Path) -> None:
    # R6.2: a line buffer of words of three pixels comes again after a whole line; so does each pixel of it.
    body = """int row[3][16];
    #pragma HLS array_reshape variable=row complete dim=1
    for (int i = 0; i < 8; i++) for (int j = 1; j < 16; j++) {
    #pragma HLS pipeline
        int moved[3];
        for (int k = 0; k < 2; k++) moved[k] = row[k + 1][j];
        moved[2] = A[i];
        B[i] = row[1][j];
        for (int k = 0; k < 3; k++) row[k][j] = moved[k]; }"""
    assert nest_of(machine_of(tmp_path, body, A="int[8]", B="int[8]")).body.schedule.ii == 1


def test_an_element_of_a_word_that_is_chosen_may_be_any(tmp_path: Path) -> None:
    # The element is chosen by data beside those with numbers: the next iteration may load what this one has stored.
    body = """int row[2][16];
    #pragma HLS array_reshape variable=row complete dim=1
    for (int i = 0; i < 64; i++) {
    #pragma HLS pipeline
        row[1][0] = row[C[i]][0] / A[i];
        B[i] = row[0][0]; }"""
    nest = nest_of(machine_of(tmp_path, body, A="int[64]", B="int[64]", C="int[64]"))
    assert nest.body.schedule.ii > 30  # a division
