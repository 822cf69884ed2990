"""Which room reads which file, as recorded: what every reader says of itself, and which tables it takes for its own."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from ppnsim.files import readers
from tests.golden.records import unlike

_KEYS = [
    "application", "argument", "body", "bus", "channel", "device", "dram", "flows", "ii", "kernel", "latency",
    "loggp", "memory", "metric", "network", "node", "operator", "platform", "point", "process", "schedule", "stage",
    "star", "traffic", "work_items",
]  # fmt: skip
_TABLES: dict[str, Any] = {
    **{key: {key: {}} for key in _KEYS},
    **{f"{one} and {other}": {one: {}, other: {}} for one, other in combinations(_KEYS, 2)},
    "device by name": {"device": "xc7z020", "operator": []}, "memory as a list": {"memory": []}, "nothing": {},
}  # fmt: skip


def told() -> str:
    lines = []
    for each in readers():
        known = [name for name, table in _TABLES.items() if each.recognises(table)]
        single = {name for name in known if name in _KEYS}
        others = [name for name in _TABLES if (name in known) != bool(single & set(name.split(" and ")))]
        lines += [
            f"{each.makes}: {each.kind}, for {' '.join(each.commands)}",
            f"  {each.home}.{each.function}({', '.join(each.takes)}), options {' '.join(each.options) or 'none'}",
            f"  {' '.join(each.suffixes)}; knows {', '.join(sorted(single)) or 'none'}; but for {', '.join(others)}",
        ]
    return "".join(f"{line}\n" for line in lines)


def test_readers_are_as_recorded() -> None:
    assert unlike("readers") == [], "if it is meant: python -m tests.golden readers"
