"""Rules of the later release (R9) that designs of generators show: partitions, tasks, tokens, registers at a port."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import load_library
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.rules import TOOL
from ppnsim.hls.schedule.context import Known
from ppnsim.hls.schedule.machine import structured
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.schedule.partitioned import with_inferred
from tests.helpers.hls_sources import machine_of, nest_of

U280 = {"device": "xcu280-fsvh2892-2L-e", "clock": 3.33}


def _machine(folder: Path, source: str, device: str = "xcvu9p") -> StateMachine:
    (folder / "k.cpp").write_text("#include <hls_stream.h>\n" + source)
    (program,) = load_programs(str(folder / "k.cpp"), function="k", policy=HARDWARE)
    directives = read_directives(sources_of(program), program)
    return schedule_kernel(program, load_library(device, 3.33), directives)


ONCE = """for (int i = 0; i < 8; i++) for (int j = 0; j < 4; j++) for (int l = 0; l < 1; l++) {{
    #pragma HLS pipeline
        {0} B[i][j + l] = A[i][j + l]; }}"""


def test_a_pipelined_loop_of_one_iteration_with_a_memory_makes_its_grandparent_the_pipeline(tmp_path: Path) -> None:
    arrays = {"A": "float[8][4]", "B": "float[8][4]"}
    plain = nest_of(machine_of(tmp_path, ONCE.format(""), **U280, **arrays))
    assert [len(plain.body.pipeline.loops), plain.iterations] == [3, 32]
    used = "float C[8][4];" + ONCE.format("C[i][j] = A[i][j]; A[0][0] = C[3][j];")
    kept = nest_of(machine_of(tmp_path, used, **U280, **arrays))
    assert [len(kept.body.pipeline.loops), kept.iterations] == [1, 8]


COPIES = """float C[32][64];
for (int i = 0; i < 4; i++) for (int j = 0; j < 16; j++) {
#pragma HLS pipeline
    for (int a = 0; a < 8; a++) for (int b = 0; b < 4; b++) C[8 * i + a][4 * j + b] = {0}; }
for (int i = 0; i < 32; i++) B[i] = C[i][i];"""


def test_partitions_are_inferred_until_the_accesses_keep_up_with_the_slowest_argument(tmp_path: Path) -> None:
    def factors(value: str) -> list[tuple[int, int]]:
        body = COPIES.replace("{0}", value)
        (tmp_path / "k.cpp").write_text(f"void k(float A[64], float B[32]) {{ {body} }}")
        (program,) = load_programs(str(tmp_path / "k.cpp"), function="k", policy=HARDWARE)
        directives = read_directives(sources_of(program), program)
        from_tree = structured(program, directives, TOOL, Known())
        part = with_inferred(*from_tree, replace(TOOL, joins=True)).partitions["C"]
        return [(each.dim, each.factor) for each in (part, *part.more)]

    assert factors("1") == [(1, 4), (2, 4)]  # 32 stores, two ports each: 16 memories, the last dimension first
    assert factors("A[4 * j + b]") == [(1, 2), (2, 4)]  # four loads of A take two cycles: 8 memories


def test_memories_of_another_loop_count_as_far_as_copies_differ_there(tmp_path: Path) -> None:
    """30 columns for the first loop are three for a window of 3 x 3, whose rows then are divided, too (train2fpga)."""
    window = "for (int y = 0; y < 3; y++) for (int x = 0; x < 3; x++) s += a[i + y][j + x];"
    body = f"""int a[30][30];
    for (int i = 0; i < 30; i++) {{
    #pragma HLS pipeline
        for (int j = 0; j < 30; j++) a[i][j] = A[i] + j; }}
    for (int i = 0; i < 28; i++) for (int j = 0; j < 28; j++) {{
    #pragma HLS pipeline
        int s = 0; {window} B[28 * i + j] = s; }}"""
    machine = _machine(tmp_path, f"void k(int A[30], int B[784]) {{ {body} }}")
    assert [nest.body.schedule.ii for nest in machine.nests] == [1, 1]


VECTORS = """float C[32][64];{1}
for (int i = 0; i < 32; i++) for (int j = 0; j < 64; j += {2})
    for (int k = 0; k < {3}; k++) C[i][j + k] = A[j / 16];
for (int i = 0; i < 32; i++) B[i] = C[i][i];"""
DIM2 = "\n#pragma HLS array_partition variable=C cyclic dim=2 factor="


@pytest.mark.parametrize(
    ("directive", "step", "copies", "ii"),
    [
        # Designs of ScaleHLS in UCLA-VAST/Prometheus: gemm, atax, 2mm, mvt.
        (DIM2 + "10", 16, 16, 8),  # two copies in one memory, and the step chooses it
        (DIM2 + "15", 13, 13, 1),  # each copy in its own
        (DIM2 + "8", 16, 16, 1),  # the step is a multiple of the factor
        ("\n#pragma HLS array_partition variable=C cyclic dim=1 factor=4", 16, 16, 1),  # dimension 2 is inferred
        ("", 16, 16, 1),
    ],
)
def test_copies_share_the_memories_of_a_directive_that_iterators_choose(
    tmp_path: Path, directive: str, step: int, copies: int, ii: int
) -> None:
    body = VECTORS.replace("{1}", directive).replace("{2}", str(step)).replace("{3}", str(copies))
    machine = _machine(tmp_path, f"void k(float A[64], float B[32]) {{ {body} }}")
    assert machine.nests[0].body.schedule.ii == ii


SHARED = """void one(float A[64], hls::stream<float> &s) {
    for (int i = 0; i < 32; i++) {
#pragma HLS pipeline
        s.write(A[2 * i] + A[2 * i + 1]); } }
void two(float A[64], hls::stream<float> &s, float B[32]) {
    for (int i = 0; i < 32; i++) {
#pragma HLS pipeline
        B[i] = s.read()%s; } }
void k(float A[64], float B[32]) {
#pragma HLS dataflow
    hls::stream<float> s; one(A, s); two(A, s, B); }"""


def test_an_argument_of_two_tasks_has_one_port_for_each(tmp_path: Path) -> None:
    def interval(other: str, device: str) -> int:
        return max(nest.body.schedule.ii for nest in _machine(tmp_path, SHARED % other, device).nests)

    assert [interval("", "xcvu9p"), interval(" + A[i]", "xcvu9p"), interval(" + A[i]", "xc7z020")] == [1, 2, 1]


def test_registers_of_a_control_port_are_counted_and_said(tmp_path: Path) -> None:
    source = "void k(float A[64], float x) {%s for (int i = 0; i < 64; i++) A[i] = x; }"
    ports = "\n#pragma HLS interface s_axilite port=return\n#pragma HLS interface s_axilite port=x\n"
    plain, told = _machine(tmp_path, source % ""), _machine(tmp_path, source % ports)
    assert told.cycles - plain.cycles == 24
    assert [*plain.said, *told.said] == [
        "in 24 of the cycles registers of its AXI-lite port are written and read, as in an RTL simulation"
    ]
    assert _machine(tmp_path, source % ports, "xc7z020").said == ()


CHAIN = """void one(float A[64], hls::stream<float> &s) {
    for (int i = 0; i < 64; i++) {
#pragma HLS pipeline
        s.write(A[i]); } }
void two(hls::stream<float> &s, float C[8][8], float B[8][8]) {
    for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) {
#pragma HLS pipeline
        float t = s.read(); B[i][j] = t + C[i][j]; } }
void k(float A[64], float B[8][8], float C[8][8]) {
#pragma HLS dataflow
    hls::stream<float> s; one(A, s); two(s, C, B); }"""


def test_a_token_is_read_just_before_an_operator_takes_it(tmp_path: Path) -> None:
    # C arrives in state 3, its address in state 1: the read is in state 2, not in 0, so that `two` starts no later.
    machine = _machine(tmp_path, CHAIN)
    assert machine.region is not None
    (read,) = [each.read_steps for each in machine.region.network.channels if each.read_steps is not None][:1]
    assert read.expand()[0] == 1  # state 0 counts, and belongs to the start
    assert [nest.body.depth for nest in machine.nests] == [3, 11]
