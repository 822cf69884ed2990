"""What a project is: sources, top function, target, and the settings that change schedules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PlacedDirective:
    """A directive of a script: the function and the label that it is for ("" for the function itself).

    ``text`` is what a pragma would say, ``pipeline II=2``; ``where`` the line of the script.
    """

    function: str
    label: str
    text: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project of high-level synthesis.

    Attributes
    ----------
    file : the script.
    top : name of the top function.
    sources, testbench : files, in the order in which they are added; both exist.
    include, defines : folders and macros of the sources.
    part, clock_ns : target; "" and 0 where the project does not say.
    unsafe_math : chains of floating point may be balanced.
    directives : in order.
    solution, solutions : the solution that is read, and all of them.
    unknown : settings that have no effect here, each with its line.
    """

    file: str
    top: str
    sources: tuple[str, ...]
    testbench: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    defines: Mapping[str, str] = field(default_factory=dict)
    part: str = ""
    clock_ns: float = 0.0
    unsafe_math: bool = False
    directives: tuple[PlacedDirective, ...] = ()
    solution: str = ""
    solutions: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
