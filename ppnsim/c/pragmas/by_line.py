"""Directives by file and line: what stands in a function is found by halving, because a source may have thousands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from ppnsim.c.pragmas.text import PragmaLine


class DirectivesByLine:
    """The directives of some sources, in the order of their lines.

    Examples
    --------
    >>> from ppnsim.c.pragmas.text import hls_pragmas
    >>> found = DirectivesByLine(hls_pragmas("k.cpp", "#pragma HLS inline" + 4 * chr(10) + "#pragma HLS dataflow"))
    >>> [each.name for each in found.within("k.cpp", 2, 5)], found.within("k.cpp", 6, 9), found.within("m.cpp", 1, 9)
    (['dataflow'], [], [])
    """

    def __init__(self, directives: Iterable[PragmaLine]) -> None:
        self._of_file: dict[str, list[PragmaLine]] = {}
        for each in directives:
            self._of_file.setdefault(each.position.file, []).append(each)
        for lines in self._of_file.values():
            lines.sort(key=_line)

    def within(self, file: str, first: int, last: int) -> Sequence[PragmaLine]:
        """Return the directives of a file from one line to another one, both included."""
        every = self._of_file.get(file, [])
        return every[bisect_left(every, first, key=_line) : bisect_right(every, last, key=_line)]


def _line(directive: PragmaLine) -> int:
    return directive.position.line
