"""Latencies of one statement from a text file, one for each execution."""

from __future__ import annotations

from pathlib import Path

from ppnsim.errors import InputError, located
from ppnsim.formats import values
from ppnsim.formats.decode import read_text


def load_latencies(path: str) -> tuple[int, ...]:
    """Return the latencies in a text file, one per execution: whole numbers with spaces, commas or new lines between.

    Raises
    ------
    InputError
        If it cannot be read or holds something else.
    """
    with located(path):
        words = read_text(Path(path)).replace(",", " ").split()
    if not words:
        raise InputError("holds no latency", where=path)
    for number, word in enumerate(words):
        if not (word.isascii() and word.isdecimal() and int(word[:20]) <= values.LARGEST):
            raise InputError(f"[{number}] = '{word}' is not a whole number of cycles from 0 to 2**53", where=path)
    return tuple(int(word) for word in words)
