"""Where the old value stands in several sums, and when their adders are fast or shared (R2.3, R9.1, R9.13)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.hls.graph.balance import balance
from ppnsim.hls.graph.graph import BackEdge, Graph
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.hls.schedule.faster_operators import forms_of
from tests.helpers.hls_sources import machine_of, shape_of

U280 = {"device": "xcu280-fsvh2892-2L-e", "clock": 3.33}
REAL = Format.of("float")


def sums(graph: Graph, count: int, products: int, *, chosen: bool = False) -> list[tuple[int, int]]:
    """Add sums of products that the next iteration takes; return the old value and the result of each."""
    found = []
    for k in range(count):
        total = old = graph.add("phi", f"s{k}", REAL)
        for n in range(products):
            factor = graph.add("input", f"x{k}.{n}", REAL)
            if chosen:
                factor = graph.add("op", "select", REAL, (factor, factor, factor))
            term = graph.add("op", "mul", REAL, (factor, factor), states=4)
            total = graph.add("op", "add", REAL, (total, term), states=7, wide=REAL, pressed=(6, 4))
        graph.back.append(BackEdge(total, old, 1, "register", f"recurrence through s{k}"))
        found.append((old, total))
    return found


def depths(graph: Graph, found: list[tuple[int, int]]) -> list[int]:
    """Return the additions from the old value of each sum to its result."""
    counts = []
    for old, total in found:
        depth, at = 0, old
        while at != total:
            (at,) = (node.index for node in graph.nodes if at in node.operands)
            depth += 1
        counts.append(depth)
    return counts


@pytest.mark.parametrize(("count", "products", "chosen", "last"), [
    (4, 10, False, 1), (3, 10, False, 4), (4, 10, True, 4), (4, 15, False, 4), (4, 16, False, 4),
])  # fmt: skip
def test_the_last_of_several_sums_has_its_old_value_last(count: int, products: int, chosen: bool, last: int) -> None:
    graph = Graph()
    found = sums(graph, count, products, chosen=chosen)
    balance(graph, load_library("xcvu9p", 3.33), split=True)
    assert depths(graph, found) == [4] * (count - 1) + [last]


@pytest.mark.parametrize(("products", "least", "deep"), [(32, 8, 5), (32, 9, 1), (28, 9, 5), (16, 9, 4)])
def test_ports_leave_room_for_one_slow_adder_where_there_are_too_many(products: int, least: int, deep: int) -> None:
    graph = Graph()
    found = sums(graph, 1, products)
    balance(graph, load_library("xcvu9p", 3.33), split=True, least=least)
    assert depths(graph, found) == [deep]


@pytest.mark.parametrize(("products", "fast"), [(16, True), (28, False)])
def test_more_than_four_additions_on_a_recurrence_stay_slow(products: int, fast: bool) -> None:
    graph = Graph()
    sums(graph, 2, products)
    balance(graph, load_library("xcvu9p", 3.33), split=True)
    assert bool(forms_of(graph)) is fast


def test_another_array_that_comes_again_does_not_move_the_old_value() -> None:
    graph = Graph()
    found = sums(graph, 4, 28)
    for n in range(4):
        load, store = (graph.add(kind, f"table{n}", REAL) for kind in ("load", "store"))
        graph.back.append(BackEdge(store, load, 99, "ram", "table"))
    balance(graph, load_library("xcvu9p", 3.33), split=True)
    assert depths(graph, found)[:3] == [5] * 3


@pytest.mark.parametrize(("copies", "waits"), [(7, 6), (14, 6), (15, 4)])
def test_operators_of_copies_share_units_and_wait_for_them(tmp_path: Path, copies: int, waits: int) -> None:
    # As in bicg of heterocl: no directive pipelines, II 7, and 7 copies at a time take turns at an adder.
    body = """for (int i = 0; i < 64; i++) {{ float x = r[i];
        for (int j = 0; j < {0}; j++) {{
        #pragma HLS unroll
            s[j] += x * A[i][j]; }} }}"""
    divided = (
        "\n#pragma HLS array_partition variable=A complete dim=2\n#pragma HLS array_partition variable=s complete\n"
    )
    shapes = []
    for count in (1, copies):
        arrays = {"A": f"float[64][{count}]", "r": "float[64]", "s": f"float[{count}]"}
        shapes += shape_of(machine_of(tmp_path, divided + body.format(count), **arrays, **U280))
    (ii, alone), together = shapes
    assert ii == 7
    assert together == (7, alone + waits)


def test_sharing_makes_no_interval_longer(tmp_path: Path) -> None:
    # Two products of the old value start at once: one multiplier for both would make the recurrence a state longer.
    body = """float s = 0; for (int i = 0; i < 64; i++) {
        float p = s * a[i], q = s * b[i]; s = p * q + p; y[i] = s; }"""
    arrays = dict.fromkeys("aby", "float[64]")
    ((ii, depth),) = shape_of(machine_of(tmp_path, body, **arrays, device=U280["device"], clock=5.0))
    assert (ii, depth) == (12, 15)
