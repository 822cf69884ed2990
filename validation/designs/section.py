"""The rows of the section ``designs``: cycles from sources and reports beside those of RTL co-simulation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import PpnsimError
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import load_library
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.reports.match import matched
from ppnsim.hls.reports.read import read_reports
from ppnsim.hls.rules import TOOL
from validation.designs.depths import depth_rows, reports_of, source_of
from validation.designs.sizes import size_rows
from validation.harness.drawing import COLOURS, FAINT, draw
from validation.harness.given import GIVEN
from validation.harness.rows import Expected, Row, Tolerance, Verdict
from validation.harness.section import Picture, Section, Task

DATA = Path(__file__).with_name("hls_designs.json")
OTHERS = Path(__file__).with_name("other_families.json")
_SOURCE = "validation/designs/hls_designs.json"
_CYCLES, _OTHERS = "cycles with reports", "cycles with reports, other families"
_LOOPS = "latency of the loops in the reports"
CLAIM = Tolerance(share=Fraction(2, 1000), why="what issue 12 asks for")
_CUT = "both loops are unrolled by a factor that does not divide their trips, which the report cuts off (R10.1)"
# Designs outside of the tolerance: ours, and why.
_CYCLES_OF: dict[str, Expected] = {}
_LOOPS_OF = {
    "polybench/heterocl/atax": Expected(ours=0, why=_CUT),
    "mlps/opt3/Autoencoder": Expected(
        ours=18, why="the report of one loop has a cycle more than its own interval, depth and trips", understood=False
    ),
}


@cache
def designs(data: Path = DATA) -> list[dict[str, Any]]:
    """Return the designs as a data file has them: those of the rules, or of ``OTHERS``."""
    loaded: dict[str, Any] = json.loads(data.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = loaded["designs"]
    return found


def loop_rows(design: dict[str, Any]) -> list[Row]:
    """Return the row of the loops of a design: for how many the latency is (T - 1) II + max(IL, 2) - 1."""
    right = sum((trips - 1) * ii + max(depth, 2) - 1 == latency for ii, depth, trips, latency in design["loops"])
    return [
        Row(
            group=_LOOPS, what=design["design"], source=_SOURCE, printed=str(len(design["loops"])), ours=right,
            unit="loops", explained=_LOOPS_OF.get(design["design"]), note="the formula of R10.3; no run of ours",
        )
    ]  # fmt: skip


def cycle_rows(design: dict[str, Any]) -> list[Row]:
    """Return the row of the cycles of a design: from source and reports, with the vendor's estimate beside it."""
    first = design.get("first")
    row = Row(
        group=_OTHERS if first else _CYCLES, what=design["design"], printed=str(design["rtl_cycles"]), unit="cycles",
        source=f"validation/designs/{OTHERS.name}" if first else _SOURCE,
        allowed=CLAIM, explained=_CYCLES_OF.get(design["design"]),
    )  # fmt: skip
    estimate = f"the vendor's estimate is {design['estimate']} ({_error(design['estimate'], design)})"
    if first:
        at_first = [f"{cycles} ({_error(cycles, design)})" for cycles in first]
        estimate += f"; when it was first run {at_first[0]}, by our own schedule {at_first[1]}"
    if source_of(design) is None:
        return [replace(row, missing=Verdict.NOT_RUN, note=f"its source is not here (--designs); {estimate}")]
    if GIVEN.own:
        own = _cycles(design, reported=False)
        estimate += f"; by our own schedule {own if isinstance(own, str) else f'{own} ({_error(own, design)})'}"
    return [replace(row, ours=_cycles(design, reported=True), note=estimate)]


def _cycles(design: dict[str, Any], *, reported: bool) -> int | str:
    """Return the cycles of a design, or why there are none."""
    path = source_of(design)
    assert path is not None
    try:
        (program,) = load_programs(str(path), function=design["top"], policy=HARDWARE)
        sources = sources_of(program)
        directives = read_directives(sources, program)
        if reported:
            directives = matched(read_reports(reports_of(path)), program, sources, directives).directives
        library = load_library(design["part"], design["clock_ns"])
        rules = replace(TOOL, balance=design["unsafe_math"])
        return schedule_kernel(program, library, directives, rules).cycles
    except PpnsimError as error:
        return f"refused: {str(error).replace(str(GIVEN.designs), '')}"


def _error(cycles: int, design: dict[str, Any]) -> str:
    return f"{100 * (cycles / design['rtl_cycles'] - 1):+.2f} %"


def _tasks(quick: bool) -> list[Task]:
    chosen = designs()[::12] if quick else designs()
    others = designs(OTHERS)[::12] if quick else designs(OTHERS)
    return [
        *(Task(label=f"{each['design']}, loops", work=partial(loop_rows, each)) for each in designs()),
        *(Task(label=each["design"], work=partial(cycle_rows, each)) for each in (*chosen, *others)),
        *(Task(label=f"{each['design']}, depths", work=partial(depth_rows, each)) for each in chosen),
        *(Task(label=f"{each['design']}, sizes", work=partial(size_rows, each)) for each in (*chosen, *others)),
    ]


def _pictures(rows: Sequence[Row]) -> list[Picture]:
    found = [row for row in rows if row.group == _CYCLES and row.deviation is not None]
    if not found:
        return []
    caption = "Our cycles with reports minus those of the RTL co-simulation, in per cent; grey: 0.2 %."
    height = 0.2 * len(found) + 1
    return [Picture(name="designs", caption=caption, figure=draw(partial(_bars, found), height=height))]


def _bars(rows: Sequence[Row], axes: Axes) -> None:
    shares = [float((row.deviation or 0) / Fraction(row.printed)) * 100 for row in rows]
    axes.axvspan(-0.2, 0.2, color="#EEF1F4")
    axes.barh(range(len(rows)), shares, color=COLOURS[0])
    axes.set_yticks(range(len(rows)), [row.what for row in rows], fontsize=6)
    axes.invert_yaxis()
    axes.axvline(0, color=FAINT, linewidth=0.7)
    axes.set(xlabel="deviation (%)")


_ABOUT = (
    "Source: 72 HLS designs of seven generators and hands with RTL co-simulated cycles and the reports of Vitis HLS "
    "2023.2 beside the sources (UCLA-VAST/Stream-HLS, MIT licence, FPGA 2025 artefacts). The sources are read from a "
    "checkout, `python -m validation designs --designs DIR`; without it those rows are not run.",
    "With reports (R10): interval, iteration latency and structure of the loops come from the reports, and our own "
    "schedule only places each access inside an iteration. The vendor's own estimate and the cycles of our own "
    "schedule, which nothing is claimed of here, stand beside each figure. `python -m validation.designs.own DIR` has "
    "our schedules loop by loop, with the kernels that numbers of rules were fitted to apart from the others.",
    "At other depths: with all FIFOs of 2 tokens, and of 32, the network from C++ (with reports) and the same network "
    "written as JSON and read back have to pass all steps of all processes in the same cycles, or deadlock in the same "
    "circle of waits. A design without a dataflow region has no FIFOs.",
    "Smallest depths: those of `ppnsim size` from C++ beside the declared ones, FIFOs of one array together. The total "
    "has to be that from JSON and the recorded one, the whole network has to end with these depths when it ends with "
    "the declared ones. Where one token less in any FIFO, all others unbounded, loses cycles, no smaller total is "
    "possible, whatever the search did; the note says where that is so. `designs/sizes.json` has what was recorded.",
    "Other families: the designs of the same repository whose kernels the rules had not seen. What we said of each "
    "when it was first run stands beside it: 56 of 58 within 0.2 % with reports, 52 within 1 % by our schedule; five "
    "rules were changed because of the others, so that their rows are in sample now.",
    "Latency of the loops: (T - 1) II + max(IL, 2) - 1 of the figures in the reports, against the latency in them.",
    "In sample: the formula was found on these reports, and the places of accesses in an iteration on 16 of the "
    "designs.",
)


def _in_sample(row: Row) -> bool:
    """Return whether a rule was made with a design in view: of the other families, those that missed a claim first."""
    if row.group != _OTHERS:
        return True
    design = next(each for each in designs(OTHERS) if each["design"] == row.what)
    return any(
        abs(cycles / design["rtl_cycles"] - 1) > share
        for cycles, share in zip(design["first"], (2e-3, 1e-2), strict=True)
    )


SECTION = Section(
    name="designs", title="Published HLS designs from their sources and the vendor's reports", about=_ABOUT,
    tasks=_tasks, pictures=_pictures, in_sample=_in_sample, apart=True,
)  # fmt: skip
