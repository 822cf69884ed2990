"""Results as tables for the terminal: the first line answers the question, the table shows why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ppnsim.model.run import Run
from ppnsim.model.steady import LeftOut
from ppnsim.report.bottleneck import bottleneck, starved_for

Row = TypeVar("Row")
MOST_ROWS = 20  # of a front


def print_run(console: Console, run: Run, result: dict[str, Any], *, seconds: float) -> None:
    """Print the answer, where every cycle of every process went, the channels, and what to do about it."""
    degree = result["parallelism"]
    answer = "deadlock" if run.finish is None else f"finish {run.finish} cycles ({duration(run.time_ns)})"
    average = "-" if degree["average"] is None else f"{degree['average']:.2f}"
    plain_line(
        console,
        f"{result['name']}   {answer}   parallelism {average} mean, {degree['maximum']} max   "
        f"engine {run.engine}   {seconds:.2f} s",
    )
    console.print(_processes(run, result))
    if result["channels"]:
        console.print(_channels(run, result))
    if run.left_out is not None:
        plain_line(console, _steady(run.left_out))
    if run.deadlock is not None:
        plain_line(console, str(run.deadlock))
        plain_line(console, f"  -> {result['deadlock']['explanation'] or 'the search for depths was interrupted'}")
    elif (sentence := bottleneck(run, result)) is not None:
        plain_line(console, f"bottleneck: {sentence}")


def _steady(left_out: LeftOut) -> str:
    steady = left_out.steady
    iterations = "graph iteration" if steady.iterations == 1 else f"{steady.iterations} graph iterations"
    return (
        f"steady state: {steady.cycles} cycles for {iterations}, from cycle {steady.since} on; "
        f"{left_out.rounds} repetitions left out, exactly"
    )


def print_estimate(console: Console, result: dict[str, Any]) -> None:
    """Print the two estimates and the lower bounds with their reasons."""
    plain_line(console, result["name"])
    table = plain_table("estimate", "finish", "time", "parallelism mean", "max")
    for name in ("absolute", "unbounded"):
        row = result[name]
        average = row["parallelism"]["average"]
        finish = "never: the data goes round in a circle" if row["finish"] is None else f"{row['finish']} cycles"
        mean = "-" if average is None else f"{average:.2f}"
        table.add_row(name, finish, duration(row["time_ns"]), mean, str(row["parallelism"]["maximum"]))
    console.print(table)
    table = plain_table("no run is below", "cycles", "because", right=(1,))
    for bound in result["bounds"]:
        table.add_row(escape(bound["name"]), str(bound["cycles"]), escape(bound["reason"]))
    console.print(table)


def duration(ns: float | None) -> str:
    """Return a time with a unit that suits it.

    Examples
    --------
    >>> duration(830.0), duration(10350.0), duration(None)
    ('830 ns', '10.35 us', '-')
    """
    if ns is None:
        return "-"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= size * 10:
            return f"{ns / size:.5g} {unit}"
    return f"{ns:g} ns"


def _processes(run: Run, result: dict[str, Any]) -> Table:
    rows = result["processes"]
    extra = [kind for kind in ("ii", "resource") if any(row["cycles"][kind] for row in rows.values())]
    table = plain_table(
        "process", "firings", "first..last start", "utilisation", "starting", *extra, "starved", "blocked", "draining",
        "done", right=(1, 2, 3, 4, *([5] if "ii" in extra else []), 7 + len(extra), 8 + len(extra)),
    )  # fmt: skip
    for name, row in rows.items():
        cycles = row["cycles"]
        started = "never" if row["first_start"] is None else f"{row['first_start']}..{row['last_start']}"
        busy = "-" if row["utilisation"] is None else f"{100 * row['utilisation']:.3g} %"
        shown = [str(cycles["ii"]) if kind == "ii" else _causes(cycles["resource"]) for kind in extra]
        blocked: dict[str, int] = {}
        for channel, count in cycles["blocked"].items():
            target = run.network.channel(channel).target
            blocked[target] = blocked.get(target, 0) + count
        table.add_row(
            escape(name), str(row["firings"]), started, busy, str(cycles["starting"]), *shown,
            _causes(starved_for(run, result, name), name), _causes(blocked, name),
            str(cycles["draining"]), str(cycles["done"]),
        )  # fmt: skip
    return table


def _channels(run: Run, result: dict[str, Any]) -> Table:
    table = plain_table("channel", "from", "to", "kind", "tokens", "most held", "depth", right=(4, 5, 6))
    for name, row in result["channels"].items():
        channel = run.network.channel(name)
        depth = "unbounded" if row["depth"] is None else str(row["depth"])
        table.add_row(
            escape(name), escape(channel.source), escape(channel.target), row["kind"], str(row["tokens"]),
            str(row["max_occupancy"]), depth,
        )  # fmt: skip
    return table


def _causes(cycles: dict[str, int], itself: str | None = None) -> str:
    parts = (f"{'itself' if cause == itself else cause} {count}" for cause, count in cycles.items())
    return escape(", ".join(parts)) or "-"


def plain_table(*headings: str, right: tuple[int, ...] = ()) -> Table:
    """Return a table with these headings; the columns numbered in ``right`` are for numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if index in right else "left", overflow="fold")
    return table


def some_of(rows: Sequence[Row]) -> list[Row]:
    """Return as many rows as are read: of more than 20 every few ones, with the first and the last.

    Examples
    --------
    >>> some_of(range(39))[:3], len(some_of(range(39)))
    ([0, 2, 4], 20)
    """
    if len(rows) <= MOST_ROWS:
        return list(rows)
    return [rows[k * (len(rows) - 1) // (MOST_ROWS - 1)] for k in range(MOST_ROWS)]


def plain_line(console: Console, text: str) -> None:
    """Print a line as it is: no markup, no colours, no breaks."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)
