"""Averages over the thesis's set of PolyBench kernels, beside those that it prints (chapter 7)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from ppnsim.c.load import load_programs
from ppnsim.derive.estimate.estimate import ProgramEstimate, estimate_program
from validation.harness.rows import Expected, Row, Verdict

_NOT_IN_3_1 = ("deriche", "heat_3d", "nussinov")  # of ours, not in table D.1

# MINI sizes of PolyBench/C 3.x, where they are not 32 (and 2 for the steps of a stencil).
_SIZES: dict[str, dict[str, str]] = {
    "doitgen": {"NQ": "10", "NR": "10", "NP": "10"},
    "dynprog": {"TSTEPS": "10", "LENGTH": "32"},
    "jacobi_1d": {"TSTEPS": "2", "N": "500"},
    "reg_detect": {"NITER": "10", "LENGTH": "32", "MAXGRID": "2"},
}
_STEPS = ("TSTEPS", "TMAX")

# What, section, printed, unit, ours to one decimal, how it comes from an estimate.
_FIGURES: tuple[tuple[str, str, str, str, str, Callable[[ProgramEstimate], float]], ...] = (
    ("absolute finish", "7.2.1, Fig. 7.1", "653.4", "us", "483.3", lambda e: e.absolute.finish / 100),
    ("absolute average parallelism", "7.2.2, Fig. 7.2", "4", "", "4.3", lambda e: e.absolute.average),
    ("absolute maximum parallelism", "7.2.2, Fig. 7.2", "15.2", "", "17.0", lambda e: e.absolute.maximum or 0),
    ("unbounded finish", "7.3.1, Fig. 7.3", "13.9", "us", "7.9", lambda e: e.unbounded.finish / 100),
    ("unbounded average parallelism", "7.3.2, Fig. 7.4", "504.9", "", "475.1", lambda e: e.unbounded.average),
    ("unbounded maximum parallelism", "7.3.2, Fig. 7.4", "10989", "", "8045.1", lambda e: e.unbounded.maximum or 0),
)
_WHY = (
    "the sizes are those of 3.1, but the loops of most kernels are those of 4.2.1 (loops that run over a triangle now "
    "ran over a square), the thesis changed four kernels by hand, says 25 benchmarks where its table D.1 lists the 31 "
    "averaged here, and its values per benchmark are only in bar charts, so that none of these can be measured apart"
)


def average_rows(folder: Path, names: list[str], *, quick: bool) -> list[Row]:
    """Return the six averages of chapter 7 beside ours: latency 3, ii 1, 10 ns, arrays streamed in and out."""
    chosen = [name for name in names if name not in _NOT_IN_3_1]
    estimates = [] if quick else [_estimate(folder / f"{name}.c") for name in chosen]
    rows = []
    for what, section, printed, unit, ours, figure in _FIGURES:
        row = Row(
            group="PolyBench/C 3.1, MINI, from C", what=f"{what}, average of {len(chosen)}", unit=unit,
            source=f"thesis {section}", printed=printed, missing=Verdict.NOT_RUN, note="left out by --quick",
        )  # fmt: skip
        if not quick:
            average = Fraction(round(10 * sum(figure(each) for each in estimates) / len(estimates)), 10)
            known = Expected(ours=Fraction(ours), why=_WHY, understood=False)
            row = replace(row, ours=average, explained=known, missing=None, note="")
        rows.append(row)
    return rows


def _estimate(path: Path) -> ProgramEstimate:
    (program,) = load_programs(str(path), defines=_sizes(path))
    return estimate_program(program, latency=3, io=True)


def _sizes(path: Path) -> dict[str, str]:
    """Return the MINI sizes of PolyBench/C 3.x for the macros of a kernel."""
    macros = re.findall(r"^#define (\w+) \d+$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return _SIZES.get(path.stem) or {name: "2" if name in _STEPS else "32" for name in macros}
