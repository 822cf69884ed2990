"""Networks placed on nodes as JSON and as a table: nodes, links and memories, and which process is where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console

from ppnsim.memory.model.dram import MemoryGroup
from ppnsim.memory.report import memory_rows
from ppnsim.placed.model.links import Link
from ppnsim.placed.model.placement import Placement
from ppnsim.platform.report.system import Row, print_parts
from ppnsim.report.text import plain_line
from ppnsim.units import duration


def placement_result(placement: Placement, *, file: str) -> dict[str, Any]:
    """Return a placed network as JSON; every parameter as text, with its provenance."""
    return {
        "file": file,
        "name": placement.network.name,
        "parts": [
            {
                "name": name,
                "kind": kind,
                "parameters": [
                    {"parameter": key, "value": value, "provenance": None if told == "-" else told}
                    for key, value, told in rows
                ],
            }
            for kind, name, rows in _parts(placement)
        ],
        "vertices": placement.graph.number_of_nodes(),
        "edges": placement.graph.number_of_edges(),
    }


def print_placement(console: Console, placement: Placement) -> None:
    """Print nodes with their processes, links and memories, every parameter with its provenance."""
    count = len(placement.nodes)
    plain_line(console, f"{placement.network.name}   a network placed on {count} node{'s' if count > 1 else ''}")
    print_parts(console, _parts(placement))


def _parts(placement: Placement) -> Iterator[tuple[str, str, list[Row]]]:
    for node in placement.nodes:
        clock = ("clock", f"{1e6 / float(node.period):.6g} MHz", node.provenance.get("clock", "-"))
        yield "node", node.name, [clock, ("processes", ", ".join(placement.processes_on(node.name)) or "-", "-")]
    for link in placement.links:
        yield "link", link.name, list(_link(link))
    for memory in placement.memories:
        yield "memory", memory.name, list(_memory(memory))


def _link(link: Link) -> Iterator[Row]:
    values = {"between": " and ".join(link.ends)}
    values |= {key: duration(getattr(link, key) / 1000) for key in ("latency", "overhead", "gap")}
    values["bandwidth"] = f"{1000 / float(link.per_byte):.6g} GB/s" if link.per_byte else "unlimited"
    if link.efficiency:
        values["efficiency"] = ", ".join(f"{size} bytes {float(share):g}" for size, share in link.efficiency)
        values["clamp"] = str(link.clamp).lower()
    for key, value in values.items():
        yield key, value, link.provenance.get(key, "-")


def _memory(memory: MemoryGroup) -> Iterator[Row]:
    yield "node", memory.on or "all", memory.provenance.get("node", "-")
    if memory.preset:
        yield "preset", memory.preset, memory.provenance.get("preset", "-")
    yield from memory_rows(memory)
