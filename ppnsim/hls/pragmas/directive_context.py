"""The context of a directive in a program: its place, and the loops and functions around it."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field, replace

from ppnsim.hls.pragmas.directives import Scope, all_loops, scope_of
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, Pragma
from ppnsim.hls.structure.unrolling import is_from
from ppnsim.loops.program import Loop, LoopProgram


@dataclass(slots=True)
class LoopsOfProgram:
    """The loops of a program, and the arrays that the loops at a place read and write, each found once."""

    program: LoopProgram
    every: list[Loop] = field(init=False)
    _at: dict[Scope, list[Loop]] = field(default_factory=dict, init=False)
    _moved: dict[Scope | None, tuple[set[str], set[str]]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.every = [*all_loops(self.program.body)]
        for loop in self.every:
            self._at.setdefault(scope_of(loop), []).append(loop)

    def at(self, place: Scope | None) -> list[Loop]:
        """Return the loops at a place of the source: several if their function is called several times."""
        return self._at.get(place, []) if place is not None else []

    def moved(self, place: Scope | None) -> tuple[set[str], set[str]]:
        """Return the arrays that the loops at a place read and write; None stands for the whole program."""
        if place not in self._moved:
            body = self.program.body if place is None else tuple(self.at(place))
            inside = replace(self.program, body=body).statements()
            read = {each.array for some in inside for each in some.reads}
            self._moved[place] = read, {each.array for some in inside for each in some.writes}
        return self._moved[place]


@dataclass(frozen=True, slots=True)
class Seen:
    """A directive with the loops of its program, and all directives on that program."""

    found: Pragma
    loops: LoopsOfProgram
    asked: DirectivesSoFar

    @property
    def program(self) -> LoopProgram:
        """The program of the directive."""
        return self.loops.program

    @property
    def has_loops(self) -> bool:
        """Whether the function that contains the directive contains a loop."""
        frames = self.program.frames
        return any(is_from(loop, frame, frames) for frame in self.found.frames for loop in self.loops.every)


def is_top(found: Pragma, program: LoopProgram) -> bool:
    """Return whether a directive is in the kernel function itself."""
    return not program.frames or found.function == scope_of(program.frames[0])


def in_region(paths: Set[tuple[str, ...]], program: LoopProgram, asked: DirectivesSoFar) -> bool:
    """Return whether a dataflow region calls functions of these paths."""
    around = {path[:-1] for path in paths}
    callers = [asked.functions.get(scope_of(frame)) for frame in program.frames if frame.path in around]
    return any(each is not None and each.dataflow for each in (*callers, *asked.loops.values()))
