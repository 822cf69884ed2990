"""Reads ``#pragma scop`` and ``#pragma ppnsim ...``, which clang's tree does not contain."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from ppnsim.c.pragmas.black_boxes import BlackBox
from ppnsim.c.pragmas.by_line import DirectivesByLine
from ppnsim.c.pragmas.numbers import no_number, with_results
from ppnsim.c.pragmas.numbers import number as whole_number
from ppnsim.c.pragmas.text import PragmaLine, hls_pragmas, without_comments
from ppnsim.c.pragmas.timing import COUNTS, StatementTiming, TimingPragma, timing_pragma
from ppnsim.c.pragmas.trips import Trips, stated
from ppnsim.errors import InputError
from ppnsim.loops.position import Position

_LINE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(scop|endscop|ppnsim)\b(.*)$", re.MULTILINE)
_NEARLY_HLS = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(HSL|LHS|SHL|HL|HS|LS|HLSS|HHLS|HLLS)[ \t]+(\w+)", re.M | re.I)
_WITHOUT_EFFECT = ("reset", "top")
"""Directives that change no schedule; a misspelling of these is accepted."""

_MOST_TRIPS = 2**62  # larger counts are not supported


class Pragmas:
    """All pragmas of the sources of a unit; ``directives``: those of synthesis; ``counts``: trip counts of scripts.

    ``boxes``: functions that RTL replaces, by their names.

    Examples
    --------
    >>> Pragmas({"k.c": "#pragma ppnsim latency(3) ii(1)"}).timing("k.c", 0, 5)
    StatementTiming(latency=3, ii=1, random=False, tripcount=None, access='')
    """

    def __init__(
        self, sources: Mapping[str, str], counts: Iterable[PragmaLine] = (), boxes: Iterable[BlackBox] = ()
    ) -> None:  # fmt: skip
        self.boxes: Mapping[str, BlackBox] = {each.function: each for each in boxes}
        self._found: dict[str, list[TimingPragma]] = {}
        self._scops: dict[str, list[tuple[int, int]]] = {}
        self._counts, self.directives = list(counts), list[PragmaLine]()  # counts of scripts take precedence
        for file, text in sources.items():
            self._read(file, text)
        self.by_line = DirectivesByLine(self.directives)

    def timing(self, file: str, after: int, until: int) -> StatementTiming:
        """Return the pragmas between two lines, ``after`` and ``until`` excluded."""
        result = StatementTiming()
        for pragma in self._found.get(file, ()):
            if after < pragma.line < until:
                count = result.tripcount if pragma.timing.tripcount is None else pragma.timing.tripcount
                result = replace(result.under(pragma.timing), tripcount=count)
        return result

    def timing_lines(self, file: str, first: int, last: int) -> list[int]:
        """Return the lines between two others that hold a pragma for a statement, loop or call."""
        return [p.line for p in self._found.get(file, ()) if first < p.line < last and p.timing != StatementTiming()]

    def marks_kernel(self, file: str, after: int, until: int) -> bool:
        """Return whether there is a ``#pragma ppnsim kernel`` between two lines."""
        return any(p.kernel and after < p.line < until for p in self._found.get(file, ()))

    def trips(
        self, file: str, first: int, until: int, values: Mapping[str, int],
        result: Callable[[str, tuple[int, ...]], int | None] = lambda *_: None,
    ) -> Trips | None:  # fmt: skip
        """Return the trip counts of ``#pragma HLS loop_tripcount`` between two lines, None without one.

        ``until`` is excluded; ``values`` are the numbers of names, and ``result`` returns the results of function
        calls.

        Examples
        --------
        >>> Pragmas({"k.cpp": "#pragma HLS LOOP_TRIPCOUNT min=1 max = N * 2"}).trips("k.cpp", 1, 2, {"N": 8})
        Trips(least=1, usual=16, most=16, certain=False, exact=None, left=False)
        """
        if (said := self.tripcount(file, first, until)) is None:
            return None
        read = {name: with_results(text, values, result) for name, text in said.clauses if name in COUNTS}
        named = {name: whole_number(text, values) for name, text in read.items()}
        if name := next((name for name in read if named[name] is None), None):
            unknown = f"loop_tripcount {no_number(name, read[name], 0, values)}"
            raise InputError(unknown, where=str(said.position))
        counts = {name: count for name, count in named.items() if count is not None}
        found = stated(counts)
        if found is None or not all(0 <= count < _MOST_TRIPS for count in counts.values()):
            refuse = "loop_tripcount needs min, max or avg with a whole number from 0 to 2^62"
            raise InputError(refuse, where=str(said.position))
        return found

    def tripcount(self, file: str, first: int, until: int) -> PragmaLine | None:
        """Return the first ``#pragma HLS loop_tripcount`` between two lines, ``until`` excluded."""
        inside = (each for each in self._counts if each.position.file == file)
        return next((each for each in inside if first <= each.position.line < until), None)

    def on_bus(self, file: str, first: int, last: int, port: str) -> bool:
        """Return whether a directive within some lines puts an argument on a bus.

        Examples
        --------
        >>> Pragmas({"k.cpp": "#pragma HLS interface m_axi port=out bundle=g"}).on_bus("k.cpp", 1, 9, "out")
        True
        """
        return any(each.bus == port for each in self.by_line.within(file, first, last))

    def scops(self, file: str, first: int, last: int) -> list[tuple[int, int]]:
        """Return the lines of each ``scop`` and its ``endscop`` within some lines."""
        return [s for s in self._scops.get(file, ()) if first <= s[0] and s[1] <= last]

    def results(self) -> list[tuple[str, int, int]]:
        """Return file, line and N of every ``result(N)``: the next statement makes N results (default 1).

        Examples
        --------
        >>> Pragmas({"k.c": "#pragma ppnsim result"}).results()
        [('k.c', 1, 1)]
        """
        return [(file, each.line, each.results) for file in sorted(self._found) for each in self._found[file]
                if each.results]  # fmt: skip

    def _read(self, file: str, text: str) -> None:
        self.directives += (lines := hls_pragmas(file, text))
        self._counts += [each for each in lines if each.name == "loop_tripcount"]
        clean = without_comments(text)
        if slip := next((each for each in _NEARLY_HLS.finditer(clean) if each[2].lower() not in _WITHOUT_EFFECT), None):
            line = clean.count("\n", 0, slip.start()) + 1
            words = f"'#pragma {slip[1]} {slip[2]}' is read by no tool (did you mean '#pragma HLS {slip[2]}'?)"
            raise InputError(words, where=f"{file}:{line}:1")
        start: int | None = None
        for match in _LINE.finditer(clean):
            line = clean.count("\n", 0, match.start()) + 1
            if match[1] == "ppnsim":
                self._found.setdefault(file, []).append(timing_pragma(match[2], Position(file, line, 1)))
            elif match[1] == "scop":
                start = line
            elif start is None:
                raise InputError("#pragma endscop without a #pragma scop before it", where=f"{file}:{line}:1")
            else:
                self._scops.setdefault(file, []).append((start, line))
                start = None
        if start is not None:
            raise InputError("#pragma scop without a #pragma endscop after it", where=f"{file}:{start}:1")
