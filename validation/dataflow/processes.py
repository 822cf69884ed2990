"""Rows for the pipelined networks and for the PPNs derived by pn."""

from __future__ import annotations

from functools import partial

from ppnsim.engines.run import run
from ppnsim.model.metrics import max_occupancy
from ppnsim.model.timeline import Timeline
from validation.dataflow.data import FILE, Budget, Case
from validation.dataflow.graphs import pipelined_network, ppn_network
from validation.dataflow.steady import DEADLOCK, steady
from validation.harness.rows import Row


def pipelined_rows(case: Case, limits: Budget) -> list[Row]:
    """Return the row of the period of a pipelined network."""
    expected = case["expected"]
    found = steady(partial(pipelined_network, case), case["repetition_vector"], limits)
    return [
        Row(
            group="pipelined networks", what=case["id"], source=f"{FILE}, pipelined (SDF3 and deGroote)",
            printed=DEADLOCK if expected["deadlock"] else expected["period"], ours=found.period,
            unit="cycles per iteration",
        )
    ]  # fmt: skip


def ppn_rows(case: Case, limits: Budget) -> list[Row]:
    """Return finish, finish of five iterations and the sixth's delay for both capacity conventions and all sizes."""
    rows = []
    for key, expected in case["expected"]["independent_sim"].items():
        convention, sizes = key.split("/")
        build = partial(ppn_network, case, convention=convention, sizes=sizes)
        runs = {count: run(build(count), engine=limits.engine) for count in (1, 5, 6)}
        finishes = {count: each.timeline.finish for count, each in runs.items()}
        figures = {
            "finish of 1 iteration": (expected["makespan_1"], finishes[1]),
            "finish of 5 iterations": (expected["makespan_5"], finishes[5]),
            "iteration 6 after 5": (expected["period_5to6"], finishes[6] - finishes[5]),
        }
        rows += [
            Row(
                group=f"polyhedral networks, {case['id']}", what=f"{key}: {what}", source=f"{FILE}, separate simulator",
                printed=str(printed), ours=ours, unit="cycles",
            )
            for what, (printed, ours) in figures.items()
        ]  # fmt: skip
        if "peak_tokens" in expected:
            rows += _peak_rows(case, key, expected["peak_tokens"], runs[1].timeline)
    return rows


def _peak_rows(case: Case, key: str, peaks: dict[str, int], timeline: Timeline) -> list[Row]:
    """Return the most tokens that each channel holds in one iteration with unbounded channels."""
    return [
        Row(
            group=f"polyhedral networks, {case['id']}", what=f"{key}: most tokens in {channel}",
            source=f"{FILE}, separate simulator", printed=str(printed), ours=max_occupancy(timeline, channel),
            unit="tokens",
        )
        for channel, printed in peaks.items()
    ]  # fmt: skip
