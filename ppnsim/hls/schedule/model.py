"""The data model of a scheduled kernel: state machine, regions, pipelined loops, and their scheduled bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ppnsim.hls.graph.graph import Graph, Tokens, Transfers
from ppnsim.hls.pragmas.directives import LoopTiming
from ppnsim.hls.schedule.buses import BusPorts
from ppnsim.hls.schedule.scheduler import Schedule
from ppnsim.hls.structure.trees import Pipeline, Tree
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Access, Loop, Position

if TYPE_CHECKING:  # most kernels have no dataflow region to run
    from ppnsim.model.network import Network
    from ppnsim.model.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledBody:
    """The scheduled body of a pipelined loop.

    Attributes
    ----------
    depth : states of one iteration.
    arguments : the values that the loop takes, as nodes of the graph around it.
    inputs : the nodes of its own graph that stand for the arguments.
    results : locations that it leaves in registers, and whether the code before the loop sets each to a constant.
    loaded, stored : arrays that it loads from, and stores to.
    scalars : variables that are not parameters.
    tokens : accesses to FIFOs, with the conditions under which each is executed.
    transfers : accesses over a bus, with the conditions around each.
    reported : the loop's timing from a tool's report; None if the schedule is our own.
    unlike : arrays whose elements are accessed again by subscripts of another form (R4.8).
    unseen : arrays whose elements may be accessed again sooner by iterations beyond those that the analysis looks at.
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
    transfers: Transfers
    reported: LoopTiming | None = None
    unlike: frozenset[str] = frozenset()
    unseen: frozenset[str] = frozenset()

    @property
    def touched(self) -> frozenset[str]:
        """All arrays that it loads or stores."""
        return self.loaded | self.stored

    def busy(self, iterations: int, visits: int) -> int:
        """Return the cycles of all visits with this total of iterations (R3.5), empty visits included."""
        return visits * (self.depth - self.schedule.ii) + iterations * self.schedule.ii


@dataclass(frozen=True, slots=True)
class ScheduledNest:
    """A pipelined loop, or a flattened nest, with its schedule and how often it runs.

    Attributes
    ----------
    visits : number of times that the loop starts.
    iterations : iterations of all visits together.
    least, most : fewest and most iterations of one visit.
    """

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

    @property
    def starts(self) -> int:
        """Cycles in which iterations start, up to the first one of a next visit that follows at once."""
        return self.body.schedule.ii * self.iterations


@dataclass(frozen=True, slots=True)
class ScheduledRegion:
    """A region: straight-line code of the state machine, and the pipelined loops that it starts.

    Attributes
    ----------
    cycles : cycles of all visits, with the loops.
    nests : the loops, in the order in which the code starts them.
    outer : loops around the region.
    around : loops and conditions around the region.
    overlapped : cycles of loops that run while a longer loop runs.
    """

    graph: Graph
    schedule: Schedule
    visits: int
    cycles: int
    nests: tuple[ScheduledNest, ...]
    outer: tuple[Loop, ...]
    tokens: Tokens
    overlapped: int
    transfers: Transfers
    around: tuple[Loop | Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class ScheduledTask:
    """A task of a dataflow region.

    Attributes
    ----------
    cycles : cycles of a run without any wait.
    start, end : cycles in which its first run starts and its last run ends.
    waited : cycles in which it waits, in all runs.
    interval : cycles of its longest run; of one that starts again while it ends (R5.26), from start to start.
    runs : number of its runs.
    period : cycles from a start to the next one if nothing waits; None if it ends first.
    """

    name: str
    position: Position
    cycles: int
    start: int
    end: int
    waited: int
    interval: int
    runs: int = 1
    period: int | None = None

    @property
    def busy(self) -> int:
        """Cycles of all its runs if none waits."""
        return self.cycles + (self.runs - 1) * (self.cycles if self.period is None else self.period)


@dataclass(frozen=True, slots=True)
class StateMachine:
    """A scheduled kernel.

    Attributes
    ----------
    cycles : cycles from its start to its end.
    nests : its pipelined loops, including the loops of its tasks.
    regions : the code around the loops; empty if the kernel is one loop, or a dataflow region.
    tree : its loop structure.
    registers : arrays of which each element is a register.
    tasks, parts : the tasks of all dataflow regions, and their schedules.
    runs : number of runs of the kernel's region.
    region, outcome : the process network of the regions, and its run.
    said : assumptions about its tasks.
    """

    cycles: int
    nests: tuple[ScheduledNest, ...]
    regions: tuple[ScheduledRegion, ...]
    tree: tuple[Tree, ...] = ()
    registers: frozenset[str] = frozenset()
    tasks: tuple[ScheduledTask, ...] = ()
    parts: tuple[StateMachine, ...] = ()
    runs: int = 1
    region: RegionNetwork | None = None
    outcome: Run | None = None
    said: tuple[str, ...] = ()


ChannelKind = Literal["fifo", "buffer", "credit", "order", "port", "full"]
"""A channel of tokens in a FIFO; of whole arrays or scalars; of their free copies on the way back; of ends of parts; of
transfers through a port on a bus; or of the full ones among held blocks."""


@dataclass(frozen=True, slots=True)
class RegionTask:
    """A process of the network of a kernel's regions.

    Attributes
    ----------
    position : where it begins in the source.
    machine : its schedule.
    runs : number of its runs in total.
    span, period : pipeline steps of one run, and from its start to its next start.
    endless : it runs as long as tokens come (``hls::task``).
    chosen : data decides about an ``if`` with loops in its code, which is counted as always executed (R5.8).
    """

    name: str
    position: Position
    machine: StateMachine
    runs: int
    span: int
    endless: bool = False
    period: int = 0
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class RegionChannel:
    """A channel of the network and its origin in the source.

    Attributes
    ----------
    array : the array, scalar or FIFO of the program; "" for a channel that only orders tasks.
    variable : its name in the source.
    position : its declaration, or its first access if the declaration is not known.
    """

    kind: ChannelKind
    array: str
    variable: str
    position: Position


@dataclass(frozen=True, slots=True)
class RegionNetwork:
    """The dataflow regions of a kernel as one process network.

    Attributes
    ----------
    network : the network; its processes are scheduled processes.
    tasks, channels : the tasks and channels in the source, by the names of processes and channels.
    runs : number of runs of the kernel's region.
    buses : ports of tasks on buses.
    said : differences from the directives, one sentence each.
    """

    network: Network
    tasks: Mapping[str, RegionTask]
    channels: Mapping[str, RegionChannel]
    runs: int
    buses: BusPorts = field(default_factory=BusPorts)
    said: tuple[str, ...] = ()

    def of_kind(self, kind: ChannelKind) -> list[str]:
        """Return the names of all channels of a kind."""
        return [name for name, channel in self.channels.items() if channel.kind == kind]

    @property
    def groups(self) -> dict[str, list[str]]:
        """The FIFOs by variable: all elements of an array of FIFOs have one depth in the source."""
        found: dict[str, list[str]] = {}
        for name in self.of_kind("fifo"):
            found.setdefault(self.channels[name].array, []).append(name)
        return found

    @property
    def late(self) -> dict[str, int]:
        """The steps of each task after the state that signals its end: an access, or the start of its next run."""
        return {name: task.span - task.machine.cycles for name, task in self.tasks.items()}

    def runs_once(self) -> list[str]:
        """Return a sentence with the number of runs for each task without an end whose tokens come from outside."""
        return [
            f"task '{name}' runs {'once' if task.runs == 1 else f'{task.runs} times'}: its tokens come from outside, "
            "and how many is not said; 'ppnsim run --testbench FILE' has them"
            for name, task in self.tasks.items()
            if task.endless and all(self.channels[each.name].kind != "fifo" for each in self.network.inputs(name))
        ]
