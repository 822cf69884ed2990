"""The profile of a kernel, for the terminal and as JSON: estimates, statements, channels."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.affine.dependences import Dependence
from ppnsim.affine.program import LoopProgram
from ppnsim.analysis.program_estimate import ProgramEstimate, Throughput
from ppnsim.report.text import duration, plain_line, plain_table


def profile_result(
    program: LoopProgram,
    estimate: ProgramEstimate,
    channels: list[tuple[str, Dependence]] | None,
    sizes: dict[str, int],
    *,
    seconds: float,
) -> dict[str, Any]:
    """Return the profile as a dictionary; ``channels`` is null where the network was too large to derive."""
    return {
        "file": program.file,
        "function": program.name,
        "statements": [
            {
                "name": each.name,
                "kind": each.kind,
                "line": each.position.line,
                "executions": each.executions,
                "ii": each.ii,
                "latency": each.latency,
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
                "kind": each.kind,
                "tokens": each.tokens,
                "sequential_size": each.sequential_size,
                "selftimed_size": sizes.get(name),
            }
            for name, each in channels
        ],
        "seconds": seconds,
    }


def print_profile(console: Console, result: dict[str, Any], *, clock_ns: float) -> None:
    """Print the estimates first, then what each statement does, then the channels."""
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
        loops = ", ".join(f"{loop['iterator']} {loop['first']}..{loop['last']}" for loop in row["loops"])
        line = str(row["line"]) if row["kind"] == "statement" else row["kind"]
        numbers = str(row["executions"]), str(row["ii"]), str(row["latency"])
        table.add_row(escape(row["name"]), line, *numbers, busy, escape(loops))
    console.print(table)
    if result["channels"]:
        table = plain_table("channel", "from", "to", "kind", "tokens", "sequential", "self-timed", right=(4, 5, 6))
        for row in result["channels"]:
            size = "-" if row["selftimed_size"] is None else str(row["selftimed_size"])
            ends = escape(row["from"]), escape(row["to"])
            table.add_row(
                escape(row["name"]), *ends, row["kind"], str(row["tokens"]), str(row["sequential_size"]), size
            )
        console.print(table)


def _throughput(throughput: Throughput) -> dict[str, Any]:
    degree = {"average": throughput.average, "maximum": throughput.maximum, "reason": throughput.reason or None}
    return {"finish": throughput.finish, "parallelism": degree}
