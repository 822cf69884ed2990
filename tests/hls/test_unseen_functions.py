"""What a draw of functions that nobody had seen taught: lists, partitions, loops that stay, long memories, pointers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim import schedule


def found(folder: Path, text: str, release: str, **options: Any) -> dict[str, Any]:
    (folder / "k.cpp").write_text(text, "utf-8")
    answer: dict[str, Any] = schedule(folder / "k.cpp", function="f", release=release, **options).to_dict()
    return answer


@pytest.mark.parametrize(
    "values", ["3, -91, 5, 7", "3, -90 - 1, N, 7", "1.5 * 2, -91, 5.0, 7", "N - 2, -(N + 86), N, N + 2"]
)
@pytest.mark.parametrize("of", ["int", "const int", "float", "const float"])
def test_a_list_of_constant_expressions_is_a_list_of_numbers(tmp_path: Path, of: str, values: str) -> None:
    """R1.1: `-91-0-313` in a filter of AntonioBR99/Chapter2AE, which has no loop that fills its table."""
    text = f"""int f(int x[64]) {{
    const int N = 5; {of} c[4] = {{{values}}}; int s = 0;
    for (int i = 0; i < 64; i++) s += x[i] * c[i % 4];
    return s; }}"""
    same = text.replace(values, "3, -91, 5, 7")
    assert found(tmp_path, text, "2022.2")["cycles"] == found(tmp_path, same, "2022.2")["cycles"]


def test_a_list_with_data_is_stored_each_time(tmp_path: Path) -> None:
    sums = "int s = 0; for (int i = 0; i < 64; i++) s += x[i] * c[i]; return s;"
    text = f"int f(int x[64]) {{ int c[64] = {{3, x[0], 5, 7}}; {sums} }}"
    least = found(tmp_path, text.replace("x[0], 5", "4, 5"), "2022.2")["cycles"]
    assert found(tmp_path, text, "2022.2")["cycles"] > least


def test_a_dimension_of_numbers_is_divided_though_data_choose_in_another_one(tmp_path: Path) -> None:
    """R9.28: `fragment.V` and `pixels.V` of Crystaldaidy/3d_rendering_hcl, "in dimension 2 automatically"."""
    text = """void f(int x[64], int y[64]) { int a[500][4]; int n = 0;
    for (int i = 0; i < 64; i++) {
    #pragma HLS pipeline
        if (x[i] > 3) { a[n][0] = x[i]; a[n][1] = i; a[n][2] = 3; a[n][3] = 4; n++; } }
    for (int i = 0; i < 64; i++) {
    #pragma HLS pipeline
        y[i] = a[x[i]][0] + a[x[i]][1] + a[x[i]][2] + a[x[i]][3]; } }"""
    assert [each["ii"] for each in found(tmp_path, text, "2019.2", device="xcvu9p")["loops"]] == [1, 1]
    moved = text.replace("a[x[i]][3]", "a[x[i]][i % 4]")
    assert [each["ii"] for each in found(tmp_path, moved, "2019.2", device="xcvu9p")["loops"]] == [2, 2]


def test_a_pipelined_loop_around_a_loop_of_unknown_length_unrolls_its_other_loops(tmp_path: Path) -> None:
    """R1.3: Loop 4 of Crystaldaidy/3d_rendering_hcl is not pipelined, and only its loops of unknown length are left."""
    text = """void f(int x[32], int y[32]) { for (int m = 0; m < 32; m++) {
    #pragma HLS pipeline
        int t[8];
        for (int i = 0; i < 8; i++) t[i] = x[m] >> i;
        for (int i = 0; i < x[m]; i++) {
    #pragma HLS loop_tripcount max=100
    #pragma HLS pipeline
            y[i] += t[0]; }
        for (int i = 0; i < 8; i++) y[m] ^= t[i]; } }"""
    answer = found(tmp_path, text, "2019.2", worst=True)
    assert "pipeline of a loop around one whose trip count is not known" in answer["without_effect"][0]
    assert [each["line"] for each in answer["loops"]] == [5]
    assert answer["sequential_loops"] == []


@pytest.mark.parametrize(
    ("release", "words", "states"), [("2018.3", 4000000, 3), ("2018.3", 4000, 1), ("2022.2", 4000000, 1)]
)
def test_memories_of_very_many_words_answer_later_in_vivado_hls(
    tmp_path: Path, release: str, words: int, states: int
) -> None:
    """R3.13: 4 states of a load for 2 in fullyConnected of 2Martina/AlexNet, 226512898 cycles as in the report."""
    text = f"""void f(short a[{words}], short y[4000]) {{ for (int i = 0; i < 4000; i++) {{
    #pragma HLS pipeline off
        y[i] = a[i]; }} }}"""
    assert found(tmp_path, text, release)["cycles"] // 4000 == 1 + states


def test_a_directive_for_the_array_of_another_function_is_passed_over(tmp_path: Path) -> None:
    """R6.1: astroSim of TurtleTaco/Janus-Xilins names an array of the function that it calls."""
    text = """static void run(int a[8]) { int p[8]; for (int i = 0; i < 8; i++) p[i] = a[7 - i];
    for (int i = 0; i < 8; i++) a[i] = p[i]; }
    void f(int a[8]) {
    #pragma HLS array_partition variable=p complete
    run(a); }"""
    (said,) = found(tmp_path, text, "2017.1")["without_effect"]
    assert "array_partition for 'p', which 'f' does not have" in said


@pytest.mark.parametrize("member", ["p->w[i]", "p[0].w[i]", "(*p).w[i]"])
def test_a_pointer_to_a_struct_on_a_bus_is_its_first_element(tmp_path: Path, member: str) -> None:
    text = f"""struct P {{ short w[24]; short b[4]; }};
    void f(struct P *p, short y[24]) {{
    #pragma HLS interface m_axi port=p depth=1
    for (int i = 0; i < 24; i++) y[i] = {member}; }}"""
    same = text.replace(member, "p[0].w[i]")
    assert found(tmp_path, text, "2023.1")["cycles"] == found(tmp_path, same, "2023.1")["cycles"]
