"""The section ``opencl``: its tasks and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from matplotlib.axes import Axes

from ppnsim.opencl.pictures import path_points, potential_bars
from validation.harness.drawing import COLOURS, draw
from validation.harness.rows import Row
from validation.harness.section import Picture, Section, Task
from validation.opencl.equations import block_rows, count_rows, node_rows
from validation.opencl.executed import executed_rows, vecadd_row
from validation.opencl.figures import KERNELS, path_of, path_rows, quote_rows, table_rows
from validation.opencl.vecadd import ITEMS, QUICK, knee_rows, sweep


def _tasks(quick: bool) -> list[Task]:
    return [
        Task(label="counts by hand", work=count_rows), Task(label="blocks by hand", work=block_rows),
        Task(label="nodes and potentials by hand", work=node_rows), Task(label="Table 4", work=table_rows),
        Task(label="tuning paths", work=path_rows), Task(label="quoted figures", work=quote_rows),
        Task(label="VecAdd", work=partial(knee_rows, QUICK if quick else ITEMS)),
        Task(label="executed", work=partial(executed_rows, quick)),
    ]  # fmt: skip


def _pictures(rows: Sequence[Row]) -> list[Picture]:
    paths = [
        Picture(
            name=f"opencl-{KERNELS[name]}",
            caption=f"As Fig. {figure}: potentials of {name} along our tuning path, with the predicted speed-up.",
            figure=draw(partial(_path, name)),
        )
        for name, figure in (("MM", "8"), ("KM", "10"), ("WC", "11"), ("SS", "12"))
    ]
    caption = "As Fig. 6: VecAdd by work items, predicted (line) and executed (marks); stable from 128 on."
    return [Picture(name="opencl-vecadd", caption=caption, figure=draw(partial(_knee, rows))), *paths]


def _path(name: str, axes: Axes) -> None:
    points = path_points(path_of(name))
    potential_bars(axes, [replace(point, label=f"{point.label}\n{point.speed_up:.3g}x") for point in points])
    axes.tick_params(axis="x", labelsize=6)
    axes.legend(frameon=False, fontsize=7, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0))


def _knee(rows: Sequence[Row], axes: Axes) -> None:
    run = [items for items in ITEMS if any(row.what == vecadd_row(items) for row in rows)]
    predicted, executed = sweep("predicted", ITEMS), sweep("executed", run)
    axes.plot(list(predicted), [float(each) for each in predicted.values()], color=COLOURS[0], label="predicted")
    axes.plot(
        list(executed),
        [float(each) for each in executed.values()],
        "o",
        color=COLOURS[1],
        fillstyle="none",
        label="executed",
    )
    axes.axvline(128, color="#7B8794", linewidth=0.8, linestyle=":")
    axes.set(xscale="log", yscale="log", xlabel="work items", ylabel="cycles for 32768 elements")
    axes.legend(frameon=False)


_ABOUT = (
    "Source: Wang et al., A Performance Analysis Framework for Optimizing OpenCL Applications on FPGAs. "
    "Board: DE5-Net, 2 banks, transactions of 64 bytes, 256 DSP blocks, I_L 0.83, I_M 0.89, I_D 1.0; latencies of "
    "Table 2.",
    "Assumptions, because the text does not give them: a memory latency of 64 cycles (128 work items on 2 banks); "
    "memory cycles of a block begin as latency times the accesses that wait for one another (what Mem_cycles_total "
    "begins with is not said); resources of instructions, accesses and units, one DSP block per fp_mul (table "
    "`boards/tables/de5-net.toml`); a clock of 300 MHz that falls by a tenth when the device is full, and to 1 / (1 + "
    "(CU - 1) / 7), which the -O3 row of MM calibrates; the kernels of `scenarios/opencl`, written from the text's "
    "descriptions (MM is printed; of KM the benchmark, of WC and SS only the names and sizes are). In sample: the 128 "
    "work items of VecAdd, from which the memory's latency is taken.",
    "Departures from print, each with its row: bursts (Eq. 5, 14) are taken instruction by instruction; B_itpp (Eq. "
    "23) is the smaller difference; blocks are compared in all their passes (Eq. 22). All are also evaluated to the "
    "letter.",
    "Executed means: in SimPy, work item by work item through the pipelines and banks; rules in "
    "`ppnsim/opencl/run.py` and `transactions.py`. Sizes are reduced, since a run is one event or more per block "
    "execution.",
)
SECTION = Section(
    name="opencl", title="OpenCL on an FPGA board", about=_ABOUT, tasks=_tasks, pictures=_pictures,
    in_sample=lambda row: row.what.startswith("work items from which"),
)  # fmt: skip
