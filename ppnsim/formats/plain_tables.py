"""Tables of TOML read key by key: what is missing, unknown or of the wrong kind is an `InputError` that says where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.values import shown

_LARGEST = 10.0**18


def check_keys(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    """Refuse a key that is not known."""
    for key in table:
        if key not in known:
            raise InputError(f"unknown key '{key}'{did_you_mean(key, known)}", where=where)


def check_sizes(value: Any, key: str = "", where: str = "") -> None:
    """Refuse numbers anywhere in a file of which products or quotients would be infinite or 0.

    Examples
    --------
    >>> check_sizes({"memory": {"ddr": {"peak_GBps": 1e300}}})
    Traceback (most recent call last):
    ppnsim.errors.InputError: memory ddr: peak_GBps = 1e+300 is out of range (1e-18 to 1e+18)
    """
    if isinstance(value, dict | list):
        inside = f"{where} {key}".strip()
        for name, each in value.items() if isinstance(value, dict) else enumerate(value, start=1):
            check_sizes(each, str(name), inside)
    elif isinstance(value, int | float) and (abs(value) > _LARGEST or 0 < abs(value) < 1 / _LARGEST):
        raise InputError(f"{key} = {shown(value)} is out of range ({1 / _LARGEST:g} to {_LARGEST:g})", where=where)


def check_table(value: Any, where: str) -> None:
    """Refuse what is no table."""
    if not isinstance(value, dict):
        raise InputError(f"{shown(value)} is no table", where=where)


def table_of(data: Mapping[str, Any], key: str, where: str) -> dict[str, Any]:
    """Return the table of a key, an empty one if it is not there."""
    value = data.get(key, {})
    check_table(value, f"{where}{key}")
    return cast("dict[str, Any]", value)


def tables_of(value: Any, where: str) -> list[Any]:
    """Return a list of tables."""
    if not isinstance(value, list):
        raise InputError(f"{shown(value)} is no list of tables (write [[{where}]])", where=where)
    return value


def names_of(table: Mapping[str, Any], key: str, where: str) -> list[str]:
    """Return the list of texts of a key, an empty one if it is not there."""
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InputError(f"{key} = {shown(value)} must be a list of names", where=where)
    return value


def text_of(table: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    """Return the text of a key; without a default it must be there."""
    value = table.get(key, default)
    if value is None:
        raise InputError(f"{key} is missing", where=where)
    if not isinstance(value, str):
        raise InputError(f"{key} = {shown(value)} must be a text", where=where)
    return value


def number_of(table: Mapping[str, Any], key: str, where: str) -> float:
    """Return the number of a key that must be there."""
    if key not in table:
        raise InputError(f"{key} is missing", where=where)
    value = table[key]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{key} = {shown(value)} must be a number", where=where)
    return float(value)


def numbers_of(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> dict[str, float]:
    """Return the numbers of a table, none of them negative."""
    check_keys(table, known, where)
    found = {key: number_of(table, key, where) for key in table}
    for key, value in found.items():
        if not 0 <= value < float("inf"):
            raise InputError(f"{key} = {value:g} must be 0 or more", where=where)
    return found
