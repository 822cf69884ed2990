"""What the readers of small JSON inputs share: tables of known keys, whole numbers, numbers within bounds."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.values import shown

_LARGEST = 2**53  # every program that reads JSON holds whole numbers up to here exactly
LARGEST = 1e18  # of numbers that are not whole: far beyond any link and any run


def table(value: object, *, where: str, needed: Collection[str], known: Collection[str]) -> dict[str, Any]:
    """Return an object that holds all keys that are needed, and none that is unknown.

    Examples
    --------
    >>> table({"hots": 4}, where="star", needed=["hosts"], known=["hosts", "bandwidth"])
    Traceback (most recent call last):
    ppnsim.errors.InputError: star: unknown key 'hots' (did you mean 'hosts'?)
    """
    if not isinstance(value, dict):
        raise InputError(f"{shown(value)} must be an object of keys", where=where)
    for key in value:
        if key not in known:
            raise InputError(f"unknown key {shown(key)}{did_you_mean(key, known)}", where=where)
    for key in needed:
        if key not in value:
            raise InputError(f"{key} is missing (needed: {', '.join(needed)})", where=where)
    return value


def entries(value: object, *, where: str) -> list[Any]:
    """Return a list."""
    if not isinstance(value, list):
        raise InputError(f"{shown(value)} must be a list", where=where)
    return value


def whole(value: object, *, where: str, name: str, hint: str = "") -> int:
    """Return a whole number; ``name`` is that of its key, ``hint`` a way out.

    Examples
    --------
    >>> whole(2.5, where="loggp", name="L", hint="take a finer unit, such as ps")
    Traceback (most recent call last):
    ppnsim.errors.InputError: loggp: L = 2.5 must be a whole number (take a finer unit, such as ps)
    """
    if type(value) is not int:
        raise InputError(
            f"{name} = {shown(value)} must be a whole number" + (f" ({hint})" if hint else ""), where=where
        )
    if abs(value) > _LARGEST:
        raise InputError(f"{name} = {shown(value)} is out of range (whole numbers up to 2**53 are taken)", where=where)
    return value


def number(value: object, *, where: str, name: str) -> float:
    """Return a number that is not beyond all bounds.

    Examples
    --------
    >>> number("1 GB/s", where="star", name="bandwidth")
    Traceback (most recent call last):
    ppnsim.errors.InputError: star: bandwidth = '1 GB/s' must be a number
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{name} = {shown(value)} must be a number", where=where)
    if not abs(value) <= LARGEST:
        raise InputError(f"{name} = {shown(value)} is out of range (numbers up to {LARGEST:g} are taken)", where=where)
    return float(value)
