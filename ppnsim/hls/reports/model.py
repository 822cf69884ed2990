"""The contents of a synthesised design's reports: functions, their loops, part, clock and version of the tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ppnsim.errors import InputError

_SAME_CLOCK = 1e-6  # ns
Range = tuple[int, int]
"""Least and largest value; the tool gives two if the source does not fix one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedLoop:
    """A loop of a report, or a nest of loops that the tool flattened into one.

    Attributes
    ----------
    name : labels of its loops, joined by ``_``; the tool names a loop without a label ``VITIS_LOOP_<line>_<number>``.
    function : the function of the report.
    trips : iterations; None if the tool does not know them.
    iteration_latency : states of an iteration (for a loop that is not pipelined: its cycles); None if not known.
    ii : achieved initiation interval in cycles, None if the loop is not pipelined.
    latency : cycles of the whole loop; None if not known.
    kind : whether iterations overlap: as a pipeline (``yes``), as a dataflow region, or ``no``.
    sources : file name and line of each of its loops, as far as the report has them.
    inner : loops inside that the report lists as its parts.
    file : the report.
    """

    name: str
    function: str
    trips: Range | None = None
    iteration_latency: int | None = None
    ii: int | None = None
    latency: Range | None = None
    kind: Literal["yes", "no", "dataflow"] = "no"
    sources: tuple[tuple[str, int], ...] = ()
    inner: tuple[ReportedLoop, ...] = ()
    file: str = ""

    @property
    def pipelined(self) -> bool:
        """Whether the loop has an initiation interval."""
        return self.ii is not None and self.kind == "yes"

    def walk(self) -> Iterator[ReportedLoop]:
        """Yield the loop and all loops inside it."""
        yield self
        for loop in self.inner:
            yield from loop.walk()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedFunction:
    """A function of a design (the tool also makes functions of pipelined loops and of tasks).

    Attributes
    ----------
    latency, interval : cycles from start to end, and between two starts; None if not known.
    kind : ``no``, ``yes`` (pipelined), ``dataflow``, or another word of the tool.
    loops : the outermost loops, in the order of the report.
    instances : name and function of each instance inside.
    file : the report.
    """

    name: str
    latency: Range | None = None
    interval: Range | None = None
    kind: str = "no"
    loops: tuple[ReportedLoop, ...] = ()
    instances: tuple[tuple[str, str], ...] = ()
    file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The head of a report: top function, part, clock period in ns, version; "" or 0 for missing values."""

    top: str = ""
    part: str = ""
    clock_ns: float = 0.0
    version: str = ""

    @property
    def release(self) -> str:
        """The release of the tool, "2022.2" of version "2022.2.2"; "" if the version has none."""
        found = re.match(r"20\d\d\.\d", self.version)
        return found[0] if found else ""

    def check_clock(self, asked: float, where: str) -> None:
        """Refuse reports whose clock differs from the requested one, in ns.

        Raises
        ------
        InputError
            If the periods differ.
        """
        if abs(self.clock_ns - asked) > _SAME_CLOCK:
            words = f"the reports are of a clock of {self.clock_ns:g} ns, and --clock gives {asked:g} ns"
            raise InputError(words, where=where)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reports:
    """The reports of a design.

    Attributes
    ----------
    folder : the folder that contains them.
    functions : functions by name.
    """

    folder: str
    head: Head = Head()
    functions: Mapping[str, ReportedFunction] = field(default_factory=dict)

    def loops(self) -> list[ReportedLoop]:
        """Return all loops, outer ones before those inside them."""
        return [
            loop for function in self.functions.values() for outer in function.loops for loop in outer.walk()
        ]  # fmt: skip
