"""Reads ``#pragma scop`` and ``#pragma ppnsim ...``, which clang's tree does not have."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ppnsim.c.pragmas.text import PragmaLine, hls_pragmas, no_number, with_results, without_comments
from ppnsim.c.pragmas.text import number as whole_number
from ppnsim.c.pragmas.trips import Trips, stated
from ppnsim.errors import InputError, did_you_mean
from ppnsim.loops.position import Position

_LINE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(scop|endscop|ppnsim)\b(.*)$", re.MULTILINE)
_NEARLY_HLS = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(HSL|LHS|SHL|HL|HS|LS|HLSS|HHLS|HLLS)[ \t]+(\w+)", re.M | re.I)
_WITHOUT_EFFECT = ("reset", "top")
"""Directives that change no schedule: one that no tool reads changes none either."""
_CLAUSE = re.compile(r"(\w+)[ \t]*(?:\([ \t]*([^()]*?)[ \t]*\))?")
_CLAUSES = ("access", "ii", "kernel", "latency", "result", "tripcount")
_COUNTS = ("min", "avg", "max")

_MOST_TRIPS = 2**62  # more cannot be counted


@dataclass(frozen=True, slots=True)
class StatementTiming:
    """Pragmas of a statement, which hold for all statements inside; None without a pragma.

    Attributes
    ----------
    latency, ii : cycles.
    random : an access with a subscript that is not affine may be to any element (``access(random)``).
    access : ``in``, ``out`` or ``inout``: what functions without a body do behind their pointers without const; ""
        where the source says nothing. It stands before the call, a block with it, or the declaration of the function.
    tripcount : number of executions of the body of this loop or ``if``; it does not hold for inner loops.
    """

    latency: int | None = None
    ii: int | None = None
    random: bool = False
    tripcount: Trips | None = None
    access: str = ""

    def under(self, inner: StatementTiming) -> StatementTiming:
        """Return the pragmas of an inner statement, which may have pragmas of its own."""
        return StatementTiming(
            self.latency if inner.latency is None else inner.latency,
            self.ii if inner.ii is None else inner.ii,
            self.random or inner.random,
            inner.tripcount,
            inner.access or self.access,
        )


@dataclass(frozen=True, slots=True)
class _Pragma:
    line: int
    timing: StatementTiming
    kernel: bool
    results: int = 0


class Pragmas:
    """All pragmas of the sources of a unit; ``directives`` are those of synthesis.

    Examples
    --------
    >>> Pragmas({"k.c": "#pragma ppnsim latency(3) ii(1)"}).timing("k.c", 0, 5)
    StatementTiming(latency=3, ii=1, random=False, tripcount=None, access='')
    """

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._found: dict[str, list[_Pragma]] = {}
        self._scops: dict[str, list[tuple[int, int]]] = {}
        self._counts, self.directives = list[PragmaLine](), list[PragmaLine]()
        for file, text in sources.items():
            self._read(file, text)

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
        """Return whether ``#pragma ppnsim kernel`` stands between two lines."""
        return any(p.kernel and after < p.line < until for p in self._found.get(file, ()))

    def trips(
        self, file: str, first: int, until: int, values: Mapping[str, int],
        result: Callable[[str, tuple[int, ...]], int | None] = lambda *_: None,
    ) -> Trips | None:  # fmt: skip
        """Return the trip counts of ``#pragma HLS loop_tripcount`` between two lines, None without one.

        ``until`` is excluded; ``values`` are the numbers of names, and ``result`` returns those of calls of functions.

        Examples
        --------
        >>> Pragmas({"k.cpp": "#pragma HLS LOOP_TRIPCOUNT min=1 max = N * 2"}).trips("k.cpp", 1, 2, {"N": 8})
        Trips(least=1, usual=16, most=16, certain=False, exact=None, left=False)
        """
        for each in self._counts:
            if each.position.file == file and first <= each.position.line < until:
                read = {name: with_results(text, values, result) for name, text in each.clauses if name in _COUNTS}
                named = {name: whole_number(text, values) for name, text in read.items()}
                if name := next((name for name in read if named[name] is None), None):
                    unknown = f"loop_tripcount {no_number(name, read[name], 0, values)}"
                    raise InputError(unknown, where=str(each.position))
                counts = {name: count for name, count in named.items() if count is not None}
                found = stated(counts)
                if found is None or not all(0 <= count < _MOST_TRIPS for count in counts.values()):
                    refuse = "loop_tripcount needs min, max or avg with a whole number from 0 to 2^62"
                    raise InputError(refuse, where=str(each.position))
                return found
        return None

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
                self._found.setdefault(file, []).append(_pragma(match[2], Position(file, line, 1)))
            elif match[1] == "scop":
                start = line
            elif start is None:
                raise InputError("#pragma endscop without a #pragma scop before it", where=f"{file}:{line}:1")
            else:
                self._scops.setdefault(file, []).append((start, line))
                start = None
        if start is not None:
            raise InputError("#pragma scop without a #pragma endscop after it", where=f"{file}:{start}:1")


def _pragma(text: str, position: Position) -> _Pragma:
    timing, kernel, results = StatementTiming(), False, 0
    clauses = _CLAUSE.findall(text)
    for number, (word, argument) in enumerate(clauses):
        if word in (other for other, _ in clauses[:number]):
            raise InputError(f"{word} is said twice", where=str(position))
        match word:
            case "kernel":
                kernel = True
            case "result" if not argument or (argument.isdecimal() and int(argument) >= 1):
                results = int(argument or 1)
            case "result":
                raise InputError(f"result({argument}) needs a whole number of results from 1 on", where=str(position))
            case "access" if argument == "random":
                timing = replace(timing, random=True)
            case "access" if argument in ("in", "out", "inout"):
                timing = replace(timing, access=argument)
            case "access":
                known = "access(random), access(in), access(out) or access(inout)"
                raise InputError(f"access({argument}) is not {known}", where=str(position))
            case "tripcount":
                timing = replace(timing, tripcount=_tripcount(argument, position))
            case "latency" if argument.isdecimal() and int(argument) >= 1:
                timing = replace(timing, latency=int(argument))
            case "ii" if argument.isdecimal() and int(argument) >= 1:
                timing = replace(timing, ii=int(argument))
            case "latency" | "ii":
                raise InputError(f"{word}({argument}) needs a whole number of cycles from 1 on", where=str(position))
            case _:
                raise InputError(f"#pragma ppnsim knows no '{word}'{did_you_mean(word, _CLAUSES)}", where=str(position))
    return _Pragma(position.line, timing, kernel, results)


def _tripcount(argument: str, position: Position) -> Trips:
    """Return the counts of ``tripcount(8)`` or of ``tripcount(min=1, avg=4, max=16)``."""
    if argument.isdecimal():
        return Trips.exactly(int(argument))
    counts: dict[str, int] = {}
    for part in argument.split(","):
        name, equals, number = (piece.strip() for piece in part.partition("="))
        if not equals or name not in _COUNTS or name in counts or not number.isdecimal():
            form = "tripcount(8) or tripcount(min=1, avg=4, max=16), whole numbers from 0 on"
            raise InputError(f"tripcount({argument}) is not of the form {form}", where=str(position))
        counts[name] = int(number)
    ordered = [counts[name] for name in _COUNTS if name in counts]
    if ordered != sorted(ordered):
        raise InputError(f"tripcount({argument}) needs min <= avg <= max", where=str(position))
    if ordered == [counts.get("min")]:
        raise InputError(f"tripcount({argument}) needs an avg or a max to count with", where=str(position))
    found = stated(counts)
    assert found is not None
    return found
