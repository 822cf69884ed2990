"""A loop program prepared for its walk: cycles of statements, folded statements, streams in and out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.derive.estimate.calls import CallProfile, CallSpan, call_profiles
from ppnsim.derive.estimate.timed import STATE_FIELDS, Timed, layout, timed_statement
from ppnsim.derive.estimate.walk.activity import ABSOLUTE, LARGEST, UNBOUNDED, Activity
from ppnsim.derive.estimate.walk.early_reads import early_reads, elements, zeros
from ppnsim.derive.estimate.walk.nest import LOOP_FIELDS, WhenAny
from ppnsim.derive.estimate.walk.run import Progress, Walk
from ppnsim.derive.estimate.walk.shadow_times import ShadowKernel, fields
from ppnsim.errors import InputError
from ppnsim.loops.dependences import folded
from ppnsim.loops.expressions import Affine
from ppnsim.loops.orderings import check_hazards
from ppnsim.loops.processes import process_statements
from ppnsim.loops.program import Access, Array, Execution, Loop, LoopProgram, Node, Statement

Kind = Literal["statement", "source", "sink"]


class WalkedProgram:
    """Prepares and runs the walk, and reads the results from its arrays."""

    def __init__(
        self, program: LoopProgram, *, ii: int, latency: int | Mapping[str, int | Sequence[int]], io: bool,
        hazards: bool = False,
    ) -> None:  # fmt: skip
        self.program, self.ii, self.hazards = program, ii, hazards
        self.latencies = {"*": latency} if isinstance(latency, int) else latency
        statements = program.statements()
        constants = frozenset() if hazards else folded(program)  # a store is a store
        self.folded = [each.name for each in statements if each.name in constants]
        self.timed: dict[str, Timed] = {}
        for each in statements:
            if each.name not in self.folded:
                self._time(each, read=int(bool(each.reads)), write=int(bool(each.writes)))
        self.kinds: dict[str, Kind] = dict.fromkeys(self.timed, "statement")
        self.written = {access.array for name in self.timed for access in self.timed[name].statement.writes}
        self.streams = [each for each in program.arrays if io and each.role == "parameter" and each.shape]
        self.sources: list[Timed] = []
        self.sinks = [self._sink(each) for each in self.streams if each.name in self.written]
        self._share()
        self.layout = layout(self.timed, hazards=hazards)
        if hazards:
            check_hazards(program, any(each.latencies for each in self.timed.values()))

    def walk(self, progress: Progress | None) -> None:
        """Walk the program, then the streams out of it."""
        early = early_reads(self.program, self.streams)
        tracked = [each for each in self.program.arrays if each.name in self.written]
        streamed = {each.name: self._source(each) for each in self.streams if each.name in early}
        kernel = ShadowKernel(
            program=self.program, timed=self.timed, tracked=[each.name for each in tracked], layout=self.layout,
            streamed={name: source.stages for name, source in streamed.items() if name not in self.written},
            hazards=self.hazards,
        )  # fmt: skip
        source = kernel.source([*self.program.body, *self.sinks])
        self.state = self._state()
        self.walked = Walk(
            program=self.program, source=source, nest=kernel.nest, state=self.state,
            tables=[
                *(self._shadows(each, streamed.get(each.name)) for each in tracked),
                *(np.array(self.timed[name].latencies, dtype=np.int64) for name in kernel.latencies),
            ],
            counts=(Activity(ABSOLUTE), Activity(UNBOUNDED)), margin=self._margin(),
        )  # fmt: skip
        self.walked.run[2] = max((elements(self.program.array(name)) for name in streamed), default=0)
        self.walked.finish(progress)
        executed = [each for each in self.timed.values() if self.state[STATE_FIELDS * each.number + 1]]
        if not executed:
            raise InputError("no statement is executed, so there is nothing to estimate", where=self.program.name)
        read = {array for each in executed for array in _arrays(each.statement.reads)}
        self.sources += [source_of for name, source_of in streamed.items() if name in read]

    def _state(self) -> Int64Array:
        """Return the initial state of the walk."""
        state = np.zeros(self.layout.size, dtype=np.int64)
        for process, place in self.layout.ordered.items():  # as if an execution had ended just before cycle 0
            state[place + 1] = -min(1, *(t.ii for t in self.timed.values() if t.statement.owner == process))
        state[list(self.layout.spans.values())] = 2**62
        return state

    def _margin(self) -> int:
        """Return the cycles by which the latest start can grow between two checks."""
        longest = max((max(each.ii, each.stages + 1) for each in self.timed.values()), default=1)
        return longest * (len(self.timed) + 2)

    @property
    def busy(self) -> int:
        """Execute cycles of everything."""
        return sum(each.busy(executions) for _, each, executions, _, _ in self.executed())

    def executed(self) -> Iterator[tuple[Kind, Timed, int, int | None, int | None]]:
        """Yield kind, statement, executions, first and last execute start: sources, statements, sinks."""
        for each in self.sources:
            count = elements(self.program.array(each.statement.reads[0].array))
            yield "source", each, count, each.read, each.read + count - 1
        for name, each in self.timed.items():
            after, executions, first = self.state[STATE_FIELDS * each.number :][:STATE_FIELDS].tolist()
            if executions:
                yield self.kinds[name], each, executions, first + each.read, after - each.ii + each.read
            elif self.kinds[name] == "statement":
                yield "statement", each, 0, None, None

    def loops_around(self, timed: Timed) -> Iterator[tuple[Loop, tuple[int, int, int, int]]]:
        """Yield the loops around a statement with entries, iterations, fewest and most iterations of an entry."""
        for number in self.walked.nest.around.get(timed.statement.name, ()):
            entries, iterations, fewest, most = self.walked.loops[LOOP_FIELDS * number :][:LOOP_FIELDS].tolist()
            yield self.walked.nest.loops[number], (entries, iterations, fewest if entries else 0, most)

    def calls(self) -> tuple[CallProfile, ...]:
        """Return the profile of each call; nothing if no kernel calls another."""
        worked = []
        for _, each, executions, first, _ in self.executed():
            if (place := self.layout.spans.get(each.statement.name)) is not None:
                start, absolute, unbounded = self.state[place : place + 3].tolist()
                spans = CallSpan((first or 0) - each.read, absolute), CallSpan(start, unbounded)
                both = spans if executions else (None, None)
                worked.append((each.statement.path, executions, each.busy(executions), *both))
        return call_profiles(worked)

    def results(self) -> Iterator[tuple[int, int | None, str]]:
        """Yield finish, largest number of active executes, and why that is not known: absolute, then unbounded."""
        ends = [
            last + each.latency + each.write for _, each, _, _, last in self.executed()
            if last is not None and each.statement.owner not in self.layout.ordered
        ]  # fmt: skip
        ends += [int(self.state[place + 1]) for place in self.layout.ordered.values()]
        unbounded = max([int(self.walked.run[3]), *(each.stages for each in self.sources)])
        for activity, finish, together in zip(self.walked.counts, (max(ends), unbounded), (False, True), strict=True):
            for each in self.sources:
                self._count_source(activity, each, together=together)
            most = activity.maximum(finish + 1)
            reason = f"executes are counted over {LARGEST} cycles at most, the finish is beyond that"
            yield finish, most, reason if most is None else ""

    def _count_source(self, activity: Activity, each: Timed, *, together: bool) -> None:
        count = elements(self.program.array(each.statement.reads[0].array))
        if together:
            activity.table[each.read] += count
            activity.table[each.read + each.latency] -= count
            return
        for k in range(min(each.latency, count)):  # in between one begins for each that ends
            activity.table[each.read + k] += 1
            activity.table[each.read + max(each.latency, count) + k] -= 1

    def _time(self, statement: Statement, *, read: int, write: int) -> Timed:
        timed = timed_statement(
            self.program, statement, len(self.timed), ii=self.ii, latency=self.latencies, read=read, write=write
        )
        self.timed[statement.name] = timed
        return timed

    def _share(self) -> None:
        """Give all statements of a process the cycles of the process."""
        for sharers in process_statements([each.statement for each in self.timed.values()]).values():
            members = [self.timed[each.name] for each in sharers]
            ii, read, write = (max(getattr(m, what) for m in members) for what in ("ii", "read", "write"))
            for m in members:
                self.timed[m.statement.name] = replace(m, ii=ii, read=read, write=write)

    def _source(self, array: Array) -> Timed:
        """Return the stream into an array. The stream is not walked: element k exists from cycle k + stages on."""
        statement = Statement(name=self._free(f"in_{array.name}"), reads=(Access(array.name),), ii=1)
        timed = self._time(statement, read=1, write=1)
        del self.timed[statement.name]
        return timed

    def _sink(self, array: Array) -> WhenAny:
        """Return the loops that stream an array out if one of its writers has executed."""
        writers = tuple(
            STATE_FIELDS * t.number + 1 for t in self.timed.values() if array.name in _arrays(t.statement.writes)
        )
        levels = [f"{array.name}_{dimension}" for dimension in range(len(array.shape))]
        element = Access(array.name, tuple(Affine.of(level) for level in levels))
        statement = Statement(name=self._free(f"out_{array.name}"), reads=(element,), ii=1)
        self._time(statement, read=1, write=1)
        self.kinds[statement.name] = "sink"
        node: Node = Execution(statement)
        for level, extent in reversed(list(zip(levels, array.shape, strict=True))):
            node = Loop(iterator=level, first=(Affine.of(0),), last=(Affine.of(extent - 1),), body=(node,))
        return WhenAny(writers, (node,))

    def _shadows(self, array: Array, source: Timed | None) -> Int64Array:
        """Return the shadow times before the walk, absolute and unbounded alternating."""
        each, size = fields(self.hazards), elements(array)
        shadows = zeros(array, np.int64, each=each, more=4)
        if source is not None:
            shadows[0 : each * size : each] = np.arange(size, dtype=np.int64) + source.stages
            shadows[1 : each * size : each] = source.stages
            shadows[each * size :][:2] = source.stages + size - 1, source.stages
        return shadows

    def _free(self, name: str) -> str:
        taken = {word for each in self.program.statements() for word in (each.name, each.owner)}
        while name in taken:
            name += "_"
        return name


def _arrays(accesses: Sequence[Access]) -> set[str]:
    return {access.array for access in accesses}
