"""Figures of a whole run, from what its timeline records and the repetitions that it leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ppnsim.model.cycles import CycleClasses, cycle_classes
from ppnsim.model.metrics import Parallelism, max_occupancy, parallelism, utilisation_of
from ppnsim.model.network import Network, Process
from ppnsim.model.run import Run
from ppnsim.model.timeline import NEVER

_KEPT = "_summary"  # name under which a run keeps its figures, as it keeps its cached properties


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleCounts:
    """Cycles of a process by class; ``blocked`` and ``starved`` by channel, ``resource`` by the resource's name."""

    starting: int
    done: int
    draining: int
    ii: int
    blocked: Mapping[str, int]
    starved: Mapping[str, int]
    resource: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessSummary:
    """When a process ran, and where its cycles went; None where it never started or ended.

    Attributes
    ----------
    first_start, last_start, last_end : cycles.
    utilisation : of its pipeline, from 0 to 1; None where ii is 0.
    cycles : by class.
    """

    first_start: int | None
    last_start: int | None
    last_end: int | None
    utilisation: float | None
    cycles: CycleCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A run in figures.

    Attributes
    ----------
    run, parallelism : of which they are; its degree of parallelism.
    processes : figures of each process by its name.
    occupancy : the most tokens that each channel held, by its name.
    classes : where the cycles of each process went as far as they are recorded (`Run.recorded`), by its name.
    """

    run: Run
    parallelism: Parallelism
    processes: Mapping[str, ProcessSummary]
    occupancy: Mapping[str, int]
    classes: Mapping[str, CycleClasses]

    def starved_for(self, process: str) -> dict[str, int]:
        """Return the starved cycles of a process by the process that it waits for."""
        waits: dict[str, int] = {}
        for channel, cycles in self.processes[process].cycles.starved.items():
            source = self.run.network.channel(channel).source
            waits[source] = waits.get(source, 0) + cycles
        return waits


def summary_of(run: Run) -> RunSummary:
    """Return the figures of a run, which are kept with it: several tables and pictures show them.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> summary = summary_of(run(predictor()))
    >>> summary.processes["sink"].utilisation, summary.starved_for("sink")
    (0.25, {'transformer': 63})
    """
    known: RunSummary | None = vars(run).get(_KEPT)
    if known is None:
        classes = {process.name: cycle_classes(run.recorded, process.name) for process in run.network.processes}
        known = RunSummary(
            run=run,
            parallelism=run_parallelism(run),
            processes={name: _process(run, name, each) for name, each in classes.items()},
            occupancy={channel.name: most_held(run, channel.name) for channel in run.network.channels},
            classes=classes,
        )
        keep_summary(run, known)
    return known


def most_held(run: Run, channel: str) -> int:
    """Return the most tokens that a channel holds in the whole run, of which repetitions may be left out."""
    if (known := vars(run).get(_KEPT)) is not None:
        return int(known.occupancy[channel])  # nobody could count it any more if the cycles are not kept
    left_out = run.left_out.held.get(channel, 0) if run.left_out else 0
    return max_occupancy(run.recorded, channel) + left_out


def keep_summary(run: Run, summary: RunSummary) -> None:
    """Keep the figures with a run, from which nobody could make them any more."""
    vars(run)[_KEPT] = summary


def classes_of(run: Run) -> list[CycleClasses]:
    """Return where the cycles of each process went in the whole run, in the order of the processes."""
    recorded = summary_of(run).classes
    known = [recorded[process.name] for process in run.network.processes]
    if run.left_out is None:
        return known
    whole = []
    for each in known:
        edges, shown = run.left_out.put_back_pieces(each.edges)
        whole.append(CycleClasses(edges, each.codes[shown], each.labels))
    return whole


def _process(run: Run, process: str, classes: CycleClasses) -> ProcessSummary:
    declared = run.network.process(process)
    start, end = run.recorded.start(process), run.recorded.last_end(process)
    start = start[start != NEVER]
    later = run.left_out.cycles if run.left_out else 0
    first, last, utilisation = None, None, None
    if len(start):
        # All starts may be before the repetitions that are left out, or behind them.
        ends = (int(start[place]) for place in (0, -1))
        first, last = (each + (later if run.left_out and each > run.left_out.after else 0) for each in ends)
        utilisation = utilisation_of(
            declared.firings if run.left_out else len(start),
            first,
            last,
            interval_of(declared, declared.firings if run.left_out else len(start)),
        )
    return ProcessSummary(
        first_start=first, last_start=last, last_end=None if end == NEVER else end + later,
        utilisation=utilisation, cycles=cycle_counts(run, classes),
    )  # fmt: skip


def interval_of(process: Process, started: int) -> float:
    """Return the cycles between two starts of a process that nothing holds up, of its first ``started`` firings.

    Of a scheduled process that is the mean in its schedule; of one firing 1, of firings that all start at once 0.

    Examples
    --------
    >>> from ppnsim.model.network import Process
    >>> from ppnsim.model.schedule import StepSchedule
    >>> from ppnsim.model.step_lists import StepList
    >>> burst = Process(name="p", firings=6, schedule=StepSchedule(9, 2, StepList((0, 1, 8))))
    >>> interval_of(burst, 2), interval_of(burst, 3), interval_of(burst, 6)
    (1.0, 4.0, 3.4)
    """
    if process.schedule is None:
        return process.ii
    starts = process.schedule.starts[:started]
    return float(starts[-1] - starts[0]) / (started - 1) if started > 1 else 1


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
    busy = sum(execute_cycles(network, process) for process in network.processes)
    return Parallelism(busy / run.finish, recorded.maximum)


def execute_cycles(network: Network, process: Process) -> int:
    """Return the cycles in which firings of a process execute, all added up."""
    if process.schedule is not None:
        return process.schedule.runs * process.schedule.steps
    return network.steps[process.name].executes(process.firings)


def cycle_counts(run: Run, classes: CycleClasses) -> CycleCounts:
    """Return `CycleClasses.counts` of the whole run, from those of what is recorded of it."""
    if run.left_out is None:
        return CycleCounts(**classes.counts())
    end = run.left_out.after + 1
    begin, until = classes.before(np.array([end - run.left_out.steady.cycles, end], dtype=np.int64))
    return CycleCounts(**classes.counts(more=run.left_out.rounds * (until - begin)))
