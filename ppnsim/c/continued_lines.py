"""Joins lines that end in a backslash with the following line, as in Makefiles."""

from __future__ import annotations

import re

_JOINED = re.compile(r"(?:[^\n]*\\\n)+[^\n]*")


def joined_lines(text: str) -> str:
    r"""Return a text in which lines with a backslash at the end are joined; empty lines keep the line count.

    Examples
    --------
    >>> joined_lines("a \\\n b\nc")
    'a    b\n\nc'
    """
    return _JOINED.sub(lambda part: part[0].replace("\\\n", "  ") + "\n" * part[0].count("\\\n"), text)
