"""Table 1 and Fig. 10 of the roofline paper: the exploration."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from ppnsim.c.load import load_kernels
from ppnsim.hls.dse.designs import Designs
from ppnsim.hls.dse.walk import explore_directives
from ppnsim.hls.library.library import Library, load_library
from ppnsim.loops.program import LoopProgram
from validation.harness.rows import Row, Verdict
from validation.harness.section import Task
from validation.roofline.cells import CELLS, SOURCES, evidence_rows

GROUP = "Exploration: Table 1"


@dataclass(frozen=True, slots=True)
class Printed:
    """A line of Table 1: seconds, size of the space, designs explored, gain over the plain kernel, area in per cent."""

    seconds: float
    space: str
    explored: str
    gain: str
    area: str


TABLE = {
    "atax": Printed(12.39, "3.28e+7", "28", "664.50", "71.11"),
    "bicg": Printed(51.89, "1.44e+8", "20", "396.13", "71.11"),
    "gemm": Printed(33.21, "2.62e+9", "24", "1090.75", "71.11"),
    "gesummv": Printed(21.68, "2.1e+8", "19", "272.50", "75.56"),
    "mm": Printed(23.84, "1.59e+13", "41", "364.25", "80.00"),
    "mvt": Printed(25.65, "2.62e+9", "33", "140.25", "35.55"),
    "syr2k": Printed(56.22, "2.62e+9", "22", "688.90", "82.22"),
    "syrk": Printed(48.24, "4.1e+6", "24", "667.25", "40.00"),
}
_QUICK = ("gesummv",)
_ERRORS = (("Gesummv", "performance", "1.90"), ("Gesummv", "resources", "1.24"), ("Mm", "performance", "4.08"),
           ("Mm", "resources", "5.60"))  # fmt: skip
_ASSUMED = (
    "assumption: the settings of COMBA, which the paper says it reproduces and does not print: int, 16 x 16 (BICG "
    "32 x 32) and 2160 DSPs (an XC7V2000T) as in COMBA's public repository, which has BICG and GEMM; MM is 2mm, 8 x 8, "
    "and the loops of the others those whose number the printed size of the space tells"
)
_WHY = (
    "neither the sources nor the operators' latencies and areas at 100 MHz are printed (ours are those of a Zynq-7020, "
    "scaled)"
)


def exploration_rows(quick: bool) -> list[Task]:
    """Return the tasks of Table 1."""
    chosen = _QUICK if quick else tuple(TABLE)
    return [
        Task(label="prediction errors", work=_error_rows), Task(label="Table 1, spaces", work=_space_rows),
        *(Task(label=f"Table 1, {name}", work=partial(_rows, name)) for name in chosen),
        *([] if quick else [Task(label="Table 1, one assumption changed", work=lambda: evidence_rows(library()))]),
    ]  # fmt: skip


def library() -> Library:
    """Return the operators of the exploration's device."""
    return load_library("xc7v2000t", 10)


def program(name: str) -> LoopProgram:
    """Return a kernel of Table 1."""
    return load_kernels(str(SOURCES / f"{name}.c")).programs[0]


def _space_rows() -> list[Row]:
    """Return the sizes of the spaces: they tell how large the kernels are, and how many loops and arrays they have."""
    rows = []
    for name, printed in TABLE.items():
        digits = len(printed.space.partition("e")[0].replace(".", ""))
        space = f"{Designs(program(name), library()).space:.{digits - 1}e}".replace("e+0", "e+")
        rows.append(
            Row(group=GROUP, what=f"{name.upper()}, combinations of directives", source="Table 1",
                printed=printed.space, ours=space, note=_ASSUMED)
        )  # fmt: skip
    return rows


def _rows(name: str) -> list[Row]:
    found, printed = explore_directives(Designs(program(name), library())), TABLE[name]
    return [
        _row(name, "explored", "designs explored", "", printed.explored, found.explored),
        _row(name, "area", "area of the best design", "%", printed.area, 100 * found.best.share),
        _row(name, "gain", "latency gain over the plain kernel", "x", printed.gain, found.gain),
    ]


def _row(name: str, quantity: str, what: str, unit: str, printed: str, ours: float) -> Row:
    known = CELLS.get((name, quantity))
    decimals = len(printed.partition(".")[2])
    return Row(
        group=GROUP, what=f"{name.upper()}, {what}", source="Table 1", printed=printed, unit=unit,
        ours=Fraction(f"{ours:.{decimals}f}"), note=_WHY if known else _ASSUMED,
        explained=known.expected if known else None,
    )  # fmt: skip


def _error_rows() -> list[Row]:
    return [
        Row(
            group="Exploration: prediction errors", what=f"{kernel}, {what}", source="section 6.4", printed=printed,
            unit="%", missing=Verdict.IMPOSSIBLE,
            note="needs Vivado HLS 2018.2's own report of the final design, which is not printed",
        )
        for kernel, what, printed in _ERRORS
    ]  # fmt: skip
