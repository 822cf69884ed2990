"""What ports on buses did in a run, as a table and for JSON; and what is assumed of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
from rich.console import Console
from rich.markup import escape

from ppnsim.hls.schedule.buses import BusPort, BusPorts
from ppnsim.model.run import Run
from ppnsim.model.timeline import NEVER
from ppnsim.report.text import plain_table
from ppnsim.source_networks.model import SourceNetwork


@dataclass(frozen=True, slots=True, kw_only=True)
class BusPortUse:
    """A port in a run.

    Attributes
    ----------
    requests, bursts, beats : asked of the memory; AXI bursts; words on the bus.
    bytes : moved.
    busy : cycles in which it has the bus.
    latency, longest : mean and largest cycles from a request until its data, or its response, are there.
    gbps : bytes over the time of the run, in GB/s (1e9 bytes); None after a deadlock.
    """

    arguments: tuple[str, ...]
    task: str
    bundle: str
    direction: str
    requests: int
    bursts: int
    beats: int
    bytes: int
    busy: int
    latency: float
    longest: int
    gbps: float | None


def port_uses(source: SourceNetwork, run: Run) -> list[BusPortUse]:
    """Return the use of each port of a source, in the order of the network."""
    return [_use(port, run) for port in source.ports]


def _use(port: BusPort, run: Run) -> BusPortUse:
    beats, bursts = port.bus.firings, port.bursts
    timeline = run.timeline
    if run.finish is None:
        beats = int(np.count_nonzero(timeline.start(port.bus.name) != NEVER))
    begun, done = timeline.start(port.memory.name), timeline.write(port.memory.name)
    took = (done - begun)[done != NEVER]
    moved = beats * port.width
    time_ns = run.time_ns
    return BusPortUse(
        arguments=port.arrays, task=port.task, bundle=port.bundle, direction="write" if port.write else "read",
        requests=int(np.count_nonzero(begun != NEVER)) * port.per_piece, bursts=bursts, beats=beats, bytes=moved,
        busy=beats, latency=float(took.mean()) if len(took) else 0.0, longest=int(took.max(initial=0)),
        gbps=moved / time_ns if time_ns else None,
    )  # fmt: skip


def ports_result(source: SourceNetwork, run: Run) -> dict[str, object]:
    """Return memory and ports for JSON, nothing for a source without ports."""
    if not source.ports:
        return {}
    return {"memory": source.memory or None, "ports": [asdict(use) for use in port_uses(source, run)]}


def print_ports(console: Console, source: SourceNetwork, run: Run) -> None:
    """Print a row for each port; nothing for a source without one."""
    if not source.ports:
        return
    heads = ("port", "task", "moves", "requests", "bursts", "beats", "busy", "latency", "longest", "GB/s")
    table = plain_table(*heads, right=tuple(range(3, len(heads))))
    for use in port_uses(source, run):
        busy = f"{use.busy / run.finish:.1%}" if run.finish else "-"
        rate = f"{use.gbps:.3g}" if use.gbps is not None else "-"
        numbers = map(str, (use.requests, use.bursts, use.beats, busy, f"{use.latency:.1f}", use.longest, rate))
        table.add_row(
            escape(use.bundle), escape(use.task), escape(f"{use.direction}s {', '.join(use.arguments)}"), *numbers
        )
    console.print(table)


def port_notes(buses: BusPorts, memory: str, *, stuck: bool) -> Iterator[str]:
    """Yield what is assumed of ports and of the memory behind them."""
    yield from buses.unported()
    for port in buses.ports:
        what = f"{port.bundle} {'writes' if port.write else 'reads'} {', '.join(port.arrays)}"
        split = f", its part of those of {port.sharing} tasks" if port.sharing > 1 else ""
        until = "last beat to response" if port.write else "request to first beat"
        behind = f"{memory} behind it" if memory else f"{port.latency} states from {until}"
        words = f"{port.bursts} bursts of up to {port.longest} beats of {port.width} bytes"
        words += f", {port.outstanding} under way"
        yield f"{what}: {words}{split}, {behind}"
        if memory and port.runs > 1:
            yield f"{what}: every run of task '{port.task}' is taken to go to the addresses of its first one"
    if memory and buses.ports:
        yield (
            f"{memory}: arguments lie one after the other, each at a page of 4 KiB; nothing stands between port and "
            "memory, whose latencies are those at the depths of the source"
        )
    if stuck:
        yield f"{memory}: these depths deadlock, so its latencies are those of unbounded FIFOs"
