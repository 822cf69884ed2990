"""The section ``loggp``: message schedules, our completion and rank ends beside those of LogGOPSim."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes

from ppnsim.messages.files.json import parse_messages
from ppnsim.messages.model.loggp import Duration, LogGP
from ppnsim.messages.run.schedules import run_schedule
from validation.harness.drawing import COLOURS, FAINT, draw
from validation.harness.rows import Row
from validation.harness.section import Picture, Section, Task
from validation.loggp import closed_forms as closed

_SOURCE = "validation/loggp/loggp.json"
_ClosedForm = Callable[[LogGP, int, dict[str, int]], Duration]
_CLOSED_FORMS: dict[str, _ClosedForm] = {
    "pingpong": lambda link, _, args: closed.ping_pong(link, args["s"], args["n"]),
    "oneway": lambda link, _, args: closed.stream(link, args["s"], args["n"]),
    "linscatter": lambda link, ranks, args: closed.linear_scatter(link, ranks, args["s"]),
    "lingather": lambda link, ranks, args: closed.linear_gather(link, ranks, args["s"]),
    "binbcast_dh": lambda link, ranks, args: closed.binomial_broadcast(link, ranks, args["s"]),
    "binscatter": lambda link, ranks, args: closed.binomial_scatter(link, ranks, args["s"]),
    "bingather": lambda link, ranks, args: closed.binomial_gather(link, ranks, args["s"]),
}


@cache
def load() -> dict[str, Any]:
    """Return the data file."""
    path = Path(__file__).with_name("loggp.json")
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def case_rows(case: dict[str, Any]) -> list[Row]:
    """Return the rows of a schedule: its completion, the end of every rank, and the closed form if there is one."""
    parameters = load()["params"][case["params"]]
    messages = parse_messages({"loggp": parameters, "schedule": case["schedule"]})
    run = run_schedule(messages.schedule, messages.link)
    arguments = ", ".join(f"{name} {value}" for name, value in case["args"].items())
    what, group = f"{case['id']} {case['pattern']} ({arguments})", f"parameters {case['params']}"
    rows = [
        Row(
            group=group, what=f"{what}: completion", source=_SOURCE, printed=str(case["completion"]),
            ours=run.completion, unit=case["unit"],
        ),
        Row(
            group=group, what=f"{what}: end of each rank", source=_SOURCE, printed=_listed(case["host_end"]),
            ours=_listed(run.rank_end), unit=case["unit"], figures=case["P"],
        ),
    ]  # fmt: skip
    form = _closed_form(case, messages.link)
    if form is not None:
        rows.append(
            Row(
                group="closed forms", what=f"{what}, {case['params']}", source=_SOURCE,
                printed=str(case["completion"]), ours=form, unit=case["unit"],
            )
        )  # fmt: skip
    return rows


def _closed_form(case: dict[str, Any], link: LogGP) -> Duration | None:
    form = _CLOSED_FORMS.get(case["pattern"])
    sizes = [amount for operations in case["schedule"] for kind, amount, _, _ in operations if kind != "calc"]
    if form is None or link.overhead_per_byte or not all(link.is_eager(size) for size in sizes):
        return None
    if case["pattern"] == "pingpong" and link.cost(sizes[0]).port_out > 2 * closed.one_way(link, sizes[0]):
        return None
    return form(link, case["P"], case["args"])


def _listed(times: Sequence[int]) -> str:
    return " ".join(str(time) for time in times)


def _tasks(_quick: bool) -> list[Task]:
    return [Task(label=case["id"], work=partial(case_rows, case)) for case in load()["cases"]]


def _pictures(rows: Sequence[Row]) -> list[Picture]:
    caption = "Completion of every schedule: ours over LogGOPSim's, in the unit of the case (ns or ps)."
    return [Picture(name="loggp", caption=caption, figure=draw(partial(_diagonal, rows)))]


def _diagonal(rows: Sequence[Row], axes: Axes) -> None:
    for number, kind in enumerate(("closed forms", "simulated")):
        picked = [row for row in rows if isinstance(row.ours, int) and (row.group == "closed forms") == (number == 0)]
        axes.plot(
            [int(row.printed) for row in picked], [int(str(row.ours)) for row in picked], "ox"[number],
            color=COLOURS[number], fillstyle="none", label=kind, zorder=3,
        )  # fmt: skip
    largest = max((int(row.printed) for row in rows if isinstance(row.ours, int)), default=1)
    axes.plot([1, largest], [1, largest], color=FAINT, linewidth=0.7)
    axes.set(xscale="log", yscale="log", xlabel="LogGOPSim", ylabel="ours")
    axes.legend(frameon=False, fontsize=8)


_ABOUT = (
    "Source: 187 message schedules under seven sets of LogGP parameters, simulated with LogGOPSim (commit in the data "
    "file), network model LogGP. Every integer must be equal: the completion and the end of every rank.",
    "Rules: messages/RULES.md, L1. The end of a rank is when its processor is free; the gap after its last "
    "message does not count. Operations may wait for later ones of the same list (binreduce_dd does).",
    "The closed forms (eager messages, O = 0) are evaluated without an engine and compared with the same completions.",
)
SECTION = Section(name="loggp", title="LogGP message schedules", about=_ABOUT, tasks=_tasks, pictures=_pictures)
