"""A run across nodes as a table and as JSON; times in seconds."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.model.timeline import NEVER
from ppnsim.platform.placed_run import PlacedRun
from ppnsim.report.text import duration, plain_line, plain_table

_PS = 1e-12


def placed_result(run: PlacedRun, *, file: str) -> dict[str, Any]:
    """Return the result of a run across nodes; what a deadlock left undone is null."""
    placement = run.placement
    return {
        "file": file,
        "name": placement.network.name,
        "finish_s": None if run.finish is None else run.finish * _PS,
        "stuck": run.stuck(),
        "processes": {
            name: {
                "node": placement.node_of[name],
                "firings": int(rows.shape[1]),
                "first_start_s": _seconds(run.start(name), 0),
                "last_start_s": _seconds(run.start(name), -1),
            }
            for name, rows in run.passed.items()
        },
        "links": {
            f"{link.name} from {end}": _direction(run, link.name, end)
            for link in placement.links
            for end in link.ends
        },
    }


def print_placed(console: Console, run: PlacedRun, result: dict[str, Any], *, seconds: float) -> None:
    """Print when it ends, where each process is, and what the links carry."""
    answer = "deadlock" if run.finish is None else f"finish {duration(run.finish / 1000)}"
    plain_line(console, f"{result['name']}   {answer}   engine des   {seconds:.2f} s")
    table = plain_table("process", "node", "firings", "first start", "last start", right=(2, 3, 4))
    for name, row in result["processes"].items():
        starts = [_shown(row[key]) for key in ("first_start_s", "last_start_s")]
        table.add_row(escape(name), escape(row["node"]), str(row["firings"]), *starts)
    console.print(table)
    table = plain_table("link", "messages", "bytes", "busy", "waited for the port", right=(1, 2, 3, 4))
    for name, row in result["links"].items():
        if row["messages"]:
            busy = "-" if row["busy"] is None else f"{100 * row['busy']:.3g} %"
            table.add_row(escape(name), str(row["messages"]), str(row["bytes"]), busy, duration(row["waited_s"] * 1e9))
    if table.row_count:
        console.print(table)
    if run.finish is None:
        plain_line(console, f"stands still: {', '.join(result['stuck'])} did not finish")


def _direction(run: PlacedRun, link: str, source: str) -> dict[str, Any]:
    """Return what one direction of a link did; ``busy`` is the share of the finish in which its port was taken."""
    declared = next(each for each in run.placement.links if each.name == link)
    mine = [message for message in run.messages if (message.link, message.source) == (link, source)]
    taken = sum(max(declared.gap, declared.overhead) + declared.bytes_after_first(message.size) for message in mine)
    return {
        "messages": len(mine),
        "bytes": sum(message.size for message in mine),
        "busy": taken / run.finish if run.finish else None,
        "waited_s": sum(message.started - message.ready for message in mine) * _PS,
    }


def _seconds(times: Any, at: int) -> float | None:
    happened = times[times != NEVER]
    return float(happened[at]) * _PS if len(happened) else None


def _shown(seconds: float | None) -> str:
    return "never" if seconds is None else duration(seconds * 1e9)
