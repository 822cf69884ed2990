"""What a scheduled kernel is: a state machine of regions, the pipelined loops that they start, and their bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.loop_graph import Tokens
from ppnsim.hls.schedule.scheduler import Schedule
from ppnsim.hls.structure.trees import Pipeline, Tree
from ppnsim.loops.program import Access, Loop, Position


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledBody:
    """A scheduled body.

    Attributes
    ----------
    arguments : nodes of the graph around it; ``inputs`` are those in its own graph that stand for them.
    results : locations left in registers, and whether a number was put into them before the loop.
    loaded, stored : arrays. scalars : variables that are no parameters.
    tokens : accesses to FIFOs, with the conditions that each is executed under, one set of them or another.
    """

    pipeline: Pipeline
    graph: Graph
    schedule: Schedule
    depth: int
    arguments: tuple[int, ...]
    inputs: Mapping[int, int]
    results: Mapping[Access, bool]
    loaded: frozenset[str]
    stored: frozenset[str]
    scalars: frozenset[str]
    tokens: Tokens

    @property
    def touched(self) -> frozenset[str]:
        """Return all arrays that it loads or stores."""
        return self.loaded | self.stored

    def busy(self, iterations: int, visits: int) -> int:
        """Return the cycles of some visits with so many iterations in all (R3.5); one of no iteration counts too."""
        return visits * (self.depth - self.schedule.ii) + iterations * self.schedule.ii


@dataclass(frozen=True, slots=True)
class ScheduledNest:
    """A pipelined loop with its schedule and how often it ran; ``least`` and ``most`` iterations in one visit."""

    body: ScheduledBody
    visits: int
    iterations: int
    least: int
    most: int

    @property
    def name(self) -> str:
        """The iterators of its loops, outermost first."""
        return ".".join(loop.iterator for loop in self.body.pipeline.loops)

    @property
    def line(self) -> int:
        """The line of its innermost loop."""
        return self.body.pipeline.loops[-1].position.line

    @property
    def cycles(self) -> int:
        """Cycles of all visits."""
        return self.body.busy(self.iterations, self.visits)


@dataclass(frozen=True, slots=True)
class ScheduledRegion:
    """A scheduled region; ``cycles`` of all its visits, with those of the loops it starts; ``outer`` loops around it.

    ``overlapped`` are cycles of loops that run while longer ones do.
    """

    graph: Graph
    schedule: Schedule
    visits: int
    cycles: int
    nests: tuple[ScheduledNest, ...]
    outer: tuple[Loop, ...]
    tokens: Tokens
    overlapped: int


@dataclass(frozen=True, slots=True)
class ScheduledTask:
    """A task of a dataflow region: cycles of a run that nothing holds up, and when it ran in the region.

    ``start`` is that of its first run and ``end`` of its last; it stood still for ``waited`` cycles in all, and its
    longest run took ``interval`` cycles.
    """

    name: str
    position: Position
    cycles: int
    start: int
    end: int
    waited: int
    interval: int


@dataclass(frozen=True, slots=True)
class StateMachine:
    """A scheduled kernel: cycles from its start to its end, its pipelined loops and what is around them.

    ``tree`` is its structure, ``registers`` are arrays of which each element is one. ``tasks`` are those of a dataflow
    region, each of which ran ``runs`` times, and ``parts`` their schedules; ``nests`` are the loops of all.
    """

    cycles: int
    nests: tuple[ScheduledNest, ...]
    regions: tuple[ScheduledRegion, ...]
    tree: tuple[Tree, ...] = ()
    registers: frozenset[str] = frozenset()
    tasks: tuple[ScheduledTask, ...] = ()
    parts: tuple[StateMachine, ...] = ()
    runs: int = 1
