"""Macros that stand for whole numbers; pragmas use them, and clang's tree does not have them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ppnsim.c.pragmas.text import number, without_comments

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n]+)", re.MULTILINE)


def macro_values(sources: Mapping[str, str], defines: Mapping[str, str]) -> dict[str, int]:
    """Return the macros of some sources that are whole numbers; macros of the caller win.

    Examples
    --------
    >>> macro_values({"k.h": "#define HALF (N/2) // of it"}, {"N": "16"})
    {'N': 16, 'HALF': 8}
    """
    texts = dict(defines)
    for text in sources.values():
        for name, value in _DEFINE.findall(without_comments(text)):
            texts.setdefault(name, value)
    found: dict[str, int] = {}
    while True:
        read = {name: number(text, found) for name, text in texts.items() if name not in found}
        new = {name: value for name, value in read.items() if value is not None}
        if not new:
            return found
        found |= new
