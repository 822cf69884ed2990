"""Depths and initial tokens on the command line, ``--depth CHANNEL=N``, and depths that ``ppnsim size`` wrote."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Any

from ppnsim.errors import InputError
from ppnsim.formats import decode

_ANSWERS = {"target": "for the target", "lossless": "without loss"}
"""Answers of a sizing that are worth applying, the one that is taken first; depths without deadlock alone are slow."""
_MOST_PASTED = 40  # channels on a line; more are for --depths and --out


def depths_of(options: list[str]) -> tuple[list[int | None], dict[str, int | None]]:
    """Return the depths given for all channels (the last one counts), and those by channel name; None = unbounded.

    Examples
    --------
    >>> depths_of(["4", "c=8", "d=unbounded"])
    ([4], {'c': 8, 'd': None})
    """
    for_all: list[int | None] = []
    by_name: dict[str, int | None] = {}
    for option in options:
        name, equals, number = option.rpartition("=")
        unbounded = number == "unbounded"
        if not (unbounded or (number.isascii() and number.isdecimal())) or (equals and not name):
            raise InputError(f"'{option}' is neither N nor CHANNEL=N with N tokens or unbounded", where="--depth")
        if len(number) > 15:
            raise InputError(f"'{option}' is more tokens than any memory holds", where="--depth")
        depth = None if unbounded else int(number)
        if equals:
            by_name[name] = depth
        else:
            for_all.append(depth)
    return for_all, by_name


def initial_of(options: list[str]) -> dict[str, int]:
    """Return the initial tokens given by channel name.

    Examples
    --------
    >>> initial_of(["c=1", "a=b=2"])
    {'c': 1, 'a=b': 2}
    """
    found: dict[str, int] = {}
    for option in options:
        name, _, number = option.rpartition("=")
        if not name or not (number.isascii() and number.isdecimal()):
            raise InputError(f"'{option}' is not CHANNEL=N with N tokens", where="--initial")
        if len(number) > 15:
            raise InputError(f"'{option}' is more tokens than any memory holds", where="--initial")
        found[name] = int(number)
    return found


def depths_in(path: str) -> dict[str, int | None]:
    """Return the depths by channel of a result of ``ppnsim size --json``, or of an object with a depth per channel.

    A result gives those for its target if it has one, else those without loss.

    Raises
    ------
    InputError
        If the file cannot be read or holds no depths.
    """
    where = f"--depths {path}"
    if Path(path).suffix == ".toml":
        words = f"is not a result of 'ppnsim size FILE --json' but a network itself: 'ppnsim run {path}'"
        raise InputError(words, where=where)
    try:
        data = decode.decode_json(decode.read_text(Path(path)))
    except decode.DecodeError as error:
        raise error.at(where) from None
    depths = answered(data)[1] if isinstance(data, Mapping) and "lossless" in data else data
    if depths is None:
        raise InputError("is a result of 'ppnsim size' that found no depths without loss", where=where)
    if not depths and isinstance(depths, Mapping) and depths is data:
        raise InputError("holds no depths (an object of a depth per channel)", where=where)
    if not isinstance(depths, Mapping) or not all(_is_depth(each) for each in depths.values()):
        words = "is neither a result of 'ppnsim size FILE --json' of one file nor an object of a depth per channel"
        raise InputError(words, where=where)
    return {str(name): None if depth == "unbounded" else depth for name, depth in depths.items()}


def answered(result: Mapping[str, Any]) -> tuple[str, dict[str, int] | None]:
    """Return what the recommended depths of a sizing are for, and these by channel; None if it found none.

    Examples
    --------
    >>> answered({"target": None, "lossless": {"depths": {"c": 4}}})
    ('without loss', {'c': 4})
    """
    for answer, words in _ANSWERS.items():
        if result.get(answer):
            return words, result[answer]["depths"]
    return "", None


def pasted(depths: Mapping[str, int]) -> str:
    """Return depths as options of a command, to paste.

    Examples
    --------
    >>> pasted({"c": 4, "a->b": 2})
    "--depth c=4 --depth 'a->b=2'"
    """
    if len(depths) > _MOST_PASTED:
        return f"{len(depths)} depths are too many to paste: --json sized.json, then --depths sized.json"
    return " ".join(f"--depth {quote(f'{name}={depth}')}" for name, depth in depths.items())


def _is_depth(value: object) -> bool:
    return value is None or value == "unbounded" or (isinstance(value, int) and not isinstance(value, bool))
