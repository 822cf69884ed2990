"""Rows for the two estimates of every program, and for the engine, which must agree with the absolute one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ppnsim.analysis.throughput import Estimate, absolute, unbounded
from ppnsim.engines.run import run
from ppnsim.model.metrics import parallelism_profile
from ppnsim.model.network import Network
from validation.cprof.cases import DOWN, NS, Case, Printed
from validation.cprof.programs import four_processes
from validation.harness.rows import Expected, Row, Value, ratio


def case_rows(case: Case) -> list[Row]:
    """Return all rows of one program."""
    network = case.build()
    estimate = absolute(network)
    rows = _shape(case, network)
    rows += _estimate(case, "absolute", case.absolute, estimate, network)
    if case.unbounded is not None:
        rows += _estimate(case, "unbounded", case.unbounded, unbounded(network), network)
    for style in ("elastic", "flushable"):
        rows.append(
            Row(
                group=case.name,
                what=f"finish of the engine, FIFOs unbounded, {style}",
                source="TIMING.md, pipeline styles: equals the absolute estimate",
                printed=str(estimate.finish),
                ours=run(network.with_style(style), engine="des").finish,
                unit="cycles",
                consistent="our engine against our closed form",
            )
        )
    return rows


def _shape(case: Case, network: Network) -> list[Row]:
    rows = []
    if case.processes:
        rows.append(_row(case, "processes", case.absolute, case.processes, len(network.processes)))
    if case.kind:
        channel = network.outputs(network.processes[0].name)[0].name
        rows.append(_row(case, "kind of the channel", case.absolute, case.kind, network.counts[channel].kind))
    return rows


def _estimate(case: Case, name: str, printed: Printed, estimate: Estimate, network: Network) -> list[Row]:
    finish = estimate.finish
    if finish is not None and printed.unit == NS:
        finish = int(finish * network.clock_ns)
    rows = [_row(case, f"{name} finish", printed, printed.finish, finish, printed.unit)]
    average = estimate.parallelism.average
    if printed.average:
        ours = None if average is None else ratio(average)
        rows.append(_row(case, f"{name} average parallelism", printed, printed.average, ours))
    if printed.maximum:
        ours_maximum = estimate.parallelism.maximum
        rows.append(_row(case, f"{name} maximum parallelism", printed, printed.maximum, ours_maximum))
    return rows


def _row(case: Case, what: str, by: Printed, printed: str, ours: Value | None, unit: str = "") -> Row:
    allowed = DOWN if isinstance(ours, Fraction) else None
    note = by.derivation if "parallelism" in what or "finish" in what else ""
    return Row(
        group=case.name, what=what, source=by.source, printed=printed, ours=ours, unit=unit, allowed=allowed, note=note
    )


def four_process_details() -> list[Row]:
    """Return what chapter 4.3 tells about single cycles of its example."""
    network = four_processes()
    one_each, own = absolute(network).timeline, unbounded(network).timeline
    cycles, at_once = parallelism_profile(one_each)
    peaks = cycles[at_once == at_once.max()]
    tells: tuple[tuple[str, str, str, Value], ...] = (
        ("a[0] available", "thesis 4.3.1, Fig. 4.8", "2", int(one_each.end("P1")[0])),
        ("second execute of P1", "thesis 4.3.1", "2", int(one_each.execute("P1")[1])),
        ("unbounded: first read of P2", "thesis 4.3.2", "2", int(np.min(own.start("P2")))),
        ("unbounded: first start of P4", "thesis 4.3.2", "6", int(np.min(own.start("P4")))),
    )
    rows = [
        Row(group="four processes", what=what, source=source, printed=printed, ours=ours, unit="cycle")
        for what, source, printed, ours in tells
    ]
    counted = "the table of this example is counted from 1: its last execute is at 14, which is also the finish"
    last = int(one_each.execute("P4")[-1])
    rows.append(
        Row(
            group="four processes", what="last execute of P4", source="thesis 4.3.1, Fig. 4.10", printed="14",
            ours=last, unit="cycle", explained=Expected(ours=13, why=counted),
        )
    )  # fmt: skip
    rows.append(
        Row(
            group="four processes", what="cycles of peak parallelism", source="thesis 4.3.1", printed="8 and 10",
            ours=" and ".join(map(str, peaks)), explained=Expected(ours="7 and 9", why=counted),
        )
    )  # fmt: skip
    return rows
