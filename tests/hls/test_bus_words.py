"""What an iteration takes over a bus at once: vectors that an operator reads in place (R6.9), bursts (R4.17)."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ppnsim import schedule
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.region_bursts import order_bursts
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.hls.rules import TOOL
from ppnsim.hls.schedule.scheduler import list_schedule
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access

VECTOR = """
#include "hls_vector.h"
typedef hls::vector<int, 8> v_t;
void k(v_t x[96], v_t y[96], v_t out[96]) {
#pragma HLS interface m_axi port=x bundle=a
#pragma HLS interface m_axi port=y bundle=b
#pragma HLS interface m_axi port=out bundle=c
  for (int i = 0; i < 96; i++) {
#pragma HLS pipeline
    BODY
  }
}
"""

ROWS = """
void k(float a[32][8], float b[32][8]) {
#pragma HLS interface m_axi port=a bundle=a
#pragma HLS interface m_axi port=b bundle=b
DIRECTIVE
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline
    for (int j = 0; j < 8; j++) BODY
  }
}
"""


def loop_of(folder: Path, source: str) -> tuple[int, int]:
    """Return interval and depth of the only pipelined loop of a kernel for an IP, by release 2022.2 on UltraScale+."""
    path = folder / "k.cpp"
    path.write_text(source, "utf-8")
    found: dict[str, Any] = schedule(path, device="xck26", clock="10 ns", flow="vivado", release="2022.2").to_dict()
    (loop,) = found["loops"]
    return loop["ii"], loop["depth"]


@pytest.mark.parametrize(
    ("body", "ii"),
    [
        pytest.param("out[i] = x[i] + y[i];", 2, id="the second operand is a reference"),
        pytest.param("v_t of = y[i]; out[i] = x[i] + of;", 1, id="a copy is read as a whole"),
        pytest.param("out[i] = y[i];", 1, id="so is what is only moved"),
        pytest.param("v_t of = x[i]; of += y[i]; out[i] = of;", 2, id="operand of an assignment"),
    ],
)
def test_a_vector_read_in_place_is_two_words(tmp_path: Path, body: str, ii: int) -> None:
    assert loop_of(tmp_path, VECTOR.replace("BODY", body))[0] == ii


def test_the_next_burst_of_reads_waits_for_the_response_to_the_writes(tmp_path: Path) -> None:
    found = loop_of(tmp_path, ROWS.replace("BODY", "a[i][j] += b[0][0];").replace("DIRECTIVE", ""))
    # Address, request, eight elements, request, eight elements, response: the next request follows.
    assert found == (29, 30)


@pytest.mark.parametrize(
    ("body", "directive"),
    [
        pytest.param("b[i][j] = a[i][j] + 1;", "", id="writes of another array"),
        pytest.param("a[i][j] += b[0][0];", "#pragma HLS array_partition variable=a cyclic factor=2 dim=2", id="banks"),
        pytest.param("if (j < 1) a[i][j] += b[0][0];", "", id="single elements"),
    ],
)
def test_other_accesses_do_not_wait(tmp_path: Path, body: str, directive: str) -> None:
    assert loop_of(tmp_path, ROWS.replace("BODY", body).replace("DIRECTIVE", directive))[0] <= 8


def test_a_burst_is_ordered_by_one_request_and_not_by_pairs() -> None:
    graph, whole = Graph(), Format.of("float")
    places = [Access("a", (Affine.of("i"), Affine.of(n))) for n in range(20)]
    loads = [graph.add("load", "a", whole, access=each, port="a", states=8) for each in places]
    stores = [graph.add("store", "a", whole, (n,), access=e, port="a") for n, e in zip(loads, places, strict=True)]
    bus: Any = SimpleNamespace(response=lambda _: 5, is_transfer=lambda _: True, banks=lambda _: ("a",))
    order_bursts(graph, bus)
    assert sum(map(len, graph.after.values())) == 20 + 20 + 20  # to the request, from it, and to the response
    found = list_schedule(graph, load_library("xc7z020", 10), TOOL, ii=100)
    last = max(found.issue[n][0] for n in loads)
    assert min(found.issue[n][0] for n in stores) == last + 8 + 1
