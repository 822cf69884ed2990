"""One sentence on what holds a finished run back, said only where it can be proved."""

from __future__ import annotations

from typing import Any

import numpy as np

from ppnsim.analysis.lower_bounds import resource_bounds
from ppnsim.analysis.throughput import absolute
from ppnsim.model.convention import brings_credits
from ppnsim.model.monotone import is_monotone
from ppnsim.model.run import Run
from ppnsim.units import counted

_TOO_LONG = 1_000_000  # firings and tokens above which the estimate that the sentence needs would cost too much


def bottleneck(run: Run, result: dict[str, Any]) -> str | None:
    """Return what holds the run back, None for a deadlock or a run too long to compare with its estimate.

    The absolute estimate is the finish with FIFOs that never fill, so a run that meets it gains nothing from depth.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> from ppnsim.report.result import run_result
    >>> done = run(predictor())
    >>> bottleneck(done, run_result(done, file="predictor"))
    'transformer waits for itself: a chain of 16 firings x 5 cycles; deeper FIFOs change nothing'
    """
    if run.finish is None or run.network.size > _TOO_LONG or brings_credits(run.network):
        return None
    best = absolute(run.network).finish
    if best is None or run.finish <= best:
        return f"{_slowest(run, result)}; deeper FIFOs change nothing"
    reason = "FIFOs that never fill"
    for bound in resource_bounds(run.network):
        if bound.cycles > best:
            best, reason = bound.cycles, f"{bound.name} ({bound.reason})"
    lost = run.finish - best
    sentence = f"{_costliest(result)}; {counted(lost, 'cycle')} above the {best} of {reason}"
    return sentence if is_monotone(run.network) else f"{sentence}; a deeper FIFO may help or hurt here: try"


def _slowest(run: Run, result: dict[str, Any]) -> str:
    """Follow who waits longest for whom, from the process that ends last."""
    name = max(result["processes"], key=lambda each: result["processes"][each]["last_end"])
    seen = [name]
    while True:
        process = run.network.process(name)
        waits = starved_for(run, result, name)
        cycles = result["processes"][name]["cycles"]
        longest = max(waits, key=waits.__getitem__, default=None)
        if longest is None or waits[longest] <= cycles["starting"] + cycles["ii"]:
            return f"{name} starts its {process.firings} firings {counted(process.ii, 'cycle')} apart"
        if longest == name:
            gaps, counts = np.unique(np.diff(run.timeline.start(name)), return_counts=True)
            return f"{name} waits for itself: a chain of {process.firings} firings x {gaps[counts.argmax()]} cycles"
        if longest in seen:
            return f"{longest} and {name} wait for each other's data"
        name = longest
        seen.append(name)


def _costliest(result: dict[str, Any]) -> str:
    """Name the resource, or else the full FIFO, that costs most: a FIFO may be full because of a resource."""
    for kind, words in (
        ("resource", "{1} waits {2} cycles for '{0}'"),
        ("blocked", "'{0}' is full for {2} cycles of {1}"),
    ):
        costs = [
            (cycles, cause, name)
            for name, process in result["processes"].items()
            for cause, cycles in process["cycles"][kind].items()
        ]
        if costs:
            cycles, cause, name = max(costs, key=lambda cost: cost[0])
            return words.format(cause, name, cycles)
    return "the pipeline style holds firings back"


def starved_for(run: Run, result: dict[str, Any], name: str) -> dict[str, int]:
    """Return the starved cycles of a process by the process that it waits for."""
    waits: dict[str, int] = {}
    for channel, cycles in result["processes"][name]["cycles"]["starved"].items():
        source = run.network.channel(channel).source
        waits[source] = waits.get(source, 0) + cycles
    return waits
