"""Lines that end in a backslash and go on in the next one, as those of Makefiles do."""

from __future__ import annotations

import re

_JOINED = re.compile(r"(?:[^\n]*\\\n)+[^\n]*")


def joined_lines(text: str) -> str:
    r"""Return a text whose lines that end in a backslash are one line, and after it empty ones in their place.

    Examples
    --------
    >>> joined_lines("a \\\n b\nc")
    'a    b\n\nc'
    """
    return _JOINED.sub(lambda part: part[0].replace("\\\n", "  ") + "\n" * part[0].count("\\\n"), text)
