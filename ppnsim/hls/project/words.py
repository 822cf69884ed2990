"""The text of a script or a configuration, and the words of a line as a shell splits them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from ppnsim.errors import InputError

_NEAR = 0.88
"""Least similarity of a misspelt word: ``m_axi_max_bitwidth`` is not a slip for ``m_axi_max_widen_bitwidth``."""


def text_of(path: str) -> str:
    """Return the text of a file; refuse a file that is not plain text, such as UTF-16.

    Raises
    ------
    InputError
        If it contains bytes of 0.
    OSError
        If it cannot be read.
    """
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    if "\0" in text:
        raise InputError("is not text: it holds bytes of 0 (save it as UTF-8, not as UTF-16)", where=path)
    return text


def meant(word: str, known: Iterable[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` for a word that is nearly a known one, "" for other words.

    Examples
    --------
    >>> meant("clok", ["clock", "part"]), meant("syn.csimflags", ["syn.top"])
    (" (did you mean 'clock'?)", '')
    """
    near = get_close_matches(word, known, n=1, cutoff=_NEAR)
    return f" (did you mean '{near[0]}'?)" if near and near[0] != word else ""


def shell_words(text: str, where: str) -> list[str]:
    """Return the words of a line; words in quotes are one; refuse quotes that are not closed.

    Raises
    ------
    InputError
        With the place ``where`` of the line.

    Examples
    --------
    >>> shell_words("-DN=8 '-I a b'", "run.tcl:3")
    ['-DN=8', '-I a b']
    """
    try:
        return shlex.split(text)
    except ValueError as reason:
        raise InputError(f"cannot be split into words ({str(reason).lower()}): {text}", where=where) from None
