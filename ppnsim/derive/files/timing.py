"""Latency and initiation interval of statements from files: a TOML table of all, or a list of one per execution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.decode import DecodeError, read_text
from ppnsim.formats.values import shown

_LARGEST = 2**40  # cycles
_TABLES = ("ii", "latency")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimingFile:
    """Cycles by statement or function, and under ``*`` those of all others; a tuple is one latency per execution."""

    latency: Mapping[str, int | tuple[int, ...]] = field(default_factory=dict)
    ii: Mapping[str, int] = field(default_factory=dict)


def read(data: Mapping[str, Any], _: Path) -> TimingFile:
    """Return what the tables ``[latency]`` and ``[ii]`` of decoded TOML say.

    Raises
    ------
    InputError
        If a key or a value is not one of these.

    Examples
    --------
    >>> read({"latency": {"*": 2, "foo": [3, 4]}, "ii": {"foo": 2}}, Path("t.toml"))
    TimingFile(latency={'*': 2, 'foo': (3, 4)}, ii={'foo': 2})
    """
    for key, table in data.items():
        if key not in _TABLES:
            raise InputError(f"unknown key '{key}'{did_you_mean(key, _TABLES)}")
        if not isinstance(table, dict):
            raise InputError(f"{key} = {shown(table)} must be a table of statements or functions")
    latency = {name: _latency(name, value) for name, value in data.get("latency", {}).items()}
    for name, value in data.get("ii", {}).items():
        _check(value, f"ii.{name}", least=1)
    return TimingFile(latency=latency, ii=data.get("ii", {}))


def load_latencies(path: str) -> tuple[int, ...]:
    """Return the latencies in a text file, one per execution: whole numbers with spaces, commas or new lines between.

    Raises
    ------
    InputError
        If it cannot be read or holds something else.
    """
    try:
        words = read_text(Path(path)).replace(",", " ").split()
    except DecodeError as error:
        raise InputError(str(error), where=path) from None
    if not words:
        raise InputError("holds no latency", where=path)
    for number, word in enumerate(words):
        if not (word.isascii() and word.isdecimal()):
            raise InputError(f"[{number}] = '{word}' is not a whole number of cycles from 0 on", where=path)
        _check(int(word), f"{path}: [{number}]", least=0)
    return tuple(int(word) for word in words)


def _latency(name: str, value: Any) -> int | tuple[int, ...]:
    where = f"latency.{name}"
    if not isinstance(value, list):
        _check(value, where, least=0)
        return int(value)
    if not value:
        raise InputError("an empty list is no latency", where=where)
    if name == "*":
        raise InputError("a list has one latency for each execution of one statement, not of all", where=where)
    for number, each in enumerate(value):
        _check(each, f"{where}[{number}]", least=0)
    return tuple(value)


def _check(value: Any, where: str, *, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _LARGEST:
        raise InputError(f"{shown(value)} is not a whole number of cycles from {least} to 2**40", where=where)
