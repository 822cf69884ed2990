"""Dataflow regions: tasks that run at the same time, with FIFOs and double buffers between them (R7.1 to R7.3).

A task is a call or a loop in the region. It starts when the tasks that write its arrays and scalars have ended. It
waits at an empty FIFO to take a token and at a full FIFO to put one, and stands still as a whole while it waits. A
token can be taken in the cycle after it was put. Arrays between tasks are double buffers: in a loop the writer may be
an iteration ahead of the reader. Starting and ending a task takes no cycle of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.hls.dataflow.clocked import check_fifos, clocked
from ppnsim.hls.dataflow.groups import TaskNodes, task_channels, task_nodes
from ppnsim.hls.dataflow.run import Job, run_jobs
from ppnsim.hls.pragmas.directives import Directives, all_loops, scope_of
from ppnsim.hls.schedule.model import ScheduledTask, StateMachine
from ppnsim.hls.structure.counting import constant_trips, used
from ppnsim.hls.structure.unrolling import substituted
from ppnsim.loops.program import Loop, LoopProgram, Node


def dataflow_region(program: LoopProgram, directives: Directives) -> tuple[Sequence[Node], Loop | None] | None:
    """Return the body of a kernel's dataflow region and the loop around that body; None without a region.

    Raises
    ------
    InputError
        If a region is neither the kernel nor its only loop.
    """
    functions = {scope for scope, asked in directives.functions.items() if asked.dataflow}
    of_loops = {scope for scope, asked in directives.loops.items() if asked.dataflow}
    loops = [node for node in program.body if isinstance(node, Loop)]
    if program.frames and scope_of(program.frames[0]) in functions:
        return program.body, None
    if len(loops) == 1 and len(program.body) == 1 and scope_of(loops[0]) in of_loops:
        return loops[0].body, loops[0]
    inside = {scope_of(frame) for frame in program.frames} & functions
    inside |= {scope_of(loop) for loop in all_loops(program.body)} & of_loops
    if not inside:
        return None
    file, line, _ = min(inside)
    words = "a dataflow region must be the kernel itself or the only loop in it; choose the function with --function"
    raise InputError(words, where=f"{file}:{line}")


def in_tasks(
    program: LoopProgram, directives: Directives, region: tuple[Sequence[Node], Loop | None],
    schedule: Callable[[LoopProgram], StateMachine],
) -> StateMachine:  # fmt: skip
    """Return the schedule of a dataflow region; ``schedule`` is that of one task.

    Raises
    ------
    InputError
        If a channel does not have one writer and one later reader, or the number of its tokens is not known.
    """
    body, loop = region
    groups = task_nodes(body, directives.inlined(program.frames) | {frame.path for frame in program.frames[:1]})
    runs = 1
    if loop is not None:
        if (trips := constant_trips(loop)) is None:
            words = "a dataflow region needs a loop that runs a known number of times"
            raise InputError(words, where=str(loop.position))
        runs = trips
        for group in groups:
            if varying := next((each for each in all_loops(group.body) if used(each, loop.iterator)), None):
                words = f"how long task '{group.name}' runs depends on '{loop.iterator}', the iterator of the region"
                raise InputError(words, where=str(varying.position))
    _check_no_region(program, groups, directives)
    channels = task_channels(program, groups, directives)
    jobs, machines = [], []
    for group in groups:
        own = group.body if loop is None else substituted(group.body, loop.iterator, loop.first[0])
        task = replace(program, body=tuple(own))
        machine = schedule(task)
        inside = tuple(array for array in program.arrays if array.name not in channels)
        check_fifos(replace(task, arrays=inside), machine, directives)
        machines.append(machine)
        times = clocked(machine)
        passed = {side: times.of(side) for side in times.times if side[0].partition("[")[0] in channels}
        jobs.append(Job(group.name, machine.cycles, passed))
    ran = run_jobs(jobs, channels, runs)
    tasks = tuple(
        ScheduledTask(group.name, group.position, machine.cycles, each.start, each.end, each.waited, each.interval)
        for group, machine, each in zip(groups, machines, ran, strict=True)
    )  # fmt: skip
    nests = tuple(
        replace(nest, visits=nest.visits * runs, iterations=nest.iterations * runs)
        for machine in machines for nest in machine.nests
    )  # fmt: skip
    registers = frozenset().union(*(machine.registers for machine in machines))
    return StateMachine(
        max(each.end for each in ran), nests, (), registers=registers, tasks=tasks, parts=tuple(machines), runs=runs
    )  # fmt: skip


def _check_no_region(program: LoopProgram, groups: Sequence[TaskNodes], directives: Directives) -> None:
    """Refuse a dataflow region in a task of another one."""
    inside = {frame.path: scope_of(frame) for frame in program.frames[1:]}
    for path, scope in inside.items():
        if (asked := directives.functions.get(scope)) is not None and asked.dataflow:
            words = f"a dataflow region in a task of another one ('{path[-1]}') is not followed"
            raise InputError(f"{words}; choose it with --function", where=f"{scope[0]}:{scope[1]}")
    for group in groups:
        for loop in all_loops(group.body):
            if directives.of(loop).dataflow:
                raise InputError("a dataflow region in a task of another one is not followed", where=str(loop.position))
