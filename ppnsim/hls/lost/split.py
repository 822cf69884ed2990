"""Useful and lost cycles of a scheduled kernel, state by state.

A state is useful if the busiest class of operators starts an operation in it. Else the state is initialisation if an
operator is busy, memory if only a memory is busy, and control if nothing is (Eq. 2, 4, 5).
"""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from ppnsim.analysis.lost_cycles import CycleSplit
from ppnsim.arrays import BoolArray
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.schedule.model import ScheduledNest, ScheduledRegion, StateMachine
from ppnsim.hls.schedule.scheduler import Schedule
from ppnsim.hls.structure.counting import trips


def schedule_split(machine: StateMachine) -> CycleSplit:
    """Return where the cycles of a scheduled kernel go; the parts sum up to ``machine.cycles``.

    Operators of different classes work at the same time, and Eq. 4 divides by their number: useful states are those in
    which the most frequent class starts. Of loops that run at the same time the longest counts. Of the tasks of a
    dataflow region the task that ends last counts, and its waiting time is control.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Access, Array, Execution, Loop, LoopProgram, Operation, Statement
    >>> from ppnsim.hls.library.library import load_library
    >>> from ppnsim.hls.kernel import schedule_kernel
    >>> i = Affine.of("i")
    >>> twice = Operation("+", "float", (Operation("read", "float", read=0), Operation("read", "float", read=0)))
    >>> body = Statement(name="s", reads=(Access("a", (i,)),), writes=(Access("b", (i,)),), value=twice)
    >>> loop = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(7),), body=(Execution(body),))
    >>> arrays = tuple(Array(name=name, shape=(8,), role="parameter", type="float") for name in "ab")
    >>> machine = schedule_kernel(LoopProgram(name="k", arrays=arrays, body=(loop,)), load_library("xc7z020", 10))
    >>> split = schedule_split(machine)
    >>> split.useful, split.total == machine.cycles
    (8, True)
    """
    if machine.tasks:
        last = max(range(len(machine.tasks)), key=lambda number: machine.tasks[number].end)
        task, runs = schedule_split(machine.parts[last]), machine.tasks[last].runs
        if machine.tasks[last].period is not None:  # its runs overlap: only the last one is seen to its end
            rest = machine.cycles - task.total
            own = task + CycleSplit(useful=min(rest, (runs - 1) * task.useful))
        else:
            own = CycleSplit(**{each.name: runs * getattr(task, each.name) for each in fields(CycleSplit)})
        return own + CycleSplit(control=machine.cycles - own.total)
    total = sum(
        (_region(region) for region in machine.regions if region.cycles), CycleSplit()
    )  # R9.20: without the calls that run beside longer ones
    if not machine.regions:
        total = sum((_nest(nest) for nest in machine.nests), CycleSplit())
    # The state in which the kernel signals its end does not count as a cycle (R5.9).
    return total + _last(machine, machine.cycles - total.total)


def _split(activity: BoolArray, weight: int) -> CycleSplit:
    """Return the split of some states, ``weight`` times."""
    operators, memories, useful = activity
    busy = operators | useful
    parts = (useful, busy & ~useful, memories & ~busy, ~memories & ~busy)
    starts, filling, memory, control = (int(part.sum()) * weight for part in parts)
    return CycleSplit(useful=starts, initialisation=filling, memory=memory, control=control)


def _activity(graph: Graph, schedule: Schedule, states: int) -> BoolArray:
    """Return in which states operators are busy, memories are busy, and the busiest class starts; shape (3, states)."""
    operators, memories = np.zeros(states, dtype=np.bool_), np.zeros(states, dtype=np.bool_)
    starts: dict[str, BoolArray] = {}
    for node, (issued, _), (ended, at) in zip(graph.nodes, schedule.issue, schedule.result, strict=True):
        if node.kind == "load":  # the address goes out in one state, the data comes in the next
            memories[issued : issued + 2] = True
        elif node.kind == "store":
            memories[issued] = True
        elif node.kind == "op" and (node.wide is not None or node.unit) and node.name != "select":  # a pure choice
            operators[issued : max(ended, issued + 1) + (at > 0 and ended > issued)] = True
            starts.setdefault(node.unit or node.name, np.zeros(states, dtype=np.bool_))[issued : issued + 1] = True
    starts.setdefault("", np.zeros(states, dtype=np.bool_))
    busiest = max(starts.values(), key=lambda each: int(each.sum()))
    return np.stack([operators, memories, busiest])


def _last(machine: StateMachine, weight: int) -> CycleSplit:
    """Return the split of a kernel's last state, ``weight`` times."""
    nest: ScheduledNest | None = machine.nests[-1] if machine.nests else None
    if machine.regions:
        region = machine.regions[-1]
        states = region.schedule.states
        nest = _started(region).get(states - 2)  # the last state may wait for a loop
        seen = _activity(region.graph, region.schedule, states)
    if nest is not None:
        if not nest.iterations:
            return CycleSplit(control=weight)
        seen = _activity(nest.body.graph, nest.body.schedule, nest.body.depth)
    return _split(seen[:, -1:], weight)


def _started(region: ScheduledRegion) -> dict[int, ScheduledNest]:
    """Return the longest of the loops that start in each state."""
    calls = [index for index, node in enumerate(region.graph.nodes) if node.kind == "call"]
    longest: dict[int, ScheduledNest] = {}
    for call, nest in zip(calls, region.nests, strict=True):
        state = region.schedule.issue[call][0]
        if state not in longest or nest.cycles > longest[state].cycles:
            longest[state] = nest
    return longest


def _region(region: ScheduledRegion) -> CycleSplit:
    """Return the cycles of straight-line code and of the loops that it starts."""
    longest, states = _started(region), region.schedule.states
    own = np.ones(states, dtype=np.bool_)
    own[[state + 1 for state in longest]] = False  # the state that waits for a loop belongs to the loop
    straight = _split(_activity(region.graph, region.schedule, states)[:, own], region.visits)
    return sum((_nest(nest) for nest in longest.values()), straight)


def _nest(nest: ScheduledNest) -> CycleSplit:
    """Return the cycles of all visits of a pipelined loop."""
    body, ii = nest.body, nest.body.schedule.ii
    seen = _activity(body.graph, body.schedule, body.depth)
    # From ``full`` iterations on, each further one adds a period in which iterations overlap completely.
    full = -(-body.depth // ii) + 1
    padded = np.pad(seen, ((0, 0), (0, -body.depth % ii)))
    period: BoolArray = np.any(padded.reshape(3, -1, ii), axis=1)
    runs, times = trips(body.pipeline.around, body.pipeline.loops)
    total = CycleSplit()
    for iterations in np.unique(runs).tolist():
        visits = int(times[runs == iterations].sum())
        if iterations:
            total += _split(_overlapped(seen, min(iterations, full), ii), visits)
            total += _split(period, visits * max(0, iterations - full))
        else:
            total += CycleSplit(control=visits * (body.depth - ii))
    return total


def _overlapped(seen: BoolArray, iterations: int, ii: int) -> BoolArray:
    """Return the activity of iterations that start ``ii`` cycles after one another."""
    depth = seen.shape[1]
    cycles: BoolArray = np.zeros((3, depth + (iterations - 1) * ii), dtype=np.bool_)
    for start in range(0, iterations * ii, ii):
        cycles[:, start : start + depth] |= seen
    return cycles
