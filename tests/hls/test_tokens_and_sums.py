"""Tasks of release 2023.2: numbers as arguments, memories that are handed over, tokens into memories, sums in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.hls.graph.balance import balance
from ppnsim.hls.graph.graph import BackEdge, Graph
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.schedule.model import StateMachine
from tests.helpers.hls_sources import machine_of, nest_of, written

PART, CLOCK = "xcu280-fsvh2892-2L-e", 3.33
TASKS = """#include "hls_stream.h"
static void fill(hls::stream<float> &s, float a[{0}], float by) {{ for (int i = 0; i < {0}; i++) s << a[i] + {1}; }}
static void copy(hls::stream<float> &s, float b[{0}]) {{ for (int i = 0; i < {0}; i++) b[i] = s.read(); }}
void k(float a[{0}], float b[{0}]) {{
#pragma HLS dataflow
hls::stream<float> s; fill(s, a, 2.5f); copy(s, b); }}
"""
ARRAYS = """
static void fill(float a[64], float t[64]) { for (int i = 0; i < 64; i++) t[i] = a[i]; }
static void copy(float t[64], float b[64]) { for (int i = 0; i < 64; i++) b[i] = t[i]; }
void k(float a[64], float b[64]) {
#pragma HLS dataflow
float t[64]; fill(a, t); copy(t, b); }
"""


def tasks_of(folder: Path, elements: int, by: str = "2.5f") -> StateMachine:
    return _scheduled(written(folder, TASKS.format(elements, by)))


def _scheduled(path: Path) -> StateMachine:
    (program,) = load_programs(str(path), function="k", policy=HARDWARE)
    directives = read_directives(sources_of(program), program)
    return schedule_kernel(program, load_library(PART, CLOCK), directives)


def test_a_number_that_a_task_takes_costs_no_state(tmp_path: Path) -> None:
    assert tasks_of(tmp_path, 64, "by").cycles == tasks_of(tmp_path, 64).cycles


@pytest.mark.parametrize(("elements", "depth"), [(2048, 2), (2049, 3)])
def test_a_token_passes_a_register_before_a_large_memory(tmp_path: Path, elements: int, depth: int) -> None:
    assert tasks_of(tmp_path, elements).nests[-1].body.depth == depth


def test_a_memory_is_handed_over_a_cycle_after_the_end(tmp_path: Path) -> None:
    fill, copy = _scheduled(written(tmp_path, ARRAYS)).tasks
    assert copy.start == fill.end + 1


@pytest.mark.parametrize(("again", "sums", "deep"), [(100, 4, 5), (100, 3, 4), (20, 4, 4)])
def test_sums_through_memory_keep_their_first_addition(again: int, sums: int, deep: int) -> None:
    graph, real, roots = Graph(), Format.of("float"), []
    for s in range(sums):
        total = old = graph.add("load", f"s{s}", real, states=2)
        for n in range(15):
            term = graph.add("input", f"x{n}", real)
            total = graph.add("op", "add", real, (total, term), states=7, wide=real)
            graph.nodes[total].pressed = 6, 4
        roots.append((old, total))
        graph.back.append(BackEdge(graph.add("store", f"s{s}", real, (total,)), old, again, "ram", "memory"))
    balance(graph, load_library("xcvu9p", 3.33), split=True)
    for old, total in roots:
        at, depth = old, 0
        while at != total:
            (at,) = (node.index for node in graph.nodes if at in node.operands and node.kind == "op")
            depth += 1
        assert depth == deep


def test_all_results_chain_where_adders_of_dsp_blocks_are_just_fast_enough(tmp_path: Path) -> None:
    # One addition meets a distance of 6 + 2, and the product then takes three states instead of four.
    body = """for (int i = 0; i < 50; i++) for (int j = 0; j < {0}; j++) {{
#pragma HLS pipeline
        C[j] += A[i][j] * B[i][j]; }}"""
    depths = []
    for columns in (8, 16):
        arrays = {"A": f"float[50][{columns}]", "B": f"float[50][{columns}]", "C": f"float[{columns}]"}
        nest = nest_of(machine_of(tmp_path, body.format(columns), device=PART, clock=CLOCK, **arrays))
        assert nest.body.schedule.ii == 1
        depths.append(nest.body.depth)
    assert depths[0] < depths[1] - 1
