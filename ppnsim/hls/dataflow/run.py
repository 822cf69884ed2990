"""Runs the tasks of a dataflow region to the end, token by token, with exact waiting times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.hls.dataflow.clocked import Side

BUFFERS = 2
"""Copies of an array between two tasks: one is written while the other one is read."""


@dataclass(frozen=True, slots=True)
class TaskChannel:
    """A channel between two tasks: a FIFO if it has a depth, else an array or a variable that is passed as a whole."""

    name: str
    source: int
    target: int
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """A task: cycles of a run without waiting, and the times of its accesses to FIFOs, in cycles since its start."""

    name: str
    cycles: int
    times: Mapping[Side, Int64Array]


@dataclass(slots=True)
class TaskRun:
    """When a task ran: its first start, its last end, the cycles that it waited, and its longest run."""

    start: int = 0
    end: int = 0
    waited: int = 0
    interval: int = 0


@dataclass(slots=True)
class _Region:
    """The tasks while they run: when tokens were put and taken, when runs ended, and why each task waits."""

    jobs: Sequence[Job]
    channels: Mapping[str, TaskChannel]
    ends: list[list[int]]
    put: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    taken: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    at: dict[int, str] = field(default_factory=dict)

    def progress(self) -> int:
        """Return how much has happened so far."""
        return sum(len(each) for each in (*self.put.values(), *self.taken.values(), *self.ends))

    def run(self, n: int, runs: int, ran: TaskRun) -> Iterator[bool]:
        """Run a task as far as it gets, and again when others have gone on; it ends after its last run."""
        by_cycle: dict[int, list[Side]] = defaultdict(list)
        for side, times in self.jobs[n].times.items():
            for cycle in times.tolist():
                by_cycle[cycle].append(side)
        steps = sorted(by_cycle.items())
        for run in range(runs):
            start = yield from self._start(n, run)
            shift = start
            for cycle, accesses in steps:
                latest = yield from self._pass(n, cycle + shift, accesses)
                shift = latest - cycle
            end = shift + self.jobs[n].cycles
            self.ends[n].append(end)
            ran.start = ran.start if run else start
            ran.end, ran.waited = end, ran.waited + shift - start
            ran.interval = max(ran.interval, end - start)

    def _start(self, n: int, run: int) -> Generator[bool, None, int]:
        """Wait for the arrays of a run, and return the cycle in which it starts."""
        whole = [channel for channel in self.channels.values() if not channel.depth]
        needed = [(each.source, run) for each in whole if each.target == n]
        needed += [(each.target, run - BUFFERS) for each in whole if each.source == n and run >= BUFFERS]
        for other, which in needed:
            while len(self.ends[other]) <= which:
                self.at[n] = "waits for an array"
                yield True
        return max([self.ends[n][-1] if run else 0, *(self.ends[other][which] for other, which in needed)])

    def _pass(self, n: int, cycle: int, accesses: Sequence[Side]) -> Generator[bool, None, int]:
        """Wait for the tokens and the room of some accesses, and return the cycle of all of them."""
        for fifo, kind in accesses:
            mine, others = (self.taken, self.put) if kind == "take" else (self.put, self.taken)
            depth = self.channels[fifo.partition("[")[0]].depth
            number = len(mine[fifo]) - (depth if kind == "put" else 0)
            while len(others[fifo]) <= number:
                self.at[n] = f"waits for {'a token of' if kind == 'take' else 'room in'} '{fifo}'"
                yield True
            if number >= 0:
                cycle = max(cycle, others[fifo][number] + 1)
        for fifo, kind in accesses:
            (self.taken if kind == "take" else self.put)[fifo].append(cycle)
        return cycle


def run_jobs(jobs: Sequence[Job], channels: Mapping[str, TaskChannel], runs: int) -> list[TaskRun]:
    """Return when each task runs if every task runs ``runs`` times.

    Raises
    ------
    InputError
        If tasks wait for each other for ever.

    Examples
    --------
    >>> import numpy as np
    >>> every = np.arange(4)
    >>> first = Job("a", 5, {("s", "put"): every})
    >>> second = Job("b", 9, {("s", "take"): 2 * every})
    >>> found = run_jobs([first, second], {"s": TaskChannel("s", 0, 1, 2)}, 1)
    >>> [(each.start, each.end, each.waited) for each in found]
    [(0, 6, 1), (0, 10, 1)]
    """
    region = _Region(jobs, channels, [[] for _ in jobs])
    found = [TaskRun() for _ in jobs]
    waiting = {n: region.run(n, runs, found[n]) for n in range(len(jobs))}
    while waiting:
        before = region.progress()
        for n in list(waiting):
            if next(waiting[n], None) is None:
                del waiting[n]
        if waiting and region.progress() == before:
            stuck = "; ".join(f"{jobs[n].name} {region.at[n]}" for n in waiting)
            raise InputError(f"the tasks of the dataflow region wait for each other for ever: {stuck}")
    return found
