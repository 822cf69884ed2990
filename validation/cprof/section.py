"""The section ``cprof``: its tasks, in an order that keeps a program's rows together, and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes

from ppnsim.analysis.throughput import absolute
from ppnsim.model.metrics import parallelism_profile
from validation.cprof.cases import CASES
from validation.cprof.estimates import case_rows, four_process_details
from validation.cprof.missing import missing_rows
from validation.cprof.programs import atax, by_half, by_j, four_processes
from validation.cprof.quotes import percentage_rows, rtl_rows
from validation.cprof.slots import slot_rows
from validation.harness.drawing import COLOURS, draw
from validation.harness.rows import Row
from validation.harness.section import Picture, Section, Task

_MEAN_OVER = 156  # cycles that a row of tmp takes, 31 x 5 + 1: the rhythm of atax

_ABOUT = (
    "Source: van Teijlingen, Determining Performance Boundaries and Automatic Loop Optimization of High-Level System "
    "Specifications, TU Delft 2014 (the thesis). The programs are executed as Python loops and recorded; both "
    "estimates are the closed recurrences of ppnsim.analysis, and every absolute one is held against the SimPy engine.",
    "Clock 10 ns, initiation interval 1, execute latency 3, read and write latency 1 unless stated. A process that "
    "reads an input array has read = 1 and one that writes an output array has write = 1 although no channel is "
    "there.",
    "Exact means equal. Averages are printed rounded down; where the text rounds otherwise, the row says so.",
    "atax is six processes: the streams of A (1024 firings) and x (32), the zeroing of y (32), the recurrences of tmp "
    "and y (1024 each) and the sink of y (32). Modulo unfolding by 32 gives every j of x, zero, tmp and y a process; "
    "plane cutting gives them one for j < 16 and one for j >= 16.",
)


def _tasks(_quick: bool) -> list[Task]:
    tasks = [Task(label=case.name, work=partial(case_rows, case)) for case in CASES]
    tasks.append(Task(label="single cycles of chapter 4.3", work=four_process_details))
    tasks.append(Task(label="pipeline slots", work=slot_rows))
    tasks.append(Task(label="RTL results", work=rtl_rows))
    tasks.append(Task(label="percentages", work=percentage_rows))
    tasks.append(Task(label="not reproducible", work=missing_rows))
    return tasks


def _pictures(_rows: Sequence[Row]) -> list[Picture]:
    return [
        Picture(
            name="four-processes",
            caption="The example of chapter 4.3: executes at once, absolute estimate (finish 14, maximum 3).",
            figure=draw(_four, height=2.4),
        ),
        Picture(
            name="atax",
            caption=f"atax: executes at once, mean of {_MEAN_OVER} cycles: as written, in two planes, unfolded by 32.",
            figure=draw(_atax),
        ),
    ]


def _four(axes: Axes) -> None:
    timeline = absolute(four_processes()).timeline
    cycles, values = parallelism_profile(timeline)
    axes.stairs(values, [*cycles, timeline.finish], fill=True, color=COLOURS[0])
    axes.set(xlabel="cycle", ylabel="executes at once", yticks=[0, 1, 2, 3], xticks=range(0, timeline.finish + 1, 2))


def _atax(axes: Axes) -> None:
    for colour, label, network in (
        (COLOURS[0], "as written", atax()),
        (COLOURS[1], "plane cutting", atax(by_half)),
        (COLOURS[2], "unfolded by 32", atax(by_j)),
    ):
        timeline = absolute(network).timeline
        cycles, values = parallelism_profile(timeline)
        at_once = np.repeat(values, np.diff(cycles, append=timeline.finish))
        executes = np.pad(at_once, (0, -timeline.finish % _MEAN_OVER))
        means = executes.reshape(-1, _MEAN_OVER).mean(axis=1)
        edges = np.arange(len(means) + 1) * _MEAN_OVER
        axes.stairs(means, edges, color=colour, label=f"{label}: {timeline.finish} cycles")
    axes.set(xlabel="cycle", ylabel="executes at once", ylim=(0, None))
    axes.legend(frameon=False)


SECTION = Section(name="cprof", title="Estimates of the cprof thesis", about=_ABOUT, tasks=_tasks, pictures=_pictures)
