"""Platforms as JSON and as tables: what they are made of, and where every parameter comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.memory.model.dram import MemoryGroup
from ppnsim.memory.report import described_rows, memory_rows, shown_value
from ppnsim.platform.files.dump import system_tables
from ppnsim.platform.model.provenance import part_fields
from ppnsim.platform.model.system import Part, System
from ppnsim.report.text import plain_line, plain_table

Row = tuple[str, str, str]  # parameter, value, provenance


def platform_result(system: System, *, file: str) -> dict[str, Any]:
    """Return a platform as JSON: its parts with their parameters and provenance, its graph's size."""
    return {
        "file": file,
        "name": system.name,
        "category": system.category,
        "parts": [{"name": part.name, "kind": _kind(part), **_parameters(part)} for part in system.parts],
        "vertices": system.graph.number_of_nodes(),
        "edges": system.graph.number_of_edges(),
    }


def print_platform(console: Console, system: System) -> None:
    """Print what a platform is made of, every parameter with its provenance."""
    plain_line(console, f"{system.name}   {system.category}")
    written = {name: each for kind in system_tables(system).values() for name, each in kind.items()}
    rows = {part.name: list(_rows(part, dict(_flat(written[part.name])))) for part in system.parts}
    print_parts(console, ((_kind(part), part.name, rows[part.name]) for part in system.parts))


def print_parts(console: Console, parts: Iterable[tuple[str, str, Sequence[Row]]]) -> None:
    """Print the kind and the name of each part, its parameters, their values and their provenance."""
    table = plain_table("part", "parameter", "value", "provenance")
    for kind, name, rows in parts:
        for number, row in enumerate(rows):
            table.add_row(*map(escape, (f"{kind} {name}" if number == 0 else "", *row)))
    console.print(table)


def _rows(part: Part, written: Mapping[str, Any]) -> Iterator[Row]:
    """Yield parameter, value as a file would write it, and provenance."""
    for key, value in _flat({name: each for name, each in _parameters(part).items() if name != "parameters"}):
        if key != "provenance":
            yield key, shown_value(value if key == "count" else written.get(key, value)), part.provenance.get(key, "-")
    if isinstance(part, MemoryGroup):
        yield from memory_rows(part)


def _kind(part: Part) -> str:
    return {"NodeGroup": "node", "Interconnect": "network", "Bus": "bus", "MemoryGroup": "memory"}[type(part).__name__]


def _parameters(part: Part) -> dict[str, Any]:
    found = {
        each.name: _plain(getattr(part, each.name)) for each in part_fields(part) if each.name not in ("name", "dram")
    }
    if isinstance(part, MemoryGroup):
        found["parameters"] = [row._asdict() for row in described_rows(part)]
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return float(value)
    if hasattr(value, "__dataclass_fields__"):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _flat(parameters: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return parameters of one level, those of a bus's directions as ``write.delay``."""
    flat: list[tuple[str, Any]] = []
    for key, value in parameters.items():
        if isinstance(value, dict) and key in ("write", "read"):
            flat += [(f"{key}.{inner}", each) for inner, each in value.items()]
        elif value not in (None, "", {}, []) and not (key == "clamp" and not parameters["efficiency"]):
            flat.append((key, value))
    return flat
