"""Figures of a whole run, from what its timeline records and the repetitions that it leaves out."""

from __future__ import annotations

from typing import Any

import numpy as np

from ppnsim.model.cycles import cycle_classes
from ppnsim.model.metrics import Parallelism, parallelism, utilisation_of
from ppnsim.model.run import Run
from ppnsim.model.timeline import NEVER


def run_parallelism(run: Run) -> Parallelism:
    """Return average and maximum degree of parallelism of a run.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> run_parallelism(run(predictor()))
    Parallelism(average=2.0602409638554215, maximum=5)
    """
    recorded = parallelism(run.recorded)
    if run.left_out is None or not run.finish:
        return recorded
    network = run.network
    busy = sum(process.firings * int(network.steps[process.name].latencies[0]) for process in network.processes)
    return Parallelism(busy / run.finish, recorded.maximum)


def start_range(run: Run, process: str) -> tuple[int, int] | None:
    """Return the cycles of the first and the last start of a process, None if it never started."""
    start = run.recorded.start(process)
    start = start[start != NEVER]
    return (int(start[0]), int(start[-1]) + _later(run)) if len(start) else None


def last_end(run: Run, process: str) -> int | None:
    """Return the largest end of a firing of a process, None if none ended."""
    end = run.recorded.end(process)
    end = end[end != NEVER]
    return int(end.max()) + _later(run) if len(end) else None


def run_utilisation(run: Run, process: str) -> float | None:
    """Return the pipeline utilisation of a process (`utilisation_of`), None where ii is 0 or nothing started."""
    started, declared = start_range(run, process), run.network.process(process)
    if started is None:
        return None
    happened = declared.firings if run.left_out else int((run.recorded.start(process) != NEVER).sum())
    return utilisation_of(happened, *started, declared.ii)


def cycle_counts(run: Run, process: str) -> dict[str, Any]:
    """Return `CycleClasses.counts` of the whole run."""
    classes = cycle_classes(run.recorded, process)
    if run.left_out is None:
        return classes.counts()
    end = run.left_out.after + 1
    begin, until = classes.before(np.array([end - run.left_out.steady.cycles, end], dtype=np.int64))
    return classes.counts(more=run.left_out.rounds * (until - begin))


def _later(run: Run) -> int:
    return run.left_out.cycles if run.left_out else 0
