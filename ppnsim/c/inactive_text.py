"""Sources without what an ``#if`` leaves out of them."""

from __future__ import annotations

from collections.abc import Iterable


def without_lines(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    r"""Return a text with empty lines for some ranges of them.

    Examples
    --------
    >>> without_lines("a\nb\nc\nd", [(2, 3)])
    'a\n\n\nd'
    """
    lines = text.split("\n")
    for first, last in ranges:
        lines[first - 1 : last] = [""] * (last - first + 1)
    return "\n".join(lines)
