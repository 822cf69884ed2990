"""The timing of a task: the states of its accesses, in pipelined loops and in the code around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PlaceKey = tuple[int, ...]
"""The number of an access or a loop, after the calls (by number) and copies of unrolled loops around it."""


@dataclass(frozen=True, slots=True)
class PipelineTiming:
    """A pipelined loop.

    Attributes
    ----------
    loop : its number; for a flattened nest, the number of the innermost loop.
    outer : the numbers of the flattened loops around it, outermost first.
    ii, depth : initiation interval, and states of one iteration.
    test : the state that decides the loop's head.
    tail : the head comes after the body (``do .. while``).
    stages : the state of each access.
    bound : the reason for the interval.
    copies : iterations of the source in one iteration of the hardware (unrolling by a factor).
    """

    loop: int
    outer: tuple[int, ...]
    ii: int
    depth: int
    test: int
    tail: bool
    stages: Mapping[PlaceKey, int]
    bound: str
    line: str
    copies: int = 1

    @property
    def whole(self) -> int:
        """The number of the outermost loop."""
        return self.outer[0] if self.outer else self.loop


@dataclass(frozen=True, slots=True)
class StraightTiming:
    """Straight-line code: the number of its ``states``, the states of its accesses (``stages``) and of loop starts.

    ``starts`` and ``pipelines`` are by the outermost loop of each nest.
    """

    states: int
    stages: Mapping[PlaceKey, int]
    starts: Mapping[PlaceKey, int]
    pipelines: Mapping[PlaceKey, PipelineTiming]


@dataclass(frozen=True, slots=True)
class SerialTiming:
    """A loop that is not pipelined; the first part of its body begins in the state of its head (R5.1)."""

    loop: int
    tail: bool
    body: tuple[StraightTiming | SerialTiming, ...]


@dataclass(frozen=True, slots=True)
class TaskTiming:
    """A task: straight-line code and loops in turn.

    ``waits``: all of its accesses are blocking; ``unrolled``: the completely unrolled loops; ``endless``: it runs again
    as long as tokens come (``hls::task``).
    """

    name: str
    body: tuple[StraightTiming | SerialTiming, ...]
    waits: bool
    unrolled: frozenset[int] = frozenset()
    endless: bool = False

    def pipelines(self) -> list[PipelineTiming]:
        """Return its pipelined loops, in textual order."""
        return [each for part in self.body for each in _pipelines(part)]


def _pipelines(part: StraightTiming | SerialTiming) -> list[PipelineTiming]:
    if isinstance(part, StraightTiming):
        return list(part.pipelines.values())
    return [each for inner in part.body for each in _pipelines(inner)]
