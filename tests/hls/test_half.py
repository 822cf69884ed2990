"""Floating point of 16 bits has operators of its own (R2.12); whole numbers and functions go through float."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ppnsim
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.simplify import simplify
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.hls.structure.folding import fold
from ppnsim.library.schedule import KernelSchedules
from ppnsim.loops.program import Operation, Statement

HEAD = "#include <hls_half.h>\n#include <hls_math.h>\n"
HALF = Format.of("half")


def schedule(folder: Path, arguments: str, body: str, device: str = "xc7z020", clock: str = "10 ns") -> KernelSchedules:
    text = f"{HEAD}void k({arguments}) {{ for (int i = 0; i < 64; i++) {{ {body} }} }}"
    (folder / "k.cpp").write_text(text)
    return ppnsim.schedule(folder / "k.cpp", device=device, clock=clock)


def cycles(folder: Path, arguments: str, body: str) -> int:
    return schedule(folder, arguments, body).kernels[0].machine.cycles


def test_half_is_copied_and_chosen_as_any_16_bits_are(tmp_path: Path) -> None:
    body = "b[i] = p ? a[i] : b[i + 64];"
    halves, shorts = (cycles(tmp_path, f"bool p, {of} a[64], {of} b[128]", body) for of in ("half", "short"))
    assert halves == shorts


@pytest.mark.parametrize(
    ("half", "as_known", "body"),
    [("half a[64], float b[64]", "double a[64], float b[64]", "b[i] = (float)a[i] * b[i];"),
     ("float a[64], half b[64]", "double a[64], float b[64]", "b[i] = a[i];")],
)  # fmt: skip
def test_a_conversion_takes_as_long_as_one_of_double_to_float(
    half: str, as_known: str, body: str, tmp_path: Path
) -> None:
    assert (
        cycles(tmp_path, half, body)
        == cycles(tmp_path, as_known, body)
        > cycles(tmp_path, "float a[64], float b[64]", body)
    )


def test_rounding_to_half_and_back_stays() -> None:
    """A float through double is the same one, and later releases leave the way out; through half it is another one."""
    library, left = load_library("xc7z020", 10), []
    single = Format.of("float")
    for between in ("double", "half"):
        graph, of = Graph(), Format.of(between)
        cast = graph.add("op", "cast", of, (graph.add("input", "a", single),), states=2, wide=of)
        back = graph.add("op", "cast", single, (cast,), states=2, wide=single)
        graph.add("store", "b", single, (back,))
        simplify(graph, library, unsafe=False)
        left.append((graph.nodes[back].name, graph.nodes[back].states))
    assert left == [("wire", 0), ("cast", 2)]


@pytest.mark.parametrize(
    ("device", "clock", "states"),
    [("xczu7ev-ffvc1156-2-e", 3.333, {"add": 5, "mul": 4, "cmp": 2, "cast": 2}),  # UpConv_Block_HLS
     ("xczu7cg-fbvb900-1-i", 5, {"add": 5, "mul": 4, "div": 7, "cmp": 2, "cast": 2}),  # IFFT_AP
     ("xczu7ev-ffvc1156-2-e", 10, {"add": 2, "mul": 2, "div": 5, "sqrt": 4, "cast": 2}),  # corr_accel
     ("xczu7ev-ffvc1156-2-e", 15, {"add": 2, "cast": 1}),  # lane_seg_top
     ("xc7z020-clg400-1", 10, {"add": 5, "mul": 4, "div": 7, "cmp": 2})],  # calcPerceptron
)  # fmt: skip
def test_operators_have_the_stages_of_modules_in_reports(device: str, clock: float, states: dict[str, int]) -> None:
    library = load_library(device, clock)
    assert {name: library.operator(name, HALF).states for name in states} == states


def test_a_sum_in_half_waits_for_its_adder(tmp_path: Path) -> None:
    body = "s[0] += a[i] * b[i];"
    found = schedule(tmp_path, "half a[64], half b[64], half s[1]", body, device="xczu7ev", clock="3.333 ns")
    assert found.kernels[0].nests[0].body.schedule.ii == 5


@pytest.mark.parametrize(
    ("arguments", "short", "long"),
    [("half a[64], int n[64]", "a[i] = n[i];", "a[i] = (float)n[i];"),
     ("half a[64], int n[64]", "n[i] = a[i];", "n[i] = (float)a[i];"),
     ("half a[64], half b[64]", "b[i] = hls::exp(a[i]);", "b[i] = hls::exp((float)a[i]);"),
     ("half a[64], int n[64]", "a[i] = a[i] * n[i];", "a[i] = a[i] * (half)(float)n[i];")],
)  # fmt: skip
def test_whole_numbers_and_functions_go_through_float(arguments: str, short: str, long: str, tmp_path: Path) -> None:
    assert cycles(tmp_path, arguments, short) == cycles(tmp_path, arguments, long)


def test_a_constant_is_rounded_as_numpy_rounds_it() -> None:
    for text in ("0.1f", "3e-8", "2049", "-65519.0", "6.1e-5"):
        of = Operation("cast", "half", operands=(Operation("constant", "double", text=text),))
        sum_ = Operation("+", "half", operands=(of, of))
        one = np.float16(float(text.rstrip("f")))
        found = fold(sum_, Statement(name="S", reads=()), {})
        with np.errstate(over="ignore"):
            expected = one + one
        assert found.kind == "+" if np.isinf(expected) else float(found.text) == expected


def test_the_answer_says_what_of_half_is_a_guess(tmp_path: Path) -> None:
    arguments = "half a[64], half b[64]"
    said = [
        "; ".join(schedule(tmp_path, arguments, body, device="xczu7ev").kernels[0].assumptions)
        for body in ("b[i] = a[i] + b[i];", "b[i] = hls::sqrt(a[i]);", "b[i] = hls::log(a[i]);")
    ]
    assert "half" not in said[0]
    assert "the states of 'sqrt' of half are a guess" in said[1]
    assert "functions of half (log) are computed in float" in said[2]
