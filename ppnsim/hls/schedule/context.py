"""What the schedules of all parts of a kernel share: its arrays, the device, the rules, the directives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from ppnsim.hls.graph.loaded_words import Words
from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import LoopTiming, Scope, scope_of
from ppnsim.hls.recent_results import Recent
from ppnsim.hls.rules import Rules
from ppnsim.hls.schedule.model import ScheduledRegion
from ppnsim.hls.schedule.scheduler import Schedule
from ppnsim.hls.structure.aggregates import Aggregate, in_words
from ppnsim.hls.structure.bank_ports import across_of, ports_of
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.partitions import Partition, Storage
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree
from ppnsim.hls.structure.widened import beats_of
from ppnsim.hls.structure.words import words_of
from ppnsim.loops.program import Access, Array, Loop

LARGE = 1 << 11
"""Elements of a memory up to which a token is stored in the state in which it is read (R10.2)."""

EXTRACTED = "2021.1"
"""The first release that makes a module of each pipelined loop, which the state machine starts and waits for."""


@dataclass(slots=True)
class Known:
    """What is known of a program, a library and rules, whatever the directives: it is found once.

    Attributes
    ----------
    trees : structures of the nodes of the program's body, by the directives of the loops in them.
    regions : of the outermost loops of the state machine, by the identity of the loop and the partitions of its arrays.
        The loop is kept beside its regions, so that no other object can get its identity.
    schedules : of the bodies of pipelined loops, by their graph; None where no body is scheduled twice.
    """

    trees: Recent[tuple[Tree, ...]] = field(default_factory=Recent)
    regions: Recent[tuple[Serial, list[ScheduledRegion]]] = field(default_factory=Recent)
    schedules: Recent[Schedule] | None = field(default_factory=Recent)

    @classmethod
    def once(cls) -> Known:
        """Return what is known of a program that is scheduled once."""
        return cls(schedules=None)


@dataclass(frozen=True, slots=True)
class KernelContext:
    """What all parts of a kernel share.

    Attributes
    ----------
    written : arrays that the kernel stores to anywhere.
    storage : of the arrays that are not in block RAM.
    bound : operator and states that directives ask for the results that go to an array.
    limits : units of an operator that directives allow, in the code of a call.
    timings : pipelined loops as a tool has reported them, by their innermost loop.
    inlined : calls that directives put into the code that calls.
    readers : the statements that read each array, by name.
    aggregates : the arrays that are parts of words (R6.22).
    control, hands : scalar arguments in registers of an AXI-lite port, and behind a handshake (R2.10).
    axes : the arguments that are ports of AXI streams (R3.8).
    stay : elements that loops of the state machine around do not move, which were read before them (R6.21).
    summed : the location that the innermost loop of the state machine keeps in a register (R1.11).
    small : the arrays whose memories are made of lookup tables (R3.9).
    known : what other schedules of the same program have found.
    """

    library: Library
    arrays: Mapping[str, Array]
    partitions: Mapping[str, Partition]
    written: frozenset[str]
    rules: Rules
    storage: Mapping[str, Storage] = field(default_factory=dict)
    bound: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    limits: Mapping[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)
    known: Known = field(default_factory=Known)
    timings: Mapping[Scope, tuple[LoopTiming, ...]] = field(default_factory=dict)
    inlined: frozenset[tuple[str, ...]] = frozenset()
    control: frozenset[str] = frozenset()
    hands: frozenset[str] = frozenset()
    axes: frozenset[str] = frozenset()
    readers: Mapping[str, frozenset[str]] = field(default_factory=dict)
    aggregates: Mapping[str, Aggregate] = field(default_factory=dict)
    stay: frozenset[Access] = frozenset()
    summed: Access | None = None
    small: frozenset[str] = frozenset()

    def timing(self, pipeline: Pipeline) -> LoopTiming | None:
        """Return the reported timing of a pipelined loop, None if there is none for just these loops."""
        path = next((step.statement.path for step in pipeline.steps), ())
        for each in self.timings.get(scope_of(pipeline.loops[-1]), ()):
            own = {scope_of(loop) for loop in pipeline.loops if constant_trips(loop) != 1}
            if own <= set(each.loops) <= {scope_of(loop) for loop in pipeline.loops} and path in (
                each.paths or (path,)
            ):
                return each
        return None

    def called(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """Return the function that code is in: the innermost of its calls that is not inlined."""
        while path in self.inlined:
            path = path[:-1]
        return path

    @property
    def lasting(self) -> frozenset[str]:
        """The memories that the kernel never changes: elements at fixed places are loaded before all loops (R9.24)."""
        if not self.rules.recent:
            return frozenset()
        memories = (name for name, each in self.arrays.items() if each.shape and not each.stream)
        others = self.written | self.kept("fifo") | self.kept("registers")
        return frozenset(memories) - others

    @property
    def own(self) -> frozenset[str]:
        """The arrays of which Vitis HLS knows that nothing but the kernel's code can reach them while it runs."""
        if not self.rules.hoist:
            return frozenset()
        return frozenset(name for name, each in self.arrays.items() if each.role == "local" and not each.static)

    def is_large(self, access: Access) -> bool:
        """Return whether the memory of an element has so many that a token is not stored as it comes (R10.2)."""
        part, kept = self.partitions.get(access.array), self.storage.get(access.array)
        banks = part.banks if part is not None else 1
        return (kept is None or kept.kind == "ram") and prod(self.arrays[access.array].shape) > LARGE * banks

    def limited(self, steps: Iterable[GuardedStatement]) -> dict[str, int]:
        """Return the units of operators in code: those of its functions (R6.6)."""
        calls, found = {step.statement.path for step in steps}, dict[str, int]()
        for (name, path), most in self.limits.items():
            if any(each[: len(path)] == path for each in calls):
                found[name] = min(most, found.get(name, most))
        return found

    def kept(self, kind: str) -> frozenset[str]:
        """Return the arrays that are kept as ``registers``, ``fifo``, ``bus``."""
        return frozenset(name for name, kept in self.storage.items() if kept.kind == kind)

    def ports(self, accesses: Iterable[Access] = (), loops: Iterable[Loop] = ()) -> Callable[[Access], tuple[str, ...]]:
        """Return the memories that an access takes a port of, among others in code of some loops."""
        return in_words(ports_of(accesses, self.partitions, loops), self.aggregates)

    def words(self, loops: Sequence[Loop], steps: Iterable[GuardedStatement], outer: Sequence[Loop]) -> Words:
        """Return the words that elements share in the iterations of some loops, and beats of buses (R6.2, R6.22)."""
        buses = {name: self.arrays[name] for name in self.kept("bus")}
        beats = beats_of(steps, self.arrays, self.storage, self.partitions, (*outer, *loops)) if buses else {}
        words = words_of(self.partitions, loops, buses, self.aggregates, beats)
        return Words(words, across_of(self.partitions), beats)

    def straight_words(self, loops: Sequence[Loop]) -> Words:
        """Return the words that elements share in straight-line code in some loops (R6.2, R6.22)."""
        return Words(words_of(self.partitions, loops, aggregates=self.aggregates))
