"""Results as plain dictionaries, ready for JSON: the keys that other programs rely on."""

from __future__ import annotations

from typing import Any

from ppnsim.analysis.throughput import Bound, Estimate
from ppnsim.explore.deadlock_fix import Fix
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.metrics import max_occupancy, parallelism, utilisation
from ppnsim.model.run import Run
from ppnsim.model.sequence import Int64Array
from ppnsim.model.timeline import NEVER


def run_result(run: Run, *, file: str, fix: Fix | None = None) -> dict[str, Any]:
    """Return the result of a run; what a deadlock left undone is null.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> result = run_result(run(predictor()), file="predictor.toml")
    >>> result["finish"], result["time_ns"], result["processes"]["sink"]["utilisation"]
    (83, 830.0, 0.25)
    """
    network, timeline = run.network, run.timeline
    degree = parallelism(timeline)
    return {
        "file": file,
        "name": network.name,
        "finish": run.finish,
        "time_ns": run.time_ns,
        "engine": run.engine,
        "deadlock": deadlock_result(run, fix),
        "parallelism": {"average": degree.average, "maximum": degree.maximum},
        "processes": {
            process.name: {
                "firings": process.firings,
                "first_start": _first(timeline.start(process.name)),
                "last_start": _last(timeline.start(process.name)),
                "last_end": _last(timeline.end(process.name)),
                "utilisation": utilisation(timeline, process.name),
                "cycles": cycle_classes(timeline, process.name).counts(),
            }
            for process in network.processes
        },
        "channels": {
            channel.name: {
                "kind": network.flows[channel.name].kind,
                "depth": channel.depth,
                "tokens": channel.initial + network.flows[channel.name].written,
                "max_occupancy": max_occupancy(timeline, channel.name),
            }
            for channel in network.channels
        },
    }


def deadlock_result(run: Run, fix: Fix | None) -> dict[str, Any] | None:
    """Return the circle of waits and the depths that break it, None if the run finished."""
    if run.deadlock is None:
        return None
    return {
        "at": run.deadlock.at,
        "ended": run.deadlock.ended,
        "firings": run.deadlock.firings,
        "cycle": [
            {
                "process": wait.process,
                "firing": wait.firing,
                "waits_for": wait.kind,
                "channel": wait.channel,
                "token": wait.number,
                "occupancy": wait.occupancy,
                "depth": wait.depth,
                "other": wait.other,
            }
            for wait in run.deadlock.cycle
        ],
        "fix": dict(fix.depths) if fix and fix.depths else None,
        "fix_is_smallest": fix.smallest if fix and fix.depths else None,
        "explanation": str(fix) if fix else None,
    }


def estimate_result(absolute: Estimate, unbounded: Estimate, bounds: list[Bound], *, file: str) -> dict[str, Any]:
    """Return the two estimates and the lower bounds, strongest first."""
    return {
        "file": file,
        "name": absolute.timeline.network.name,
        "absolute": _estimate(absolute),
        "unbounded": _estimate(unbounded),
        "bounds": [{"name": each.name, "cycles": each.cycles, "reason": each.reason} for each in bounds],
    }


def error_result(file: str, message: str) -> dict[str, Any]:
    """Return the entry of a file that could not be read or run."""
    return {"file": file, "error": message}


def _estimate(estimate: Estimate) -> dict[str, Any]:
    clock = estimate.timeline.network.clock_ns
    degree = estimate.parallelism
    return {
        "finish": estimate.finish,
        "time_ns": None if estimate.finish is None else estimate.finish * clock,
        "parallelism": {"average": degree.average, "maximum": degree.maximum},
    }


def _first(cycles: Int64Array) -> int | None:
    return None if cycles[0] == NEVER else int(cycles[0])


def _last(cycles: Int64Array) -> int | None:
    """Return the last cycle of those that happened."""
    happened = cycles[cycles != NEVER]
    return int(happened.max()) if len(happened) else None
