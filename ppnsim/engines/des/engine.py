"""Runs a program in SimPy and collects the timeline."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import simpy
from simpy.core import EmptySchedule

from ppnsim.arrays import Int64Array, read_only
from ppnsim.engines.deadlock import run_of
from ppnsim.engines.des import elastic, flushable, frozen
from ppnsim.engines.des.channel import RecordingChannel
from ppnsim.engines.des.process import RunningProcess
from ppnsim.engines.des.resources import Arbiter
from ppnsim.engines.des.stage import steps_at_run_time
from ppnsim.engines.program import Program
from ppnsim.model.run import Run
from ppnsim.model.timeline import NEVER, Timeline

Progress = Callable[[int, int], None]

LAUNCH = {"elastic": elastic.launch, "flushable": flushable.launch, "frozen": frozen.launch}
_EVENTS_BETWEEN_REPORTS = 50_000


def run(program: Program, *, progress: Progress | None = None) -> Run:
    """Run a program to its end or to its deadlock.

    Parameters
    ----------
    program : the lowered network.
    progress : called now and then with firings started and firings in all.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> run(Program.of(chain(firings=20, depth=1))).finish
    51
    """
    env = simpy.Environment()
    network = program.network
    channels = [
        RecordingChannel(env, forward=network.forward(channel.name), release=network.release(channel.name))
        for channel in network.channels
    ]
    arbiter = Arbiter(env, network.resources)
    processes = [
        RunningProcess(env, number, lowered, steps_at_run_time(env, lowered, channels, program.depths), arbiter)
        for number, lowered in enumerate(program.processes)
    ]
    for process in processes:
        LAUNCH[process.lowered.process.style](process)
    drive(env, processes, program.passings, progress)
    return _result(program, processes)


def drive(env: simpy.Environment, processes: list[RunningProcess], firings: int, progress: Progress | None) -> None:
    """Let SimPy work until nothing is left to happen, and report the firings started now and then."""
    try:
        while True:
            for _ in range(_EVENTS_BETWEEN_REPORTS):
                env.step()
            if progress is not None:
                progress(sum(len(process.steps[0].passed) for process in processes), firings)
    except EmptySchedule:
        pass


def _result(program: Program, processes: list[RunningProcess]) -> Run:
    passed = {process.lowered.process.name: passed_of(process) for process in processes}
    flushable_ones = (process for process in processes if process.lowered.process.style == "flushable")
    holds = {process.lowered.process.name: holds_of(process) for process in flushable_ones}
    return run_of(program, Timeline(network=program.network, passed=passed, holds=holds), engine="des")


def passed_of(process: RunningProcess) -> Int64Array:
    """Return the cycle in which each firing passed each step, `NEVER` if it did not."""
    passed = np.full((len(process.steps), process.firings), NEVER, dtype=np.int64)
    for row, step in zip(passed, process.steps, strict=True):
        row[: len(step.passed)] = step.passed
    return read_only(passed)


def holds_of(process: RunningProcess) -> Int64Array:
    """Return the cycles in which a flushable process was held."""
    holds = list(process.holds)
    if process.held_since is not None:
        holds.append((process.held_since, NEVER))
    return read_only(np.array(holds, dtype=np.int64).reshape(-1, 2))
