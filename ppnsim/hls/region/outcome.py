"""The run of a region's process network: when each task starts and ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines import run as engines
from ppnsim.engines.compiled.uncontended import alone, uncontended
from ppnsim.hls.ends import start_to_done
from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.hls.schedule.model import RegionNetwork, RegionTask, ScheduledTask, StateMachine
from ppnsim.model.network import Network
from ppnsim.model.run import Deadlock, DeadlockError, Run
from ppnsim.model.timeline import Timeline

MOST_BESIDE = 12_000_000
"""Most firings and tokens of a run with waits for a shared bus: half a minute of processor time."""
_APART = 8  # stops per token from which on a run from access to access is cheaper: it costs per token only
_STOPS = 20_000_000  # most stops for which a deadlock, which keeps every stop, takes less than a GB


def region_machine(region: RegionNetwork, on_deadlock: Literal["raise", "return"] = "raise") -> StateMachine:
    """Run the network of a kernel's regions and return the schedule of the whole kernel.

    After a returned deadlock, ``cycles`` last until nothing happens any more, and no task has times.

    Raises
    ------
    NoNetwork
        If tasks wait for each other for ever, and data decides about an ``if`` with loops in one of them (R7.4).
    DeadlockError
        If tasks wait for each other for ever otherwise, and ``on_deadlock`` is ``raise``.
    """
    outcome, said = _run(region.network)
    if outcome.deadlock:
        _check_certain(region, outcome.deadlock)
        if on_deadlock == "raise":
            raise DeadlockError(outcome)
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
        outcome=outcome, said=(*said, *region.buses.unported()),
    )  # fmt: skip


def _check_certain(region: RegionNetwork, deadlock: Deadlock) -> None:
    """Refuse a deadlock of tasks that pass other tokens, or in another order, if data decides otherwise (R7.4)."""
    for wait in deadlock.cycle:
        task = region.tasks.get(wait.process)
        if task is not None and task.chosen:
            words = (
                f"task '{task.name}' {wait} for ever, if an if with loops in it, about which data decides, is always"
            )
            raise NoNetwork(f"{words} executed", where=str(task.position))


def _run(network: Network) -> tuple[Run, tuple[str, ...]]:
    """Return the run of a network, and the assumptions about it.

    If tasks wait for a shared bus, every request is simulated separately; if that would take minutes, the run assumes a
    separate bus for each task.
    that of tasks with buses of their own.
    """
    if network.resources and network.events > MOST_BESIDE and (free := alone(network)) is not None:
        found = engines.run(free, on_deadlock="return")
        if shared := uncontended(network, found):
            return shared, ()
        buses = ", ".join(f"'{name}'" for name in network.resources)
        words = f"a run of {network.events:,} firings and tokens is not decided request by request (R12.4, at most "
        return found, (f"assumed: no task waits for a bus that it shares ({buses}): {words}{MOST_BESIDE:,})",)
    return engines.run(network, on_deadlock="return", fast_forward=not _is_sparse(network)), ()


def _is_sparse(network: Network) -> bool:
    """Return whether accesses are so rare that listing all of them costs less than skipping repetitions."""
    tokens = sum(each.written for each in network.counts.values())
    return tokens * _APART <= network.passings <= _STOPS


def _times(region: RegionNetwork, task: RegionTask, outcome: Run) -> ScheduledTask:
    """Return the start, the end and the waits of a task.

    A run starts after the previous run, when its arrays have arrived; after its start it waits only for FIFOs.
    """
    timeline, cycles = outcome.timeline, task.machine.cycles
    slots = np.full(task.runs, task.period, dtype=np.int64)
    slots[-1] = task.span
    ends = timeline.step_cycles(task.name, np.cumsum(slots) - 1) + 1
    starts = np.maximum(np.concatenate([[0], ends[:-1]]), _arrivals(region, task, timeline))
    begun = ends - starts  # includes the state that signals the end if a FIFO access takes place in it
    late = task.span - cycles
    interval = int(begun.max()) - late if task.period == task.span else int(begun[:-1].max(initial=task.period))
    return ScheduledTask(
        task.name, task.position, cycles, int(starts[0]), int(ends[-1]) - late,
        int((begun - slots).sum()), interval, task.runs,
        task.period if task.period != task.span else None,
    )  # fmt: skip


def _arrivals(region: RegionNetwork, task: RegionTask, timeline: Timeline) -> Int64Array:
    """Return the cycle in which the arrays and the turn of each run of a task have arrived."""
    found = np.zeros(task.runs, dtype=np.int64)
    for channel in region.network.inputs(task.name):
        if region.channels[channel.name].kind in ("fifo", "port", "full") or channel.read_steps is None:
            continue
        schedule = region.network.stops[task.name].schedule
        steps = schedule.in_all_runs(channel.read_steps.expand())
        waits = np.zeros(channel.initial, dtype=np.int64)
        there = np.concatenate([waits, timeline.token_writes(channel.name) + (channel.forward or 1)])
        np.maximum.at(found, steps // task.period, there[: len(steps)])
    return found
