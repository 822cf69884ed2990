"""Table 1 and Fig. 10 of the roofline paper: the exploration."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path

from ppnsim.explore.hls_designs import Designs
from ppnsim.explore.hls_dse import explore_directives
from ppnsim.formats.shipped import shipped_kernels
from ppnsim.frontend.load import load_kernels
from ppnsim.hls.library import load_library
from ppnsim.hls.types import Format
from validation.rows import Row, Verdict
from validation.section import Task

_SIZE = 32
# Benchmark: gain over the plain kernel, designs explored, area in per cent, as printed.
TABLE = {
    "atax": ("664.50", "28", "71.11"), "bicg": ("396.13", "20", "71.11"), "gemm": ("1090.75", "24", "71.11"),
    "gesummv": ("272.50", "19", "75.56"), "mm": ("364.25", "41", "80.00"), "mvt": ("140.25", "33", "35.55"),
    "syr2k": ("688.90", "22", "82.22"), "syrk": ("667.25", "24", "40.00"),
}  # fmt: skip
_QUICK = ("gesummv",)
# What comes out as printed, and must go on to; by benchmark and number of the quantity.
_AS_PRINTED = frozenset((("gemm", 1), ("syrk", 1)))
_ERRORS = (("Gesummv", "performance", "1.90"), ("Gesummv", "resources", "1.24"), ("Mm", "performance", "4.08"),
           ("Mm", "resources", "5.60"))  # fmt: skip
_ASSUMED = f"assumption: PolyBench/C 3, float, {_SIZE} x {_SIZE}; none of them is printed"
_WHY = (
    f"{_ASSUMED}; the paper balances chains of associative operations into trees, which our schedule does not, so that "
    "sums stay recurrences; its device is a Virtex-7 without a number, ours is the 690T (3600 DSP)"
)


def exploration_rows(quick: bool) -> list[Task]:
    """Return the tasks of Table 1."""
    chosen = _QUICK if quick else tuple(TABLE)
    return [
        Task(label="prediction errors", work=_error_rows), Task(label="Table 1, areas", work=_area_rows),
        *(Task(label=f"Table 1, {name}", work=partial(_rows, name)) for name in chosen),
    ]  # fmt: skip


def _rows(name: str) -> list[Row]:
    sizes = dict.fromkeys(("N", "M", "NI", "NJ", "NK"), str(_SIZE)) | {"DATA_TYPE": "float"}
    program = load_kernels(str(_source(name)), defines=sizes).programs[0]
    found = explore_directives(Designs(program, load_library("xc7vx690t", 10)))
    ours = (found.gain, found.explored, 100 * found.best.share)
    quantities = (
        ("latency gain over the plain kernel", "x"),
        ("designs explored", ""),
        ("area of the best design", "%"),
    )
    rows = []
    for number, ((what, unit), printed, figure) in enumerate(zip(quantities, TABLE[name], ours, strict=True)):
        same = (name, number) in _AS_PRINTED
        rows.append(
            Row(
                group="Exploration: Table 1", what=f"{name.upper()}, {what}", source="Table 1", printed=printed,
                unit=unit, ours=Fraction(f"{figure:.2f}"), missing=None if same else Verdict.IMPOSSIBLE,
                note=_ASSUMED if same else _WHY,
            )
        )  # fmt: skip
    return rows


def _source(name: str) -> Path:
    own = Path(__file__).parent.parent / "data" / f"{name}.c"
    return own if own.is_file() else next(each.path for each in shipped_kernels() if each.name == f"{name}.c")


def _area_rows() -> list[Row]:
    """Return the printed areas as whole multiply-adds: what the table says of itself."""
    library = load_library("xc7vx690t", 10)
    cost = sum(library.operator(name, Format.of("float")).dsp for name in ("add", "mul"))
    unit = Fraction(cost, library.device.dsp)
    rows = []
    for name, (_, _, printed) in TABLE.items():
        units = round(Fraction(printed) / 100 / unit)
        # 35.55 is cut off, the others are rounded: two hundredths cover both.
        near = abs(100 * units * unit - Fraction(printed)) < Fraction(1, 100)
        rows.append(
            Row(
                group="Exploration: areas of Table 1",
                what=f"{name.upper()}: {printed} % of the DSPs is {units} float multiply-adds of {cost}",
                source="Table 1",
                printed="a whole number",
                ours="a whole number" if near else "no whole number",
                note="3600 DSP of a Virtex-7 690T",
            )
        )  # fmt: skip
    return rows


def _error_rows() -> list[Row]:
    return [
        Row(
            group="Exploration: prediction errors", what=f"{kernel}, {what}", source="section 6.4", printed=printed,
            unit="%", missing=Verdict.IMPOSSIBLE,
            note="needs Vivado HLS 2018.2's own report of the final design, which is not printed",
        )
        for kernel, what, printed in _ERRORS
    ]  # fmt: skip
