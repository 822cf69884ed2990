"""Code on different memories of one array runs at once (R5.4); calls and operators share few units (R6.6)."""

from pathlib import Path

import pytest

from ppnsim.hls.report import ScheduledKernel
from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import written

_G = """void g(int a[64], int b[64]) {
#pragma HLS inline off
 for (int i = 0; i < 64; i++) b[i] = a[i] + 1; }
"""
_F = """void f(int a[4][64], int b[4][64]) {
#pragma HLS array_partition variable=a dim=1 complete
#pragma HLS array_partition variable=b dim=1 %s
%s
"""
_UNROLLED = " for (int k = 0; k < 4; k++) {\n#pragma HLS unroll\n %s }"
_CALL = _UNROLLED % "g(a[k], b[k]);"
_LIMIT = "#pragma HLS allocation function instances=g limit=%s"


def _of(tmp_path: Path, division: str, pragma: str, body: str) -> ScheduledKernel:
    return schedule(written(tmp_path, _G + _F % (division, pragma) + body + " }"), function="f").kernels[0]


@pytest.mark.parametrize(
    "body",
    [
        _CALL, "g(a[0], b[0]); g(a[1], b[1]); g(a[2], b[2]); g(a[3], b[3]);",
        _UNROLLED % "for (int i = 0; i < 64; i++) b[k][i] = a[k][i] + 1;",
    ],
)  # fmt: skip
@pytest.mark.parametrize("division", ["complete", "cyclic factor=4", "block factor=4"])
def test_loops_on_different_memories_of_an_array_run_at_once(body: str, division: str, tmp_path: Path) -> None:
    assert _of(tmp_path, division, "", body).machine.cycles == 66


@pytest.mark.parametrize(
    ("body", "division", "rounds"),
    [
        (_CALL, "cyclic factor=2", 2), (_CALL, "block factor=2", 2),
        ("g(a[0], b[0]); g(a[1], b[0]); g(a[2], b[2]);", "complete", 2),
        ("g(a[0], b[0]); g(b[0], b[1]); g(a[2], b[2]);", "complete", 2),
    ],
)  # fmt: skip
def test_loops_on_one_memory_run_in_turn(body: str, division: str, rounds: int, tmp_path: Path) -> None:
    assert _of(tmp_path, division, "", body).machine.cycles == rounds * 66 + rounds - 1


def test_rows_in_one_word_are_one_memory(tmp_path: Path) -> None:
    text = f"{_G}{_F % ('complete', '')}{_CALL} }}"
    words = schedule(written(tmp_path, text.replace("array_partition", "array_reshape")), function="f").kernels[0]
    assert words.machine.cycles == 4 * 66 + 3


@pytest.mark.parametrize(("most", "at_once"), [("2", True), ("4", False), ("n", False)])
def test_a_row_that_a_loop_of_unknown_length_chooses_may_be_any(most: str, at_once: bool, tmp_path: Path) -> None:
    """R5.4: an assumed length is no bound, so that row k may be row 3."""
    loops = "for (int i = 0; i < 200; i++) a[k][i] += i; for (int i = 0; i < 200; i++) b[0][i] += a[3][i];"
    text = "void f(int a[4][200], int b[4][200], int n) {\n#pragma HLS array_partition variable=a dim=1 complete\n"
    text += f"for (int k = 0; k < {most}; k++) {{\n#pragma HLS loop_tripcount max=2\n{loops} }} }}"
    machine = schedule(written(tmp_path, text), function="f").kernels[0].machine
    assert (machine.cycles < 1.5 * machine.nests[0].cycles) == at_once


def test_what_a_loop_at_once_has_stored_is_loaded_after_its_end(tmp_path: Path) -> None:
    long = "for (int i = 0; i < 64; i++) b[0][i] = a[0][i]; for (int i = 0; i < 8; i++) b[1][i] = a[1][i];"
    later = _of(tmp_path, "complete", "", f"{long} b[2][0] = b[0][63];").machine.cycles
    assert later > _of(tmp_path, "complete", "", f"{long} b[2][0] = b[3][63];").machine.cycles >= 64


@pytest.mark.parametrize(("limit", "rounds"), [(1, 4), (2, 2), (3, 2), (4, 1)])
def test_copies_of_a_call_take_the_modules_that_an_allocation_leaves(limit: int, rounds: int, tmp_path: Path) -> None:
    kernel = _of(tmp_path, "complete", _LIMIT % limit, _CALL)
    assert kernel.machine.cycles == rounds * 66 + rounds - 1
    assert not any("allocation" in each for each in kernel.without_effect)


_PRODUCTS = """int one(short a, short b) {
#pragma HLS allocation operation instances=mul limit=%d
 return a * b; }
int two(short a, short b) {
#pragma HLS allocation operation instances=mul limit=%d
 return a * b + 1; }
void f(short a[64][8], short b[64][8], int c[64]) {
#pragma HLS array_partition variable=a dim=2 complete
#pragma HLS array_partition variable=b dim=2 complete
 for (int i = 0; i < 64; i++) {
#pragma HLS pipeline II=1
  int s = 0;
  for (int k = 0; k < 4; k++) s += one(a[i][k], b[i][k]);
  for (int k = 4; k < 8; k++) s += two(a[i][k], b[i][k]);
  c[i] = s; } }"""


@pytest.mark.parametrize(("limits", "ii"), [((2, 3), 2), ((4, 4), 1), ((1, 4), 4), ((4, 1), 4)])
def test_each_function_has_the_units_of_its_own_allocation(limits: tuple[int, int], ii: int, tmp_path: Path) -> None:
    """R6.6: eight products; the four of each function take its units, and not those of the other function."""
    (nest,) = schedule(written(tmp_path, _PRODUCTS % limits), function="f").kernels[0].nests
    assert nest.body.schedule.ii == ii
