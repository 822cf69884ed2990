"""The cycles of a region that is no process network, from the schedules of its tasks alone (R7.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region.parts import Part, TaskCode, TaskLoop, TaskRegion, parts_of
from ppnsim.hls.region.touched import accesses_in
from ppnsim.hls.schedule.model import ScheduledTask, StateMachine
from ppnsim.hls.structure.unrolling import substituted
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import LoopProgram, Node


def estimated(
    program: LoopProgram, directives: Directives, schedule: Callable[[LoopProgram], StateMachine], reason: InputError
) -> StateMachine:
    """Return the schedule of a kernel with regions whose tasks cannot be run against each other, for a ``reason``.

    Tasks that hand an array or a scalar on run one after the other, those joined by FIFOs alone at the same time, as
    long as the longest of them. What one waits for the others is left out, and `StateMachine.said` says so.

    Parameters
    ----------
    schedule : the schedule of one task.

    Raises
    ------
    InputError
        If a task runs as often as there are tokens, so that its cycles are not known.
    """
    part = parts_of(program, directives)
    assert part is not None
    if _endless(part):
        raise InputError(f"{reason}; 'ppnsim run --testbench FILE' executes the design with its input")
    streams = frozenset(array.name for array in program.arrays if array.stream)
    found = _Estimate(program, schedule, streams)
    cycles = found.run(part, 0, 1, {})
    machines = tuple(machine for machine, _ in found.machines)
    words = "the tasks are not run against each other: those that hand an array on take turns, the others overlap, and "
    return StateMachine(
        cycles=cycles, regions=(), registers=frozenset[str]().union(*(each.registers for each in machines)),
        nests=tuple(
            replace(nest, visits=nest.visits * runs, iterations=nest.iterations * runs)
            for machine, runs in found.machines for nest in machine.nests
        ),
        tasks=tuple(found.tasks), parts=machines, said=(f"{words}none waits for a FIFO ({reason})",),
    )  # fmt: skip


@dataclass(slots=True)
class _Estimate:
    program: LoopProgram
    schedule: Callable[[LoopProgram], StateMachine]
    streams: frozenset[str]
    machines: list[tuple[StateMachine, int]] = field(default_factory=list)
    tasks: list[ScheduledTask] = field(default_factory=list)

    def run(self, part: Part, start: int, runs: int, at: Mapping[str, Affine]) -> int:
        """Return the cycles of a part that starts at a cycle, the first of so many times.

        ``at`` are the first values of the iterators around it.
        """
        if isinstance(part, TaskCode):
            body: Sequence[Node] = part.body
            for iterator, value in reversed(list(at.items())):
                body = substituted(body, iterator, value)
            machine = self.schedule(replace(self.program, body=tuple(body)))
            self.machines.append((machine, runs))
            cycles = machine.cycles
            self.tasks.append(ScheduledTask(part.name, part.position, cycles, start, start + cycles, 0, cycles, runs))
            return cycles
        if isinstance(part, TaskLoop):
            trips = part.most_trips
            before = len(self.tasks)
            once = self.run(part.parts[0], start, runs * trips, {**at, part.loop.iterator: part.loop.first[0]})
            longest = max((task.cycles for task in self.tasks[before:]), default=0)
            return once + (trips - 1) * (longest if part.overlaps else once)
        ends: list[int] = []
        for number, inner in enumerate(part.parts):
            earlier = zip(part.parts[:number], ends, strict=True)
            waits = [end for other, end in earlier if not isinstance(part, TaskRegion) or self.shares(other, inner)]
            begin = max(waits, default=start)
            ends.append(begin + self.run(inner, begin, runs, at))
        return max(ends, default=start) - start

    def shares(self, one: Part, other: Part) -> bool:
        """Return whether one of two tasks writes an array or a scalar that the other one reads or writes."""
        (reads, writes), (takes, makes) = (accesses_in(_code(each)) for each in (one, other))
        shared = (writes.keys() & (takes.keys() | makes.keys())) | (reads.keys() & makes.keys())
        return bool(shared - self.streams)


def _code(part: Part) -> list[Node]:
    """Return the code of a part, also that of its parts."""
    return list(part.body) if isinstance(part, TaskCode) else [node for each in part.parts for node in _code(each)]


def _endless(part: Part) -> bool:
    return part.endless if isinstance(part, TaskCode) else any(map(_endless, part.parts))
