"""The section ``dataflow``: its tasks and its figure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes

from validation.dataflow.data import FULL, QUICK, budget, load
from validation.dataflow.fronts import front_rows
from validation.dataflow.points import SEED, bounded_rows, unbounded_rows
from validation.dataflow.processes import pipelined_rows, ppn_rows
from validation.harness.drawing import COLOURS, MARKERS, draw
from validation.harness.rows import Row, number
from validation.harness.section import Picture, Section, Task

_DRAWN = ("sdf3_csdf_example", "kiter_sample", "kiter_slides", "kiter_expansion_paper_sdf", "rand_sdf_108")


def _tasks(quick: bool) -> list[Task]:
    limits, data = budget(quick), load()
    graphs = data["sdf_csdf_cases"]
    tasks = [Task(label=case["id"], work=partial(unbounded_rows, case, limits)) for case in graphs]
    tasks += [Task(label=f"{case['id']}, bounded", work=partial(bounded_rows, case, limits)) for case in graphs]
    tasks += [Task(label=f"{case['id']}, front", work=partial(front_rows, case, limits)) for case in graphs]
    tasks += [Task(label=case["id"], work=partial(pipelined_rows, case, limits)) for case in data["pipelined"]["cases"]]
    tasks += [Task(label=case["id"], work=partial(ppn_rows, case, limits)) for case in data["ppn_cases"]]
    return tasks


def _pictures(rows: Sequence[Row]) -> list[Picture]:
    caption = "Throughput over the sum of all capacities: dots the data file, marks ours; 0 is a deadlock."
    return [Picture(name="dataflow", caption=caption, figure=draw(partial(_fronts, rows)))]


def _fronts(rows: Sequence[Row], axes: Axes) -> None:
    for graph, colour, marker in zip(_DRAWN, COLOURS, MARKERS, strict=True):
        points = [row for row in rows if row.group == f"bounded, {graph}" and row.ours is not None]
        totals = [int(row.what.split(", ")[1].split()[0]) for row in points]
        axes.plot(totals, [_pace(row.printed) for row in points], ".", color="black", markersize=3, zorder=3)
        ours = [_pace(str(row.ours)) for row in points]
        axes.plot(totals, ours, marker, color=colour, fillstyle="none", markersize=8, label=graph)
    axes.set(xlabel="capacity of all channels (tokens)", ylabel="iterations per cycle")
    axes.legend(frameon=False, fontsize=8)


def _pace(period: str) -> float:
    value = number(period)
    return float(1 / value) if value else 0.0


_ABOUT = (
    "Source: published SDF and CSDF graphs, random ones, pipelined networks and PPNs derived by pn; periods on which "
    "SDF3, Kiter and a separate simulator agree. Provenance of every graph is in the data file.",
    "(C)SDF: tokens are taken at the start of a firing and put at its end; a capacity is claimed at the producer's "
    "start and given back at the consumer's end (a channel of credits back); an actor without self-loop has ii 0. "
    "Pipelined: elastic, read = write = forward = release = 0. PPN: sequential processes; convention 'ppn' needs a "
    "slot at the write and frees it at the read, 'csdf' claims and frees as above.",
    "A period is exact and never a makespan: the run is long enough that the starts of all processes repeat with one "
    "constant shift over a window that holds everything a firing can wait for; the period of a graph is the largest of "
    "its processes. A point of throughput 0 must deadlock.",
    f"Budget of one run of the SimPy engine: {FULL}; with --quick {QUICK} and at most {QUICK.sample} points of a "
    f"larger graph, drawn with seed {SEED}. What needs more waits for the compiled engine and is listed as not run; "
    "PPNs need no more, and --quick has them run by the compiled engine. "
    "Fronts: the smallest totals and the trade-off of total capacity against throughput, searched and proven as by "
    "`ppnsim size --objective period`; capacities are depths there (`validation/dataflow/claims.py`), and "
    "throughput is compared in the six digits that the tools print.",
    "The data file lists up to 60 points of a graph; n_points in it says how many the tools found.",
)
SECTION = Section(
    name="dataflow", title="Dataflow graphs: exact periods", about=_ABOUT, tasks=_tasks, pictures=_pictures
)
