"""The section ``lost_cycles``: its tasks and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial

from matplotlib.axes import Axes

from ppnsim.plots.lost_cycles import stacked
from validation.harness.drawing import draw
from validation.harness.rows import Row
from validation.harness.section import Picture, Section, Task
from validation.lost.loop_nest_split import Design, split_of
from validation.lost.paper import NEST
from validation.lost.rows import formula_rows, learned, learned_rows, sizes, sum_rows, walk_rows
from validation.lost.schedule import schedule_rows
from validation.lost.sweeps import sweep_rows


def _tasks(_quick: bool) -> list[Task]:
    tasks = []
    for size in (4, 32):
        tasks += [
            Task(label=f"{size}x{size}, Table 2", work=partial(formula_rows, size)),
            Task(label=f"{size}x{size}, sums", work=partial(sum_rows, size)),
            Task(label=f"{size}x{size}, our walk", work=partial(walk_rows, size)),
            Task(label=f"{size}x{size}, our scheduler", work=partial(schedule_rows, size)),
        ]
    return [*tasks, Task(label="learned formulas", work=learned_rows), Task(label="sweeps", work=sweep_rows)]


def _pictures(_rows: Sequence[Row]) -> list[Picture]:
    factors = {
        f"x{factor}": asdict(split_of(NEST, Design(kind="unroll", loop="I2", factor=factor), sizes(64)))
        for factor in (1, 2, 4, 8, 16, 32, 64)
    }
    grown = {f"{size}": asdict(learned("None").at(sizes(size))) for size in (8, 16, 24, 32, 40, 48, 56, 64)}
    return [
        Picture(
            name="lost-cycles-unroll",
            caption="As Fig. 3, left: cycles of the 64x64 product, L2 unrolled by the factor below; our walk.",
            figure=draw(partial(_bars, factors, "unroll factor of L2")),
        ),
        Picture(
            name="lost-cycles-size",
            caption="As Fig. 3, right: cycles by size without optimisation, predicted from sizes of 2 and 3 alone.",
            figure=draw(partial(_bars, grown, "rows and columns")),
        ),
    ]


def _bars(bars: dict[str, dict[str, int]], below: str, axes: Axes) -> None:
    stacked(axes, bars, upright=True)
    axes.set_xlabel(below)
    axes.legend(frameon=False)


def _in_sample(row: Row) -> bool:
    """The walk's constants and the corrections of formulas were read off Table 1 itself."""
    return any(words in row.group for words in ("our walk", "corrected", "learned"))


_ABOUT = (
    "Source: da Silva et al., A Lost Cycles Analysis for Performance Prediction using High-Level Synthesis: a matrix "
    "product C = A B in single precision, loops L0, L1, L2 of I0, I1, I2 iterations, Vivado HLS 2014.2, Virtex-6 at "
    "250 MHz. PLU is partial loop unrolling, factor U.",
    "Four claims, apart: the printed formulas evaluated beside the printed table (misprints shown as such, with the "
    "formula that reproduces the table); our own walk of the nest (`validation.lost.loop_nest_split`) beside the "
    "table; formulas fitted in exact fractions to small sizes of that walk, beside Table 2 multiplied out; and the "
    "split of our own scheduler (`ppnsim lost FILE.c`), whose rules are those of a tool of 2023, with the paper's two "
    "operators.",
    "The walk has ten constants of tool and device, read off Table 1's rows without pipelines and its fixed offsets "
    "(filling 5 and 7 cycles, 2 or 3 of memory, 1 to 5 of control); how they add up over rounds, copies, entries and "
    "issue slots is rule, not table. In pipelines one adder starts an addition per cycle, and additions to one element "
    "are 8 cycles apart.",
    "Eq. 1 lacks the brackets that Eq. 2 has; without them inner loops would not run again for outer ones. Eq. 2 is "
    "what reproduces the table.",
)
SECTION = Section(
    name="lost_cycles",
    title="Lost cycles of a loop nest",
    about=_ABOUT,
    tasks=_tasks,
    pictures=_pictures,
    in_sample=_in_sample,
)
