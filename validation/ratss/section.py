"""The section ``ratss``: its tasks and its figure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes

from validation.harness.drawing import COLOURS, draw
from validation.harness.rows import Row, number
from validation.harness.section import Picture, Section, Task
from validation.ratss import pdf, src6, terms


def _tasks(quick: bool) -> list[Task]:
    del quick  # all of it takes seconds
    tasks = [Task(label="2D-PDF, inputs", work=pdf.input_rows)]
    tasks += [
        Task(label=f"2D-PDF, {nodes} nodes, predicted", work=partial(pdf.predicted_rows, column))
        for column, nodes in enumerate(pdf.NODES)
    ]
    tasks += [Task(label=f"Table V, {nodes} nodes", work=partial(pdf.comparison_rows, nodes)) for nodes in pdf.NODES]
    tasks += [Task(label="SNAP", work=src6.network_rows), Task(label="image filter", work=src6.filter_rows)]
    tasks.append(Task(label="molecular dynamics", work=src6.dynamics_rows))
    tasks += [
        Task(label=f"2D-PDF, {nodes} nodes, simulated", work=partial(pdf.simulated_rows, nodes)) for nodes in pdf.NODES
    ]
    tasks.append(Task(label="terms", work=terms.term_rows))
    return tasks


def _pictures(rows: Sequence[Row]) -> list[Picture]:
    caption = "2D-PDF estimation, t_comp and t_comm: predicted by the equations, simulated, measured (RATSS Table V)."
    return [Picture(name="ratss", caption=caption, figure=draw(partial(_bars, rows)))]


def _bars(rows: Sequence[Row], axes: Axes) -> None:
    cells = {(row.group, row.what): row for row in rows}
    labels: list[tuple[int, str]] = []
    for group, nodes in enumerate(pdf.NODES):
        for place, kind in enumerate(("predicted", "simulated", "measured")):
            low = 0.0
            for colour, what in zip(COLOURS, ("t_comp", "t_comm"), strict=False):
                value = _seconds(cells, what, nodes, kind)
                at = group * 4 + place
                axes.bar(at, value, bottom=low, color=colour, label=what if not labels else None)
                low += value
            labels.append((group * 4 + place, f"{kind}\n{nodes} nodes"))
    axes.set_xticks([at for at, _ in labels], [label for _, label in labels], fontsize=7)
    axes.set(ylabel="seconds")
    handles, names = axes.get_legend_handles_labels()
    axes.legend(handles, names, frameon=False)


def _seconds(cells: dict[tuple[str, str], Row], what: str, nodes: int, kind: str) -> float:
    if kind == "predicted":
        return _number(cells["Table V", f"{what}, {nodes} FPGAs, predicted"].ours)
    row = cells["simulated against measured", f"{what}, {nodes} FPGAs"]
    return _number(row.ours if kind == "simulated" else row.printed)


def _number(value: object) -> float:
    found = number(str(value))
    return float(found) if found is not None else 0.0


_ABOUT = (
    "Source: Holland et al. 2011, Tables I-XII, every cell. Inputs must stand in our cases as the tables have them; "
    "computed cells are evaluated by Eq. 4, 18-20 and 26-30 in exact fractions; experimental cells are quotations of "
    "hardware that we do not have.",
    "1 MB of data is 2**20 bytes there, and 1,064 MB/s are 1.064e9 bytes/s. P counts all ranks in Eq. 19 and 20, and "
    "the receivers in Eq. 26 and 27. Table IV's sums rest on the reduce as Table III prints it.",
    f"Speed-ups rest on a software time that the paper does not print. It is backed out once: {pdf.BASELINE} s gives "
    "all six of Table V, 0.02674 s those of Table IX, 13.77 s those of Table XII.",
    "In sample: the reduce with gamma per element and the gap g, which we found from the printed cells.",
    "Errors in per cent are compared with what the printed cells give, within half a last digit of each cell.",
    "Simulated: blocks over PCI-X one by one, each paying L + o; collectives as messages between LogGP ranks; nodes as "
    "pipelines behind their input ports. What no model knows, hardware's extra cycles, stays as a difference.",
)
SECTION = Section(
    name="ratss", title="RATSS: nodes, buses and networks of multi-FPGA systems", about=_ABOUT, tasks=_tasks,
    pictures=_pictures, in_sample=lambda row: "gamma k/4" in row.what,
)  # fmt: skip
