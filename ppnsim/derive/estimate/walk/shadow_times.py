"""Source of the kernel that walks a loop program with shadow times.

A shadow time is the cycle from which the last value of an element can be read. One walk makes both estimates: each
execution has an absolute start ``a`` and an unbounded start ``u``, and each element keeps both shadow times.

Source: van Teijlingen 2014, sections 4.4 to 4.6 and 5.4.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from ppnsim.derive.estimate.timed import STATE_FIELDS, StateLayout, Timed
from ppnsim.derive.estimate.walk.nest import NestSource, WhenAny
from ppnsim.derive.estimate.walk.step import COUNTED
from ppnsim.loops.program import Access, LoopProgram, Node, Statement


@dataclass(kw_only=True)
class ShadowKernel:
    """Source of the walk that gives both estimates.

    Attributes
    ----------
    timed : statements that execute, by name.
    tracked : arrays whose elements have shadow times, in the order in which the kernel takes them.
    streamed : arrays that are never written and read from a stream, with the absolute shadow time of element 0. The
        unbounded shadow time of all elements is the same.
    layout : layout of ``state`` behind the counts of each statement.
    hazards : whether a write waits for earlier reads and writes of its element (`hazard_lines`).
    """

    program: LoopProgram
    timed: Mapping[str, Timed]
    tracked: Sequence[str]
    streamed: Mapping[str, int]
    layout: StateLayout
    hazards: bool = False
    nest: NestSource = field(init=False)

    def __post_init__(self) -> None:
        self.arrays = {array.name: array for array in self.program.arrays}
        self.nest = NestSource(self.arrays, self._statement)
        self.random = {access.array for access in random_accesses(self.program)}
        self.latencies = [name for name, each in self.timed.items() if each.latencies]

    def source(self, nodes: Sequence[Node | WhenAny]) -> str:
        """Return the source of ``walk``."""
        shadows, latencies = range(len(self.tracked)), range(len(self.latencies))
        return self.nest.function(nodes, [*COUNTED, *(f"s{n}" for n in shadows), *(f"l{n}" for n in latencies)])

    def _statement(self, statement: Statement) -> list[str]:
        places = self._places(statement)
        lines = self.nest.indices(statement, places)
        if statement.name not in self.timed:  # folded: the value is there from the beginning
            shadows = [self._shadow(access, places, k) for access in places for k in (0, 1)]
            return lines + [f"{each} = 0" for each in shadows if each]
        timed, number = self.timed[statement.name], self.nest.number
        state, process = STATE_FIELDS * timed.number, statement.owner
        ordered = process in self.layout.ordered
        lines += [f"a = state[{self.layout.ordered[process] if ordered else state}]", "u = 0"]
        lines += self._waits(statement, places)
        end, whole = number(timed.read + timed.latency), number(timed.stages)
        after = f"a + {whole}", f"u + {whole}"
        if ordered:
            end, lines = self._ordered(timed, places, lines)
            whole, after = "e - u", ("b", "e")
        if self.hazards:
            lines += self._read(timed, places)
        given = ["run", *COUNTED, str(state), "a", "u", number(timed.read), end, number(timed.ii), whole]
        lines += [f"left -= step({', '.join(given)})"]
        return lines + self._span(statement, after) + self._writes(statement, places, after)

    def _places(self, statement: Statement) -> dict[Access, str]:
        """Return the names of the elements whose shadow times a statement reads or writes."""
        accesses = dict.fromkeys((*statement.reads, *statement.writes))
        known = [a for a in accesses if not a.random and (a.array in self.tracked or a.array in self.streamed)]
        return {access: f"p{number}" for number, access in enumerate(known)}

    def _waits(self, statement: Statement, places: Mapping[Access, str]) -> list[str]:
        """Return the lines that delay the starts ``a`` and ``u`` until all inputs of a statement exist."""
        return [
            line
            for access in dict.fromkeys(statement.reads)
            for k, start in enumerate("au")
            for there in self._available(access, places, k)
            for line in _latest(start, there)
        ]

    def _span(self, statement: Statement, after: Sequence[str]) -> list[str]:
        """Return the lines that record the activity of a statement inside a call."""
        if (place := self.layout.spans.get(statement.name)) is None:
            return []
        ends = [f"state[{place + 1 + k}] = max(state[{place + 1 + k}], {when})" for k, when in enumerate(after)]
        return [f"state[{place}] = min(state[{place}], u)", *ends]

    def _writes(self, statement: Statement, places: Mapping[Access, str], after: Sequence[str]) -> list[str]:
        """Return the lines that record from when the results of a statement can be read."""
        return [
            line
            for access in dict.fromkeys(statement.writes)
            for k, when in enumerate(after)
            for line in self._written(access, places, k, when)
        ]

    def _shadow(self, access: Access, places: Mapping[Access, str], k: int) -> str:
        """Return the place of shadow time ``k`` of an element: 0 and 1 of its value, 2 and 3 of its last read."""
        if access not in places or access.array not in self.tracked:
            return ""
        return f"s{self.tracked.index(access.array)}[{fields(self.hazards)} * {places[access]} + {k}]"

    def _tail(self, array: str, k: int) -> str:
        """Return the place of the end of an array's latest write (0 and 1), or latest random write (2 and 3)."""
        size = fields(self.hazards) * prod(self.arrays[array].shape)
        return f"s{self.tracked.index(array)}[{self.nest.number(size + k)}]"

    def _available(self, access: Access, places: Mapping[Access, str], k: int) -> list[str]:
        """Return the cycles that a read waits for, absolute (``k`` = 0) or unbounded (1)."""
        array, shadow = access.array, self._shadow(access, places, k)
        if array in self.streamed:
            first = self.nest.number(self.streamed[array])
            last = self.nest.number(prod(self.arrays[array].shape) - 1) if access.random else places[access]
            return [first if k else f"{first} + {last}"]
        if access.random:
            return [self._tail(array, k)] if array in self.tracked else []
        return [each for each in (shadow, self._tail(array, 2 + k) if shadow and array in self.random else "") if each]

    def _read(self, timed: Timed, places: Mapping[Access, str]) -> list[str]:
        """Return the lines that record until when the values that are read must stay."""
        read, lines = self.nest.number(timed.read), []
        for access in dict.fromkeys(timed.statement.reads):
            for k, start in enumerate("au"):
                if there := self._shadow(access, places, 2 + k):
                    lines += [f"{there} = max({there}, {start} + {read})"]
        return lines

    def _written(self, access: Access, places: Mapping[Access, str], k: int, when: str) -> list[str]:
        """Return the lines that record from when a written value can be read."""
        if access.array not in self.tracked:
            return []
        lines = [] if access.random else [f"{self._shadow(access, places, k)} = {when}"]
        if access.array in self.random:
            for place in (k, 2 + k) if access.random else (k,):
                there = self._tail(access.array, place)
                lines += [f"{there} = max({there}, {when})"]
        return lines

    def _ordered(self, timed: Timed, places: Mapping[Access, str], lines: list[str]) -> tuple[str, list[str]]:
        """Return the text of the end of the execute, and the lines that compute the ends ``b`` and ``e``.

        Results leave a pipeline in order, one per cycle unless ii = 0. A short execution waits for a long one.
        """
        place, capacity = self.layout.ordered[timed.statement.owner], self.layout.capacity.get(timed.statement.owner)
        ii, behind, read, write = (self.nest.number(x) for x in (timed.ii, min(timed.ii, 1), timed.read, timed.write))
        latency = self.nest.number(timed.latency)
        if timed.latencies:
            table = f"l{self.latencies.index(timed.statement.name)}"
            lines, latency = [*lines, f"d = {table}[state[{STATE_FIELDS * timed.number + 1}]]"], "d"
        if capacity:
            many = self.nest.number(capacity)
            lines = [*lines, f"f = state[{place} + 2] % {many}", *_latest("a", f"state[{place + 3} + f]")]
        lines = [*lines, f"b = a + {read} + {latency} + {write}", f"e = u + {read} + {latency} + {write}"]
        lines += _latest("b", f"state[{place + 1}] + {behind}")
        for access in dict.fromkeys(timed.statement.writes) if self.hazards else ():
            lines += hazard_lines([self._shadow(access, places, k) for k in range(4)], write)
        if timed.shortest == 0:  # the start is the write
            lines += [f"if {read} + {latency} == 0:", f"    a = b - {write}", f"    u = e - {write}"]
        lines += [f"state[{place}] = a + {ii}", f"state[{place + 1}] = b", "run[2] = max(run[2], b)"]
        if capacity:
            lines += [f"state[{place + 3} + f] = b - {write}", f"state[{place} + 2] += 1"]
        return f"{read} + {latency}", lines


def fields(hazards: bool) -> int:
    """Return the number of shadow times of an element: two of its value, and with hazards two of its last read."""
    return 4 if hazards else 2


def hazard_lines(shadows: Sequence[str], write: str) -> list[str]:
    """Return the lines that delay the ends ``b`` and ``e`` until an element may be overwritten.

    The write begins no earlier than the last read has ended, and ends no earlier than the last write.

    Source: van Teijlingen 2014, appendix E, algorithms 6 and 7.
    """
    lines = []
    for end, value, read in (("b", shadows[0], shadows[2]), ("e", shadows[1], shadows[3])):
        lines += [*_latest(end, f"{read} + {write}"), *_latest(end, value)]
    return lines


def random_accesses(program: LoopProgram) -> list[Access]:
    """Return the accesses of a program whose element depends on data."""
    return [each for s in program.statements() for each in (*s.reads, *s.writes) if each.random]


def _latest(name: str, value: str) -> list[str]:
    return [f"x = {value}", f"if x > {name}:", f"    {name} = x"]
