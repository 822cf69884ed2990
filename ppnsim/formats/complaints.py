"""What is wrong with a file, one line for each fault: ``FILE: process 'a': ii = 'x' must be a whole number``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.schema import Keys
from ppnsim.formats.values import shown
from ppnsim.model.network import Network

_SHAPES = {
    "model_type": "must be a table of keys",
    "dict_type": "must be a table of keys",
    "list_type": "must be a list",
}


def input_error(error: ValidationError, data: object, file: type[Keys], tables: Mapping[str, type[Keys]]) -> InputError:
    """Return all faults of a file as one error.

    Parameters
    ----------
    error : what pydantic found in ``data``.
    file : the keys of the whole file.
    tables : the keys of each entry of the top-level keys that hold processes and channels.
    """
    return InputError("\n".join(_line(fault, data, file, tables) for fault in error.errors(include_url=False)))


def checked(network: Network) -> Network:
    """Return the network of a file, checked; numbers may be fine one by one and yet be too many together.

    Raises
    ------
    InputError
        With the first invariant that the network breaks.
    """
    try:
        return network.checked()
    except (MemoryError, OverflowError):
        words = "the network is too large: its tokens do not fit in memory, or their number not in 64 bits"
        raise InputError(words) from None


def _line(fault: ErrorDetails, data: object, file: type[Keys], tables: Mapping[str, type[Keys]]) -> str:
    place = fault["loc"]
    keys, where = file, ""
    if place[2:] == ("[key]",) and fault["type"] == "rule":
        place = ("name",)
    elif len(place) > 2 and place[0] in tables:
        keys, where = tables[str(place[0])], f"{_entry(place[0], place[1], data)}: "
        place = place[2:]
    elif fault["type"] == "sentence":
        where, place = f"{_entry(place[0], place[1], data)}: ", ()
    # One fault is one line, whatever characters a key is made of.
    line = where + _words(fault, place, keys)
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line)


def _words(fault: ErrorDetails, place: tuple[int | str, ...], keys: type[Keys]) -> str:
    context = fault.get("ctx", {})
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).removeprefix(".")
    kind = fault["type"]
    if kind == "sentence":
        return str(context["words"])
    if kind == "missing":
        return f"{path} is missing"
    if kind == "extra_forbidden":
        return f"unknown key '{path}'{did_you_mean(path, keys.known_keys())}"
    words = context.get("words") or _SHAPES.get(kind, "is not understood")
    value = context.get("value") or shown(fault["input"])
    return f"{path}{context.get('at', '')} = {value} {words}" if path else f"{value} {words}"


def _entry(table: int | str, entry: int | str, data: Any) -> str:
    """Name a process or a channel as the model does, or by its place if it has no name that can be printed."""
    kind = {"processes": "process", "channels": "channel"}.get(str(table), str(table))
    given = {"name": entry} if isinstance(entry, str) else data[table][entry]
    name = given.get("name") if isinstance(given, dict) else None
    if isinstance(name, str) and name.isprintable():
        return f"{kind} '{name}'"
    return f"{table}[{shown(entry)}]"
