"""Rules that further designs show: old values last, loops that are gone, tables of zeros, calls at the same time."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from ppnsim.hls.graph.balance import balance
from ppnsim.hls.graph.graph import BackEdge, Graph
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.hls.lost.split import schedule_split
from ppnsim.hls.schedule.model import StateMachine
from tests.helpers.hls_sources import machine_of, nest_of, shape_of
from tests.hls.test_generators import U280, _machine

SQUARE = {"A": "float[16][16]", "B": "float[16]"}


@pytest.mark.parametrize(("target", "deep"), [(1, 4), (6, 4), (7, 1), (27, 1), (28, 4)])
def test_the_old_value_is_last_where_only_that_meets_the_interval_asked_for(target: int, deep: int) -> None:
    graph, real = Graph(), Format.of("float")
    total = old = graph.add("phi", "s", real)
    for n in range(10):
        term = graph.add("input", f"x{n}", real)
        total = graph.add("op", "add", real, (total, term), states=7, wide=real)
    graph.back.append(BackEdge(total, old, 1, "register", "recurrence through s"))
    balance(graph, load_library("xcvu9p", 3.33), split=True, target=target)
    depth, at = 0, old
    while at != total:
        (at,) = (node.index for node in graph.nodes if at in node.operands)
        depth += 1
    assert depth == deep


GONE = """for (int i = 0; i < 16; i++) {{ float x = B[i];
    {outer}
    for (int j = 0; j < 8; j++) {{
    #pragma HLS pipeline II=1
    #pragma HLS unroll {factor}
        C[j] += A[i][j] * x; }} }}"""


@pytest.mark.parametrize("factor", ["", "factor=8", "factor=20"])
def test_a_loop_around_loops_that_are_unrolled_completely_is_pipelined(tmp_path: Path, factor: str) -> None:
    arrays = {**SQUARE, "C": "float[8]"}
    nest = nest_of(machine_of(tmp_path, GONE.format(factor=factor, outer=""), **arrays, **U280))
    assert [loop.iterator for loop in nest.body.pipeline.loops] == ["i"]
    off = GONE.format(factor=factor, outer="\n#pragma HLS pipeline off\n")
    assert not machine_of(tmp_path, off, **arrays, **U280).nests


def test_a_loop_that_is_unrolled_in_part_stays_a_loop(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, GONE.format(factor="factor=4", outer=""), **SQUARE, C="float[8]", **U280)
    assert nest_of(machine).body.pipeline.loops[-1].iterator == "j"


LAST = """for (int i = 0; i < 16; i++) {{ {before} for (int j = 0; j < 16; j++) B[i] += A[i][j]; {after} }}"""


@pytest.mark.parametrize(
    ("before", "after", "ii"),
    [
        ("B[i] = 0;", "", 8),
        ("B[i] = 0;", "B[i] = 2 * B[i] + C[i];", 8),  # the next iteration sets another one to zero
        ("B[i] = 0;", "B[i] = 2 * B[i]; D[i] = B[i];", 8),
        ("", "B[i] = 2 * B[i] + C[i];", 8),  # or loads another one
    ],
)
def test_what_the_last_iteration_leaves_is_on_no_recurrence_if_the_first_one_sets_it(
    tmp_path: Path, before: str, after: str, ii: int
) -> None:
    machine = machine_of(
        tmp_path, LAST.format(before=before, after=after), **SQUARE, C="float[16]", D="float[16]", **U280
    )
    assert shape_of(machine)[0][0] == ii


def test_what_the_last_iteration_hands_on_stays_a_recurrence(tmp_path: Path) -> None:
    source = f"float s = 0; {LAST.format(before='B[i] = 0;', after='B[i] = 2 * B[i]; s = 3 * (s + B[i]);')} C[0] = s;"
    machine = machine_of(tmp_path, source, **SQUARE, C="float[1]", **U280)
    assert shape_of(machine)[0][0] > 10  # an addition and a product


ZEROS = """float z[6][5]; {0}
for (int i = 0; i < 6; i++) for (int j = 0; j < 5; j++) {1}
for (int i = 0; i < 6; i++) for (int j = 0; j < 5; j++) B[i] = A[i][j] + z[i][j];"""


@pytest.mark.parametrize(
    ("before", "body", "loops"),
    [
        ("", "z[i][j] = 0;", 1),
        ("", "z[i][j] = 0.0f;", 1),
        ("", "z[5 - i][j] = 0;", 2),  # not element by element
        ("", "z[i][j] = 1;", 1),
        ("", "z[i][j] = i < 3 ? 1 : 0;", 2),
        ("", "z[i][i] = 0;", 2),
        ("", "{ z[i][j] = 0; B[i] = 0; }", 2),
        ("z[0][0] = 1;", "z[i][j] = 0;", 2),
        ("B[0] = z[0][0];", "z[i][j] = 0;", 2),
        ("static float y[6][5];", "y[i][j] = 0;", 2),
    ],
)
def test_a_table_of_numbers_needs_no_loop(tmp_path: Path, before: str, body: str, loops: int) -> None:
    assert len(machine_of(tmp_path, ZEROS.format(before, body), **SQUARE, **U280).nests) == loops


def test_an_array_of_zeros_that_a_task_hands_on_is_filled(tmp_path: Path) -> None:
    tasks = """void fill(int z[64]) { for (int i = 0; i < 64; i++) z[i] = 0; }
        void use(int z[64], int b[64]) { for (int i = 0; i < 64; i++) b[i] += z[i]; }"""
    source = f"{tasks}\nvoid k(int b[64]) {{\n#pragma HLS dataflow\nint z[64]; fill(z); use(z, b); }}"
    assert _machine(tmp_path, source).cycles > 128


def test_releases_before_fill_arrays_of_zeros(tmp_path: Path) -> None:
    assert len(machine_of(tmp_path, ZEROS.format("", "z[i][j] = 0;"), **SQUARE).nests) == 2


@pytest.mark.parametrize("read", ["B[i - 1]", "B[n[i]]"])
def test_what_an_earlier_iteration_leaves_in_another_element_stays_a_recurrence(tmp_path: Path, read: str) -> None:
    start, end = "for (int i = 1; i < 16; i++) {{ B[i] = 0;", "B[i] = 3 * B[i]; }}"
    inner = f"for (int j = 0; j < 100; j++) B[i] += A[j] * {read};"
    source = f"{start} {inner} {end}".replace("{{", "{").replace("}}", "}")
    machine = machine_of(tmp_path, source, A="float[100]", B="float[16]", n="int[16]", **U280)
    without = machine_of(tmp_path, source.replace(read, "2"), A="float[100]", B="float[16]", n="int[16]", **U280)
    assert shape_of(machine)[0][0] >= shape_of(without)[0][0] + 3  # the product with 3 is on it


CALLS = """
void rows(float X[{n}][90], float Y[{n}]) {{
    for (int i = 0; i < {n}; i++) {{ float r[90];
        for (int j = 0; j < 90; j++) r[j] = X[i][j];
        for (int j = 0; j < 90; j++) Y[i] += r[j]; }}
}}"""
BUS = "\n#pragma HLS interface m_axi port={} bundle=one\n"
TWO = CALLS.format(n=8) + CALLS.format(n=6).replace("rows", "fewer")
TWO += (
    CALLS.format(n=6)
    .replace("rows", "until")
    .replace("Y[6])", "Y[6], float Z[8])")
    .replace("r[j]; }", "r[j]; if (Z[i] > 9) break; }")
)


def _called(folder: Path, body: str, device: str = "xcvu9p", of: str = "") -> StateMachine:
    ports = "float A[8][90], float B[6][90], float C[8], float D[6], float E[6][90], float F[6]"
    return _machine(folder, f"{TWO}{of}\nvoid k({ports}) {{ {body} }}", device)


def test_functions_that_share_nothing_run_at_the_same_time(tmp_path: Path) -> None:
    one = _called(tmp_path, "rows(A, C);").cycles
    other = _called(tmp_path, "fewer(B, D);").cycles
    assert 4 * one > 5 * other
    both = _called(tmp_path, "rows(A, C); fewer(B, D);")
    assert one <= both.cycles <= one + 3
    assert schedule_split(both).total == both.cycles
    assert sum(region.overlapped for region in both.regions) == sum(
        nest.cycles for nest in both.nests if nest.visits == 6
    )


@pytest.mark.parametrize(
    "body",
    [
        "rows(A, C); fewer(B, C);",  # both change C
        "rows(A, C); for (int i = 0; i < 8; i++) C[i] = 2 * C[i]; fewer(B, D);",  # something between them
        "rows(A, C); D[0] = 1; fewer(B, D);",
        "fewer(B, D); fewer(E, F);",  # one module
        f"{BUS.format('A')}{BUS.format('B')}rows(A, C); fewer(B, D);",
        "rows(A, C); until(B, D, C);",  # what C holds decides when the loop of until ends
    ],
)
def test_functions_run_one_after_the_other_where_something_keeps_them_in_order(tmp_path: Path, body: str) -> None:
    machine = _called(tmp_path, body)
    assert sum(region.overlapped for region in machine.regions) == 0
    assert machine.cycles > sum(nest.cycles for nest in machine.nests)


def test_functions_run_one_after_the_other_if_they_are_inlined_or_by_an_older_release(tmp_path: Path) -> None:
    body = "rows(A, C); fewer(B, D);"
    apart = _called(tmp_path, body, "xc7z020")
    assert sum(region.overlapped for region in apart.regions) == 0
    inlined = TWO.replace("Y[6]) {", "Y[6]) {\n#pragma HLS inline\n")
    ports = "float A[8][90], float B[6][90], float C[8], float D[6]"
    machine = _machine(tmp_path, f"{inlined}\nvoid k({ports}) {{ {body} }}")
    assert sum(region.overlapped for region in machine.regions) == 0


@pytest.mark.parametrize(
    ("filled", "told"),
    [
        ("float half = n * 0.5f; T[n] = half * half;", True),
        ("T[n] = n * y;", False),
        ("if (A[n] > 3) T[n] = 1;", False),
        ("T[n] = n; T[A[n] & 63] = 0;", False),
    ],
)
def test_a_table_that_is_computed_from_constants_is_told(tmp_path: Path, filled: str, told: bool) -> None:
    text = f"void k(int A[64], int x, int y) {{ int T[64]; for (int n = 0; n < 64; n++) {{ {filled} }} A[0] = T[x]; }}"
    path = tmp_path / "k.cpp"
    path.write_text(text, encoding="utf-8")
    said = ppnsim.schedule(path, function="k").kernels[0].machine.said
    assert any("'T' is computed from constants" in each for each in said) == told
