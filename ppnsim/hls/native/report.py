"""Reports of an executed design, as tables and JSON: its tasks, its streams, and the testbench's output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.hls.native.execute import TimedDesign
from ppnsim.hls.native.model import NativeRun, RegionRun
from ppnsim.report.text import plain_line, plain_table
from ppnsim.units import duration

NOT_MONOTONE = (
    "accesses that do not wait make the network non-monotone: a deeper FIFO may change values and finish later, "
    "so no depth is proved by this run"
)


def not_monotone(found: TimedDesign) -> str:
    """Return the reason why a design is not a monotone network."""
    if (access := found.polls) is None:
        return "its tasks wait for each other for ever with this testbench, at every depth of the streams"
    position = access.node.position
    return f"'{access}' in {position.file}:{position.line} does not wait, so the network is not monotone"


def native_result(run: NativeRun, *, file: str, clock_ns: float) -> dict[str, Any]:
    """Return the run for JSON; cycles are given for each call of the region."""
    return {
        "file": file, "function": run.name, "engine": "native", "clock_ns": clock_ns,
        "finish": None if run.deadlocked else run.finish, "monotone": run.monotone,
        "timed": run.rule, "assumed": run.assumed, "printed": run.printed,
        "calls": [_call(call) for call in run.calls],
    }  # fmt: skip


def _call(call: RegionRun) -> dict[str, Any]:
    return {
        "finish": None if call.deadlock else call.finish,
        "deadlock": {"cycle": call.finish, "waits": list(map(str, call.deadlock))} if call.deadlock else None,
        "tasks": [{"name": t.name, "start": t.start, "end": t.end, "waited": t.waited} for t in call.tasks],
        "streams": [
            {
                "name": s.name, "depth": s.depth, "written": len(s.writes), "read": len(s.reads), "most": s.most,
                "refused": s.refused, "declared": s.line,
            }
            for s in call.streams
        ],
    }  # fmt: skip


def print_native(console: Console, run: NativeRun, *, clock_ns: float, seconds: float) -> None:
    """Print the finish, the tasks and streams of the last call, and the testbench's output."""
    last = run.calls[-1]
    finish = f"finish {run.finish} cycles ({duration(run.finish * clock_ns)})"
    answer = f"deadlock at cycle {last.finish}" if run.deadlocked else finish
    calls = f" in {len(run.calls)} calls" if len(run.calls) > 1 else ""
    plain_line(console, f"{run.name}   {answer}{calls}   engine native   {seconds:.2f} s")
    tasks = plain_table("task", "start", "end", "waits", "for", right=(1, 2, 3))
    for task in last.tasks:
        end = str(task.end) if task.end else "-"
        waits = ", ".join(f"{name} {cycles}" for name, cycles in task.waited.items()) or "-"
        tasks.add_row(escape(task.name), str(task.start), end, str(sum(task.waited.values())), escape(waits))
    console.print(tasks)
    streams = plain_table("stream", "depth", "most", "written", "read", "refused", right=(1, 2, 3, 4, 5))
    for each in last.streams:
        depth = "-" if each.depth is None else str(each.depth)
        counts = (each.most, len(each.writes), len(each.reads), each.refused)
        streams.add_row(escape(each.name), depth, *map(str, counts))
    console.print(streams)
    for wait in last.deadlock:
        plain_line(console, str(wait))
    for sentence in (run.rule, *run.assumed, *([] if run.monotone else [NOT_MONOTONE])):
        plain_line(console, sentence)
    _print_output(console, run.printed.splitlines())


def _print_output(console: Console, lines: Sequence[str]) -> None:
    if lines:
        plain_line(console, "the testbench printed:")
    for line in lines:
        plain_line(console, f"  {line}")
