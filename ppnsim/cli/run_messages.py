"""``ppnsim run FILE.json`` for message schedules and for flows."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ppnsim.cli.common import DEADLOCK, progress, write_json, written_to
from ppnsim.cli.run_small import Request


def run_messages(request: Request) -> tuple[dict[str, Any], int]:
    """Run a message schedule; with a folder, write result.json, intervals.csv and a Gantt picture."""
    from ppnsim.messages.files.schedules import parse_messages
    from ppnsim.messages.report import messages_result, print_messages, write_intervals
    from ppnsim.messages.run.schedules import run_schedule

    request.only_des("message schedules")
    messages = parse_messages(request.data)
    began = time.perf_counter()
    with progress(request.file, "operations") as report:
        run = run_schedule(messages.schedule, messages.link, progress=report)
    seconds = time.perf_counter() - began
    result = messages_result(run, file=request.file, unit=messages.unit)
    print_messages(request.terminal, run, file=request.file, unit=messages.unit, seconds=seconds)

    def write(folder: Path) -> None:
        from ppnsim.messages.pictures import rank_gantt
        from ppnsim.plots.save import save

        write_intervals(run.intervals, folder / "intervals.csv")
        save(rank_gantt(run, unit=messages.unit), folder / f"gantt.{request.pictures}")

    _write(request, result, write)
    return result, DEADLOCK if run.deadlock else 0


def run_flows(request: Request) -> tuple[dict[str, Any], int]:
    """Run flows over a star; with a folder, write result.json and rates.csv."""
    from ppnsim.messages.files.flows import parse_flows
    from ppnsim.messages.report import flows_result, print_flows, write_rates
    from ppnsim.messages.run import flows as engine

    request.only_des("flows")
    given = parse_flows(request.data)
    began = time.perf_counter()
    with progress(request.file, "flows") as report:
        run = engine.run_flows(given.star, given.flows, progress=report)
    seconds = time.perf_counter() - began
    result = flows_result(run, file=request.file)
    print_flows(request.terminal, run, given.star, given.flows, file=request.file, seconds=seconds)
    _write(request, result, lambda folder: write_rates(run.pieces, folder / "rates.csv"))
    return result, 0


def _write(request: Request, result: dict[str, Any], more: Callable[[Path], None]) -> None:
    if request.folder is None:
        return
    with written_to(request.folder):
        write_json(result, str(request.folder / "result.json"))
        more(request.folder)
    request.terminal.print(f"written to {request.folder}", markup=False)
