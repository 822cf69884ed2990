"""The context that the schedules of all parts of a kernel share: its arrays, the device, the rules, the directives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from ppnsim.hls.graph.graph import ChosenOperator, Limits
from ppnsim.hls.graph.loaded_words import Words
from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import LoopTiming, Modules, Scope, scope_of
from ppnsim.hls.recent_results import Recent
from ppnsim.hls.rules import Rules
from ppnsim.hls.schedule.model import ScheduledRegion
from ppnsim.hls.schedule.scheduler import Schedule
from ppnsim.hls.structure.aggregates import Aggregate, in_words
from ppnsim.hls.structure.bank_ports import across_of, ports_of
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.lanes import read_in_place
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.partitions import Partition, Storage
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree
from ppnsim.hls.structure.whole_program import WholeProgram
from ppnsim.hls.structure.widened import beats_of
from ppnsim.hls.structure.words import words_of
from ppnsim.loops.program import Access, Array, Loop

LARGE = 1 << 11
"""Most elements of a memory in which a token is stored in the state in which it is read (R10.2)."""

EXTRACTED = "2021.1"
"""The first release that makes a module of each pipelined loop: the state machine starts it and waits for it."""


@dataclass(slots=True)
class Known:
    """Results that depend only on the program, the library and the rules, kept for schedules under other directives.

    Attributes
    ----------
    trees : structures of the nodes of the program's body, by the directives of the loops in them.
    regions : regions of the outermost loops of the state machine, by the identity of the loop and the partitions of its
        arrays. The loop is kept beside its regions, so that no other object can get its identity.
    schedules : schedules of the bodies of pipelined loops, by their graph; None where no body is scheduled twice.
    whole : facts about the program of which several tasks are scheduled; None if each schedule finds them anew.
    """

    trees: Recent[tuple[Tree, ...]] = field(default_factory=Recent)
    regions: Recent[tuple[Serial, list[ScheduledRegion]]] = field(default_factory=Recent)
    schedules: Recent[Schedule] | None = field(default_factory=Recent)
    whole: WholeProgram | None = None

    @classmethod
    def once(cls, whole: WholeProgram | None = None) -> Known:
        """Return an empty store for a program, or one task of it, that is scheduled only once."""
        return cls(schedules=None, whole=whole)


@dataclass(frozen=True, slots=True)
class KernelContext:
    """The facts that all parts of a kernel share.

    Attributes
    ----------
    written : arrays that the kernel stores to anywhere.
    storage : storage of the arrays that are not in block RAM.
    bound : the operators that directives choose, for the results that go to an array.
    limits : most units of an operator that directives allow in the code of a call.
    modules : calls of functions that directives give few modules (R6.6), by path.
    timings : pipelined loops as a tool has reported them, by their innermost loop.
    inlined : calls that directives inline.
    readers : the statements that read each array, by name.
    aggregates : the arrays that are members of words (R6.22).
    control, hands : scalar arguments in registers of an AXI-lite port, and scalar arguments with a handshake (R2.10).
    axes : the arguments that are ports of AXI streams (R3.8).
    stay : elements that were loaded before the enclosing loops of the state machine, which do not move them (R6.21).
    summed : the location that the innermost loop of the state machine keeps in a register (R1.11).
    small : the arrays whose memories are made of lookup tables (R3.9).
    known : results of other schedules of the same program.
    """

    library: Library
    arrays: Mapping[str, Array]
    partitions: Mapping[str, Partition]
    written: frozenset[str]
    rules: Rules
    storage: Mapping[str, Storage] = field(default_factory=dict)
    bound: Mapping[str, ChosenOperator] = field(default_factory=dict)
    limits: Limits = field(default_factory=dict)
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
    modules: Mapping[tuple[str, ...], Modules] = field(default_factory=dict)

    def timing(self, pipeline: Pipeline) -> LoopTiming | None:
        """Return the reported timing of a pipelined loop; None if the report has none for exactly these loops."""
        path = next((step.statement.path for step in pipeline.steps), ())
        for each in self.timings.get(scope_of(pipeline.loops[-1]), ()):
            own = {scope_of(loop) for loop in pipeline.loops if constant_trips(loop) != 1}
            if own <= set(each.loops) <= {scope_of(loop) for loop in pipeline.loops} and path in (
                each.paths or (path,)
            ):
                return each
        return None

    def called(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """Return the function that contains code with this path: the innermost call that is not inlined."""
        while path in self.inlined:
            path = path[:-1]
        return path

    @property
    def lasting(self) -> frozenset[str]:
        """The memories that the kernel never changes: their elements at fixed places load before all loops (R9.24)."""
        if not self.rules.recent:
            return frozenset()
        memories = (name for name, each in self.arrays.items() if each.shape and not (each.stream or each.volatile))
        others = self.written | self.kept("fifo") | self.kept("registers")
        return frozenset(memories) - others

    @property
    def own(self) -> frozenset[str]:
        """The arrays that only the kernel's own code can reach while it runs, as far as Vitis HLS knows."""
        if not self.rules.hoist:
            return frozenset()
        return frozenset(name for name, each in self.arrays.items() if each.role == "local" and not each.static)

    def is_large(self, access: Access) -> bool:
        """Return whether an element's memory is too large to store a token in the state of its read (R10.2)."""
        part, kept = self.partitions.get(access.array), self.storage.get(access.array)
        banks = part.banks if part is not None else 1
        return (kept is None or kept.kind == "ram") and prod(self.arrays[access.array].shape) > LARGE * banks

    def limited(self, steps: Iterable[GuardedStatement]) -> Limits:
        """Return the most units of each operator in code, with the calls whose functions say it (R6.6)."""
        calls = {step.statement.path for step in steps} if self.limits else set()
        return {of: most for of, most in self.limits.items() if any(each[: len(of[1])] == of[1] for each in calls)}

    def kept(self, kind: str) -> frozenset[str]:
        """Return the arrays that are kept as ``registers``, ``fifo`` or ``bus``."""
        return frozenset(name for name, kept in self.storage.items() if kept.kind == kind)

    def ports(self, accesses: Iterable[Access] = (), loops: Iterable[Loop] = ()) -> Callable[[Access], tuple[str, ...]]:
        """Return a function that gives the memories whose ports an access takes, beside these accesses and loops."""
        return in_words(ports_of(accesses, self.partitions, loops), self.aggregates)

    def words(self, loops: Sequence[Loop], steps: Sequence[GuardedStatement], outer: Sequence[Loop]) -> Words:
        """Return the words that elements share in iterations of some loops, and the beats of buses (R6.2, R6.22)."""
        buses = {name: self.arrays[name] for name in self.kept("bus")}
        beats = beats_of(steps, self.arrays, self.storage, self.partitions, (*outer, *loops)) if buses else {}
        astride = read_in_place(steps, buses)
        words = words_of(self.partitions, loops, buses, self.aggregates, beats, astride)
        return Words(words, across_of(self.partitions), beats)

    def straight_words(self, loops: Sequence[Loop]) -> Words:
        """Return the words that elements share in straight-line code inside some loops (R6.2, R6.22)."""
        return Words(words_of(self.partitions, loops, aggregates=self.aggregates))
