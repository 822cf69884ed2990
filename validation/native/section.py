"""The section ``native``: designs with non-blocking streams, our cycles and outputs beside those of co-simulation."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from ppnsim.errors import PpnsimError
from ppnsim.hls.library.library import load_library
from ppnsim.hls.native.execute import NativeDesign, execute, timed
from validation.harness.given import GIVEN
from validation.harness.rows import Row, Tolerance, Verdict
from validation.harness.section import Picture, Section, Task

DATA = Path(__file__).with_name("nonblocking.json")
_SOURCE = "validation/native/nonblocking.json"
REPOSITORY = "ArkaneMoose+omnisim-benchmarks"
_CYCLES = 5  # issue 12: within 5 cycles of RTL
_ABOUT = (
    "Eleven designs of ArkaneMoose/omnisim-benchmarks, whose tasks use accesses to streams that do not wait, or wait "
    "for each other in a circle. Each is compiled by the host's compiler and executed with its own testbench, in the "
    "cycles of our own schedule (device xcvu9p, 5 ns). Printed are the cycles of the vendor's RTL co-simulation "
    "(Vitis HLS 2021.1) and the numbers that the testbench prints. The sources are not part of the project: "
    "'--designs DIR' is a folder with them; without it these rows are not run.",
    "In sample: the rules on the order of accesses and on products by reciprocals (R11) were written with seven of "
    "these designs in view, and what a write that does not wait takes its answer from with 07, so those rows show that "
    "the rules hold together, not that they hold elsewhere. 04, 06 and 11 were run when the rules were there.",
)


def _folder(design: str) -> Path | None:
    given = [] if GIVEN.designs is None else [GIVEN.designs / design, GIVEN.designs / REPOSITORY / design]
    return next((each for each in given if (each / "kernel.cpp").is_file()), None)


def rows_of(case: dict[str, str]) -> list[Row]:
    """Return the rows of a design: its cycles, and the numbers that its testbench prints."""
    name, deadlocks = case["design"], case["rtl"] == "deadlock"
    tolerance = None if deadlocks else Tolerance(share=Fraction(_CYCLES, int(case["rtl"])), why="issue 12: 5 cycles")
    cycles = Row(
        group="cycles", what=name, source=_SOURCE, printed=case["rtl"], unit="" if deadlocks else "cycles",
        allowed=tolerance,
    )  # fmt: skip
    numbers = re.findall(r"\d+", case["output"])
    output = Row(group="output", what=name, source=_SOURCE, printed=" ".join(numbers))
    rows = [cycles, output] if numbers else [cycles]
    if (folder := _folder(name)) is None:
        note = f"its source is not here (--designs); it is {REPOSITORY.replace('+', '/')}/{name}"
        return [replace(row, missing=Verdict.NOT_RUN, note=note) for row in rows]
    design = NativeDesign(path=str(folder / "kernel.cpp"), testbench=str(folder / "testbench.cpp"), function="kernel")
    try:
        run = execute(timed(design, load_library("xcvu9p", float(case["clock"]))))
    except PpnsimError as error:
        return [replace(row, ours=str(error)) for row in rows]
    ours = replace(cycles, ours="deadlock" if run.deadlocked else run.finish)
    printed = " ".join(re.findall(r"\d+", run.printed)[-len(numbers) :])
    return [ours, replace(output, ours=printed)] if numbers else [ours]


def _tasks(quick: bool) -> list[Task]:
    del quick
    cases = json.loads(DATA.read_text(encoding="utf-8"))["designs"]
    return [Task(label=case["design"], work=partial(rows_of, case)) for case in cases]


def _pictures(rows: Sequence[Row]) -> list[Picture]:
    del rows
    return []


SECTION = Section(
    name="native",
    title="Designs whose streams do not wait, executed",
    about=_ABOUT,
    tasks=_tasks,
    pictures=_pictures,
    in_sample=lambda _: True,
)
