"""When the tasks of regions run: the run of their process network, task by task."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines import run as engines
from ppnsim.hls.ends import start_to_done
from ppnsim.hls.schedule.model import RegionNetwork, RegionTask, ScheduledTask, StateMachine
from ppnsim.model.run import Run
from ppnsim.model.timeline import Timeline


def region_machine(region: RegionNetwork, on_deadlock: Literal["raise", "return"] = "raise") -> StateMachine:
    """Run the network of a kernel's regions and return the schedule of the whole kernel.

    After a deadlock that is returned, ``cycles`` are those until nothing happens any more, and no task has times.

    Raises
    ------
    DeadlockError
        If tasks wait for each other for ever and ``on_deadlock`` is ``raise``.
    """
    outcome = engines.run(region.network, on_deadlock=on_deadlock)
    tasks = () if outcome.deadlock else tuple(_times(region, task, outcome) for task in region.tasks.values())
    machines = [task.machine for task in region.tasks.values()]
    nests = tuple(
        replace(nest, visits=nest.visits * task.runs, iterations=nest.iterations * task.runs)
        for task in region.tasks.values() for nest in task.machine.nests
    )  # fmt: skip
    cycles = outcome.deadlock.at if outcome.deadlock else start_to_done(outcome, region.late)
    registers = frozenset[str]().union(*(machine.registers for machine in machines))
    return StateMachine(
        cycles, nests, (), registers=registers, tasks=tasks, parts=tuple(machines), runs=region.runs, region=region,
        outcome=outcome,
    )  # fmt: skip


def _times(region: RegionNetwork, task: RegionTask, outcome: Run) -> ScheduledTask:
    """Return when a task ran.

    A run starts when the one before has ended and its arrays are there; from then on it stands still only for FIFOs.
    """
    timeline, cycles = outcome.timeline, task.machine.cycles
    first = task.span * np.arange(task.runs, dtype=np.int64)
    ends = timeline.step_cycles(task.name, first + task.span - 1) + 1
    starts = np.maximum(np.concatenate([[0], ends[:-1]]), _handed(region, task, timeline))
    begun = ends - starts  # with the state that signals the end, if an access to a FIFO takes place in it
    return ScheduledTask(
        task.name, task.position, cycles, int(starts[0]), int(ends[-1]) - (task.span - cycles),
        int((begun - task.span).sum()), int(begun.max()) - (task.span - cycles), task.runs,
    )  # fmt: skip


def _handed(region: RegionNetwork, task: RegionTask, timeline: Timeline) -> Int64Array:
    """Return the cycle from which the arrays and the turn of each run of a task are there."""
    found = np.zeros(task.runs, dtype=np.int64)
    for channel in region.network.inputs(task.name):
        if region.channels[channel.name].kind in ("fifo", "port", "full") or channel.read_steps is None:
            continue
        schedule = region.network.stops[task.name].schedule
        steps = schedule.in_all_runs(channel.read_steps.expand())
        waits = np.zeros(channel.initial, dtype=np.int64)
        there = np.concatenate([waits, timeline.token_writes(channel.name) + (channel.forward or 1)])
        np.maximum.at(found, steps // task.span, there[: len(steps)])
    return found
