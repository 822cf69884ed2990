"""Platforms and applications as TOML tables, and as text; what is written reads back as the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING
from fractions import Fraction
from typing import Any

from ppnsim.formats.quantities import clock_text, decimal, rate_text, size_text, time_text
from ppnsim.memory.files.keys import dram_table
from ppnsim.memory.model.dram import Dram
from ppnsim.platform.model.nodes import BusDirection, NodeGroup
from ppnsim.platform.model.provenance import part_fields
from ppnsim.platform.model.stages import Application, BusTransfer, Compute, Stage, Transfer
from ppnsim.platform.model.system import Part, System

_PER_BYTE = ("per_byte", "cost")
_SIZES = ("size", "block", "element", "reads")


def system_tables(system: System) -> dict[str, Any]:
    """Return a platform as TOML tables; keys at their default are left out.

    Examples
    --------
    >>> from ppnsim.platform.model.presets import src6
    >>> system_tables(src6())["network"]["snap"]["latency"]
    '10.1 us'
    """
    kinds: dict[str, tuple[Part, ...]] = {
        "node": system.nodes, "network": system.networks, "bus": system.buses, "memory": system.memories
    }  # fmt: skip
    tables: dict[str, Any] = {"platform": {"name": system.name}}
    for kind, parts in kinds.items():
        if parts:
            tables[kind] = {part.name: _keys(part) for part in parts}
    # A device of every host goes with the number of hosts, so that one number scales a platform.
    for bus in system.buses:
        node = tables["node"]
        if node[bus.host].get("count", 1) == node[bus.device].get("count", 1):
            node[bus.device]["count"] = bus.host
    return tables


def application_tables(application: Application) -> dict[str, Any]:
    """Return an application as TOML tables."""
    return {
        "application": {key: value for key, value in _keys(application).items() if key != "stages"},
        "stage": {stage.name: _stage(stage) for stage in application.stages},
    }


def dump_platform(system: System, application: Application | None = None) -> str:
    """Return a platform, and what runs on it, as the text of a TOML file.

    Examples
    --------
    >>> from ppnsim.platform.model.presets import src6
    >>> print(dump_platform(src6()).split("[network.snap.provenance]")[0].split("[network.snap]")[1].strip())
    connects = ["host", "map"]
    latency = "10.1 us"
    per_byte = "1.25 ns/byte"
    gap = "640 ns"
    receiving = "overhead"
    """
    tables = system_tables(system) | (application_tables(application) if application else {})
    return "\n".join(_lines(tables, "")).strip() + "\n"


def _stage(stage: Stage) -> dict[str, Any]:
    table = {key: value for key, value in _keys(stage).items() if key not in ("inputs", "outputs")}
    return table | {
        "compute": _keys(stage.compute),
        "input": [_transfer(each) for each in stage.inputs],
        "output": [_transfer(each) for each in stage.outputs],
    }


def _transfer(transfer: Transfer) -> dict[str, Any]:
    table = _keys(transfer)
    table["bytes"] = table.pop("size")
    return {"name": transfer.name, **table}


def _keys(part: Any) -> dict[str, Any]:
    """Return the fields of a part as a file writes them, without its name and without defaults."""
    table: dict[str, Any] = {}
    for field in part_fields(part):
        value = getattr(part, field.name)
        default = field.default_factory() if field.default_factory is not MISSING else field.default
        if (field.name == "name" and not isinstance(part, BusTransfer)) or value == default:
            continue
        if isinstance(value, Dram):
            table |= dram_table(value, part.preset)
        else:
            table[field.name] = _value(part, field.name, value)
    return table


def _value(part: object, name: str, value: Any) -> Any:
    if isinstance(value, BusDirection | Compute):
        return _keys(value)
    if name == "efficiency":
        return [[size_text(size), float(share)] for size, share in value]
    if isinstance(part, NodeGroup) and name in ("clock", "port"):
        return clock_text(value) if name == "clock" else f"{decimal(value)} bytes/cycle"
    if isinstance(part, BusDirection) and name == "rate":
        return rate_text(value)
    if name in _SIZES:
        return size_text(value)
    if name == "ops_per_cycle":
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, Fraction):
        return time_text(value, "/byte" if name in _PER_BYTE else "")
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def _lines(table: Mapping[str, Any], path: str) -> list[str]:
    inner = {key: each for key, each in table.items() if isinstance(each, dict)}
    lists = {key: each for key, each in table.items() if isinstance(each, list) and each and isinstance(each[0], dict)}
    plain = {key: each for key, each in table.items() if key not in inner and key not in lists}
    lines = [f"{_key(key)} = {json.dumps(each, ensure_ascii=False)}" for key, each in plain.items() if each != []]
    for key, each in inner.items():
        if each:
            below = f"{path}{_key(key)}"
            only_tables = all(isinstance(entry, dict) for entry in each.values())
            lines += [*([] if only_tables else ["", f"[{below}]"]), *_lines(each, f"{below}.")]
    for key, entries in lists.items():
        for entry in entries:
            lines += ["", f"[[{path}{_key(key)}]]", *_lines(entry, f"{path}{_key(key)}.")]
    return lines


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else json.dumps(key)
