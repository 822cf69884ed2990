"""Vivado HLS, as people's schedules and reports have it: memories, products, functions, loops of varying length."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim import schedule


def found(folder: Path, text: str, **options: Any) -> dict[str, Any]:
    """Return the schedule of k on xc7z020 at 10 ns in release 2019.1."""
    (folder / "k.cpp").write_text(text, "utf-8")
    return dict(schedule(folder / "k.cpp", function="k", release="2019.1", **options).to_dict())


SUM = "float sum = 0;\nfor (int i = 0; i < 8; i++) sum += {0}[i] * b[i];\n*r = sum;"


@pytest.mark.parametrize(
    ("size", "table", "states"),
    [(31, "", 10), (32, "", 11), (31, "static const float t[31] = {1, 2, 3, 4, 5, 6, 7, 9};", 11)],
)
def test_a_product_follows_a_load_from_a_memory_of_lookup_tables_in_its_state(
    tmp_path: Path, size: int, table: str, states: int
) -> None:
    """R3.9: 2.32 and 5.70 of 8.75 ns; 3.25 ns from block RAM, and from a constant table of any size."""
    text = f"void k(float a[{size}], float b[{size}], float *r) {{\n{table}\n{SUM.format('t' if table else 'a')}\n}}\n"
    assert [each["states"] for each in found(tmp_path, text)["sequential_loops"]] == [states]


CALLS = """void p(float a[9], float b[9]) { for (int i = 0; i < 9; i++) for (int j = 0; j < i; j++) b[i] += a[j]; }
void q(float a[9], float b[9]) { for (int i = 0; i < 9; i++) for (int j = 0; j < i; j++) b[j] += a[i]; }
void k(float a[9], float b[9], float c[9], float d[9]) { p(a, b);\n q(%s, d); }
"""


def test_calls_that_share_nothing_run_at_the_same_time(tmp_path: Path) -> None:
    """R9.20, also before release 2023.2."""
    apart, shared = (found(tmp_path, CALLS % name)["cycles"] for name in "cb")
    assert apart < 0.6 * shared


@pytest.mark.parametrize(("order", "at_once"), [("pl", True), ("lp", True), ("l", True), ("plp", False), ("p", False)])
def test_calls_with_pipelined_and_other_loops_run_at_the_same_time(tmp_path: Path, order: str, at_once: bool) -> None:
    """R9.20: code between loops of the state machine is of one call; pipelines of both, or of the caller, are not."""
    loop = "for (int i = 0; i < N; i++) {{\n#pragma HLS pipeline {0}\na[i] = a[i] * 3; }}\n"
    body = "".join(loop.format("off" if each == "l" else "II=2") for each in order)
    text = "".join(f"void {name}(int *a) {{\n#pragma HLS inline off\n{body}}}\n" for name in "fg")
    text = text.replace("N", "60", len(order)).replace("N", "50") + "void k(int a[60], int b[50], int *m) { %s }"
    calls = ("f(a);", "g(b);", "f(a); g(b);", "g(b); f(a);", "f(a); *m = *m * 5; g(b);", "f(a); g(a);")
    longer, shorter, *both, caller, shared = (found(tmp_path, text % each)["cycles"] for each in calls)
    assert [each < longer + 3 for each in both] == [at_once, at_once]
    assert longer + shorter - 3 < min(caller, shared)


VARYING = """void k(int a[9][9], int b[9]) {
for (int i = 0; i < 9; i++) {
#pragma HLS pipeline
int sum = 0;
for (int j = %s; j < %s; j++) {
#pragma HLS loop_tripcount min=1 max=%s
sum += a[i][j];
}
b[i] = sum; } }
"""


@pytest.mark.parametrize(
    ("first", "most", "trips"), [("0", 5, 5), ("0", 20, 8), ("i", 5, 5)], ids=["annotated", "bounds", "from outside"]
)
def test_a_loop_of_varying_length_is_not_unrolled_for_the_worst_either(
    tmp_path: Path, first: str, most: int, trips: int
) -> None:
    """R5.9: nine visits of the loop over j, each with its annotated iterations, at most those of its bounds."""
    text = VARYING % (first, "i" if first == "0" else 9, most)
    (inner,) = found(tmp_path, text, worst=True)["sequential_loops"]
    assert (inner["trips"], inner["visits"]) == (trips, 9)


HEAD = "== {0} HLS Report for 'k'\n* Version:        2020.1 (Build 2897737)\n"


@pytest.mark.parametrize(("tools", "pipelined"), [(["Vivado"], False), (["Vitis"], True), (["Vivado", "Vitis"], True)])
def test_reports_around_a_source_say_which_tool_2020_1_is(tmp_path: Path, tools: list[str], pipelined: bool) -> None:
    """R1.6: both tools have that release, and Vivado HLS pipelines no loop without a directive."""
    for number, tool in enumerate(tools):
        (tmp_path / f"k{number}_csynth.rpt").write_text(HEAD.format(tool), "utf-8")
    (tmp_path / "k.cpp").write_text("void k(int a[9], int b[9]) { for (int i = 0; i < 9; i++) b[i] = a[i]; }", "utf-8")
    for given in (None, "2020.1"):
        assert bool(schedule(tmp_path / "k.cpp", release=given).to_dict()["loops"]) == pipelined


def test_reports_of_another_release_do_not_say_which_tool_2020_1_is(tmp_path: Path) -> None:
    (tmp_path / "k_csynth.rpt").write_text(HEAD.format("Vivado").replace("2020.1", "2019.1"), "utf-8")
    (tmp_path / "k.cpp").write_text("void k(int a[9], int b[9]) { for (int i = 0; i < 9; i++) b[i] = a[i]; }", "utf-8")
    pipelined = [bool(schedule(tmp_path / "k.cpp", release=each).to_dict()["loops"]) for each in (None, "2020.1")]
    assert pipelined == [False, True]


def test_packets_bring_the_functions_of_math(tmp_path: Path) -> None:
    """The vendor's ap_int.h includes cmath, by hls_half.h: a source with packets alone was refused."""
    text = "void k(float a[9], float b[9]) { for (int i = 0; i < 9; i++) b[i] = sqrt(a[i]); }"
    assert found(tmp_path, f'#include "ap_axi_sdata.h"\n{text}')["cycles"] > 9


@pytest.mark.parametrize(("clock", "states"), [("10 ns", 4), ("5 ns", 8)])
def test_a_product_that_does_not_fit_a_state_has_states_of_its_own(tmp_path: Path, clock: str, states: int) -> None:
    """R2.13: matrixmul of github.com/schuang23/MSOC (2019.2), a load, five states of a product and a sum at 5 ns."""
    text = "void k(int a[99], int b[99], int *r) { int sum = 0;\nfor (int i = 0; i < 9; i++) sum += a[i] * b[i];\n"
    assert [each["states"] for each in found(tmp_path, text + "*r = sum; }", clock=clock)["sequential_loops"]] == [
        states
    ]


@pytest.mark.parametrize(
    ("clock", "kept", "states"), [("10 ns", "", 2), ("10 ns", "r[i] = p;", 3), ("6 ns", "", 4), ("4 ns", "", 4)]
)
def test_a_sum_and_its_product_are_one_block_with_registers_where_they_do_not_fit_a_state(
    tmp_path: Path, clock: str, kept: str, states: int
) -> None:
    """R2.13: 2.32, 3.36 and 3.02 of 8.75 ns, as col_loop of gauss_blur has them; not of one used twice.

    At 6 ns its product is in the states of the data, of a register and of the sum, which are the sum's states.
    """
    text = "void k(unsigned char a[9], unsigned char b[9], int r[9], int *s) { int sum = 0;\n"
    text += f"for (int i = 0; i < 9; i++) {{ int p = a[i] * b[i]; sum += p; {kept} }}\n*s = sum; }}"
    assert [each["states"] for each in found(tmp_path, text, clock=clock)["sequential_loops"]] == [states]


@pytest.mark.parametrize("type_", ["float", "double"])
@pytest.mark.parametrize("whole", ["int", "short", "unsigned char"])
def test_a_number_becomes_a_whole_number_by_logic_and_not_by_a_unit(tmp_path: Path, type_: str, whole: str) -> None:
    """R2.20: a load, the exponent behind it, the shift and the sign in a state, a store; units have five states."""
    text = f"void k({type_} a[9], {whole} r[9]) {{ for (int i = 0; i < 9; i++) r[i] = ({whole})a[i]; }}"
    assert [each["states"] for each in found(tmp_path, text)["sequential_loops"]] == [4]
    (tmp_path / "v.cpp").write_text(text.replace("{ for", "{\n#pragma HLS pipeline off\nfor"), "utf-8")
    later = schedule(tmp_path / "v.cpp", function="k", release="2022.1").to_dict()
    assert later["cycles"] > 9 * 6


@pytest.mark.parametrize(("row", "states"), [("i", 2), ("j", 3)])
def test_a_row_that_the_innermost_loop_does_not_move_is_computed_before_it(
    tmp_path: Path, row: str, states: int
) -> None:
    """R5.5: col_loop of gauss_blur at 8 ns, whose row of three elements is a difference in the loop around."""
    column = "j" if row == "i" else "i"
    text = "void k(int a[60][60], int b[9]) { for (int i = 0; i < 9; i++) { b[i] = 1; "
    text += f"for (int j = 0; j < 9; j++) b[j] = a[{row}][{column}]; }} }}"
    assert found(tmp_path, text, clock="7 ns")["sequential_loops"][-1]["states"] == states
