"""Tables of memory blocks from TOML: what `ppnsim size --cost fpga` prices FIFOs by."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ppnsim.errors import InputError, did_you_mean
from ppnsim.explore.fifo.cost import MemoryBlocks, MemoryTable
from ppnsim.formats.values import shown

_KEYS = ("bits", "max_bits", "max_depth", "name", "shapes")
_LARGEST = 2**40


def read(data: Mapping[str, Any], _: Path) -> MemoryTable:
    """Return the ``[[memory]]`` tables of decoded TOML, checked, in their order.

    Each has ``name``, ``shapes`` (a list of ``[depth, width]`` of one block), ``bits`` (the cost of a block), and
    ``max_depth`` or ``max_bits`` (it takes FIFOs up to this depth or up to so many bits), which the last one lacks.

    Raises
    ------
    InputError
        If a key or a value is not one of these.

    Examples
    --------
    >>> read({"memory": [{"name": "M20K", "bits": 20480, "shapes": [[512, 40]]}]}, Path("m.toml"))
    MemoryTable(memories=(MemoryBlocks(name='M20K', shapes=((512, 40),), bits=20480, max_depth=None, max_bits=None),))
    """
    for key in data:
        if key != "memory":
            raise InputError(f"unknown key '{key}'{did_you_mean(key, ['memory'])}")
    memories = data.get("memory")
    if not isinstance(memories, list) or not memories:
        raise InputError("holds no [[memory]]")
    tables = [_memory(each, f"memory {number}") for number, each in enumerate(memories, start=1)]
    for number, each in enumerate(tables, start=1):
        limited = "max_depth" in each or "max_bits" in each
        if limited == (number == len(tables)):
            rule = "the last memory takes every FIFO and has no" if limited else "all memories but the last have a"
            raise InputError(f"{rule} max_depth or max_bits", where=f"memory {number}")
    return MemoryTable(tuple(MemoryBlocks(**each) for each in tables))


def _memory(table: Any, where: str) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise InputError(f"{shown(table)} is no table with name, shapes and bits", where=where)
    for key in table:
        if key not in _KEYS:
            raise InputError(f"unknown key '{key}'{did_you_mean(key, _KEYS)}", where=where)
    for key in ("name", "shapes", "bits"):
        if key not in table:
            raise InputError(f"{key} is missing", where=where)
    if not isinstance(table["name"], str):
        raise InputError(f"name = {shown(table['name'])} is no text", where=where)
    for key in ("bits", "max_bits", "max_depth"):
        if key in table:
            _check(table[key], f"{where}: {key}")
    shapes = table["shapes"]
    if not isinstance(shapes, list) or not shapes:
        raise InputError(f"shapes = {shown(shapes)} must list [depth, width] of a block", where=where)
    for shape in shapes:
        if not isinstance(shape, list) or len(shape) != 2:
            raise InputError(f"shapes: {shown(shape)} is no [depth, width]", where=where)
        for value in shape:
            _check(value, f"{where}: shapes")
    return {**table, "shapes": tuple((deep, wide) for deep, wide in shapes)}


def _check(value: Any, where: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _LARGEST:
        raise InputError(f"{shown(value)} is not a whole number from 1 to 2**40", where=where)
