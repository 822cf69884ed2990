"""A run across nodes as a table, as JSON and as CSV; times in seconds, those of messages in picoseconds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.messages.model.loggp import MessageCosts
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.network import Channel
from ppnsim.model.suspicions import suspicions
from ppnsim.model.timeline import NEVER
from ppnsim.placed.model.links import Link, Message
from ppnsim.placed.model.memory_ports import MemoryPort
from ppnsim.placed.report.sentence import binding_sentence
from ppnsim.placed.report.terms import ProcessUse, binding, bus_use, link_use, port_use, process_use, round_trip
from ppnsim.placed.run.record import PlacedRun
from ppnsim.report.csv import write_rows
from ppnsim.report.text import plain_line, plain_table
from ppnsim.units import duration

_PS = 1e-12


def placed_result(run: PlacedRun, *, file: str) -> dict[str, Any]:
    """Return the result of a run across nodes; what a deadlock left undone is null, shares are of the time in use."""
    placement = run.placement
    uses = {name: process_use(run, name) for name in run.passed}
    binds = binding(run)
    return {
        "file": file,
        "name": placement.network.name,
        "engine": "des",
        "finish_s": None if run.finish is None else run.finish * _PS,
        "stuck": run.stuck(),
        "binds": None
        if binds is None
        else {"term": binds.kind, "name": binds.name, "share": binds.share, "sentence": binding_sentence(run, binds)},
        "processes": {
            name: {
                "node": placement.node_of[name],
                "firings": int(rows.shape[1]),
                "first_start_s": _seconds(run.start(name), 0),
                "last_start_s": _seconds(run.start(name), -1),
                "taken": uses[name].taken,
                "starved": uses[name].starved,
                "blocked": uses[name].blocked,
            }
            for name, rows in run.passed.items()
        },
        "channels": {
            channel.name: _crossing(run, channel, uses)
            for channel in placement.network.channels
            if placement.crosses(channel)
        },
        "links": {f"{link.name} from {end}": _direction(run, link, end)
                  for link in placement.links for end in link.ends},
        "memories": {memory.name: {"bus": bus_use(run, memory.name)} for memory in placement.memories},
        "ports": {port.name: _port(run, port, uses) for port in placement.ports},
        "suspicious": [asdict(each) for each in suspicions(placement.network)],
    }  # fmt: skip


def print_placed(console: Console, run: PlacedRun, result: dict[str, Any], *, seconds: float) -> None:
    """Print when it ends, where each process is and what it waited for, what links and memories did, what binds."""
    answer = "deadlock" if run.finish is None else f"finish {duration(run.finish / 1000)}"
    plain_line(console, f"{result['name']}   {answer}   engine des   {seconds:.2f} s")
    heads = ("process", "node", "firings", "first start", "last start", "taken", "starved", "blocked")
    table = plain_table(*heads, right=(2, 3, 4, 5))
    for name, row in result["processes"].items():
        starts = [_shown(row[key]) for key in ("first_start_s", "last_start_s")]
        waits = [_causes(row[key]) for key in ("starved", "blocked")]
        table.add_row(escape(name), escape(row["node"]), str(row["firings"]), *starts, _percent(row["taken"]), *waits)
    console.print(table)
    _print_crossing(console, result["channels"])
    _print_links(console, result["links"])
    _print_ports(console, result["ports"])
    for each in suspicions(run.placement.network):
        plain_line(console, str(each))
    if run.finish is None:
        plain_line(console, f"stands still: {', '.join(_waits_for(run, name) for name in result['stuck'])}")
    elif result["binds"] is not None:
        plain_line(console, f"bottleneck: {result['binds']['sentence']}")


def _waits_for(run: PlacedRun, process: str) -> str:
    """Return what a process waits for in a deadlock: the class of a cycle after all that still could happen."""
    timeline = run.timeline(process)
    later = replace(timeline, until=timeline.until + timeline.network.steps[process].deepest + 1)
    classes = cycle_classes(later, process)
    kind, cause = classes.labels[classes.codes[-1]]
    wanted = {"blocked": "slots of", "starved": "tokens of", "resource": "a unit of"}
    return f"{process} waits for {wanted[kind]} '{cause}'" if kind in wanted else f"{process} did not finish"


def _print_crossing(console: Console, rows: dict[str, Any]) -> None:
    table = plain_table(
        "channel", "over", "packet", "depth", "writer waits", "reader waits", "slot is back after",
        right=(2, 3, 4, 5, 6),
    )  # fmt: skip
    for name, row in rows.items():
        depth = "unbounded" if row["depth"] is None else str(row["depth"])
        waits = [_percent(row[key]) for key in ("writer_waits", "reader_waits")]
        back = _shown(row["round_trip_s"])
        table.add_row(escape(name), escape(row["link"]), str(row["packet"]), depth, *waits, back)
    if table.row_count:
        console.print(table)


def _print_links(console: Console, rows: dict[str, Any]) -> None:
    table = plain_table(
        "link", "messages", "bytes", "taken", "by overhead", "by gap", "by bytes", "waited for the port",
        right=tuple(range(1, 8)),
    )  # fmt: skip
    for name, row in rows.items():
        if row["messages"]:
            parts = [_percent(row[key]) for key in ("taken", "by_overhead", "by_gap", "by_bytes")]
            waited = duration(float(f"{row['waited_s'] * 1e9:.6g}"))
            table.add_row(escape(name), str(row["messages"]), str(row["bytes"]), *parts, waited)
    if table.row_count:
        console.print(table)


def _print_ports(console: Console, rows: dict[str, Any]) -> None:
    table = plain_table(
        "memory port", "requests", "outstanding", "under way", "latency", "alone at most", "process waits",
        right=tuple(range(1, 7)),
    )  # fmt: skip
    for name, row in rows.items():
        under_way = "-" if row["under_way"] is None else f"{row['under_way']:.3g}"
        times = [_shown(row[key]) for key in ("latency_s", "alone_s")]
        waits = _percent(row["process_waits"])
        table.add_row(escape(name), str(row["requests"]), str(row["outstanding"]), under_way, *times, waits)
    if table.row_count:
        console.print(table)


def _crossing(run: PlacedRun, channel: Channel, uses: dict[str, ProcessUse]) -> dict[str, Any]:
    """Return who waits for a channel between nodes: its writer for slots, its reader for tokens."""
    name, back = channel.name, round_trip(run, channel.name)
    return {
        "link": run.placement.link_of(channel).name,
        "packet": run.placement.packet.get(name, 1),
        "depth": channel.depth,
        "writer_waits": uses[channel.source].blocked.get(name, 0.0),
        "reader_waits": uses[channel.target].starved.get(name, 0.0),
        "round_trip_s": None if back is None else back * _PS,
    }


def _direction(run: PlacedRun, link: Link, source: str) -> dict[str, Any]:
    """Return what one direction of a link did; ``busy`` is the share of the finish in which its port was taken."""
    mine, use, costs = run.sent(link, source), link_use(run, link, source), MessageCosts(link)
    taken = sum(costs[message.size].interval for message in mine)
    return {
        "messages": len(mine),
        "bytes": sum(message.size for message in mine),
        "busy": taken / run.finish if run.finish else None,
        "taken": use.taken,
        "by_overhead": use.overhead,
        "by_gap": use.gap,
        "by_bytes": use.bytes,
        "waited_s": sum(message.started - message.ready for message in mine) * _PS,
    }


def _port(run: PlacedRun, port: MemoryPort, uses: dict[str, ProcessUse]) -> dict[str, Any]:
    use = port_use(run, port)
    waits = uses[port.process].blocked if port.write else uses[port.process].starved
    return {
        "requests": len(run.asked[port.name].asked),
        "outstanding": port.outstanding,
        "under_way": use.under_way if use else None,
        "latency_s": use.latency * _PS if use else None,
        "alone_s": use.unloaded * _PS if use else None,
        "process_waits": waits.get(port.name, 0.0),
    }


def _seconds(times: Any, at: int) -> float | None:
    happened = times[times != NEVER]
    return float(happened[at]) * _PS if len(happened) else None


def _shown(seconds: float | None) -> str:
    return "never" if seconds is None else duration(float(f"{seconds * 1e9:.6g}"))


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %" if share else "-"


def _causes(shares: dict[str, float]) -> str:
    return escape(", ".join(f"{name} {_percent(share)}" for name, share in shares.items())) or "-"


def write_messages(messages: Iterable[Message], path: str | Path) -> None:
    """Write a row per message, with its fields as columns (see `write_rows`)."""
    write_rows(Message._fields, messages, path)
