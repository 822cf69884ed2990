"""The profile of a kernel, for the terminal and as JSON: estimates, statements, channels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape

from ppnsim.derive.estimate.calls import CallProfile, CallSpan
from ppnsim.derive.estimate.estimate import ProgramEstimate, Throughput
from ppnsim.loops.dependences import Dependence
from ppnsim.loops.orderings import Ordering
from ppnsim.loops.program import LoopProgram
from ppnsim.report.text import plain_line, plain_table
from ppnsim.units import duration


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelProfile:
    """The profile of a kernel.

    Attributes
    ----------
    channels : those of values, by name; None if the network was too large to derive.
    orderings : those that keep writes after earlier reads and writes.
    sizes : self-timed sizes of channels in tokens, by name.
    seconds : time that the analysis took.
    """

    program: LoopProgram
    estimate: ProgramEstimate
    channels: Sequence[tuple[str, Dependence]] | None
    orderings: Sequence[tuple[str, Ordering]]
    sizes: Mapping[str, int]
    seconds: float


def profile_result(profile: KernelProfile) -> dict[str, Any]:
    """Return the profile as a dictionary for JSON."""
    program, estimate = profile.program, profile.estimate
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
        "channels": None if profile.channels is None else _channels(profile),
        "calls": [_call(each, estimate) for each in estimate.calls],
        "seconds": profile.seconds,
    }


def print_profile(console: Console, profile: KernelProfile, *, clock_ns: float) -> None:
    """Print the estimates, then a row for each statement, then the channels."""
    program, estimate = profile.program, profile.estimate
    plain_line(console, f"{program.name}   {program.file}   {profile.seconds:.2f} s")
    table = plain_table("estimate", "finish", "time", "parallelism mean", "max", right=(3, 4))
    for name, reached in (("absolute", estimate.absolute), ("unbounded", estimate.unbounded)):
        most = f"not counted: {reached.reason or None}" if reached.maximum is None else str(reached.maximum)
        time = duration(reached.finish * clock_ns)
        table.add_row(name, f"{reached.finish} cycles", time, f"{reached.average:.2f}", most)
    console.print(table)
    table = plain_table("process", "line", "executions", "ii", "latency", "utilisation", "loops", right=(1, 2, 3, 4, 5))
    for each in estimate.statements:
        busy = "-" if each.utilisation is None else f"{100 * each.utilisation:.3g} %"
        loops = ", ".join(f"{k.iterator} {k.first}..{k.last}" + " (assumed)" * k.assumed for k in each.loops)
        line = str(each.position.line) if each.kind == "statement" else each.kind
        latency = f"{min(each.latencies)}..{each.latency}" if each.latencies else str(each.latency)
        name = each.name if each.process == each.name else f"{each.process}: {each.name}"
        table.add_row(escape(name), line, str(each.executions), str(each.ii), latency, busy, escape(loops))
    console.print(table)
    if profile.channels or profile.orderings:
        _print_channels(console, profile)
    if estimate.calls:
        _print_calls(console, estimate)


def _print_channels(console: Console, profile: KernelProfile) -> None:
    table = plain_table("channel", "from", "to", "kind", "tokens", "sequential", "self-timed", right=(4, 5, 6))
    for each in _channels(profile):
        ends = (escape(each[key]) for key in ("name", "from", "to"))
        sizes = (each[key] for key in ("tokens", "sequential_size", "selftimed_size"))
        numbers = ("-" if size is None else str(size) for size in sizes)
        table.add_row(*ends, each["kind"] or each["dependence"], *numbers)
    console.print(table)


def _print_calls(console: Console, estimate: ProgramEstimate) -> None:
    table = plain_table(
        "call", "statements", "executions", "share", "absolute", "parallelism", "unbounded", "parallelism",
        right=(1, 2, 3, 5, 7),
    )  # fmt: skip
    for call in estimate.calls:
        figures = []
        for span in (call.absolute, call.unbounded):
            figures += [f"{span.start}..{span.end}", f"{_parallelism(call, span):.2f}"] if span else ["-", "-"]
        name = "  " * (len(call.path) - 1) + call.path[-1]
        numbers = str(call.statements), str(call.executions), f"{100 * _share(call, estimate):.3g} %"
        table.add_row(escape(name), *numbers, *figures)
    console.print(table)


def _share(call: CallProfile, estimate: ProgramEstimate) -> float:
    total = sum(each.busy for each in estimate.calls if len(each.path) == 1)
    return call.busy / total if total else 0.0


def _parallelism(call: CallProfile, span: CallSpan) -> float:
    return call.busy / (span.end - span.start) if span.end > span.start else 0.0


def _call(call: CallProfile, estimate: ProgramEstimate) -> dict[str, Any]:
    def active(span: CallSpan | None) -> dict[str, Any] | None:
        if span is None:
            return None
        cycles = span.end - span.start
        return {"start": span.start, "finish": span.end, "cycles": cycles, "parallelism": _parallelism(call, span)}

    return {
        "name": call.path[-1],
        "path": list(call.path),
        "statements": call.statements,
        "executions": call.executions,
        "busy": call.busy,
        "share": _share(call, estimate),
        "absolute": active(call.absolute),
        "unbounded": active(call.unbounded),
    }


def _channels(profile: KernelProfile) -> list[dict[str, Any]]:
    """Return the channels of values, then those that keep writes after earlier reads and writes."""
    found: list[tuple[Any, ...]] = [
        (name, each.producer, each.consumer, "flow", each.kind, each.tokens, each.sequential_size)
        for name, each in profile.channels or ()
    ]
    for name, order in profile.orderings:
        found.append((name, order.earlier, order.later, order.kind, None, len(np.unique(order.pairs[:, 1])), None))
    keys = "name", "from", "to", "dependence", "kind", "tokens", "sequential_size", "selftimed_size"
    return [dict(zip(keys, (*row, profile.sizes.get(row[0])), strict=True)) for row in found]


def _throughput(throughput: Throughput) -> dict[str, Any]:
    degree = {"average": throughput.average, "maximum": throughput.maximum, "reason": throughput.reason or None}
    return {"finish": throughput.finish, "parallelism": degree}
