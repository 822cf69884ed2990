"""Tables that come with ppnsim as they are: tests check them, by the keys of `ppnsim.boards.keys`.

The validator of files takes longer to import than all tables take to read, and few commands need it for anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from functools import cache
from typing import Any

from ppnsim.boards.board import Board, HostLink, LogicTiming, OpenclBoard, OperatorEntry
from ppnsim.units import HERTZ, measured


def shipped_table(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `ppnsim.boards.keys.checked_table` makes of a table without a fault.

    Examples
    --------
    >>> shipped_table({"device": {"clock": "225 MHz", "aliases": ["u280"]}})["device"]
    {'clock': Fraction(225000000, 1), 'aliases': ('u280',)}
    """
    host = data.get("host")
    return {
        "device": _read(data.get("device", {}), Board, LogicTiming),
        "resources": data.get("resources", {}),
        "operator": [_read(each, OperatorEntry) for each in data.get("operator", ())],
        "memory": data.get("memory", {}),
        "opencl": _read(data.get("opencl", {}), OpenclBoard),
        "host": host and _read(host, HostLink),
    }


def _read(table: Mapping[str, Any], *kinds: type) -> dict[str, Any]:
    readers = _readers(*kinds)
    return {key: readers[key](value) if key in readers else value for key, value in table.items()}


@cache
def _readers(*kinds: type) -> dict[str, Callable[[Any], Any]]:
    """Return what reads those fields of some classes that a file writes otherwise than the class has them."""
    return {
        each.name: _READ.get(str(each.type), _tuple)
        for kind in kinds
        for each in fields(kind)
        if str(each.type) in _READ or str(each.type).startswith("tuple[")
    }


def _exact(value: float | str) -> Fraction:
    return Fraction(str(value))


def _tuple(value: list[Any]) -> tuple[Any, ...]:
    return tuple(_tuple(each) if isinstance(each, list) else each for each in value)


_READ: dict[str, Callable[[Any], Any]] = {
    "Amounts": _tuple,
    "Fraction": _exact,
    "Fraction | None": lambda value: measured(value, HERTZ),
    "Mapping[str, Amounts]": lambda value: {name: _tuple(each) for name, each in value.items()},
    "tuple[Fraction, Fraction, Fraction]": lambda value: tuple(map(_exact, value)),
}
"""By the type of a field, as its class writes it."""
