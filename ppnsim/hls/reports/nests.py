"""Candidate nests for a loop of a report: nests of the program by name, by line, and by function."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from ppnsim.c.pragmas.text import without_comments
from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Scope, all_loops, scope_of
from ppnsim.hls.pragmas.labels import labels
from ppnsim.hls.reports.model import ReportedLoop, Reports
from ppnsim.hls.reports.names import Chain, chains, named
from ppnsim.hls.structure.unrolling import path_of
from ppnsim.loops.program import Loop, LoopProgram

Scopes = tuple[Scope, ...]
"""A nest, by the scopes of its loops, outermost first."""
Call = tuple[str, ...]
"""The functions from the kernel to the called one."""
_OWN = re.compile(r"(?:memset|memcpy|Loop ?\d|L\d+)[\w. ]*", re.IGNORECASE)
"""Names that the tool gives to loops without a name in the source."""


class Matcher:
    """The nests of a program by the names that the tool may give them."""

    def __init__(self, program: LoopProgram, sources: Mapping[str, str], reports: Reports) -> None:
        self.program, self.sources, self.reports = program, sources, reports
        every = {tuple(map(scope_of, chain)): chain for chain in chains(program.body)}
        self.every: tuple[Chain, ...] = tuple(every.values())
        self.labels = labels(sources, list(all_loops(program.body)))
        self.inside = self._callers()

    def _callers(self) -> dict[str, str]:
        """Return, for each function of the reports, the function that contains an instance of it."""
        found = {self.program.name: ""}
        todo = [self.program.name]
        while todo:
            name = todo.pop()
            function = self.reports.functions.get(name)
            for _, other in function.instances if function else ():
                if other not in found:
                    found[other] = name
                    todo.append(other)
        return found

    def reported(self) -> Iterable[ReportedLoop]:
        """Yield the loops of the functions below the program's function; all loops if no instances are reported."""
        known = any(function.instances for function in self.reports.functions.values())
        return (loop for loop in self.reports.loops() if not known or loop.function in self.inside)

    def candidates(self, loop: ReportedLoop) -> list[Scopes]:
        """Return the nests that a loop of a report may be."""
        found = [chain for chain in self.every if named(chain, self.labels, loop.name)]
        places = {(Path(file).name, line) for file, line in loop.sources}
        for better in (
            [chain for chain in found if any(_place(each) in places for each in chain)],
            [chain for chain in found if self._belongs(chain, loop)],
            [chain for chain in found if len(chain) == min(map(len, found))],
        ):
            found = better if better and len(found) > 1 else found
        return [tuple(map(scope_of, chain)) for chain in found]

    def _belongs(self, chain: Chain, loop: ReportedLoop) -> bool:
        """Return whether the function of a report, or one around it, has the name of the source's function."""
        path = path_of(chain[-1])
        own = re.compile(rf"(?:^|_){re.escape(path[-1])}(?:_|$)") if path else None
        name = loop.function
        while own and name:
            if own.search(name):
                return True
            name = self.inside.get(name, "")
        return False

    def check_foreign(self, loop: ReportedLoop) -> None:
        """Refuse a reported loop whose place is in the source's files, if the source has no such loop."""
        files = {Path(file).name for file in self.sources}
        elsewhere = loop.sources and files.isdisjoint(Path(file).name for file, _ in loop.sources)
        if elsewhere or _OWN.fullmatch(loop.name) or self._written(loop.name):
            return
        here = sorted({self.labels.get(scope_of(chain[0]), f"line {chain[0].position.line}") for chain in self.every})
        words = f"the report does not belong to the source: it has a loop '{loop.name}'"
        if loop.trips:
            words += f" of {loop.trips[1]} iterations"
        raise InputError(f"{words}, and {self.program.file} has {', '.join(here) or 'no loop'}", where=loop.file)

    def _written(self, name: str) -> bool:
        """Return whether a source text has the loop although the program has not: the loop has no effect."""
        texts = [without_comments(text) for text in self.sources.values()]
        lines = [int(line) for line in re.findall(r"VITIS_LOOP_(\d+)_\d+", name)]
        rows = [text.splitlines() for text in texts]
        if lines:
            return any(
                all(line <= len(own) and re.search(r"\b(for|while|do)\b", own[line - 1]) for line in lines)
                for own in rows
            )
        return any(re.search(rf"\b{re.escape(name)}\s*:", text) for text in texts)

    def paths(self, scopes: Scopes) -> list[Call]:
        """Return the calls that contain a nest, in the order of the program."""
        own = (loop for loop in all_loops(self.program.body) if scope_of(loop) == scopes[-1])
        return list(dict.fromkeys(path_of(loop) for loop in own))


def _place(loop: Loop) -> tuple[str, int]:
    return Path(loop.position.file).name, loop.position.line
