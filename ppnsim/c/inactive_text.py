"""Removes the text that an ``#if`` leaves out from sources."""

from __future__ import annotations

from collections.abc import Iterable


def without_lines(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    r"""Return a text in which some ranges of lines are empty.

    Examples
    --------
    >>> without_lines("a\nb\nc\nd", [(2, 3)])
    'a\n\n\nd'
    """
    lines = text.split("\n")
    for first, last in ranges:
        lines[first - 1 : last] = [""] * (last - first + 1)
    return "\n".join(lines)
