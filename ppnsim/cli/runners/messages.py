"""``ppnsim run FILE.json`` for message schedules, and for flows that share links."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ppnsim.cli.common import DEADLOCK, progress
from ppnsim.cli.runners.request import RunRequest
from ppnsim.messages.files.json import Flows, Messages
from ppnsim.messages.report import (
    flows_result,
    messages_result,
    print_flows,
    print_messages,
    write_intervals,
    write_rates,
)
from ppnsim.messages.run.flows import run_flows
from ppnsim.messages.run.schedules import run_schedule


def run_messages(messages: Messages, request: RunRequest) -> tuple[dict[str, Any], int]:
    """Run a message schedule; with a folder, write result.json, intervals.csv and a Gantt picture."""
    request.refuse_network_options("messages between ranks")
    request.refuse_compiled("message schedules")
    began = time.perf_counter()
    with progress(request.file, "operations") as report:
        outcome = run_schedule(messages.schedule, messages.link, progress=report)
    seconds = time.perf_counter() - began
    result = messages_result(outcome, file=request.file, unit=messages.unit)
    print_messages(request.terminal, outcome, file=request.file, unit=messages.unit, seconds=seconds)

    def write(folder: Path, suffix: str) -> None:
        from ppnsim.messages.pictures import rank_gantt  # matplotlib takes a while to import
        from ppnsim.plots.save import save

        write_intervals(outcome.intervals, folder / "intervals.csv")
        save(rank_gantt(outcome, unit=messages.unit), folder / f"gantt.{suffix}")

    request.write(result, write)
    return result, DEADLOCK if outcome.deadlock else 0


def run_shared_links(given: Flows, request: RunRequest) -> tuple[dict[str, Any], int]:
    """Run flows over a star; with a folder, write result.json and rates.csv."""
    request.refuse_network_options("flows that share links")
    request.refuse_compiled("flows")
    began = time.perf_counter()
    with progress(request.file, "flows") as report:
        outcome = run_flows(given.star, given.flows, progress=report)
    seconds = time.perf_counter() - began
    result = flows_result(outcome, file=request.file)
    print_flows(request.terminal, outcome, given.star, given.flows, file=request.file, seconds=seconds)
    request.write(result, lambda folder, _: write_rates(outcome.pieces, folder / "rates.csv"))
    return result, 0
