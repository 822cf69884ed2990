"""Floating point of 16 bits is read, stored, chosen and converted; what else it can do has no figures: refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from ppnsim.errors import InputError
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.simplify import simplify
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.library.schedule import KernelSchedules

HEAD = "#include <hls_half.h>\n"


def schedule(folder: Path, arguments: str, body: str) -> KernelSchedules:
    text = f"{HEAD}void k({arguments}) {{ for (int i = 0; i < 64; i++) {{ {body} }} }}"
    (folder / "k.cpp").write_text(text)
    return ppnsim.schedule(folder / "k.cpp")


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
    ("body", "operator"),
    [("b[i] = a[i] + b[i];", "add"), ("b[i] = a[i] * a[i];", "mul"), ("b[i] = a[i] < b[i] ? 1 : 2;", "cmp"),
     ("n[i] = a[i];", "to_integer"), ("a[i] = n[i];", "from_integer")],
)  # fmt: skip
def test_what_has_no_figures_is_refused(body: str, operator: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"has no operator '{operator}' for half of 16 bits"):
        schedule(tmp_path, "half a[64], half b[64], int n[64]", body)
