"""The section ``flows``: fairly shared links, our finish times beside SimGrid's."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes

from ppnsim.messages.files.json import parse_flows
from ppnsim.messages.model import collectives
from ppnsim.messages.model.flows import Star
from ppnsim.messages.model.loggp import LogGP
from ppnsim.messages.model.schedule import Schedule
from ppnsim.messages.run.flows import run_flows
from ppnsim.messages.run.schedules import run_schedule
from validation.flows.fair_messages import run_fairly
from validation.harness.drawing import COLOURS, draw
from validation.harness.rows import Row, Tolerance, Verdict
from validation.harness.section import Picture, Section, Task

_SOURCE = "validation/flows/simgrid.json"
_CLAIM = Tolerance(share=Fraction(1, 10**9), why="what messages/RULES.md claims for the sharing model")
_ORIENTATION = "flows: SMPI, for orientation"
_SMPI: dict[tuple[str, str], Callable[[int, int], Schedule]] = {
    ("gather", "ompi_basic_linear"): collectives.linear_gather,
    ("scatter", "ompi_basic_linear"): collectives.linear_scatter,
    ("bcast", "flattree"): collectives.linear_scatter,
    ("reduce", "flat_tree"): collectives.linear_gather,
    ("scatter", "ompi_binomial"): collectives.binomial_scatter,
    ("gather", "ompi_binomial"): collectives.binomial_gather,
    ("bcast", "binomial_tree"): collectives.binomial_broadcast,
    ("reduce", "binomial"): partial(collectives.binomial_reduce, time=0),
}


@cache
def load() -> dict[str, Any]:
    """Return the data file."""
    path = Path(__file__).with_name("simgrid.json")
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def case_rows(case: dict[str, Any]) -> list[Row]:
    """Return a row for each flow."""
    star = {"hosts": case["P"], "bandwidth": case["bw"], "latency": case["lat"], "backbone": case.get("backbone")}
    given = parse_flows({"star": star, "flows": case["flows"]})
    finish = run_flows(given.star, given.flows).finish
    return [
        Row(
            group=f"{case['id']} {case['name']}", what=f"flow {number}: {source} to {target}, {size} B, from {start} s",
            source=_SOURCE, printed=repr(printed), ours=Fraction(ours), unit="s", allowed=_CLAIM,
        )
        for number, ((source, target, size, start), printed, ours) in enumerate(
            zip(case["flows"], case["finish_s"], finish, strict=True)
        )
    ]  # fmt: skip


def policy_rows() -> list[Row]:
    """Return the 64-way binomial scatter under two policies, in the times of one block."""
    scatter, size = collectives.binomial_scatter(64, 1000), 1000
    # With g = G a message of s bytes occupies a port for exactly s G, so that blocks follow without a seam.
    link = LogGP(latency=0, overhead=0, gap=1, per_byte=1)
    run = run_schedule(scatter, link)
    fair = max(run_fairly(scatter, Star(hosts=64, bandwidth=1000.0, latency=0.0)))
    return [
        Row(
            group="sharing policies", what="64-way binomial scatter, fifo (serialised)", source="messages/RULES.md, L3",
            printed="63", ours=None if run.completion is None else -(-run.completion // size), unit="block times",
        ),
        Row(
            group="sharing policies", what="64-way binomial scatter, fair", source="messages/RULES.md, L3",
            printed="120", ours=Fraction(fair), unit="block times", allowed=_CLAIM,
        ),
    ]  # fmt: skip


def smpi_rows(cases: Sequence[dict[str, Any]]) -> list[Row]:
    """Return collectives of an MPI on the same links beside ours without any MPI."""
    rows = []
    for case in cases:
        schedule = _SMPI[case["coll"], case["alg"]](case["P"], case["bytes_per_rank"])
        ours = max(run_fairly(schedule, Star(hosts=case["P"], bandwidth=1e9, latency=1e-6)))
        costs = ", os = or = 2 us a message" if case["os_or_s"] else ""
        less = f"{100 * (ours / case['completion_s'] - 1):+.1f} %"
        rows.append(
            Row(
                group=_ORIENTATION,
                what=f"{case['id']} {case['coll']} {case['alg']}, P {case['P']}, {case['bytes_per_rank']} B{costs}",
                source=_SOURCE, printed=repr(case["completion_s"]), unit="s", missing=Verdict.IMPOSSIBLE,
                note=f"flows alone give {ours:.9g} s ({less}); SMPI adds MPI's costs per message and per call, and "
                "its linear gathers and reduces take one large message after the other",
            )
        )  # fmt: skip
    return rows


def _tasks(_quick: bool) -> list[Task]:
    data = load()
    tasks = [Task(label=case["id"], work=partial(case_rows, case)) for case in data["flow_cases"]]
    tasks.append(Task(label="sharing policies", work=policy_rows))
    tasks.append(Task(label="SMPI", work=partial(smpi_rows, data["smpi_cases"])))
    return tasks


def _pictures(_: Sequence[Row]) -> list[Picture]:
    case = max(load()["flow_cases"], key=lambda case: len(case["flows"]))
    caption = f"Rates of the {len(case['flows'])} flows of {case['id']} over time, one row each; a full row is 1 GB/s."
    return [Picture(name="flows", caption=caption, figure=draw(partial(_rates, case), height=5.0))]


def _rates(case: dict[str, Any], axes: Axes) -> None:
    star = {"hosts": case["P"], "bandwidth": case["bw"], "latency": case["lat"], "backbone": case.get("backbone")}
    given = parse_flows({"star": star, "flows": case["flows"]})
    for piece in run_flows(given.star, given.flows).pieces:
        axes.bar(
            piece.start * 1e3, 0.9 * piece.rate / case["bw"], (piece.end - piece.start) * 1e3, -piece.flow,
            align="edge", color=COLOURS[piece.flow % len(COLOURS)],
        )  # fmt: skip
    names = [f"{source} to {target}" for source, target, _, _ in case["flows"]]
    axes.set_yticks([0.45 - row for row in range(len(names))], names, fontsize=7)
    axes.set(xlabel="time (ms)")


_ABOUT = (
    "Source: SimGrid 3.32, model CM02 (fluid, max-min), a star with one up and one down link per host; in the case "
    "'backbone' all flows share one more. A flow takes its share from start + both latencies on; finish times agree to "
    "1e-9 of themselves.",
    "The same 64-way binomial scatter takes 63 block times where a port sends one message after the other, and 120 "
    "where it shares its bandwidth among all that it sends: a result without its policy says nothing.",
    "The SMPI rows are for orientation: SimGrid's MPI adds protocol and costs per call that are no part of the sharing "
    "model. Where it does little of that (trees, os = or = 0), flows alone are 0 to 2 % below it.",
)
SECTION = Section(name="flows", title="Fairly shared links", about=_ABOUT, tasks=_tasks, pictures=_pictures)
