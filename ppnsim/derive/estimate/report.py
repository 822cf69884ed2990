"""The profile of a kernel, for the terminal and as JSON: estimates, statements, channels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.derive.estimate.calls import CallProfile, CallSpan
from ppnsim.derive.estimate.estimate import ProgramEstimate, Throughput
from ppnsim.loops.dependences import Dependence
from ppnsim.loops.orderings import Ordering
from ppnsim.loops.program import LoopProgram
from ppnsim.report.text import duration, plain_line, plain_table


def profile_result(
    program: LoopProgram,
    estimate: ProgramEstimate,
    channels: list[tuple[str, Dependence]] | None,
    sizes: dict[str, int],
    *,
    orderings: Sequence[tuple[str, Ordering]] = (),
    seconds: float,
) -> dict[str, Any]:
    """Return the profile as a dictionary; ``channels`` is null if the network was too large to derive.

    Behind the channels of values come those of ``orderings``, which keep writes after earlier reads and writes.
    """
    return {
        "file": program.file,
        "function": program.name,
        "statements": [
            {
                "name": each.name,
                "kind": each.kind,
                "process": each.process,
                "line": each.position.line,
                "executions": each.executions,
                "ii": each.ii,
                "latency": each.latency,
                "latencies": [min(each.latencies), each.latency] if each.latencies else None,
                "utilisation": each.utilisation,
                "loops": [
                    {
                        "iterator": loop.iterator,
                        "first": loop.first,
                        "last": loop.last,
                        "step": loop.step,
                        "entries": loop.entries,
                        "iterations": loop.iterations,
                        "trips": [loop.fewest, loop.most],
                        "assumed": loop.assumed,
                    }
                    for loop in each.loops
                ],
            }
            for each in estimate.statements
        ],
        "folded": list(estimate.folded),
        "absolute": _throughput(estimate.absolute),
        "unbounded": _throughput(estimate.unbounded),
        "channels": None
        if channels is None
        else [
            {
                "name": name,
                "from": each.producer,
                "to": each.consumer,
                "dependence": "flow",
                "kind": each.kind,
                "tokens": each.tokens,
                "sequential_size": each.sequential_size,
                "selftimed_size": sizes.get(name),
            }
            for name, each in channels
        ]
        + [_ordering(name, each, sizes) for name, each in orderings],
        "calls": [_call(each, estimate) for each in estimate.calls],
        "seconds": seconds,
    }


def print_profile(console: Console, result: dict[str, Any], *, clock_ns: float) -> None:
    """Print the estimates, then a row for each statement, then the channels."""
    plain_line(console, f"{result['function']}   {result['file']}   {result['seconds']:.2f} s")
    table = plain_table("estimate", "finish", "time", "parallelism mean", "max", right=(3, 4))
    for name in ("absolute", "unbounded"):
        row, degree = result[name], result[name]["parallelism"]
        most = f"not counted: {degree['reason']}" if degree["maximum"] is None else str(degree["maximum"])
        cycles = f"{row['finish']} cycles"
        table.add_row(name, cycles, duration(row["finish"] * clock_ns), f"{degree['average']:.2f}", most)
    console.print(table)
    table = plain_table("process", "line", "executions", "ii", "latency", "utilisation", "loops", right=(1, 2, 3, 4, 5))
    for row in result["statements"]:
        busy = "-" if row["utilisation"] is None else f"{100 * row['utilisation']:.3g} %"
        loops = ", ".join(
            f"{loop['iterator']} {loop['first']}..{loop['last']}" + " (assumed)" * loop["assumed"]
            for loop in row["loops"]
        )
        line = str(row["line"]) if row["kind"] == "statement" else row["kind"]
        latency = str(row["latency"]) if row["latencies"] is None else "{}..{}".format(*row["latencies"])
        numbers = str(row["executions"]), str(row["ii"]), latency
        own = row["process"] == row["name"]
        name = row["name"] if own else f"{row['process']}: {row['name']}"
        table.add_row(escape(name), line, *numbers, busy, escape(loops))
    console.print(table)
    if result["channels"]:
        table = plain_table("channel", "from", "to", "kind", "tokens", "sequential", "self-timed", right=(4, 5, 6))
        for row in result["channels"]:
            size = "-" if row["selftimed_size"] is None else str(row["selftimed_size"])
            ends = escape(row["from"]), escape(row["to"])
            kind = row["kind"] if row["dependence"] == "flow" else row["dependence"]
            needed = "-" if row["sequential_size"] is None else str(row["sequential_size"])
            table.add_row(escape(row["name"]), *ends, kind, str(row["tokens"]), needed, size)
        console.print(table)
    if result["calls"]:
        _print_calls(console, result["calls"])


def _print_calls(console: Console, calls: list[dict[str, Any]]) -> None:
    table = plain_table(
        "call", "statements", "executions", "share", "absolute", "parallelism", "unbounded", "parallelism",
        right=(1, 2, 3, 5, 7),
    )  # fmt: skip
    for row in calls:
        figures = []
        for name in ("absolute", "unbounded"):
            span = row[name]
            figures += [f"{span['start']}..{span['finish']}", f"{span['parallelism']:.2f}"] if span else ["-", "-"]
        name = "  " * (len(row["path"]) - 1) + row["name"]
        numbers = str(row["statements"]), str(row["executions"]), f"{100 * row['share']:.3g} %"
        table.add_row(escape(name), *numbers, *figures)
    console.print(table)


def _call(call: CallProfile, estimate: ProgramEstimate) -> dict[str, Any]:
    total = sum(each.busy for each in estimate.calls if len(each.path) == 1)

    def active(span: CallSpan | None) -> dict[str, Any] | None:
        if span is None:
            return None
        cycles = span.end - span.start
        return {
            "start": span.start, "finish": span.end, "cycles": cycles,
            "parallelism": call.busy / cycles if cycles else 0.0,
        }  # fmt: skip

    return {
        "name": call.path[-1],
        "path": list(call.path),
        "statements": call.statements,
        "executions": call.executions,
        "busy": call.busy,
        "share": call.busy / total if total else 0.0,
        "absolute": active(call.absolute),
        "unbounded": active(call.unbounded),
    }


def _ordering(name: str, each: Ordering, sizes: dict[str, int]) -> dict[str, Any]:
    tokens = len({firing for _, firing in each.pairs.tolist()})
    return {
        "name": name,
        "from": each.earlier,
        "to": each.later,
        "dependence": each.kind,
        "kind": None,
        "tokens": tokens,
        "sequential_size": None,
        "selftimed_size": sizes.get(name),
    }


def _throughput(throughput: Throughput) -> dict[str, Any]:
    degree = {"average": throughput.average, "maximum": throughput.maximum, "reason": throughput.reason or None}
    return {"finish": throughput.finish, "parallelism": degree}
