"""The match between loops of a report and loops of the source, with the directives that follow from it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.pragmas.directives import Directives, LoopDirective, LoopTiming, Scope, scope_of
from ppnsim.hls.reports.model import ReportedLoop, Reports
from ppnsim.hls.reports.nests import Call, Matcher, Scopes
from ppnsim.loops.program import LoopProgram

_MANY = 40


@dataclass(frozen=True, slots=True)
class Matched:
    """Reports that belong to a program.

    Attributes
    ----------
    directives : directives of the source, plus those of the reports: structure and timing of the loops.
    unused : loops of the reports without a loop in the program.
    assumed : assumptions that the match needs because the reports leave something open.
    """

    reports: Reports
    directives: Directives
    unused: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()


def matched(
    reports: Reports, program: LoopProgram, sources: Mapping[str, str], directives: Directives
) -> Matched:  # fmt: skip
    """Return the reports of a program with the directives that follow from them.

    A loop of a report is found by its name: labels of the source or ``VITIS_LOOP_<line>_<n>``, joined by ``_`` for
    flattened loops; then by the lines and the function in the report. A pipelined loop keeps the interval, the
    iteration latency and the nest of the report; a loop that is not pipelined stays so.

    Parameters
    ----------
    sources : text of each file of the program.
    directives : directives of the source.

    Raises
    ------
    InputError
        If the reports do not belong to the program: a function is missing there, or a loop is missing in the source.
    """
    if program.name not in reports.functions:
        known = did_you_mean(program.name, reports.functions) if len(reports.functions) < _MANY else ""
        words = f"the reports do not belong to the source: they have no function '{program.name}'{known}"
        raise InputError(words, where=reports.folder)
    found: dict[Scopes, list[ReportedLoop]] = {}
    unused, assumed = [], []
    matcher = Matcher(program, sources, reports)
    for loop in matcher.reported():
        candidates = matcher.candidates(loop)
        if len(candidates) == 1:
            found.setdefault(candidates[0], []).append(loop)
        elif candidates:
            lines = " or ".join(str(scopes[-1][1]) for scopes in candidates)
            assumed.append(f"loop '{loop.name}' of {_short(loop)} may be that of line {lines}: it is not used")
        else:
            matcher.check_foreign(loop)
            unused.append(f"'{loop.name}' of {_short(loop)}")
    parents = {scope_of(c[1]): scope_of(c[0]) for c in matcher.every if len(c) == 2}
    loops = dict(directives.loops)
    timings: dict[Scope, tuple[LoopTiming, ...]] = {}
    for scopes, copies in found.items():
        if all(copy.pipelined for copy in copies):
            _pipeline(loops, scopes, parents.get(scopes[0]))
            made, notes = _timings(scopes, copies, matcher.paths(scopes))
            timings[scopes[-1]] = (*timings.get(scopes[-1], ()), *made)
            assumed += notes
        elif all(copy.kind == "no" for copy in copies):
            for scope in scopes:
                loops[scope] = replace(loops.get(scope, LoopDirective()), pipeline=False)
            loops[scopes[-1]] = replace(loops[scopes[-1]], flatten=False)
    kept = replace(directives, loops=loops, timings=timings)
    return Matched(reports, kept, tuple(unused), tuple(assumed))


def _short(loop: ReportedLoop) -> str:
    return Path(loop.file).name


def _pipeline(loops: dict[Scope, LoopDirective], scopes: Scopes, parent: Scope | None) -> None:
    """Make one pipeline of exactly this nest."""
    for scope in scopes[:-1]:
        loops[scope] = replace(loops.get(scope, LoopDirective()), pipeline=None, flatten=None, joined=True)
    loops[scopes[-1]] = replace(loops.get(scopes[-1], LoopDirective()), pipeline=True)
    if parent is not None:
        loops[parent] = replace(loops.get(parent, LoopDirective()), flatten=False, joined=False)


def _timings(
    scopes: Scopes, copies: Sequence[ReportedLoop], paths: Sequence[Call]
) -> tuple[list[LoopTiming], list[str]]:
    """Return the timing of a nest in each copy of its function, and the assumptions about which copy is which."""
    made = [_timing(scopes, copy) for copy in sorted(copies, key=lambda copy: _natural(copy.function))]
    if len({(each.ii, each.latency, each.trips) for each in made}) == 1:
        return made[:1], []
    names = ", ".join(each.where for each in made)
    if len(made) == len(paths):
        which = [replace(each, paths=(path,)) for each, path in zip(made, paths, strict=True)]
        return which, [f"{names}: the copies belong to the calls in the order of their names"]
    slowest = max(made, key=lambda each: each.ii * (each.trips or 1) + each.latency)
    words = f"{names}: {len(made)} copies for {len(paths)} calls; which is which is not said, so the slowest counts"
    return [slowest], [words]


def _timing(scopes: Scopes, loop: ReportedLoop) -> LoopTiming:
    assert loop.ii is not None
    latency = loop.iteration_latency or 1
    trips = loop.trips[0] if loop.trips and loop.trips[0] == loop.trips[1] else None
    if trips and loop.latency and loop.latency[0] == loop.latency[1]:
        # For an unrolled loop whose factor does not divide its trip count, the report rounds the trip count down.
        most, rest = divmod(loop.latency[1] - max(latency, 2) + 1, loop.ii)
        trips = trips + 1 if most == trips and not rest else trips
    return LoopTiming(scopes, loop.ii, latency, trips, where=f"'{loop.name}' of {_short(loop)}")


def _natural(name: str) -> tuple[str | int, ...]:
    return tuple(int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name))
