"""Our own schedules of the published designs, loop by loop beside the vendor's reports: nothing of a report is used.

``python -m validation.designs.own DIR`` prints a row for each design, the score of both halves and that of the
other families.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import PpnsimError
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import load_library
from ppnsim.hls.pragmas.directives import Directives, LoopTiming, scope_of
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.reports.match import matched
from ppnsim.hls.reports.read import read_reports
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.schedule.model import ScheduledNest
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.unrolling import path_of
from ppnsim.loops.program import Loop
from validation.designs.asked import asked
from validation.designs.depths import reports_of
from validation.designs.section import OTHERS, designs

FITTED = ("gemm", "mvt", "Autoencoder", "k7mmseq_balanced")
"""Kernels whose designs may set a number of a rule or a table; the others only test it."""


@dataclass(frozen=True, slots=True)
class OwnLoop:
    """A loop of a report and ours: initiation interval, states of an iteration; 0 where we have no such pipeline.

    ``nest`` is our schedule of it.
    """

    name: str
    ii: int
    latency: int
    our_ii: int = 0
    our_latency: int = 0
    nest: ScheduledNest | None = field(default=None, repr=False, compare=False)

    @property
    def right(self) -> bool:
        """Whether the initiation interval is that of the report."""
        return self.ii == self.our_ii

    @property
    def near(self) -> bool:
        """Whether the states of an iteration are within 2 of those of the report."""
        return bool(self.our_latency) and abs(self.latency - self.our_latency) <= 2


@dataclass(frozen=True, slots=True)
class OwnDesign:
    """A design: cycles of its RTL, of the vendor's estimate and ours, or why we have none; seconds that ours took."""

    name: str
    rtl: int
    estimate: int
    cycles: int
    refused: str
    loops: tuple[OwnLoop, ...]
    seconds: float

    @property
    def fitted(self) -> bool:
        """Whether the rules may have been fitted to it."""
        return self.name.rsplit("/", 1)[-1] in FITTED

    def within(self, share: float) -> bool:
        """Return whether the cycles are within a share of those of the RTL."""
        return not self.refused and abs(self.cycles / self.rtl - 1) <= share


def own_design(design: dict[str, Any], folder: Path, reports: Path, rules: Rules = TOOL) -> OwnDesign:
    """Return our schedule of a design whose source stands in a folder, beside the figures of its reports."""
    start, timings, cycles, refused = time.process_time(), Directives(), 0, ""
    nests: Sequence[ScheduledNest] = ()
    try:
        (program,) = load_programs(str(folder / design["source"]), function=design["top"], policy=HARDWARE)
        sources = sources_of(program)
        directives = read_directives(sources, program)
        library = load_library(design["part"], design["clock_ns"])
        machine = schedule_kernel(program, library, directives, replace(rules, balance=design["unsafe_math"]))
        nests, cycles = machine.nests, machine.cycles
        seconds = time.process_time() - start
        timings = matched(read_reports(reports), program, sources, directives).directives
    except PpnsimError as error:
        refused, seconds = str(error).replace(str(folder), ""), time.process_time() - start
    loops = tuple(_beside(timings, nests)) or tuple(OwnLoop("", ii, depth) for ii, depth, *_ in design["loops"])
    return OwnDesign(design["design"], design["rtl_cycles"], design["estimate"], cycles, refused, loops, seconds)


def _beside(reported: Directives, nests: Sequence[ScheduledNest]) -> Iterator[OwnLoop]:
    """Yield the loops of the reports with the pipelines of ours that have the same innermost loop."""
    for scope, timings in reported.timings.items():
        own = [nest for nest in nests if scope_of(_innermost(nest)) == scope]
        for timing in timings:
            places = [nest for nest in own if not timing.paths or path_of(_innermost(nest)) in timing.paths]
            yield _loop(timing, places[0] if places else None)


def _innermost(nest: ScheduledNest) -> Loop:
    """Return the innermost loop of a nest; a report leaves out those of one iteration."""
    loops = nest.body.pipeline.loops
    return next((loop for loop in reversed(loops) if constant_trips(loop) != 1), loops[-1])


def _loop(timing: LoopTiming, nest: ScheduledNest | None) -> OwnLoop:
    lines = ".".join(str(line) for _, line, _ in timing.loops)
    if nest is None:
        return OwnLoop(lines, timing.ii, timing.latency)
    return OwnLoop(lines, timing.ii, timing.latency, nest.body.schedule.ii, nest.body.depth, nest)


def score(found: Sequence[OwnDesign]) -> str:
    """Return the shares of designs within 1 % and 10 % and of loops with the right II and IL, in words."""
    loops = [loop for each in found for loop in each.loops]
    answered = sum(not each.refused for each in found)
    nearer = sum(not d.refused and abs(d.cycles - d.rtl) <= abs(d.estimate - d.rtl) for d in found)
    counts = (
        f"{answered} of {len(found)} answered, {sum(d.within(0.01) for d in found)} within 1 %, "
        f"{sum(d.within(0.1) for d in found)} within 10 %, {nearer} at least as near as the vendor's estimate"
    )
    return (
        f"{counts}; of {len(loops)} loops II right {sum(each.right for each in loops)}, "
        f"iteration latency within 2 {sum(each.near for each in loops)}"
    )


def main(arguments: Sequence[str]) -> None:
    """Print a row for each design of which the name holds one of the words, then the scores."""
    given = asked("validation.designs.own", __doc__, arguments)
    folder, words = given.folder, given.words
    found = []
    for design in (*designs(), *designs(OTHERS)):
        if not words or any(word in design["design"] for word in words):
            found.append(own_design(design, folder, reports_of(folder / design["source"])))
            sys.stdout.write(described(found[-1]) + "\n")
            sys.stdout.flush()
    other = {each["design"] for each in designs(OTHERS)}
    for half, chosen in (("in sample", True), ("out of sample", False)):
        own = [each for each in found if each.name not in other and each.fitted is chosen]
        sys.stdout.write(f"{half}: {score(own)}\n")
    sys.stdout.write(f"other families: {score([each for each in found if each.name in other])}\n")


def described(own: OwnDesign) -> str:
    """Return a design as a line: cycles, then loops that differ as ``lines II/IL (ours II/IL)``."""
    cycles = own.refused or f"{own.cycles} ({100 * (own.cycles / own.rtl - 1):+.2f} %)"
    wrong = [
        f"{each.name} {each.ii}/{each.latency} ({each.our_ii}/{each.our_latency})"
        for each in own.loops
        if not (each.right and each.near)
    ]
    words = [f"{own.name}: rtl {own.rtl}, vendor {100 * (own.estimate / own.rtl - 1):+.2f} %, ours {cycles}"]
    return "\n    ".join([*words, *wrong, f"{len(own.loops)} loops, {own.seconds:.1f} s"])


if __name__ == "__main__":
    main(sys.argv[1:])
