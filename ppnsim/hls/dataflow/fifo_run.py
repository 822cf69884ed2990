"""Tasks that wait for each other's tokens, run to the end: exact, token by token."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.hls.dataflow.clocked import Side

BUFFERS = 2
"""Copies of an array between two tasks: one is written while the other one is read."""


@dataclass(frozen=True, slots=True)
class Channel:
    """What passes from one task to another: tokens if it has a depth, else an array or a variable as a whole."""

    name: str
    source: int
    target: int
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """A task: cycles of a run that nothing holds up, and its accesses to FIFOs, in cycles since its start."""

    name: str
    cycles: int
    times: Mapping[Side, Int64Array]


@dataclass(slots=True)
class Span:
    """When a task ran: first start, last end, cycles in which it stood still, and the longest run of all."""

    start: int = 0
    end: int = 0
    waited: int = 0
    interval: int = 0


@dataclass(slots=True)
class _State:
    """All that tasks tell each other: when tokens were put and taken, and when runs ended."""

    put: dict[str, list[int]] = field(default_factory=dict)
    taken: dict[str, list[int]] = field(default_factory=dict)
    ends: list[list[int]] = field(default_factory=list)
    at: list[str] = field(default_factory=list)


def run_jobs(jobs: Sequence[Job], channels: Mapping[str, Channel], runs: int) -> list[Span]:
    """Return when each task runs, if each of them runs so many times.

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
    >>> found = run_jobs([first, second], {"s": Channel("s", 0, 1, 2)}, 1)
    >>> [(span.start, span.end, span.waited) for span in found]
    [(0, 6, 1), (0, 10, 1)]
    """
    state = _State(ends=[[] for _ in jobs], at=["" for _ in jobs])
    depths = {side[0]: channels[side[0].partition("[")[0]].depth for job in jobs for side in job.times}
    spans = [Span() for _ in jobs]
    waiting = {n: _running(n, job, channels, depths, state, spans[n], runs) for n, job in enumerate(jobs)}
    while waiting:
        before = _progress(state)
        for n in list(waiting):
            if next(waiting[n], None) is None:
                del waiting[n]
        if waiting and _progress(state) == before:
            stuck = "; ".join(f"{jobs[n].name} {state.at[n]}" for n in waiting)
            raise InputError(f"the tasks of the dataflow region wait for each other for ever: {stuck}")
    return spans


def _progress(state: _State) -> tuple[int, ...]:
    return (
        *(len(times) for times in state.put.values()), *(len(times) for times in state.taken.values()),
        *(len(ends) for ends in state.ends),
    )  # fmt: skip


def _running(
    n: int, job: Job, channels: Mapping[str, Channel], depths: Mapping[str, int], state: _State, span: Span, runs: int
) -> Iterator[bool]:
    """Run a task as far as it gets, and again when others have gone on; it ends after its last run."""
    steps = _steps(job)
    whole = [channel for channel in channels.values() if not channel.depth]
    for run in range(runs):
        needed = [(each.source, run) for each in whole if each.target == n]
        needed += [(each.target, run - BUFFERS) for each in whole if each.source == n and run >= BUFFERS]
        for other, which in needed:
            while len(state.ends[other]) <= which:
                state.at[n] = "waits for an array"
                yield True
        start = max([state.ends[n][-1] if run else 0, *(state.ends[other][which] for other, which in needed)])
        if not run:
            span.start = start
        shift = start
        for cycle, accesses in steps:
            latest = cycle + shift
            for fifo, kind in accesses:
                mine, others = (state.taken, state.put) if kind == "take" else (state.put, state.taken)
                number = len(mine.setdefault(fifo, [])) - (depths[fifo] if kind == "put" else 0)
                while len(others.setdefault(fifo, [])) <= number:
                    state.at[n] = f"waits for {'a token of' if kind == 'take' else 'room in'} '{fifo}'"
                    yield True
                if number >= 0:
                    latest = max(latest, others[fifo][number] + 1)
            shift = latest - cycle
            for fifo, kind in accesses:
                (state.taken if kind == "take" else state.put)[fifo].append(latest)
        end = shift + job.cycles
        state.ends[n].append(end)
        span.end, span.waited = end, span.waited + shift - start
        span.interval = max(span.interval, end - start)


def _steps(job: Job) -> list[tuple[int, list[Side]]]:
    """Return the cycles in which a task accesses FIFOs, with all accesses of each."""
    by_cycle: dict[int, list[Side]] = {}
    for side, times in job.times.items():
        for cycle in times.tolist():
            by_cycle.setdefault(cycle, []).append(side)
    return sorted(by_cycle.items())
