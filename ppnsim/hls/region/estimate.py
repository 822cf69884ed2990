"""Estimated cycles of a region that cannot become a process network, from the schedules of its tasks (R7.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ppnsim.c.pragmas.trips import Count
from ppnsim.errors import InputError
from ppnsim.hls.ends import start_to_start
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region.as_reports import NO_WAIT, loaded_in
from ppnsim.hls.region.memories import meet
from ppnsim.hls.region.model import Part, TaskChoice, TaskCode, TaskLoop, TaskRegion, code_of, codes_of, is_endless
from ppnsim.hls.region.parts import parts_of
from ppnsim.hls.region.reads_and_writes import Touched, accesses_in
from ppnsim.hls.region.simplified import simplified
from ppnsim.hls.region.struct_words import Aggregates, on_words, with_words, words_directed
from ppnsim.hls.region.task_variants import TimedTask, executed_longer
from ppnsim.hls.region.varying_rounds import Values, rounds_of, shape, varying
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.structure.aggregates import kept_together
from ppnsim.hls.structure.partitions import Partition
from ppnsim.hls.structure.unrolling import substituted
from ppnsim.loops.expressions import Affine, condition_iterators
from ppnsim.loops.points import holding
from ppnsim.loops.program import Array, LoopProgram, Node

MOST_ROUNDS = 100_000
"""Most rounds of loops around tasks that are computed one by one."""
MOST_SCHEDULES = 1000
"""Most schedules of a task whose code differs from round to round."""


def estimated(
    program: LoopProgram, directives: Directives, schedule: Callable[[LoopProgram], StateMachine], reason: InputError,
    count: Count = "usual", release: str = "", *, reported: bool = False,
) -> StateMachine:  # fmt: skip
    """Return an estimated schedule of a kernel with regions that cannot be run as a network, for a ``reason``.

    Tasks that hand on an array or a scalar run one after the other. Tasks joined only by FIFOs run at the same time and
    take as long as the longest of them. Waits for FIFOs are left out, and `StateMachine.said` says so. If the rounds of
    a loop around tasks differ, each round counts separately.

    Parameters
    ----------
    schedule : schedules one task.
    count : if data decides whether a region runs, the longer way counts, with ``least`` the shorter one.
    release : release of the tool, "" for a recent one.
    reported : tasks wait for each other as in synthesis reports (R9.40).

    Raises
    ------
    InputError
        If a task runs as often as tokens come, so that its cycles are unknown, or if too many rounds differ.
    """
    left, unused = simplified(program, release, lambda code: codes_of(parts_of(code, directives)))
    if parts_of(left, directives) is None:  # nothing of the tasks is left
        left, unused = program, ()
    program, part = left, parts_of(left, directives, joined := dict[str, None]())
    assert part is not None
    if is_endless(part):
        raise InputError(f"{reason}; 'ppnsim run --testbench FILE' executes the design with its input")
    streams = frozenset(array.name for array in program.arrays if array.stream)
    aggregates = kept_together(directives.aggregates, release, ())
    found = _Estimate(
        program, schedule, streams, count, directives, words_directed(directives, aggregates).partitions, aggregates,
        reported, {array.name: array for array in with_words(program, aggregates).arrays},
    )  # fmt: skip
    cycles, _ = found.run(part, 0, 1, {})
    timed = [each for each in found.timed.values() if each.total]
    machines = tuple(each.longest for each in timed)
    words = "the tasks are not run against each other: those that hand an array on take turns, the others overlap, and "
    return StateMachine(
        cycles=cycles, regions=(), registers=frozenset[str]().union(*(each.registers for each in machines)),
        nests=tuple(nest for each in timed for nest in each.nests()),
        tasks=tuple(each.task() for each in timed), parts=machines,
        said=(
            f"{words}none waits for a FIFO ({reason})", *unused, *joined, *executed_longer(machines),
            *found.said.values(),
        ),
    )  # fmt: skip


@dataclass(slots=True)
class _Estimate:
    program: LoopProgram
    schedule: Callable[[LoopProgram], StateMachine]
    streams: frozenset[str]
    count: Count
    directives: Directives
    partitions: Mapping[str, Partition]
    words: Aggregates
    reported: bool
    arrays: Mapping[str, Array]
    codes: dict[Part, tuple[Sequence[Node], Touched, Touched]] = field(default_factory=dict)
    timed: dict[TaskCode, TimedTask] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    rounds: int = 0
    needs: dict[Part, frozenset[str]] = field(default_factory=dict)
    sharing: dict[tuple[Part, Part], bool] = field(default_factory=dict)  # with the schedules so far

    def run(self, part: Part, start: int, runs: int, at: Values) -> tuple[int, int]:
        """Return the cycles of a part that starts at a cycle, the first of ``runs`` times, and until its next start.

        ``at`` are the values of the iterators around it.
        """
        if isinstance(part, TaskCode):
            return self._code(part, start, runs, at)
        if isinstance(part, TaskLoop):
            return self._loop(part, start, runs, at)
        if isinstance(part, TaskChoice):
            way = self._way(part, start, at)
            return (0, 0) if way is None else self.run(way, start, runs, at)
        ends: list[int] = []
        interval = 0
        for number, inner in enumerate(part.parts):
            earlier = zip(part.parts[:number], ends, strict=True)
            waits = [end for other, end in earlier if not isinstance(part, TaskRegion) or self.shares(other, inner)]
            begin = max(waits, default=start) + (self.reported and bool(waits) and isinstance(part, TaskRegion))
            cycles, again = self.run(inner, begin, runs, at)
            ends.append(begin + cycles)
            interval = max(interval, again)
        return max(ends, default=start) - start, interval

    def _code(self, part: TaskCode, start: int, runs: int, at: Values) -> tuple[int, int]:
        timed = self.timed.setdefault(part, TimedTask(part, start))
        body: Sequence[Node] = part.body
        for iterator in sorted(self.vary(part) & at.keys()):
            body = substituted(body, iterator, Affine.of(at[iterator]))
        key = shape(body, lambda loop: bool(self.directives.of(loop).pipeline))
        if key not in timed.machines:
            if len(timed.machines) == MOST_SCHEDULES:
                words = (
                    f"task '{part.name}' differs in more than {MOST_SCHEDULES} rounds of the loops around its region"
                )
                raise InputError(f"{words}; write these loops in the task", where=str(part.position))
            for iterator, value in reversed(at.items()):
                body = substituted(body, iterator, Affine.of(value))
            timed.machines[key], timed.runs[key] = self.schedule(replace(self.program, body=tuple(body))), 0
            self.sharing.clear()
        if not timed.total:
            timed.start = start
        timed.runs[key] += runs
        machine, cycles = timed.machines[key], timed.machines[key].cycles
        return cycles, (start_to_start(machine) or cycles) if self.reported else cycles  # R5.26

    def _loop(self, part: TaskLoop, start: int, runs: int, at: Values) -> tuple[int, int]:
        (inner,), rounds = part.parts, rounds_of(part, at)
        name = part.loop.iterator
        if not rounds:
            return 0, 0
        if name not in self.vary(inner):
            once, again = self.run(inner, start, runs * len(rounds), {**at, name: rounds[0]})
            cycles = once + (len(rounds) - 1) * (again if part.overlaps else once)
            return cycles, cycles
        self.rounds += len(rounds)
        if self.rounds > MOST_ROUNDS:
            words = f"rounds of loop '{name}' around a dataflow region differ, and at most {MOST_ROUNDS} are counted"
            raise InputError(f"{words}; write it in the tasks", where=str(part.position))
        cycles = 0
        for number, value in enumerate(rounds):
            once, again = self.run(inner, start + cycles, runs, {**at, name: value})
            cycles += again if part.overlaps and number else once
        return cycles, cycles

    def _way(self, part: TaskChoice, start: int, at: Values) -> Part | None:
        """Return the part that runs under a condition, None for a way without code."""
        yes, no = part.parts[0], part.parts[1] if len(part.parts) > 1 else None
        if condition_iterators(part.condition) <= at.keys():
            columns = {name: np.array([value], dtype=np.int64) for name, value in at.items()}
            return yes if holding(part.condition, columns, 1)[0] else no
        one, other = (0 if way is None else self.run(way, start, 0, at)[0] for way in (yes, no))
        first = one <= other if self.count == "least" else one >= other
        self.said[str(part.position)] = (
            f"data decides in line {part.position.line} which way a region goes, and the "
            f"{'shorter' if self.count == 'least' else 'longer'} one counts"
        )
        return yes if first else no

    def vary(self, part: Part) -> frozenset[str]:
        """Return the iterators on which the cycles of a part depend."""
        if part not in self.needs:
            self.needs[part] = varying(part)
        return self.needs[part]

    def shares(self, one: Part, other: Part) -> bool:
        """Return whether one of two tasks writes a scalar, or memories of an array, that the other one accesses.

        Constant subscripts tell memories apart (R7.4).
        """
        if (one, other) not in self.sharing:
            self.sharing[one, other] = self._shares(one, other)
        return self.sharing[one, other]

    def _shares(self, one: Part, other: Part) -> bool:
        (code, reads, writes), (beside, takes, makes) = map(self.accessed, (one, other))
        shared = (writes.keys() & (takes.keys() | makes.keys())) | (reads.keys() & makes.keys())
        arrays = self.arrays
        if self.reported:  # R9.40
            again = loaded_in(one, self.timed, self.words) - self.partitions.keys()
            waited = {name for name in (writes.keys() & takes.keys()) - again if arrays[name].shape}
            if shared - self.streams - waited:
                self.said["reports"] = NO_WAIT
            shared = waited
        return any(meet(arrays[name], self.partitions.get(name), code, beside) for name in shared - self.streams)

    def accessed(self, part: Part) -> tuple[Sequence[Node], Touched, Touched]:
        """Return the code of a part with structs as words, and its reads and writes; cached for pairs of parts."""
        if part not in self.codes:
            code = on_words(code_of(part), self.words)
            self.codes[part] = code, *accesses_in(code)
        return self.codes[part]
