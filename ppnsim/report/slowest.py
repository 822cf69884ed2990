"""Whom a run waits for, in words: the process that most cycles of its critical path are of, and what keeps it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ppnsim.analysis.path.critical_path import CriticalPath, critical_path
from ppnsim.model.network import Process
from ppnsim.model.run import Run
from ppnsim.model.summary import ProcessSummary, RunSummary
from ppnsim.units import counted

_OFTEN = 2  # times that the critical path comes back to a process by data alone
_NAMED = 6  # processes of a circle that are named, if there are more than one above that
_WALKED = 200_000  # firings and tokens up to which the critical path is a fraction of a second


def path_of(run: Run) -> CriticalPath | None:
    """Return the critical path, so that this sentence and `ppnsim explain` name the same; None of a long run."""
    return critical_path(run.timeline) if run.network.events <= _WALKED and run.left_out is None else None


def slowest(summary: RunSummary) -> str:
    """Name the process that most cycles of the critical path are of, and what keeps it."""
    path = path_of(summary.run)
    if path is None:
        return _last_waited_for(summary)
    process = summary.run.network.process(path.busiest)
    others = _on_a_circle(path)
    if others:
        return _circle(process.name, others)
    itself = {each.name for each in summary.run.network.channels if each.source == each.target == process.name}
    if process.schedule is None and any(each.kind == "forward" and each.part in itself for each in path.shares):
        return f"{process.name} waits for itself: {_chain(summary.run, process, summary.processes[process.name])}"
    return _longest_of(summary.run, process.name, [each.process for each in path.stretches()])


def _on_a_circle(path: CriticalPath) -> tuple[str, ...]:
    """Return the processes through which data of the path's busiest one most often comes back to it, none without.

    The way back to it is of data alone: a wait for a slot ends a circle.
    """
    visits, own = list(path.stretches()), path.busiest
    at = [n for n, each in enumerate(visits) if each.process == own]
    circles: Counter[tuple[str, ...]] = Counter()
    for here, back in pairwise(at):
        between = visits[here + 1 : back + 1]
        if len(between) > 1 and all(each.through is not None and each.through[0] == "token" for each in between):
            circles[tuple(dict.fromkeys(each.process for each in between[:-1]))] += 1
    return max(circles, key=circles.__getitem__) if circles.total() >= _OFTEN else ()


def _circle(name: str, others: Sequence[str]) -> str:
    """Return in words that a process waits for data that goes from it through others and back."""
    if len(others) == 1:
        return f"{name} and {others[0]} wait for each other's data"
    named = [*others[:_NAMED], f"{len(others) - _NAMED} more"] if len(others) > _NAMED + 1 else others
    return f"{name} waits for its own data, which comes back through {', '.join(named[:-1])} and {named[-1]}"


def _last_waited_for(summary: RunSummary) -> str:
    """Follow who waits longest for whom, from the process that ends last; of tasks on the way, name the longest."""
    run = summary.run
    name = max(summary.processes, key=lambda each: summary.processes[each].last_end or 0)
    seen = [name]
    while True:
        process = run.network.process(name)
        waits = summary.starved_for(name)
        longest = max(waits, key=waits.__getitem__, default=None)
        if process.schedule is not None:
            if longest is None or longest in seen:
                return _longest_of(run, name, seen)
        elif longest is None or _is_steady(process, summary.processes[name], waits[longest]):
            return _longest_of(run, name, seen)
        elif longest == name:
            return f"{name} waits for itself: {_chain(run, process, summary.processes[name])}"
        elif longest in seen:
            return _circle(longest, seen[: seen.index(longest) : -1])
        name = longest
        seen.append(name)


def _chain(run: Run, process: Process, ran: ProcessSummary) -> str:
    """Return how the firings of a process follow each other that need what it writes: one chain of them, or several."""
    gap, first, last = usual_gap(run, process.name), ran.first_start or 0, ran.last_start or 0
    if last - first == (process.firings - 1) * gap:
        return f"a chain of {process.firings} firings x {gap} cycles"
    return f"most of its {process.firings} firings start {counted(gap, 'cycle')} apart"


def _longest_of(run: Run, last: str, seen: Sequence[str]) -> str:
    """Return what the longest does of a process and the tasks on the way to it, in words."""
    own = run.network.process(last)
    tasks = [process for name in seen if (process := run.network.process(name)).schedule is not None]
    return _longest(max([own, *tasks], key=_work))


def _longest(process: Process) -> str:
    """Return what a process does, in words."""
    if process.schedule is not None:
        return f"{process.name} goes through {_work(process)} steps"
    if process.firings == 1:
        return f"{process.name} starts its only firing"
    if process.ii == 0:
        return f"{process.name} starts its {process.firings} firings as soon as it can"
    return f"{process.name} starts its {process.firings} firings {counted(process.ii, 'cycle')} apart"


def _work(process: Process) -> int:
    """Return the cycles of a process that nothing holds up."""
    if process.schedule is not None:
        return process.schedule.runs * process.schedule.steps
    return (process.firings - 1) * process.ii + (process.latency if isinstance(process.latency, int) else 1)


def usual_gap(run: Run, process: str) -> int:
    """Return the most frequent number of cycles between two starts of a process, the smallest of several."""
    start = run.recorded.start(process)
    counts: Counter[int] = Counter(np.diff(start).tolist())
    if run.left_out is not None:
        cycles, after = run.left_out.steady.cycles, run.left_out.after
        repeated = start[(after - cycles < start) & (start <= after)]
        for gap in np.diff(repeated, append=repeated[:1] + cycles).tolist():
            counts[gap] += run.left_out.rounds
    return min(counts, key=lambda gap: (-counts[gap], gap))


def _is_steady(process: Process, ran: ProcessSummary, waited: int) -> bool:
    """Return whether a process starts as its interval lets it, but for one cycle in fifty, for longer than it waits."""
    if ran.first_start is None or ran.last_start is None or waited > ran.last_start - ran.first_start:
        return False
    return 50 * (process.firings - 1) * process.ii >= 49 * (ran.last_start - ran.first_start)
