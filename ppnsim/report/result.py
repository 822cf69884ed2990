"""Results as plain dictionaries, ready for JSON: the keys that other programs rely on."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ppnsim.model.run import Fix, Run
from ppnsim.model.summary import RunSummary
from ppnsim.model.suspicions import suspicions

if TYPE_CHECKING:
    from ppnsim.analysis.lower_bounds import Bound
    from ppnsim.analysis.throughput import Estimate


def run_result(summary: RunSummary, *, file: str, fix: Fix | None = None) -> dict[str, Any]:
    """Return the result of a run; what a deadlock left undone is null.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> from ppnsim.model.summary import summary_of
    >>> result = run_result(summary_of(run(predictor())), file="predictor.toml")
    >>> result["finish"], result["time_ns"], result["processes"]["sink"]["utilisation"]
    (83, 830.0, 0.25)
    """
    run, network = summary.run, summary.run.network
    return {
        "file": file, "name": network.name, "finish": run.finish, "time_ns": run.time_ns, "engine": run.engine,
        "styles": dict(sorted(Counter(process.style for process in network.processes).items())),
        "deadlock": deadlock_result(run, fix),
        "parallelism": asdict(summary.parallelism),
        "processes": {
            process.name: {"firings": process.firings, **asdict(summary.processes[process.name])}
            for process in network.processes
        },
        "channels": {
            channel.name: {
                "kind": network.counts[channel.name].kind,
                "depth": channel.depth,
                "tokens": channel.initial + network.counts[channel.name].written,
                "max_occupancy": summary.occupancy[channel.name],
            }
            for channel in network.channels
        },
        "steady": steady_result(run),
        "suspicious": [asdict(each) for each in suspicions(summary)],
    }  # fmt: skip


def steady_result(run: Run) -> dict[str, Any] | None:
    """Return the steady state of a run that was cut short: cycles per graph iteration, and from when on.

    Every ``iterations`` graph iterations of ``firings`` each the run does the same, ``cycles`` later.
    """
    if run.left_out is None:
        return None
    steady = run.left_out.steady
    return {
        "period": float(steady.period), "iterations": steady.iterations, "cycles": steady.cycles, "since": steady.since,
        "firings": {
            name: run.network.firings_in(name, count // steady.iterations)
            for name, count in run.left_out.firings.items()
        },
    }  # fmt: skip


def deadlock_result(run: Run, fix: Fix | None) -> dict[str, Any] | None:
    """Return the circle of waits and the depths that break it, None if the run finished."""
    if run.deadlock is None:
        return None
    return {
        "at": run.deadlock.at, "ended": run.deadlock.ended, "firings": run.deadlock.firings,
        "cycle": [
            {
                "process": wait.process, "firing": wait.firing, **({} if wait.step is None else {"step": wait.step}),
                "waits_for": wait.kind, "channel": wait.channel, "token": wait.number, "occupancy": wait.occupancy,
                "depth": wait.depth, "other": wait.other,
            }
            for wait in run.deadlock.cycle
        ],
        "fix": dict(fix.depths) if fix and fix.depths else None,
        "fix_is_smallest": fix.smallest if fix and fix.depths else None,
        "initial": dict(fix.initial) if fix and fix.initial else None,
        "buried": {
            name: {"written": put, "read": taken} for name, (put, taken) in fix.buried.items()
        } if fix and fix.buried else None,
        "next": {"at": fix.behind_at, "explanation": str(fix.behind)} if fix and fix.behind else None,
        "explanation": str(fix) if fix else None,
    }  # fmt: skip


def estimate_result(absolute: Estimate, unbounded: Estimate, bounds: list[Bound], *, file: str) -> dict[str, Any]:
    """Return the two estimates and the lower bounds, strongest first."""
    return {
        "file": file,
        "name": absolute.timeline.network.name,
        "absolute": _estimate(absolute),
        "unbounded": _estimate(unbounded),
        "bounds": [asdict(each) for each in bounds],
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    clock = estimate.timeline.network.clock_ns
    return {
        "finish": estimate.finish,
        "time_ns": None if estimate.finish is None else estimate.finish * clock,
        "parallelism": asdict(estimate.parallelism),
    }
