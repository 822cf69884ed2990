"""The innermost loops that are not pipelined: each iteration starts after the end of the previous one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ppnsim.hls.schedule.model import ScheduledRegion, StateMachine
from ppnsim.hls.structure.counting import trips
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Loop


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialLoop:
    """An innermost loop that is not pipelined, with its states, iterations and cycles.

    Attributes
    ----------
    name, line : its iterator, and its line in the source.
    task : the task of a dataflow region that contains it, "" outside of regions.
    states : cycles of one iteration.
    least, most : iterations of the shortest and of the longest visit.
    visits : the number of times that the loop starts.
    iterations, cycles : iterations and cycles of all visits together.
    """

    name: str
    line: int
    task: str
    states: int
    least: int
    most: int
    visits: int
    iterations: int
    cycles: int

    @property
    def trips(self) -> int | None:
        """The iterations of one visit, None if the visits differ."""
        return self.most if self.least == self.most else None

    def result(self) -> dict[str, Any]:
        """Return the loop for JSON."""
        return asdict(self) | {"task": self.task or None, "trips": self.trips}


def sequential_loops(machine: StateMachine) -> list[SequentialLoop]:
    """Return the innermost loops that are not pipelined, of all tasks, in the order of the source."""
    tasks = {name: task.machine for name, task in machine.region.tasks.items()} if machine.region else {"": machine}
    found = [loop for task, each in tasks.items() for loop in _of_task(task, each)]
    return sorted(found, key=lambda loop: loop.line)


def _of_task(task: str, machine: StateMachine) -> Iterator[SequentialLoop]:
    regions: dict[tuple[Loop, ...], list[ScheduledRegion]] = {}
    for each in machine.regions:
        regions.setdefault(each.outer, []).append(each)
    around = {loops[:depth] for loops in regions for depth in range(len(loops))}
    for loops, same in regions.items():
        if not loops or loops in around or any(each.nests for each in same):
            continue
        runs, times = trips(_before(loops[-1], same[0].around), loops[-1:])
        yield SequentialLoop(
            name=loops[-1].iterator, line=loops[-1].position.line, task=task,
            states=max(each.schedule.states for each in same),
            least=min(runs.tolist(), default=0), most=max(runs.tolist(), default=0), visits=int(times.sum()),
            iterations=sum(each.visits for each in same), cycles=sum(each.cycles for each in same),
        )  # fmt: skip


def _before(loop: Loop, around: Sequence[Loop | Condition]) -> Sequence[Loop | Condition]:
    """Return the loops and conditions around a loop, which is one of them."""
    return around[: next(at for at, each in enumerate(around) if each is loop)]
