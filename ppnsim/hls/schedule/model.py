"""What a scheduled kernel is: a state machine of regions, the pipelined loops that they start, and their bodies."""

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

if TYPE_CHECKING:  # most kernels have no region that is run
    from ppnsim.model.network import Network
    from ppnsim.model.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledBody:
    """The scheduled body of a pipelined loop.

    Attributes
    ----------
    depth : states of one iteration.
    arguments : what it takes, as nodes of the graph around it.
    inputs : the nodes of its own graph that stand for the arguments.
    results : locations that it leaves in registers, and whether the code before the loop sets them to a number.
    loaded, stored : arrays.
    scalars : variables that are not parameters.
    tokens : accesses to FIFOs, with the conditions that each is executed under.
    transfers : accesses over a bus, with the conditions around each.
    reported : what a tool's report says of the loop, None if the schedule is our own.
    unlike : arrays whose elements come again by subscripts that differ in form (R4.8).
    unseen : those of which iterations beyond those that are looked at may take elements sooner.
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
        """Return the cycles of some visits with so many iterations in all (R3.5); a visit without one counts too."""
        return visits * (self.depth - self.schedule.ii) + iterations * self.schedule.ii


@dataclass(frozen=True, slots=True)
class ScheduledNest:
    """A pipelined loop, or a flattened nest, with its schedule and how often it runs.

    Attributes
    ----------
    visits : how often the loop starts.
    iterations : of all visits together.
    least, most : iterations of one visit.
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


@dataclass(frozen=True, slots=True)
class ScheduledRegion:
    """A region: straight-line code of the state machine, and the pipelined loops that it starts.

    Attributes
    ----------
    cycles : of all visits, with the loops.
    nests : the loops, in the order in which the code starts them.
    outer : loops around it.
    around : loops and conditions around it.
    overlapped : cycles of loops that run while a longer loop does.
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
    cycles : of a run that nothing holds up.
    start, end : cycles in which its first run starts and its last run ends.
    waited : cycles in which it stands still, in all runs.
    interval : cycles of its longest run.
    runs : how often it runs.
    """

    name: str
    position: Position
    cycles: int
    start: int
    end: int
    waited: int
    interval: int
    runs: int = 1


@dataclass(frozen=True, slots=True)
class StateMachine:
    """A scheduled kernel.

    Attributes
    ----------
    cycles : from its start to its end.
    nests : its pipelined loops, also those of its tasks.
    regions : the code around the loops; empty if the kernel is one loop, or a dataflow region.
    tree : its structure.
    registers : arrays of which each element is a register.
    tasks, parts : the tasks of all dataflow regions, and their schedules.
    runs : how often the kernel's region runs.
    region, outcome : the process network of the regions, and its run.
    said : what is assumed about its tasks.
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
"""Tokens of a FIFO; whole arrays or scalars; free copies of them, on their way back; the mere end of a part; what goes
through a port on a bus; or the blocks that are full of those that are held."""


@dataclass(frozen=True, slots=True)
class RegionTask:
    """A process of the network of a kernel's regions.

    Attributes
    ----------
    position : where it begins in the source.
    machine : its schedule.
    runs : how often it runs in all.
    span : pipeline steps of one run.
    endless : it runs as long as tokens come (``hls::task``).
    """

    name: str
    position: Position
    machine: StateMachine
    runs: int
    span: int
    endless: bool = False


@dataclass(frozen=True, slots=True)
class RegionChannel:
    """What a channel of the network is in the source.

    Attributes
    ----------
    array : the array, scalar or FIFO of the program, "" for order.
    variable : its name in the source.
    position : its declaration, or the first access where that is not known.
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
    network : its processes are scheduled processes.
    tasks, channels : by name, what processes and channels are in the source.
    runs : how often the region of the kernel runs.
    buses : ports of tasks on buses.
    said : what is otherwise than a directive says, a sentence each.
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
        """The FIFOs by variable: those of an array of FIFOs have one depth in the source."""
        found: dict[str, list[str]] = {}
        for name in self.of_kind("fifo"):
            found.setdefault(self.channels[name].array, []).append(name)
        return found

    @property
    def late(self) -> dict[str, int]:
        """The steps of each task from the state that signals its end on: an access in it, a next run."""
        return {name: task.span - task.machine.cycles for name, task in self.tasks.items()}

    def runs_once(self) -> list[str]:
        """Return a sentence for each task without an end whose tokens come from outside: how often it runs."""
        return [
            f"task '{name}' runs {'once' if task.runs == 1 else f'{task.runs} times'}: its tokens come from outside, "
            "and how many is not said; 'ppnsim run --testbench FILE' has them"
            for name, task in self.tasks.items()
            if task.endless and all(self.channels[each.name].kind != "fifo" for each in self.network.inputs(name))
        ]
