"""One sentence on what holds a finished run back, said only where it can be proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ppnsim.analysis.lower_bounds import resource_bounds
from ppnsim.analysis.path.critical_path import CriticalPath, critical_path
from ppnsim.analysis.throughput import absolute
from ppnsim.engines.compiled.trials import Trials
from ppnsim.engines.run import run as simulate
from ppnsim.model.network import Process, is_monotone
from ppnsim.model.run import Run
from ppnsim.model.summary import ProcessSummary, RunSummary
from ppnsim.units import counted

_LONG = 1_000_000  # firings and tokens above which the estimate would take minutes, a run without depths seconds
_TRIED = 200_000  # firings in which a run without depths has to repeat itself then
_TOO_LONG = 50_000_000  # and above which a run that never repeats itself would, too
_OFTEN = 3  # times that the critical path leaves a process to come back
_WALKED = 200_000  # firings and tokens up to which the critical path is a fraction of a second


def bottleneck(summary: RunSummary) -> str | None:
    """Return what holds the run back, or why that is not looked for; None for a deadlock, which has its own words.

    The absolute estimate is the finish with FIFOs that never fill, so a run that meets it gains nothing from depth. A
    long run is compared with a run whose FIFOs never fill instead.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> from ppnsim.model.summary import summary_of
    >>> bottleneck(summary_of(run(predictor())))
    'transformer waits for itself: most of its 16 firings start 5 cycles apart; deeper FIFOs change nothing'
    """
    run = summary.run
    if run.finish is None:
        return None
    if (size := run.network.events) > _TOO_LONG and run.left_out is None:
        return f"not looked for: {size} firings and tokens that never repeat themselves (at most {_TOO_LONG})"
    best, reason = _never_full(run), "FIFOs that never fill"
    if best is None and size > _TOO_LONG:
        return f"not looked for: {size} firings and tokens, which FIFOs that never fill do not let repeat themselves"
    if best is None or run.finish <= best:
        same = is_monotone(run.network) or size <= _LONG  # the estimate is a bound for every network, a run is not
        return f"{_slowest(summary)}; " + ("deeper FIFOs change nothing" if same else f"{reason} change nothing")
    for bound in resource_bounds(run.network):
        if bound.cycles > best:
            best, reason = bound.cycles, f"{bound.name} ({bound.reason})"
    lost = run.finish - best
    sentence = f"{_costliest(summary)}; {counted(lost, 'cycle')} above the {best} of {reason}"
    return sentence if is_monotone(run.network) else f"{sentence}; a deeper FIFO may help or hurt here: try"


def _never_full(run: Run) -> int | None:
    """Return the finish with FIFOs that never fill: by the estimate, or of a long run by another run.

    None of a run that is too long to be walked, if it does not soon repeat itself then.
    """
    if run.network.events <= _LONG:
        return absolute(run.network).finish
    if run.network.events > _TOO_LONG:
        free = run.network.never_full()
        settled = Trials(free, most=_TRIED).cut_short({channel.name: None for channel in free.channels})
        return None if settled is None else settled.finish
    return simulate(run.network.never_full(), on_deadlock="return").finish


def busiest(run: Run) -> str:
    """Return the process that starts most often for its initiation interval: whom a picture of a run should show.

    Examples
    --------
    >>> from ppnsim import chain, run
    >>> busiest(run(chain(firings=20, ii=(1, 3, 1))))
    'p1'
    """
    return max(run.network.processes, key=lambda each: each.firings * max(each.ii, 1)).name


def _path(run: Run) -> CriticalPath | None:
    """Return the critical path, so that this sentence and `ppnsim explain` name the same; None of a long run."""
    return critical_path(run.timeline) if run.network.events <= _WALKED and run.left_out is None else None


def _slowest(summary: RunSummary) -> str:
    """Name the process that most cycles of the critical path are of, and what keeps it."""
    path = _path(summary.run)
    if path is None:
        return _last_waited_for(summary)
    process = summary.run.network.process(path.busiest)
    other = _on_a_circle(path)
    if other is not None:
        return f"{process.name} and {other} wait for each other's data"
    itself = {each.name for each in summary.run.network.channels if each.source == each.target == process.name}
    if process.schedule is None and any(each.kind == "forward" and each.part in itself for each in path.shares):
        return f"{process.name} waits for itself: {_chain(summary.run, process, summary.processes[process.name])}"
    return _longest_of(summary.run, process.name, [each.process for each in path.stretches()])


def _on_a_circle(path: CriticalPath) -> str | None:
    """Return the process that waits for the path's busiest one and that the path comes back from, None without one."""
    visits = [each for each in path.stretches() if each.through is None or each.through[0] == "token"]
    after = Counter(b.process for a, b in pairwise(visits) if a.process == path.busiest != b.process)
    return max(after, key=after.__getitem__) if after.total() >= _OFTEN else None


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
            return f"{longest} and {name} wait for each other's data"
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


def _costliest(summary: RunSummary) -> str:
    """Name the resource, or else the full FIFO, that costs most: a FIFO may be full because of a resource.

    Of the full FIFOs, those come first for whose slots the critical path waits most often.
    """
    path = _path(summary.run)
    counts = {} if path is None else {each.part: each.count for each in path.shares if each.kind == "release"}
    own = summary.processes.items()
    sentences = {"resource": "{2} waits {0} cycles for '{1}'", "blocked": "'{1}' is full for {0} cycles of {2}"}
    for kind, words in sentences.items():
        waits = [(cycles, cause, name) for name, each in own for cause, cycles in getattr(each.cycles, kind).items()]
        if waits:
            return words.format(*max(waits, key=lambda wait: (counts.get(wait[1], 0), int(wait[0]))))
    return "the pipeline style holds firings back"
