"""Results of message schedules and of flows, as dictionaries for JSON, as tables for the terminal and as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from ppnsim.messages.model.flows import FairFlow, FlowRun, Piece, Star
from ppnsim.messages.run.record import CPU_KINDS, Interval, MessageRun, shares
from ppnsim.report.csv import write_rows
from ppnsim.report.text import plain_line, plain_table

_ROWS = 64  # ranks, or flows, that a table shows; the JSON has all
_ADVICE = {
    "compute": "a faster link changes little",
    "send": "the processor is busy sending (o, O): fewer, larger messages cost less",
    "receive": "the processor is busy receiving (o, O): fewer, larger messages cost less",
    "bytes": "the bytes of received messages (G) take its time: a wider link or a DMA engine (recv_cpu) would help",
    "gap": "its port is what the next operation waits for (g, G): a shorter gap or fewer messages would help",
    "latency": "messages are under way (L): more of them at a time would hide it",
    "wait": "nothing is under way to it then, so what the others do meanwhile decides",
}


def messages_result(run: MessageRun, *, file: str, unit: str) -> dict[str, Any]:
    """Return the result of a schedule; times in the unit of the input, ``completion`` null in a deadlock."""
    deadlock = run.deadlock
    return {
        "file": file,
        "engine": "des",
        "completion": run.completion,
        "rank_end": list(run.rank_end),
        "unit": unit or None,
        "messages": run.messages,
        "bytes": run.sent,
        "unreceived": run.unreceived,
        "ranks": shares(run.intervals, len(run.rank_end)),
        "deadlock": None
        if deadlock is None
        else {
            "at": deadlock.at,
            "done": deadlock.done,
            "operations": deadlock.operations,
            "waiting": [
                {"rank": each.rank, "operation": each.index, "reason": each.reason} for each in deadlock.waiting
            ],
        },
    }


def print_messages(console: Console, run: MessageRun, *, file: str, unit: str, seconds: float) -> None:
    """Print when all is done, what every rank did until then, and what the last of them mostly does."""
    ranks = len(run.rank_end)
    answer = "deadlock" if run.completion is None else f"completion {run.completion}{unit and ' ' + unit}"
    amounts = f"{ranks} ranks, {run.messages} messages, {run.sent} bytes"
    plain_line(console, f"{file}   {answer}   {amounts}   engine des   {seconds:.2f} s")
    took = shares(run.intervals, ranks)
    table = plain_table("rank", "end", *CPU_KINDS, right=tuple(range(1, 2 + len(CPU_KINDS))))
    for rank in range(min(ranks, _ROWS)):
        table.add_row(str(rank), str(run.rank_end[rank]), *(str(took[rank][kind]) for kind in CPU_KINDS))
    console.print(table)
    if ranks > _ROWS:
        plain_line(console, f"... and {ranks - _ROWS} ranks more (--json has all)")
    if run.unreceived:
        are = "messages are" if run.unreceived > 1 else "message is"
        plain_line(console, f"{run.unreceived} {are} asked for by no receive")
    if run.deadlock is not None:
        plain_line(console, str(run.deadlock))
    elif run.completion:
        last = run.rank_end.index(run.completion)
        most = max(CPU_KINDS, key=lambda kind: took[last][kind])
        part = 100 * took[last][most] / run.completion
        plain_line(console, f"rank {last} ends last; {most} is {part:.0f} % of its time: {_ADVICE[most]}")


def flows_result(run: FlowRun, *, file: str) -> dict[str, Any]:
    """Return the result of flows: ``finish`` of each in seconds."""
    return {"file": file, "engine": "des", "finish": list(run.finish)}


def print_flows(
    console: Console, run: FlowRun, star: Star, flows: Sequence[FairFlow], *, file: str, seconds: float
) -> None:
    """Print when each flow finished, beside what it would take alone on its route."""
    last = f"last finish {max(run.finish):.9g} s" if run.finish else "no flow"
    plain_line(console, f"{file}   {last}   {star.hosts} hosts, {len(flows)} flows   engine des   {seconds:.2f} s")
    table = plain_table(
        "flow", "from", "to", "bytes", "start (s)", "finish (s)", "took (s)", "alone (s)", "slowed by",
        right=tuple(range(9)),
    )  # fmt: skip
    narrowest = min(star.capacity[link] for link in star.route(0, 0))
    for number, (flow, finish) in enumerate(zip(flows[:_ROWS], run.finish, strict=False)):
        took, alone = finish - flow.start, star.delay + flow.size / narrowest
        table.add_row(
            str(number), str(flow.source), str(flow.target), f"{flow.size:g}", f"{flow.start:g}", f"{finish:.9g}",
            f"{took:.6g}", f"{alone:.6g}", f"{took / alone:.3g}" if alone else "-",
        )  # fmt: skip
    console.print(table)
    if len(flows) > _ROWS:
        plain_line(console, f"... and {len(flows) - _ROWS} flows more (--json has all)")


def write_intervals(intervals: Iterable[Interval], path: str | Path) -> None:
    """Write one row per interval: rank, kind, start, end (see `write_rows`)."""
    write_rows(Interval._fields, intervals, path)


def write_rates(pieces: Iterable[Piece], path: str | Path) -> None:
    """Write one row per stretch of constant rate: flow, start and end in s, rate in B/s (see `write_rows`)."""
    write_rows(Piece._fields, pieces, path)
