"""Reads the clauses of '#pragma ppnsim' before a statement, a loop or a call."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ppnsim.c.pragmas.trips import Trips, stated
from ppnsim.errors import InputError, did_you_mean
from ppnsim.loops.position import Position

_CLAUSE = re.compile(r"(\w+)[ \t]*(?:\([ \t]*([^()]*?)[ \t]*\))?")
_CLAUSES = ("access", "ii", "kernel", "latency", "result", "tripcount")
COUNTS = ("min", "avg", "max")


@dataclass(frozen=True, slots=True)
class StatementTiming:
    """Pragmas of a statement, which apply to all statements inside; None without a pragma.

    Attributes
    ----------
    latency, ii : cycles.
    random : an access with a subscript that is not affine may be to any element (``access(random)``).
    access : how functions without a body access the targets of non-const pointers: ``in``, ``out``, ``inout``, or ""
        without a pragma. It is before the call, before a block with the call, or before the function's declaration.
    tripcount : number of executions of the body of this loop or ``if``; it does not apply to inner loops.
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
class TimingPragma:
    """A ``#pragma ppnsim``: its line, its timing, whether it marks a kernel, and a number of results."""

    line: int
    timing: StatementTiming
    kernel: bool
    results: int = 0


def timing_pragma(text: str, position: Position) -> TimingPragma:
    """Return the meaning of a pragma's clauses.

    Raises
    ------
    InputError
        For a clause that is unknown, given twice or without its number.

    Examples
    --------
    >>> found = timing_pragma("latency(3) kernel", Position("k.c", 4, 1))
    >>> found.timing.latency, found.kernel
    (3, True)
    """
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
    return TimingPragma(position.line, timing, kernel, results)


def _tripcount(argument: str, position: Position) -> Trips:
    """Return the counts of ``tripcount(8)`` or of ``tripcount(min=1, avg=4, max=16)``."""
    if argument.isdecimal():
        return Trips.exactly(int(argument))
    counts: dict[str, int] = {}
    for part in argument.split(","):
        name, equals, number = (piece.strip() for piece in part.partition("="))
        if not equals or name not in COUNTS or name in counts or not number.isdecimal():
            form = "tripcount(8) or tripcount(min=1, avg=4, max=16), whole numbers from 0 on"
            raise InputError(f"tripcount({argument}) is not of the form {form}", where=str(position))
        counts[name] = int(number)
    ordered = [counts[name] for name in COUNTS if name in counts]
    if ordered != sorted(ordered):
        raise InputError(f"tripcount({argument}) needs min <= avg <= max", where=str(position))
    if ordered == [counts.get("min")]:
        raise InputError(f"tripcount({argument}) needs an avg or a max to count with", where=str(position))
    found = stated(counts)
    assert found is not None
    return found
