"""One sentence on what holds a finished run back, said only where it can be proved."""

from __future__ import annotations

import numpy as np

from ppnsim.analysis.lower_bounds import resource_bounds
from ppnsim.analysis.throughput import absolute
from ppnsim.model.convention import brings_credits
from ppnsim.model.network import is_monotone
from ppnsim.model.summary import RunSummary
from ppnsim.units import counted

_TOO_LONG = 1_000_000  # firings and tokens above which the estimate that the sentence needs would cost too much


def bottleneck(summary: RunSummary) -> str | None:
    """Return what holds the run back, None for a deadlock or a run too long to compare with its estimate.

    The absolute estimate is the finish with FIFOs that never fill, so a run that meets it gains nothing from depth.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> from ppnsim.model.summary import summary_of
    >>> bottleneck(summary_of(run(predictor())))
    'transformer waits for itself: a chain of 16 firings x 5 cycles; deeper FIFOs change nothing'
    """
    run = summary.run
    if run.finish is None or run.network.events > _TOO_LONG or brings_credits(run.network):
        return None
    best = absolute(run.network).finish
    if best is None or run.finish <= best:
        return f"{_slowest(summary)}; deeper FIFOs change nothing"
    reason = "FIFOs that never fill"
    for bound in resource_bounds(run.network):
        if bound.cycles > best:
            best, reason = bound.cycles, f"{bound.name} ({bound.reason})"
    lost = run.finish - best
    sentence = f"{_costliest(summary)}; {counted(lost, 'cycle')} above the {best} of {reason}"
    return sentence if is_monotone(run.network) else f"{sentence}; a deeper FIFO may help or hurt here: try"


def _slowest(summary: RunSummary) -> str:
    """Follow who waits longest for whom, from the process that ends last."""
    run = summary.run
    name = max(summary.processes, key=lambda each: summary.processes[each].last_end or 0)
    seen = [name]
    while True:
        process = run.network.process(name)
        waits = summary.starved_for(name)
        cycles = summary.processes[name].cycles
        longest = max(waits, key=waits.__getitem__, default=None)
        if process.schedule is not None and (longest is None or 2 * waits[longest] < (run.finish or 0)):
            return f"{name} goes through {process.schedule.runs * process.schedule.steps} steps"
        if longest is None or waits[longest] <= cycles.starting + cycles.ii:
            return f"{name} starts its {process.firings} firings {counted(process.ii, 'cycle')} apart"
        if longest == name:
            gaps, counts = np.unique(np.diff(run.timeline.start(name)), return_counts=True)
            return f"{name} waits for itself: a chain of {process.firings} firings x {gaps[counts.argmax()]} cycles"
        if longest in seen:
            return f"{longest} and {name} wait for each other's data"
        name = longest
        seen.append(name)


def _costliest(summary: RunSummary) -> str:
    """Name the resource, or else the full FIFO, that costs most: a FIFO may be full because of a resource."""
    own = summary.processes.items()
    sentences = {"resource": "{2} waits {0} cycles for '{1}'", "blocked": "'{1}' is full for {0} cycles of {2}"}
    for kind, words in sentences.items():
        waits = [(cycles, cause, name) for name, each in own for cause, cycles in getattr(each.cycles, kind).items()]
        if waits:
            return words.format(*max(waits, key=lambda wait: int(wait[0])))
    return "the pipeline style holds firings back"
