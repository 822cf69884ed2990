"""The parts of a kernel with dataflow regions: tasks that run together, in turn, again, or conditionally (R7.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Loop, Node, Position


@dataclass(frozen=True, slots=True, eq=False)
class TaskCode:
    """Code without a region: one process, named after its call or its loop.

    ``endless``: an ``hls::task``; ``pipelined``: its rounds are the iterations of the one loop in its body (R11.8).
    """

    name: str
    position: Position
    body: tuple[Node, ...]
    endless: bool = False
    pipelined: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TaskRegion:
    """A dataflow region: its parts run at the same time."""

    name: str
    position: Position
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TaskStages:
    """Code around regions: each part starts after the end of the part before."""

    name: str
    position: Position
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TaskLoop:
    """A loop around a region. ``overlaps``: the loop is the region's own, and its rounds overlap."""

    name: str
    position: Position
    parts: tuple[Part]
    loop: Loop
    overlaps: bool

    @property
    def trips(self) -> int:
        """The trip count of the loop.

        Raises
        ------
        InputError
            If the trip count is not a constant of at least 1.
        """
        count = constant_trips(self.loop)
        if not count:
            words = "a dataflow region needs a loop that runs a known number of times"
            raise NoNetwork(words if count is None else f"{words}, at least once", where=str(self.position))
        return count


@dataclass(frozen=True, slots=True, eq=False)
class TaskChoice:
    """A condition around a region: the first part runs if it holds, else the second part, if there is one."""

    name: str
    position: Position
    parts: tuple[Part, ...]
    condition: Condition


Part = TaskCode | TaskRegion | TaskStages | TaskLoop | TaskChoice


def code_of(part: Part) -> list[Node]:
    """Return the code of a part, including the code of its parts."""
    return list(part.body) if isinstance(part, TaskCode) else [node for each in part.parts for node in code_of(each)]


def codes_of(part: Part | None) -> list[Sequence[Node]]:
    """Return the code of each task in a part."""
    if isinstance(part, TaskCode):
        return [part.body]
    return [] if part is None else [code for each in part.parts for code in codes_of(each)]


def is_endless(part: Part) -> bool:
    """Return whether a part, or one of its parts, is an ``hls::task``."""
    return part.endless if isinstance(part, TaskCode) else any(map(is_endless, part.parts))
