"""The schedules of tasks as often as they run: one after the other, or as the iterations of one loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ppnsim.hls.region.accesses import Clocked, clocked
from ppnsim.hls.region.leaves import Leaf
from ppnsim.hls.region.refusals import DataDecides
from ppnsim.hls.region.rounds import rounds_of
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.structure.counting import is_data
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import DATA, Loop, LoopProgram, Statement


def run_again(
    program: LoopProgram, scheduled: Iterable[tuple[Leaf, StateMachine]], outside: Mapping[str, int],
    schedule: Callable[[LoopProgram], StateMachine],
) -> tuple[dict[Leaf, StateMachine], dict[Leaf, Clocked]]:  # fmt: skip
    """Return schedules and accesses of the tasks as often as they run; rounds that are pipelined are one loop.

    A task of which data decides when it accesses a FIFO is told before those behind it are scheduled.
    """
    machines: dict[Leaf, StateMachine] = {}
    clocks: dict[Leaf, Clocked] = {}
    for leaf, machine in scheduled:
        machines[leaf], clocks[leaf] = machine, _clocked(leaf, machine)
    again: dict[Leaf, StateMachine] = {}
    times: dict[Leaf, Clocked] = {}
    rounds = rounds_of(list(machines), clocks, outside)
    for leaf in machines:
        one = leaf.again(rounds[leaf])
        again[one] = schedule(replace(program, body=one.body)) if leaf.pipelined else machines[leaf]
        times[one] = _clocked(one, again[one]) if leaf.pipelined else clocks[leaf]
    return again, times


def _clocked(leaf: Leaf, machine: StateMachine) -> Clocked:
    """Return the accesses of a task; where data decides about one, its place is said."""
    try:
        return clocked(machine)
    except DataDecides as reason:
        placed = LoopProgram(name="", arrays=(), body=leaf.body).placed()
        touching = ((each, around) for each, around, _ in placed
                    if any(access.array == reason.array for access in (*each.reads, *each.writes)))  # fmt: skip
        where = next((each.position for each, around in touching if _is_decided(each, around)), leaf.position)
        raise DataDecides(reason.message, reason.array, where=str(where)) from None


def _is_decided(statement: Statement, around: Sequence[Loop | Condition]) -> bool:
    """Return whether data decides if a statement is executed, or which element it accesses."""
    names = {name for access in (*statement.reads, *statement.writes) for subscript in access.subscripts
             for name in subscript.iterators()}  # fmt: skip
    return bool(names & DATA.iterators()) or any(not isinstance(part, Loop) and is_data(part) for part in around)
